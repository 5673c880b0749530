"""What workers of a session that was killed had logged: made ready to be sent after all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from hutch_lineage.errors import HutchLineageError, InvalidEventError
from hutch_lineage.mapping import IN_MEMORY
from hutch_lineage.model import RunStartEvent, RunStartPayload, parse_event

if TYPE_CHECKING:
    from hutch_lineage.workers import LeftSession


def left_by_workers() -> list[LeftSession]:
    """Return the sessions of this host that ended without taking all that their workers logged.

    Examples
    --------
    >>> left_by_workers()
    []
    """
    from hutch_lineage.workers import left_sessions

    return left_sessions()


def hand_over(left: LeftSession) -> int:
    """Put the events of such a session into a journal of the endpoint that they are meant for.

    There they wait like those of the session itself. Its folder is removed.

    Parameters
    ----------
    left : LeftSession
        One that has an endpoint with a journal, and whose workers have ended.

    Returns
    -------
    int
        How many RunEvents that is; 0 also where another process does it just now.

    Raises
    ------
    HutchLineageError
        The journal cannot be written; nothing has changed.

    Examples
    --------
    >>> [hand_over(left) for left in left_by_workers()]
    []
    """
    from hutch_lineage.delivery import Journal

    facts = left.facts
    if facts.journal is None or facts.endpoint is None or left.growing:
        return 0
    with left.claimed() as lines:
        if lines is None:
            return 0
        journal = Journal(Path(facts.journal), facts.endpoint, 0)
        count = 0
        for event in _mapped(left, lines):
            if not journal.append(orjson.dumps(event)):
                raise HutchLineageError(
                    f"the events of workers in {left.folder} cannot be moved to the journal in "
                    f"{facts.journal}: {journal.trouble}. Make room and try again"
                )
            count += 1
        journal.finish()
        left.remove()
    return count


def _mapped(left: LeftSession, lines: list[bytes]) -> list[object]:
    """Return the RunEvents, under the names that the session's runs have."""
    from hutch_lineage.openlineage import OpenLineageEmitter

    emitter = OpenLineageEmitter(endpoint=IN_MEMORY, namespace=left.facts.namespace)
    for run in left.facts.runs:  # they were sent when the runs started: for their names only
        payload = RunStartPayload(name=run.name, project=run.project)
        emitter.emit(RunStartEvent(run_id=run.id, payload=payload))
    known = len(emitter.captured_events)
    for line in lines:
        try:
            emitter.emit(parse_event(line))
        except InvalidEventError:
            continue  # damaged on disk
    return list(emitter.captured_events[known:])
