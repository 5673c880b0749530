"""How runs come to be open here: started, or heard of from the session that a worker works for."""

from __future__ import annotations

import logging

from hutch_lineage.model import RunStartEvent

from .runs import Run
from .runtime import Runtime

logger = logging.getLogger("hutch_lineage.sdk")


def open_run(sdk: Runtime, event: RunStartEvent) -> Run:
    """Capture `event` and return the run that it starts, as the active run.

    A run that is open already is returned as it is, with a WARNING and without the event; one that
    was ended is opened again, with a WARNING. The run is listed as open after its event was
    captured, so nothing of it can come before.

    Raises
    ------
    CaptureError
        In strict mode, when the event was not captured or delivered; no run is open then.
    """
    if sdk.ties.may_join:
        learn_runs(sdk)
    with sdk.start_lock:
        run = sdk.runs.get(event.run_id)
        if run is not None and not run.ended:
            logger.warning(
                "run %s is open already: no second run_start, the same run goes on", run.id
            )
        else:
            sdk.capture(event)
            name, project = event.payload.name, event.payload.project
            if run is None:
                run = sdk.runs[event.run_id] = Run(sdk, event.run_id, name, project)
            else:
                logger.warning(
                    "run %s was ended here before and goes on: what is logged now joins what it "
                    "had. Leave run_id out, and each start is a run of its own",
                    run.id,
                )
                run.open(name, project)
    sdk.ties.announce()
    run.activate()
    return run


def learn_runs(sdk: Runtime) -> None:
    """In a worker process: learn which runs are open in the session that it works for."""
    ties = sdk.ties
    if ties.membership is None:
        ties.look_for_session()
    facts = None if ties.membership is None else ties.membership.news()
    if facts is None:
        return
    assert ties.membership is not None  # noqa: S101 - it brought the news
    told = ties.membership.told
    listed = {run.id for run in facts.runs}
    with sdk.start_lock:
        for run_id in told - listed:
            if run_id in sdk.runs:
                sdk.runs[run_id].learn_end()
        for run in facts.runs:
            foreign_run(sdk, run.id, run.name, run.project)
    told |= listed


def foreign_run(sdk: Runtime, id: str, name: str | None, project: str | None) -> Run:  # noqa: A002
    """Return the handle of a run that another process started."""
    with sdk.start_lock:
        run = sdk.runs.get(id)
        if run is None:
            run = sdk.runs[id] = Run(sdk, id, name, project)
            run.foreign = True
        elif run.foreign and run.ended:
            run.open(name, project)
        return run
