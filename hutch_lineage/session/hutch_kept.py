"""What the Hutch SDK of this process captured before anybody listened, where it has kept it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from hutch_lineage.model import Event

_MOST = 50_000  # what a Hutch server gives at once


@dataclass
class Kept:
    """Events that were captured before.

    Attributes
    ----------
    events : list of Event
        In the order in which Hutch has stored them.
    missing : str
        What is known to be left out, and the way to it; empty if nothing.
    skipped : int
        Events that could not be read; `example` says why one was not.
    """

    events: list[Event] = field(default_factory=list)
    missing: str = ""
    skipped: int = 0
    example: str = ""


def kept_by(state: Any) -> Kept:
    """Return what was captured before, read from where Hutch's transport has put it.

    From a DuckDB file the open run, and all runs with an event since this process began; from a
    Hutch server, which others use too, the open run, with what waits in Hutch's queue.

    Parameters
    ----------
    state : object
        Hutch's state; only read.
    """
    transport = getattr(state.transport, "_primary", state.transport)
    run_id = None if state.run is None else str(state.run.id)
    kind = type(transport).__name__
    try:
        if kind == "EmbeddedTransport":
            return _read(_of_store(transport, run_id))
        if run_id is None:
            return Kept()
        if kind == "DaemonTransport":
            return _of_server(transport, state.config, run_id)
    except Exception as error:  # whatever Hutch's store or server raises: the loop goes on
        return Kept(missing=_left(run_id, f"it cannot be read ({type(error).__name__}: {error})"))
    return Kept(missing=_left(run_id, f"a {kind} keeps nothing that can be read"))


def _left(run_id: str | None, why: str) -> str:
    which = "earlier runs" if run_id is None else f"run {run_id}"
    return (
        f"what Hutch had logged of {which} before is not here: {why}. Open where it is stored with "
        "hutch_lineage.load(...)"
    )


def _of_store(transport: Any, run_id: str | None) -> list[dict[str, Any]]:
    """Return the events of Hutch's own connection, which this process alone may have."""
    from hutch_lineage.readers import logged_events

    connection = transport._conn
    if connection is None:  # nothing has been logged yet
        return []
    cursor = connection.cursor()  # one of our own: another thread may be using Hutch's
    try:
        return list(logged_events(cursor, run_id, process_began_ns()))
    finally:
        cursor.close()


def _of_server(transport: Any, config: Any, run_id: str) -> Kept:
    queued = [each for each in _queued(Path(config.fallback_path)) if each.get("run_id") == run_id]
    answer = None
    try:
        answer = transport._client.get(
            f"/runs/{run_id}/events", params={"limit": _MOST}, headers=transport._auth_headers()
        )
        stored = orjson.loads(answer.content) if answer.status_code == 200 else []
        why = "" if answer.status_code in (200, 404) else f"it answers {answer.status_code}"
    except Exception as error:  # what it raises is httpx's
        stored, why = [], f"it does not answer ({type(error).__name__})"
    kept = _read([*stored, *queued])
    if why:
        kept.missing = _left(run_id, f"the Hutch server at {config.daemon_url}: {why}")
    elif len(stored) >= _MOST:
        kept.missing = _left(run_id, f"the Hutch server gives {_MOST:,} events at once")
    elif not kept.events:
        kept.missing = _left(run_id, f"the Hutch server at {config.daemon_url} has none of it")
    return kept


def _queued(path: Path) -> list[dict[str, Any]]:
    """Return the events in Hutch's queue; a line that is being written is left out."""
    found = []
    for each in (path.with_name(f"{path.name}.replay"), path):
        try:
            lines = each.read_bytes().splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(value, dict):
                found.append(value)
    return found


def _read(values: Iterable[Mapping[str, Any]]) -> Kept:
    from hutch_lineage.readers import ReadReport, hutch_event

    kept, report, seen = Kept(), ReadReport(), set()
    for value in values:
        event = hutch_event(value, f"event {value.get('event_id')}", report)
        if event is None:
            kept.skipped += 1
        elif event.event_id not in seen:  # sent, and still in the queue
            seen.add(event.event_id)
            kept.events.append(event)
    kept.example = next(iter(report.examples.get("Hutch events skipped", ())), "")
    return kept


def process_began_ns() -> int | None:
    """Return when this process began, in Unix nanoseconds; None where that is not to be known.

    Examples
    --------
    >>> began = process_began_ns()
    >>> began is None or began < time.time_ns()
    True
    """
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        ticks = os.sysconf("SC_CLK_TCK")
        age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / ticks
    except (OSError, ValueError, IndexError, AttributeError):
        return None
    return time.time_ns() - int(age_s * 1e9) - int(1e9 / ticks)  # it counts in ticks
