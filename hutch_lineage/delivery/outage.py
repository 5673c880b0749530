"""What to say about an outage: one line when it begins, one when it ends."""

from __future__ import annotations

import time
from typing import Final

_MAX_REASONS: Final = 100


class Outage:
    """Tells the first failure from the following ones, for one endpoint. Not locked.

    Attributes
    ----------
    since : float or None
        When the present outage began (monotonic seconds), or None when there is none.
    reason : str or None
        Why the last post of the present outage failed.
    failures : int
        Failures in a row.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._reasons: set[str] = set()
        self.since: float | None = None
        self.reason: str | None = None
        self.failures = 0

    def failed(self, reason: str) -> str | None:
        """Count a failure; return the line to log where an outage begins."""
        self.failures += 1
        self.reason = reason
        if self.since is not None:
            return None
        self.since = time.monotonic()
        return (
            f"{self._name} does not take OpenLineage events: {reason}. They wait in this process "
            "and are sent in order when it is back; nothing has to be done here. "
            "emitter.stats() and %hutch_lineage status show how many wait."
        )

    def answered(self, left: int) -> str | None:
        """Note an answer; return the line to log where an outage ends."""
        if self.since is None:
            return None
        lasted_s = time.monotonic() - self.since
        self.since = self.reason = None
        failures, self.failures = self.failures, 0
        return (
            f"{self._name} takes OpenLineage events again after {lasted_s:.1f} s and {failures} "
            f"failed posts; {left} more that waited follow."
        )

    def rejected(self, reason: str) -> str | None:
        """Return the line to log for a rejection, once per reason."""
        if reason in self._reasons or len(self._reasons) >= _MAX_REASONS:
            return None
        self._reasons.add(reason)
        return (
            f"{self._name} rejected an OpenLineage event: {reason}. It is set aside and the next "
            "ones follow; emitter.rejected_events lists what was refused, "
            "emitter.send_rejected() offers it again."
        )

    def left_behind(self, count: int) -> str:
        """Return the line to log when a process closes while events are owed."""
        why = f" ({self.reason})" if self.reason else ""
        events = "1 OpenLineage event was" if count == 1 else f"{count} OpenLineage events were"
        return (
            f"{events} not sent to {self._name}{why}; what is in memory is lost with this process. "
            "Raise the time-out of close(), or go live again."
        )
