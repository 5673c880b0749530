"""The verbs as module functions: they belong to the active run.

The active run is a context variable, so threads and asyncio tasks each have their own. Where it
is unset, the only open run is meant.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from typing import Any, TypeVar

from hutch_lineage.errors import AmbiguousRunError, NoActiveRunError
from hutch_lineage.model import Event, RunStartEvent, RunStatus, ScoreDirection

from .events import as_dict, make_event
from .opening import learn_runs, open_run
from .process import runtime
from .runs import Run, active
from .runtime import Runtime, StopRun, before_verb
from .verbs import Verbs

E = TypeVar("E", bound=Event)


def active_run() -> Run:
    """Return the run that a module function would log to here.

    The run that was started, or whose ``with`` block was entered, in this thread or asyncio task
    (or in the one that started it); where there is none, the only open run. A run that has ended
    counts as none, except that another run which was open at the same time is not taken for it.

    Raises
    ------
    NoActiveRunError
        No run is open.
    AmbiguousRunError
        Several could be meant.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> with hl.run("demo") as run:
    ...     active_run() is run
    True
    """
    sdk = runtime()
    if sdk.ties.may_join:
        learn_runs(sdk)
    current = active.get()
    if current is not None and current.belongs_to(sdk):
        if not current.ended:
            return current
    else:
        current = None
    return _only_open(sdk, current)


def _only_open(sdk: Runtime, former: Run | None) -> Run:
    """Return the only open run. `former` was active here and has ended."""
    if sdk.ties.may_join and (named := sdk.runs.get(os.environ.get("HUTCH_LINEAGE_RUN", ""))):
        return named
    runs = sdk.open_runs()
    if not runs:
        advice = (
            "this worker process was told of none. Pass the run to the function that it calls; or "
            "import joblib, multiprocessing or concurrent.futures.process before the run starts"
            if sdk.ties.may_join
            else "start one with hutch_lineage.start_run(name=...), or log inside "
            "`with hutch_lineage.run(...) as run:`"
        )
        raise NoActiveRunError(f"no run is open: {advice}")
    if len(runs) == 1 and (former is None or not former.overlapped(runs[0])):
        return runs[0]
    listed = ", ".join(f"{run.name} ({run.id})" if run.name else run.id for run in runs)
    why = f"{len(runs)} runs are open" if former is None else f"run {former.id} has ended here"
    raise AmbiguousRunError(
        f"{why} and none is active in this thread or task: {listed}. Call the method of the run "
        "that you mean, such as run.log_individual(...)",
        [run.id for run in runs],
    )


class ActiveRun(Verbs):
    """The verbs of whichever run is active; the module functions are its methods."""

    __slots__ = ()

    def _log(
        self, verb: str, event_class: type[E], fields: dict[str, Any], envelope: dict[str, Any]
    ) -> E:
        return active_run()._log(verb, event_class, fields, envelope)

    def _end(
        self, status: RunStatus, summary: str | None, event_id: str | uuid.UUID | None
    ) -> None:
        active_run()._end(status, summary, event_id)

    def __repr__(self) -> str:
        return "<the active run>"

    def __reduce__(self) -> str:
        return "verbs"  # the one instance, so that the functions can be sent to other processes


def start_run(
    *,
    name: str | None = None,
    project: str | None = None,
    run_id: str | None = None,
    started_by: str | None = None,
    git_commit: str | None = None,
    config: Mapping[str, Any] | None = None,
    capabilities: Mapping[str, bool] | None = None,
    score_directions: Mapping[str, ScoreDirection] | None = None,
    metadata: Mapping[str, Any] | None = None,
    event_id: str | uuid.UUID | None = None,
) -> Run:
    """Start a run, log ``run_start`` and make it the active run of this thread or asyncio task.

    Parameters
    ----------
    name, project : str, optional
        For people, and for backends: the name becomes the OpenLineage job.
    run_id : str, optional
        The id; a new UUID if not given. The id of a run that is open gives that run, with a
        WARNING and no second event; the id of one that has ended opens it again.
    started_by, git_commit : str, optional
        Who or what started it, and from which code.
    config : mapping, optional
        The settings of the search; anything that JSON can hold.
    capabilities : mapping of str to bool, optional
        What the producer supports.
    score_directions : mapping of str to str, optional
        Metric -> ``higher`` or ``lower``: which way is better.
    metadata : mapping, optional
        Anything else that JSON can hold.
    event_id : str or UUID, optional
        The id of the event, made if not given.

    Returns
    -------
    Run
        The handle. It may be used in a ``with`` statement, which ends the run.

    Raises
    ------
    InvalidEventError
        The arguments break the schema; no run was started.
    CaptureError
        In strict mode, when the event was not captured or delivered.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> run = hl.start_run(name="demo", score_directions={"loss": "lower"})
    >>> hl.end_run()
    >>> run.ended
    True
    """
    sdk = runtime()
    if before_verb:
        sdk.call_hooks()
    current = active.get()
    if current is not None and current.stopping and not current.ended:
        raise StopRun(f"run {current.name or current.id} was asked to stop")
    fields = {
        "name": name,
        "project": project,
        "started_by": started_by,
        "git_commit": git_commit,
        "config": as_dict(config),
        "capabilities": as_dict(capabilities),
        "score_directions": as_dict(score_directions),
        "metadata": as_dict(metadata),
    }
    given_id = None if isinstance(run_id, str) and not run_id else run_id
    envelope = {"run_id": given_id, "event_id": event_id}
    event = make_event(sdk, "start_run", RunStartEvent, str(uuid.uuid4()), fields, envelope)
    return open_run(sdk, event)


def run(
    name: str | None = None,
    *,
    project: str | None = None,
    run_id: str | None = None,
    started_by: str | None = None,
    git_commit: str | None = None,
    config: Mapping[str, Any] | None = None,
    capabilities: Mapping[str, bool] | None = None,
    score_directions: Mapping[str, ScoreDirection] | None = None,
    metadata: Mapping[str, Any] | None = None,
    event_id: str | uuid.UUID | None = None,
) -> Run:
    """Start a run for a ``with`` block, which ends it.

    The arguments are those of :func:`start_run`, with the name first. The run ends as
    ``finished``, or with the text of the exception as ``failed``, or as ``cancelled``; see
    :class:`Run`.

    Returns
    -------
    Run
        The handle, with every verb as a method.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> with hl.run("circle-packing", project="packing") as run:
    ...     seed = run.log_individual(kind="program")
    >>> run.status
    'finished'
    """
    return start_run(
        name=name,
        project=project,
        run_id=run_id,
        started_by=started_by,
        git_commit=git_commit,
        config=config,
        capabilities=capabilities,
        score_directions=score_directions,
        metadata=metadata,
        event_id=event_id,
    )


verbs = ActiveRun()

log_run_update = verbs.log_run_update
end_run = verbs.end_run
start_population = verbs.start_population
log_individual = verbs.log_individual
log_operator = verbs.log_operator
log_fitness = verbs.log_fitness
log_descriptor = verbs.log_descriptor
log_archive_snapshot = verbs.log_archive_snapshot
log_island_migration = verbs.log_island_migration
log_self_modification = verbs.log_self_modification
log_artifact = verbs.log_artifact
log_pareto_front = verbs.log_pareto_front
log_tree_expansion = verbs.log_tree_expansion
log_stream_event = verbs.log_stream_event
log_claim = verbs.log_claim
log_evidence = verbs.log_evidence
log_review = verbs.log_review
