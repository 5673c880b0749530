"""One run of a Marquez: which one is meant, its events so far, and those that follow."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from hutch_lineage.errors import ReadError
from hutch_lineage.mapping import Told, as_dict, escaped, ns_from_iso, run_uuid

from .http_place import MOST_NAMED
from .marquez import Marquez, digest, marquez_uuid

LOOK_BACK: Final = 10  # pages in which a run is looked for by what its events say
OVERLAP_NS: Final = 5_000_000_000  # how much later than its neighbours an event may come in
AFTERWARDS_NS: Final = 60_000_000_000  # how long after the end of a run its events are looked for
_Key: TypeAlias = str | tuple[str, str]  # Marquez's id; namespace and Hutch's id where it is untold
_ENDED: Final = frozenset({"COMPLETE", "FAIL", "ABORT"})
_ENDED_STATES: Final = frozenset({"COMPLETED", "FAILED", "ABORTED"})


@dataclass(slots=True)
class RemoteRun:
    """A run as its events tell of it.

    Attributes
    ----------
    uuid : str
        Marquez's id of it.
    run_id, name, namespace : str
        The ids for people: Hutch's own where the events tell it.
    names : set of str
        Whatever it may be called by.
    events : int
        How many of its events were seen.
    last : str
        The time of the newest one.
    first_ns : int or None
        The time of the earliest one that was seen.
    is_preset : bool
        Whether a backend preset wrote it.
    """

    uuid: str
    run_id: str = ""
    name: str = ""
    names: set[str] = field(default_factory=set)
    events: int = 0
    last: str = ""
    first_ns: int | None = None
    namespace: str = ""
    is_preset: bool = False

    def told(self, run_id: str) -> str:
        """Return a line for people, with that of its ids."""
        return f"{self.name or self.run_id} (run_id {run_id}, newest event {self.last[:19]})"

    def owns(self, event: dict[str, Any]) -> bool:
        """Return whether an event is of the run, or of a run below it."""
        return self.uuid in _uuids(event) or self._is_told_by(event)

    def is_told_by(self, event: dict[str, Any]) -> bool:
        """Return whether an event is of the run itself."""
        return _own(event) == self.uuid or self._is_told_by(event, "run")

    def _is_told_by(self, event: dict[str, Any], what: str | None = None) -> bool:
        """Return whether it says so itself: an operator may lack the parent facet."""
        told = Told.of(event)
        if told is None or what not in (None, told.what):
            return False
        return (told.run_id, _namespace(event)) == (self.run_id, self.namespace)

    def merge(self, other: RemoteRun) -> None:
        """Take in what other events tell of the same run."""
        self.names |= other.names
        self.events += other.events
        self.last = max(self.last, other.last)
        firsts = [each for each in (self.first_ns, other.first_ns) if each is not None]
        self.first_ns = min(firsts, default=None)


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
        self._begun_ns = self._end_ns = -1
        self._own_us: set[int] = set()  # the times of what tells of the run itself
        self._is_quiet = self._is_ending = False
        known = marquez.run(run.uuid) or {}
        # createdAt and updatedAt are the times of the events that Marquez had first and last; where
        # the clock of the run was set back, neither need be its earliest or its latest
        self._updated_ns = ns_from_iso(known.get("updatedAt"))
        times = (ns_from_iso(known.get("createdAt")) or 0, run.first_ns, self._updated_ns)
        self._start_ns = max(0, min(at for at in times if at is not None) - OVERLAP_NS)
        self.ended = False
        self.name = f"{run.name or run.run_id} at {marquez.name}"

    def poll(self) -> list[dict[str, Any]]:
        """Return the events that have come since the last call, in order; blocks while it reads.

        The first call reads the whole run. The last one does so again, for what came late; so does
        one while Marquez has something newer of the run than was found.

        Raises
        ------
        ReadError
            Marquez does not answer, or not as it should; call again later.
        """
        after_ns, updated_ns = self._start_ns, self._updated_ns
        if self._is_quiet and not self._is_ending:
            updated_ns = self._updated()
        is_behind = updated_ns is not None and updated_ns != self._updated_ns
        if is_behind:
            after_ns = min(after_ns, max(0, (updated_ns or 0) - OVERLAP_NS))
        elif self._newest_ns is not None and not self._is_ending:
            after_ns = max(after_ns, self._newest_ns - OVERLAP_NS)
        fresh: list[dict[str, Any]] = []
        newest_ns, begun_ns, end_ns = self._newest_ns, self._begun_ns, self._end_ns
        own_us: set[int] = set()
        for page in self._marquez.events(after_ns):
            ours = [event for event in page if self._run.owns(event)]
            fresh += (event for event in ours if digest(event) not in self._seen)
            for event in ours:
                moment_ns = ns_from_iso(event.get("eventTime")) or 0
                newest_ns = max(newest_ns or 0, moment_ns)
                if self._run.is_told_by(event):
                    own_us.add(moment_ns // 1000)
                    if event.get("eventType") in _ENDED:
                        end_ns = max(end_ns, moment_ns)
                    elif event.get("eventType") == "START":
                        begun_ns = max(begun_ns, moment_ns)
            last_ns = ns_from_iso(page[-1].get("eventTime")) or 0
            if end_ns >= 0 and last_ns > max(end_ns, updated_ns or 0) + AFTERWARDS_NS:
                break
        # one that was begun again goes on; only Marquez knows where times do not say so
        is_over = end_ns >= max(0, begun_ns) or (end_ns >= 0 and self._state() in _ENDED_STATES)
        self._seen.update(map(digest, fresh))  # not before all of it is there
        self._own_us |= own_us
        self._newest_ns, self._begun_ns, self._end_ns = newest_ns, begun_ns, end_ns
        self._updated_ns, self._start_ns = updated_ns, min(self._start_ns, after_ns)
        self.ended, self._is_ending = self._is_ending and is_over, is_over
        self._is_quiet = not fresh
        return fresh

    def _updated(self) -> int | None:
        """Return the time of the event that Marquez had last of the run, unless it was found."""
        known = self._marquez.run(self._run.uuid) or {}
        updated_ns = ns_from_iso(known.get("updatedAt"))
        found = updated_ns is None or updated_ns // 1000 in self._own_us
        return self._updated_ns if found else updated_ns

    def _state(self) -> str:
        return str((self._marquez.run(self._run.uuid) or {}).get("state"))

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
        recent = _in_one_form(recent)
        if len(recent) > 1:
            raise _unclear(marquez, "has several runs: name one with run=", recent)
        return RunFeed(marquez, recent[0])
    # the id of one run may be the name of another
    found = [each for each in recent if run in (each.run_id, each.uuid)]
    found = found or [each for each in recent if run in each.names] or _old_runs(marquez, run)
    found = _in_one_form(found)
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


def _in_one_form(runs: list[RemoteRun]) -> list[RemoteRun]:
    """Leave out a run as it was first posted, where a preset has written all of it anew."""
    anew = {(run.namespace, run.run_id) for run in runs if run.is_preset}
    return [run for run in runs if run.is_preset or (run.namespace, run.run_id) not in anew]


def _recent_runs(marquez: Marquez) -> list[RemoteRun]:
    """Return the runs that the newest events tell of, newest first."""
    runs: dict[_Key, RemoteRun] = {}
    pages = marquez.events(newest_first=True)
    for _, page in zip(range(LOOK_BACK), pages, strict=False):
        for event in page:
            _note(runs, event)
    named = {(run.namespace, run.run_id): run for key, run in runs.items() if isinstance(key, str)}
    for key in [key for key in runs if not isinstance(key, str) and key in named]:
        named[key].merge(runs.pop(key))
    return list(runs.values())


def _note(runs: dict[_Key, RemoteRun], event: dict[str, Any]) -> None:
    parent = as_dict(as_dict(as_dict(event.get("run")).get("facets")).get("parent"))
    outermost = as_dict(parent.get("root")) or parent
    of = outermost if _own(outermost) else event
    if not _own(of):
        return
    told, space, at = Told.of(event), _namespace(event), str(event.get("eventTime") or "")
    own_id, job = str(of["run"]["runId"]), str(as_dict(of.get("job")).get("name") or "")
    key: _Key = _own(of)
    if told is not None and told.what != "run" and of is event and _is_alone(event):
        key, own_id, job = (space, told.run_id), run_uuid(space, told.run_id), ""
    run = runs.setdefault(key, RemoteRun(marquez_uuid(own_id), last=at))
    if told is not None:
        run.run_id, run.name, run.is_preset = told.run_id, run.name or told.run_name or "", True
    else:
        run.run_id = run.run_id or own_id
    run.namespace = space if told is not None or of is event else run.namespace
    run.name = run.name or job
    run.names |= {run.uuid, run.run_id, run.name, own_id, job}
    run.events += 1
    moment_ns = ns_from_iso(at)
    if moment_ns is not None:
        run.first_ns = min(run.first_ns or moment_ns, moment_ns)


def _is_alone(event: dict[str, Any]) -> bool:
    """Return whether an event of an operator is of a run of its own."""
    return event.get("eventType") != "RUNNING"


def _old_runs(marquez: Marquez, name: str) -> list[RemoteRun]:
    """Return the run of that id, or the runs of a job of that name, however long ago."""
    spaces = marquez.namespaces()
    for uuid in dict.fromkeys([marquez_uuid(name), *(run_uuid(each, name) for each in spaces)]):
        if marquez.run(uuid) is not None:
            return [RemoteRun(uuid, name, "", {name})]
    jobs = dict.fromkeys((name, escaped(name), escaped(name, lower=True)))
    found = [run for space in spaces for job in jobs for run in marquez.runs_of_job(space, job)]
    ids = dict.fromkeys(str(run.get("id")) for run in found)
    last = {str(run.get("id")): str(run.get("updatedAt")) for run in found}
    return [RemoteRun(uuid, uuid, name, {name}, 0, last[uuid]) for uuid in ids]


def _own(event: Mapping[str, Any]) -> str:
    """Return Marquez's id of the run that an event is of; empty for none."""
    run_id = as_dict(event.get("run")).get("runId")
    return marquez_uuid(run_id) if isinstance(run_id, str) else ""


def _namespace(event: dict[str, Any]) -> str:
    return str(as_dict(event.get("job")).get("namespace") or "")


def _uuids(event: dict[str, Any]) -> set[str]:
    """Return Marquez's ids of the runs that an event belongs to: its own and those above it."""
    run = as_dict(event.get("run"))
    parent = as_dict(as_dict(run.get("facets")).get("parent"))
    places: Iterable[Any] = (run, parent.get("run"), as_dict(parent.get("root")).get("run"))
    ids = (as_dict(place).get("runId") for place in places)
    return {marquez_uuid(each) for each in ids if isinstance(each, str)}


def _unclear(marquez: Marquez, what: str, runs: list[RemoteRun]) -> ReadError:
    ids = Counter(run.run_id for run in runs)  # in two namespaces it may be the same
    told = [run.told(run.run_id if ids[run.run_id] == 1 else run.uuid) for run in runs]
    return marquez.place.unclear(what, told)
