"""What processes that are gone have left in their journals: to look at, and to send."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from hutch_lineage.delivery import (
    Courier,
    Credentials,
    DeliveryOptions,
    JournalFacts,
    MemoryOutbox,
    Orphans,
    facts_of,
    journals_below,
    newest_lines,
    offer_rejected,
    open_sender,
)
from hutch_lineage.mapping import PRESETS, Accepted, Endpoint, parse_endpoint

LOOK_S = 0.2


class LeftForEndpoint(NamedTuple):
    """The journals of one endpoint.

    Attributes
    ----------
    folder : Path
        Where they are.
    endpoint : str
        The masked URL that their events are for.
    journals : tuple of JournalFacts
        All of them, also those of living processes.
    """

    folder: Path
    endpoint: str
    journals: tuple[JournalFacts, ...]

    @property
    def owed(self) -> int:
        """How many events wait that nobody is sending."""
        return sum(each.owed for each in self.journals if each.state == "left behind")

    @property
    def rejected(self) -> int:
        """How many were refused, of processes that are gone."""
        return sum(each.rejected for each in self.journals if each.state == "left behind")

    @property
    def accepted_by(self) -> Accepted:
        """What counts as accepted there, as those knew it who left the journals."""
        left = [each.accepted_by for each in self.journals if each.state == "left behind"]
        return "edges" if "edges" in left else "2xx"

    def target(self, given: str | None = None) -> Endpoint | None:
        """Return where to send them: what was given where it is the same place, else as written.

        None where the URL holds a secret, which is not in the journal, and was not given.
        """
        if given and (endpoint := self.at(given)) is not None:
            return endpoint
        return None if "***" in self.endpoint else parse_endpoint(self.endpoint, "")

    def at(self, given: str) -> Endpoint | None:
        """Return this endpoint as it was given, be it with its path or without; None: another."""
        paths = dict.fromkeys(("", *(preset.path for preset in PRESETS.values())))
        found = (parse_endpoint(given, path) for path in paths)
        return next((each for each in found if each.masked == self.endpoint), None)


def left_in(root: Path) -> list[LeftForEndpoint]:
    """Return what lies in the journals below a root, by endpoint.

    Examples
    --------
    >>> left_in(Path("nowhere"))
    []
    """
    found: dict[Path, list[JournalFacts]] = {}
    for folder in journals_below(root):
        facts = facts_of(folder)
        if facts is not None:
            found.setdefault(folder.parent, []).append(facts)
    return [
        LeftForEndpoint(folder, journals[0].endpoint, tuple(journals))
        for folder, journals in found.items()
    ]


def send_left(
    left: LeftForEndpoint,
    target: Endpoint,
    credentials: Credentials | None = None,
    options: DeliveryOptions | None = None,
    *,
    timeout_s: float = 60.0,
    patience_s: float | None = None,
    again: bool = False,
    on_progress: Callable[[int], object] = lambda _: None,
    on_refused: Callable[[int, str], object] = lambda _, __: None,
    on_trouble: Callable[[str, float], object] = lambda _, __: None,
) -> bool:
    """Send what was left for an endpoint, oldest journal first, and wait for it.

    Parameters
    ----------
    left : LeftForEndpoint
        See :func:`left_in`.
    target : Endpoint
        Where to; see :meth:`LeftForEndpoint.target`.
    credentials, options : optional
        The key and headers; time limits, TLS, batches.
    timeout_s : float
        The longest time in seconds.
    patience_s : float, optional
        The longest time where nothing at all is taken.
    again : bool
        Whether what was refused is offered once more, too.
    on_progress : callable
        Called now and then with the number of events that were accepted since the last time.
    on_refused : callable
        Called with the number of events that were refused since the last time, where there are
        any, and why the first was.
    on_trouble : callable
        Called now and then while the endpoint takes nothing, with the reason and with how many
        seconds it is tried still.

    Returns
    -------
    bool
        Whether nothing is left that is owed.

    Examples
    --------
    >>> left = LeftForEndpoint(Path("nowhere"), "http://localhost:5000/api/v1/lineage", ())
    >>> send_left(left, left.target())
    True
    """
    options = options or DeliveryOptions()
    http = options.http
    if left.accepted_by == "edges":
        http = replace(http, accepted="edges")
    orphans = Orphans(left.folder, options.limits)
    if again:
        sender = open_sender(target, credentials, http)
        for folder in (each.folder for each in left.journals if each.rejected):
            offered = offer_rejected(folder, sender)
            on_progress(offered.accepted)
            if offered.refused:
                on_refused(offered.refused, offered.why)
        sender.close()
    if not orphans.any():
        return True
    courier = Courier(
        MemoryOutbox(),
        open_sender(target, credentials, http),
        name=target.masked,
        adoption=orphans,
        journal=str(left.folder),
        lanes=http.connections,
        silent=True,
    )
    courier.resume()
    start = time.monotonic()
    deadline = start + timeout_s
    if patience_s is not None:
        deadline = min(deadline, start + patience_s)
    told = refused = 0
    while True:
        done = courier.flush(min(LOOK_S, max(0.0, deadline - time.monotonic())))
        stats = courier.stats()
        on_progress(stats.adopted - told)
        told = stats.adopted
        if stats.adopted_refused > refused:
            on_refused(stats.adopted_refused - refused, stats.adopted_why)
            refused = stats.adopted_refused
        if told or refused:
            deadline = start + timeout_s
        left_s = deadline - time.monotonic()
        if stats.state == "failing" and stats.last_error and not done:
            on_trouble(stats.last_error, max(0.0, left_s))
        if done or left_s <= 0:
            courier.close(0)
            return done


def run_events(root: Path, count: int | None = None) -> Iterator[tuple[JournalFacts, bytes]]:
    """Yield the newest `count` RunEvents of each journal below a root, as JSON, oldest first.

    Examples
    --------
    >>> list(run_events(Path("nowhere")))
    []
    """
    for folder in journals_below(root):
        facts = facts_of(folder)
        if facts is None:
            continue
        for line in newest_lines(folder, count):
            yield facts, line
