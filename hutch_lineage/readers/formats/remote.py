"""One run of a backend, opened: which one is meant, its events so far, and those that follow."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from hutch_lineage.errors import ReadError
from hutch_lineage.mapping import ns_from_iso

from .marquez import PAGE, Marquez, digest, marquez_uuid

LOOK_BACK: Final = 10  # pages in which a run is looked for by what its events say
OVERLAP_NS: Final = 5_000_000_000  # how much later than its neighbours an event may come in
AFTERWARDS_NS: Final = 60_000_000_000  # how long after the end of a run its events are looked for
MOST_NAMED: Final = 8
_ENDED: Final = frozenset({"COMPLETE", "FAIL", "ABORT"})


@dataclass(slots=True)
class RemoteRun:
    """A run as its events tell of it.

    Attributes
    ----------
    uuid : str
        Marquez's id of it.
    run_id, name : str
        The ids for people: Hutch's own where the events tell it.
    names : set of str
        Whatever it may be called by.
    events : int
        How many of its events were seen.
    last : str
        The time of the newest one.
    """

    uuid: str
    run_id: str = ""
    name: str = ""
    names: set[str] = field(default_factory=set)
    events: int = 0
    last: str = ""

    def __str__(self) -> str:
        return f"{self.name or self.run_id} (run_id {self.run_id}, newest event {self.last[:19]})"


class RunFeed:
    """The events of one run, read from a Marquez as they come.

    Parameters
    ----------
    marquez : Marquez
        Where to read.
    run : RemoteRun
        Which run.

    Attributes
    ----------
    period_s : float
        How long to wait between two polls while something comes.
    ended : bool
        Whether nothing more is to be expected: the run has ended, and it was read once more.
    """

    period_s = 1.0

    def __init__(self, marquez: Marquez, run: RemoteRun) -> None:
        self._marquez = marquez
        self._run = run
        self._seen: set[bytes] = set()
        self._newest_ns: int | None = None
        self._end_ns: int | None = None
        self._start_ns = _start_of(marquez, run)
        self.ended = False
        self.name = f"{run.name or run.run_id} at {marquez.name}"

    def poll(self) -> list[dict[str, Any]]:
        """Return the events that have come since the last call, in order; blocks while it reads.

        The first call reads the whole run. The last one does so again, for what came late.

        Raises
        ------
        ReadError
            Marquez does not answer, or not as it should; call again later.
        """
        ending = self._end_ns is not None and self._newest_ns is not None
        after_ns = self._start_ns
        if self._newest_ns is not None and not ending:
            after_ns = max(after_ns, self._newest_ns - OVERLAP_NS)
        fresh: list[dict[str, Any]] = []
        newest_ns, end_ns = self._newest_ns, self._end_ns
        for page in self._marquez.events(after_ns):
            ours = [event for event in page if self._run.uuid in _uuids(event)]
            fresh += (event for event in ours if digest(event) not in self._seen)
            for event in ours:
                moment_ns = ns_from_iso(event.get("eventTime")) or 0
                newest_ns = max(newest_ns or 0, moment_ns)
                if _is_end(event, self._run.uuid):
                    end_ns = max(end_ns or 0, moment_ns)
            last_ns = ns_from_iso(page[-1].get("eventTime")) or 0
            if end_ns is not None and last_ns > end_ns + AFTERWARDS_NS:
                break
        self._seen.update(map(digest, fresh))  # not before all of it is there
        self._newest_ns, self._end_ns = newest_ns, end_ns
        self.ended = ending and end_ns is not None
        return fresh

    def close(self) -> None:
        """Close the connection."""
        self._marquez.close()


def open_run(marquez: Marquez, run: str | None = None) -> RunFeed:
    """Return the feed of a run.

    Parameters
    ----------
    marquez : Marquez
        Where it is.
    run : str, optional
        The run's name or id; not needed where there is only one.

    Raises
    ------
    ReadError
        There is no such run, or there are several; the message lists them.
    """
    recent = _recent_runs(marquez)
    if run is None:
        if not recent:
            raise ReadError(f"{marquez.name} has no runs yet", marquez.name)
        if len(recent) > 1:
            raise _unclear(marquez, "has several runs: name one with run=", recent)
        return RunFeed(marquez, recent[0])
    found = [each for each in recent if run in each.names] or _runs_of_job(marquez, run)
    if len(found) == 1:
        return RunFeed(marquez, found[0])
    if found:
        raise _unclear(marquez, f"has several runs {run!r}: take the id as run=", found)
    names = {name: each for each in recent for name in (each.name, each.run_id) if name}
    close = difflib.get_close_matches(run, names, n=MOST_NAMED, cutoff=0.5)
    close += [name for name in names if run.lower() in name.lower()]
    likely = list({names[name].uuid: names[name] for name in close}.values())
    if likely:
        raise _unclear(marquez, f"has no run {run!r}; did you mean", likely)
    raise _unclear(
        marquez, f"has no run {run!r}" + ("; it has" if recent else " and no other"), recent
    )


def _recent_runs(marquez: Marquez) -> list[RemoteRun]:
    """Return the runs that the newest events tell of, newest first."""
    runs: dict[str, RemoteRun] = {}
    pages = marquez.events(newest_first=True)
    for _, page in zip(range(LOOK_BACK), pages, strict=False):
        for event in page:
            _note(runs, event)
    return list(runs.values())


def _note(runs: dict[str, RemoteRun], event: dict[str, Any]) -> None:
    facets = _dict(_dict(event.get("run")).get("facets"))
    parent = _dict(facets.get("parent"))
    outermost = _dict(parent.get("root")) or parent
    of = outermost if _dict(outermost.get("run")).get("runId") else event
    run_id = _dict(of.get("run")).get("runId")
    if not isinstance(run_id, str):
        return
    ours = _dict(facets.get("hutchLineage"))
    name = str(ours.get("run_name") or _dict(of.get("job")).get("name") or "")
    uuid = marquez_uuid(run_id)
    run = runs.setdefault(uuid, RemoteRun(uuid, last=str(event.get("eventTime") or "")))
    run.run_id = str(ours.get("run_id") or run.run_id or run_id)
    run.name = run.name or name
    run.names |= {run_id, uuid, run.run_id, name, str(_dict(of.get("job")).get("name"))}
    run.events += 1


def _runs_of_job(marquez: Marquez, name: str) -> list[RemoteRun]:
    """Return the runs of a job of that name, or the run of that id, however long ago."""
    known = marquez.run(marquez_uuid(name))
    if known is not None:
        return [RemoteRun(marquez_uuid(name), name, "", {name})]
    return [
        RemoteRun(
            str(run.get("id")), str(run.get("id")), name, {name}, 0, str(run.get("updatedAt"))
        )
        for _, run in marquez.runs_of_job(name)
    ]


def _start_of(marquez: Marquez, run: RemoteRun) -> int:
    known = marquez.run(run.uuid)
    # createdAt is the time of the event that Marquez had first
    return max(0, (ns_from_iso((known or {}).get("createdAt")) or 0) - OVERLAP_NS)


def _uuids(event: dict[str, Any]) -> set[str]:
    """Return Marquez's ids of the runs that an event belongs to: its own and those above it."""
    run = _dict(event.get("run"))
    parent = _dict(_dict(run.get("facets")).get("parent"))
    places: Iterable[Any] = (run, parent.get("run"), _dict(parent.get("root")).get("run"))
    ids = (_dict(place).get("runId") for place in places)
    return {marquez_uuid(each) for each in ids if isinstance(each, str)}


def _is_end(event: dict[str, Any], uuid: str) -> bool:
    own = _dict(event.get("run")).get("runId")
    return event.get("eventType") in _ENDED and isinstance(own, str) and marquez_uuid(own) == uuid


def _unclear(marquez: Marquez, what: str, runs: list[RemoteRun]) -> ReadError:
    listed = "; ".join(map(str, runs[:MOST_NAMED]))
    more = f"; and {len(runs) - MOST_NAMED} more" if len(runs) > MOST_NAMED else ""
    return ReadError(f"{marquez.name} {what}" + (f": {listed}{more}" if runs else ""), marquez.name)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


__all__ = ["PAGE", "RemoteRun", "RunFeed", "open_run"]
