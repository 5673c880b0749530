"""Verbs about a run as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from hutch_lineage.model import (
    PopulationKind,
    RunStatus,
    RunUpdateEvent,
    RunUpdatePayload,
    ScoreDirection,
)

from .events import as_dict, id_or_new
from .populations import Population
from .verbs_base import VerbBase


class RunningVerbs(VerbBase):
    """Facts about a run, its end, its populations."""

    __slots__ = ()

    def log_run_update(
        self,
        *,
        status: RunStatus | None = None,
        config: Mapping[str, Any] | None = None,
        capabilities: Mapping[str, bool] | None = None,
        score_directions: Mapping[str, ScoreDirection] | None = None,
        source_counts: Mapping[str, int] | None = None,
        watcher: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> RunUpdatePayload:
        """Log facts about a run that changed while it is open.

        Parameters
        ----------
        status : str, optional
            ``running``, ``finished``, ``failed`` or ``cancelled``; it does not end the run.
        config, capabilities, score_directions, source_counts, watcher : mapping, optional
            As in ``start_run``; `source_counts` and `watcher` are for importers.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     update = hl.log_run_update(score_directions={"loss": "lower"})
        >>> update.score_directions
        {'loss': 'lower'}
        """
        fields = {
            "status": status,
            "config": as_dict(config),
            "capabilities": as_dict(capabilities),
            "score_directions": as_dict(score_directions),
            "source_counts": as_dict(source_counts),
            "watcher": as_dict(watcher),
            "metadata": as_dict(metadata),
        }
        return self._log("log_run_update", RunUpdateEvent, fields, {"event_id": event_id}).payload

    def end_run(
        self,
        *,
        status: RunStatus = "finished",
        summary: str | None = None,
        event_id: str | UUID | None = None,
    ) -> None:
        """End the run. Ending it again is reported and logs no second event.

        Parameters
        ----------
        status : str, default "finished"
            ``finished``, ``failed``, ``cancelled`` or ``running``.
        summary : str, optional
            What came out of it, or why it failed.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> run = hl.start_run(name="demo")
        >>> hl.end_run(status="cancelled", summary="out of budget")
        >>> run.status
        'cancelled'
        """
        self._end(status, summary, event_id)

    def start_population(
        self,
        *,
        name: str,
        kind: PopulationKind,
        population_id: str | None = None,
        descriptor_dims: Iterable[str] | None = None,
        num_islands: int | None = None,
        objectives: Iterable[tuple[str, str]] | None = None,
    ) -> Population:
        """Name a population. No event is logged: put its ``id`` on individuals and migrations.

        Parameters
        ----------
        name : str
            A name for people.
        kind : str
            ``linear``, ``island``, ``map_elites``, ``tree``, ``swarm`` or ``archive``.
        population_id : str, optional
            The id, made if not given.
        descriptor_dims : iterable of str, optional
            Names of the behaviour dimensions.
        num_islands : int, optional
            Accepted for compatibility; not stored.
        objectives : iterable of (str, str), optional
            Metric and direction.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     main = hl.start_population(name="main", kind="island", population_id="p")
        >>> main
        Population(id='p', name='main', kind='island', descriptor_dims=[], objectives=[])
        """
        del num_islands
        return Population(
            id=id_or_new(population_id, "pop-"),
            name=name,
            kind=kind,
            descriptor_dims=list(descriptor_dims or ()),
            objectives=list(objectives or ()),
        )
