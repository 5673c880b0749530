"""What to say about outages: one line when one begins, one when it ends, none for flapping."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

_MAX_REASONS: Final = 100
QUIET_S: Final = 300.0
"""For so long after an outage was told, another one is part of it."""
PATIENCE_S: Final = 60.0
"""But one that lasts longer than this is told all the same."""

Said = tuple[int, str]


class Outage:
    """Tells the first failure from the following ones, for one endpoint. Not locked.

    A backend that comes and goes is one outage: further ones soon after it are logged at DEBUG,
    unless one lasts.

    Parameters
    ----------
    name : str
        The endpoint, for people.
    clock : callable
        Tells the time, in seconds.
    silent : bool
        Whether outages and refusals are logged at DEBUG, as somebody else tells of them.

    Attributes
    ----------
    since : float or None
        When the present outage began (monotonic seconds), or None when there is none.
    reason : str or None
        Why the last post of the present outage failed.
    failures : int
        Failures in a row.
    journal : str or None
        Where the events are on disk.
    """

    def __init__(
        self, name: str, clock: Callable[[], float] = time.monotonic, *, silent: bool = False
    ) -> None:
        self._name = name
        self._clock = clock
        self._silent = silent
        self._reasons: set[str] = set()
        self._told = False
        self._quiet_until = 0.0
        self.since: float | None = None
        self.reason: str | None = None
        self.failures = 0
        self.journal: str | None = None

    def failed(self, reason: str) -> Said | None:
        """Count a failure; return what to log where an outage begins."""
        now = self._clock()
        self.failures += 1
        self.reason = reason
        begins = self.since is None
        if self.since is None:
            self.since = now
            self._told = False
        if (
            self._told
            or self._silent
            or (now < self._quiet_until and now - self.since < PATIENCE_S)
        ):
            if begins:
                return logging.DEBUG, f"{self._name} fails again: {reason}"
            return None
        self._told = True
        where = f"in {self.journal}" if self.journal else "in this process"
        return logging.WARNING, (
            f"{self._name} does not take OpenLineage events: {reason}. They wait {where} "
            "and are sent in order when it is back; nothing has to be done here. "
            "emitter.stats() and %hutch_lineage status show how many wait."
        )

    def answered(self, left: int) -> Said | None:
        """Note an answer; return what to log where an outage ends."""
        if self.since is None:
            return None
        now = self._clock()
        lasted_s = now - self.since
        self.since = self.reason = None
        failures, self.failures = self.failures, 0
        if self._told:
            self._quiet_until = now + QUIET_S
        return logging.INFO if self._told else logging.DEBUG, (
            f"{self._name} takes OpenLineage events again after {lasted_s:.1f} s and {failures} "
            f"failed posts; {left} more that waited follow."
        )

    def rejected(self, reason: str) -> Said | None:
        """Return what to log for a rejection, once per reason."""
        if reason in self._reasons or len(self._reasons) >= _MAX_REASONS:
            return None
        self._reasons.add(reason)
        if self._silent:
            return logging.DEBUG, f"{self._name} rejected an OpenLineage event: {reason}"
        return logging.WARNING, (
            f"{self._name} rejected an OpenLineage event: {reason}. It is set aside and the next "
            "ones follow; emitter.rejected_events lists what was refused, "
            "emitter.send_rejected() offers it again."
        )

    def left_behind(self, count: int, *, kept: bool) -> str:
        """Return the line to log when a process closes while events are owed."""
        why = f" ({self.reason})" if self.reason else ""
        events = "1 OpenLineage event was" if count == 1 else f"{count} OpenLineage events were"
        if kept:
            return (
                f"{events} not sent to {self._name}{why}; they stay in {self.journal}. The next "
                "start with this endpoint sends them, or `hutch-lineage flush`."
            )
        return (
            f"{events} not sent to {self._name}{why}; what is in memory is lost with this process. "
            "Raise the time-out of close(), or go live again."
        )
