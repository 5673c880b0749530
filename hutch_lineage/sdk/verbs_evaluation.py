"""Verbs about how good candidates are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from hutch_lineage.model import (
    ArchiveSnapshotEvent,
    ArchiveSnapshotPayload,
    DescriptorArchiveKind,
    DescriptorEvent,
    DescriptorPayload,
    EvaluatorKind,
    FitnessEvent,
    FitnessPayload,
    IndividualPayload,
    ParetoSnapshotEvent,
    ParetoSnapshotPayload,
)

from .events import as_dict, id_list, id_of, ids_of
from .populations import Population
from .verbs_base import VerbBase


class EvaluationVerbs(VerbBase):
    """Fitness, descriptors, archives, Pareto fronts."""

    __slots__ = ()

    def log_fitness(
        self,
        *,
        individual: IndividualPayload | str,
        scores: Mapping[str, float] | None = None,
        evaluator_kind: EvaluatorKind = "deterministic_metric",
        evaluator_id: str | None = None,
        composite: float | None = None,
        cascade_stage: int | None = None,
        is_pareto_front: bool | None = None,
        dominates: Iterable[IndividualPayload | str] | None = None,
        invalid_reason: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        stream_id: str | None = None,
        event_id: str | UUID | None = None,
    ) -> FitnessPayload:
        """Log an evaluation: at least one score, or the reason why there is none.

        Parameters
        ----------
        individual : IndividualPayload or str
            What ``log_individual`` returned, or an id.
        scores : mapping of str to float, optional
            Metric -> value. A value that is not finite is kept as text in
            ``metadata["non_finite_scores"]``.
        evaluator_kind : str, default "deterministic_metric"
            ``unit_test``, ``benchmark``, ``llm_judge``, ``human`` ...
        evaluator_id : str, optional
            Which evaluator.
        composite : float, optional
            One figure for all metrics.
        cascade_stage : int, optional
            The stage of a cascade of evaluations, from 0.
        is_pareto_front : bool, optional
            Whether nothing known dominates it.
        dominates : iterable of IndividualPayload or str, optional
            What it dominates.
        invalid_reason : str, optional
            Why the candidate could not be scored.
        metadata : mapping, optional
            Anything else that JSON can hold.
        stream_id : str, optional
            The lane that logged it.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     seed = hl.log_individual(kind="program")
        ...     fitness = hl.log_fitness(individual=seed, scores={"sum_radii": 2.61})
        >>> fitness.scores
        {'sum_radii': 2.61}
        """
        fields = {
            "individual_id": id_of(individual),
            "evaluator_id": evaluator_id,
            "evaluator_kind": evaluator_kind,
            "scores": as_dict(scores),
            "composite": composite,
            "cascade_stage": cascade_stage,
            "is_pareto_front": is_pareto_front,
            "dominates": ids_of(dominates),
            "invalid_reason": invalid_reason,
            "metadata": as_dict(metadata),
        }
        return self._log(
            "log_fitness", FitnessEvent, fields, {"stream_id": stream_id, "event_id": event_id}
        ).payload

    def log_descriptor(
        self,
        *,
        individual: IndividualPayload | str,
        archive_id: str,
        coordinates: Iterable[float] | None = None,
        cell_id: str | None = None,
        kind: DescriptorArchiveKind = "grid",
        dimensions: Iterable[str] | None = None,
        is_replaced: bool = False,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> DescriptorPayload:
        """Log where an individual sits in a behaviour archive.

        Parameters
        ----------
        individual : IndividualPayload or str
            What ``log_individual`` returned, or an id.
        archive_id : str
            Which archive.
        coordinates : iterable of float, optional
            One number per dimension. Where one is not finite, all are kept in
            ``metadata["non_finite_coordinates"]`` instead.
        cell_id : str, optional
            The cell.
        kind : str, default "grid"
            ``grid``, ``cvt`` or ``aurora``.
        dimensions : iterable of str, optional
            Names of the dimensions.
        is_replaced : bool, default False
            Whether it replaced the elite of the cell.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     cell = hl.log_descriptor(individual="a", archive_id="grid", coordinates=[0.2, 0.7])
        >>> cell.coordinates
        [0.2, 0.7]
        """
        fields = {
            "individual_id": id_of(individual),
            "archive_id": archive_id,
            "kind": kind,
            "dimensions": None if dimensions is None else id_list(dimensions),
            "coordinates": id_list(coordinates),
            "cell_id": cell_id,
            "is_replaced": is_replaced,
            "metadata": as_dict(metadata),
        }
        return self._log("log_descriptor", DescriptorEvent, fields, {"event_id": event_id}).payload

    def log_archive_snapshot(
        self,
        *,
        archive_id: str,
        coverage: float,
        size: int,
        qd_score: float | None = None,
        max_fitness: float | None = None,
        snapshot_uri: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> ArchiveSnapshotPayload:
        """Log the figures of an archive.

        Parameters
        ----------
        archive_id : str
            Which archive.
        coverage : float
            Share of cells that are filled, in [0, 1]; ``nan`` counts as 0.
        size : int
            Number of elites.
        qd_score, max_fitness : float, optional
            Sum and maximum of their fitness.
        snapshot_uri : str, optional
            Where its content is kept.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     shot = hl.log_archive_snapshot(archive_id="grid", coverage=0.25, size=16)
        >>> shot.coverage, shot.size
        (0.25, 16)
        """
        fields = {
            "archive_id": archive_id,
            "coverage": coverage,
            "qd_score": qd_score,
            "max_fitness": max_fitness,
            "size": size,
            "snapshot_uri": snapshot_uri,
            "metadata": as_dict(metadata),
        }
        return self._log(
            "log_archive_snapshot", ArchiveSnapshotEvent, fields, {"event_id": event_id}
        ).payload

    def log_pareto_front(
        self,
        *,
        population: Population | str,
        front: Iterable[IndividualPayload | str],
        objectives: Iterable[str],
        hypervolume: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> ParetoSnapshotPayload:
        """Log the individuals of a population that nothing dominates.

        Parameters
        ----------
        population : Population or str
            What ``start_population`` returned, or an id.
        front : iterable of IndividualPayload or str
            At least one.
        objectives : iterable of str
            The metrics.
        hypervolume : float, optional
            The hypervolume of the front.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     best = hl.log_pareto_front(population="p", front=["a"], objectives=["loss"])
        >>> best.front
        ['a']
        """
        fields = {
            "population_id": id_of(population),
            "front": ids_of(front),
            "objectives": id_list(objectives),
            "hypervolume": hypervolume,
            "metadata": as_dict(metadata),
        }
        return self._log(
            "log_pareto_front", ParetoSnapshotEvent, fields, {"event_id": event_id}
        ).payload
