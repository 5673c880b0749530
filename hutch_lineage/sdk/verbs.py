"""The verbs: what a search tells about itself.

Each is written once, as a method of :class:`Verbs`. A run handle has them as its methods; the
module functions ``log_individual`` and so on are the same methods of one object that finds the
active run. Names, keyword arguments and defaults are those of the Hutch SDK.

Every verb returns the payload of the event it logged. All of them raise

- ``InvalidEventError`` (a ``ValueError``) when the arguments break the schema,
- ``NoActiveRunError`` or ``AmbiguousRunError``, as module functions, when no run can be meant,
- ``CaptureError`` in strict mode only, when the event cannot be captured as it is or is not
  delivered,

and none waits for the network unless strict. They are safe in threads and asyncio tasks.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar
from uuid import UUID

from hutch_lineage.model import (
    ArchiveSnapshotEvent,
    ArchiveSnapshotPayload,
    ArtifactEvent,
    ArtifactKind,
    ArtifactPayload,
    ClaimEvent,
    ClaimPayload,
    DescriptorArchiveKind,
    DescriptorEvent,
    DescriptorPayload,
    EvaluatorKind,
    Event,
    EvidenceEvent,
    EvidencePayload,
    EvidenceStance,
    FitnessEvent,
    FitnessPayload,
    IndividualEvent,
    IndividualKind,
    IndividualPayload,
    MigrationEvent,
    MigrationPayload,
    OperatorEvent,
    OperatorKind,
    OperatorPayload,
    ParetoSnapshotEvent,
    ParetoSnapshotPayload,
    PopulationKind,
    ReviewEvent,
    ReviewPayload,
    RunStatus,
    RunUpdateEvent,
    RunUpdatePayload,
    ScoreDirection,
    SelfModEvent,
    SelfModPayload,
    SelfModVerdict,
    StreamEventEvent,
    StreamEventPayload,
    TreeExpansionEvent,
    TreeExpansionPayload,
    clean_text,
)

from .events import as_dict, id_list, new_id
from .populations import Population

E = TypeVar("E", bound=Event)


class Verbs:
    """The verbs, for whatever knows which run is meant."""

    __slots__ = ()

    @abstractmethod
    def _log(self, verb: str, event_class: type[E], fields: dict[str, Any], **envelope: Any) -> E:
        """Make the event, capture it and return it."""

    @abstractmethod
    def _end(self, status: RunStatus, summary: str | None, event_id: str | UUID | None) -> None:
        """End the run that is meant."""

    # -- runs and populations ----------------------------------------------------------------

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
        return self._log("log_run_update", RunUpdateEvent, fields, event_id=event_id).payload

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
        """
        del num_islands
        return Population(
            id=population_id or new_id("pop-"),
            name=name,
            kind=kind,
            descriptor_dims=list(descriptor_dims or ()),
            objectives=list(objectives or ()),
        )

    # -- candidates and how they came to be --------------------------------------------------

    def log_individual(
        self,
        *,
        kind: IndividualKind,
        parent_ids: Iterable[str] | None = None,
        is_seed: bool | None = None,
        individual_id: str | None = None,
        genome_uri: str | None = None,
        genome_hash: str | None = None,
        genome_lang: str | None = None,
        population_id: str | None = None,
        island_id: str | None = None,
        generation_index: int | None = None,
        metadata: Mapping[str, Any] | None = None,
        stream_id: str | None = None,
        worker_id: str | None = None,
        event_id: str | UUID | None = None,
        genome: str | None = None,
    ) -> IndividualPayload:
        """Log a candidate; use the ``id`` of what comes back as parent or child elsewhere.

        Parameters
        ----------
        kind : str
            What it is: ``program``, ``prompt``, ``agent``, ``architecture`` ...
        parent_ids : iterable of str, optional
            Its parents. None or empty: it is a seed.
        is_seed : bool, optional
            Follows from `parent_ids` if not given.
        individual_id : str, optional
            The id, made if not given; unique within the run.
        genome_uri, genome_lang : str, optional
            Where its content is kept, and its language.
        genome_hash : str, optional
            SHA-256 of the content, 64 hex digits; computed if `genome` is given.
        population_id, island_id : str, optional
            Where it lives.
        generation_index : int, optional
            Its generation, from 0.
        metadata : mapping, optional
            Anything else that JSON can hold.
        stream_id, worker_id : str, optional
            The lane and the worker that logged it.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        genome : str, optional
            The content itself, kept as ``metadata["genome"]``. Hutch has no such argument; the
            event is valid for Hutch all the same.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     seed = hl.log_individual(kind="program", genome="x + 1")
        >>> seed.is_seed, seed.metadata
        (True, {'genome': 'x + 1'})
        """
        parents = id_list(parent_ids)
        fields = {
            "id": individual_id or new_id("ind-"),
            "kind": kind,
            "parent_ids": parents,
            "is_seed": is_seed if is_seed is not None else len(parents) == 0,
            "genome_uri": genome_uri,
            "genome_hash": genome_hash,
            "genome_lang": genome_lang,
            "population_id": population_id,
            "island_id": island_id,
            "generation_index": generation_index,
            "metadata": as_dict(metadata),
        }
        if genome is not None:
            fields["metadata"] = {**fields["metadata"], "genome": genome}
            if genome_hash is None and isinstance(genome, str):
                fields["genome_hash"] = hashlib.sha256(clean_text(genome).encode()).hexdigest()
        return self._log(
            "log_individual",
            IndividualEvent,
            fields,
            stream_id=stream_id,
            worker_id=worker_id,
            event_id=event_id,
        ).payload

    def log_operator(
        self,
        *,
        kind: OperatorKind,
        child_id: str,
        parent_ids: Iterable[str] | None = None,
        operator_id: str | None = None,
        prompt_template: str | None = None,
        llm_id: str | None = None,
        llm_temperature: float | None = None,
        diff: str | None = None,
        diff_uri: str | None = None,
        cost_usd: float | None = None,
        tokens_in: int | None = None,
        tokens_out: int | None = None,
        metadata: Mapping[str, Any] | None = None,
        stream_id: str | None = None,
        worker_id: str | None = None,
        event_id: str | UUID | None = None,
    ) -> OperatorPayload:
        """Log the step that made `child_id` from `parent_ids`: this is the lineage.

        Parameters
        ----------
        kind : str
            ``mutate``, ``crossover``, ``refine``, ``propose`` ...
        child_id : str
            What it made.
        parent_ids : iterable of str, optional
            What it made it from: none (a proposal), one, or several (a crossover).
        operator_id : str, optional
            The id, made if not given.
        prompt_template, llm_id : str, optional
            The prompt and the model, where a model did it.
        llm_temperature : float, optional
            From 0 to 2.
        diff, diff_uri : str, optional
            The change as text, or where it is kept.
        cost_usd : float, optional
            Cost in US dollars, not negative.
        tokens_in, tokens_out : int, optional
            Tokens read and written by the model.
        metadata : mapping, optional
            Anything else that JSON can hold.
        stream_id, worker_id : str, optional
            The lane and the worker that logged it.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     step = hl.log_operator(kind="refine", parent_ids=["a"], child_id="b", cost_usd=0.01)
        >>> step.parent_ids, step.cost_usd
        (['a'], 0.01)
        """
        fields = {
            "id": operator_id or new_id("op-"),
            "kind": kind,
            "parent_ids": id_list(parent_ids),
            "child_id": child_id,
            "prompt_template": prompt_template,
            "llm_id": llm_id,
            "llm_temperature": llm_temperature,
            "diff": diff,
            "diff_uri": diff_uri,
            "cost_usd": cost_usd,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "metadata": as_dict(metadata),
        }
        return self._log(
            "log_operator",
            OperatorEvent,
            fields,
            stream_id=stream_id,
            worker_id=worker_id,
            event_id=event_id,
        ).payload

    def log_island_migration(
        self,
        *,
        population_id: str,
        from_island: str,
        to_island: str,
        individual_ids: Iterable[str],
        trigger: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> MigrationPayload:
        """Log that individuals moved, or were copied, from one island to another.

        Parameters
        ----------
        population_id, from_island, to_island : str
            Where it happened.
        individual_ids : iterable of str
            Who moved.
        trigger : str, optional
            What set it off, such as ``interval``.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {
            "population_id": population_id,
            "from_island": from_island,
            "to_island": to_island,
            "individual_ids": id_list(individual_ids),
            "trigger": trigger,
            "metadata": as_dict(metadata),
        }
        return self._log("log_island_migration", MigrationEvent, fields, event_id=event_id).payload

    def log_self_modification(
        self,
        *,
        parent_agent_id: str,
        child_agent_id: str,
        target_path: str | None = None,
        diff_uri: str | None = None,
        proposal: str | None = None,
        overseer_id: str | None = None,
        overseer_verdict: SelfModVerdict = "pending",
        benchmark: str | None = None,
        score_before: float | None = None,
        score_after: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> SelfModPayload:
        """Log that an agent proposed a changed version of itself.

        Parameters
        ----------
        parent_agent_id, child_agent_id : str
            The agent before and after.
        target_path : str, optional
            The file that it changed.
        diff_uri, proposal : str, optional
            Where the change is kept, and the change in words.
        overseer_id : str, optional
            Who judged it.
        overseer_verdict : str, default "pending"
            ``accepted``, ``rejected`` or ``pending``.
        benchmark : str, optional
            What the scores were measured on.
        score_before, score_after : float, optional
            The scores.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {
            "parent_agent_id": parent_agent_id,
            "child_agent_id": child_agent_id,
            "target_path": target_path,
            "diff_uri": diff_uri,
            "proposal": proposal,
            "overseer_id": overseer_id,
            "overseer_verdict": overseer_verdict,
            "benchmark": benchmark,
            "score_before": score_before,
            "score_after": score_after,
            "metadata": as_dict(metadata),
        }
        return self._log("log_self_modification", SelfModEvent, fields, event_id=event_id).payload

    def log_tree_expansion(
        self,
        *,
        tree_id: str,
        parent_node: str,
        child_node: str,
        visit_count: int = 0,
        value_estimate: float | None = None,
        virtual_loss: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> TreeExpansionPayload:
        """Log that a tree search expanded a node.

        Parameters
        ----------
        tree_id, parent_node, child_node : str
            Where.
        visit_count : int, default 0
            Visits of the child so far.
        value_estimate, virtual_loss : float, optional
            What the search holds of the child.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {
            "tree_id": tree_id,
            "parent_node": parent_node,
            "child_node": child_node,
            "visit_count": visit_count,
            "value_estimate": value_estimate,
            "virtual_loss": virtual_loss,
            "metadata": as_dict(metadata),
        }
        return self._log(
            "log_tree_expansion", TreeExpansionEvent, fields, event_id=event_id
        ).payload

    # -- how good they are -------------------------------------------------------------------

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
        dominates: Iterable[str] | None = None,
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
        dominates : iterable of str, optional
            Ids that it dominates.
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
            "individual_id": getattr(individual, "id", individual),
            "evaluator_id": evaluator_id,
            "evaluator_kind": evaluator_kind,
            "scores": as_dict(scores),
            "composite": composite,
            "cascade_stage": cascade_stage,
            "is_pareto_front": is_pareto_front,
            "dominates": id_list(dominates),
            "invalid_reason": invalid_reason,
            "metadata": as_dict(metadata),
        }
        return self._log(
            "log_fitness", FitnessEvent, fields, stream_id=stream_id, event_id=event_id
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
        """
        fields = {
            "individual_id": getattr(individual, "id", individual),
            "archive_id": archive_id,
            "kind": kind,
            "dimensions": None if dimensions is None else id_list(dimensions),
            "coordinates": id_list(coordinates),
            "cell_id": cell_id,
            "is_replaced": is_replaced,
            "metadata": as_dict(metadata),
        }
        return self._log("log_descriptor", DescriptorEvent, fields, event_id=event_id).payload

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
            "log_archive_snapshot", ArchiveSnapshotEvent, fields, event_id=event_id
        ).payload

    def log_pareto_front(
        self,
        *,
        population: Population | str,
        front: Iterable[str],
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
        front : iterable of str
            Their ids, at least one.
        objectives : iterable of str
            The metrics.
        hypervolume : float, optional
            The hypervolume of the front.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {
            "population_id": getattr(population, "id", population),
            "front": id_list(front),
            "objectives": id_list(objectives),
            "hypervolume": hypervolume,
            "metadata": as_dict(metadata),
        }
        return self._log("log_pareto_front", ParetoSnapshotEvent, fields, event_id=event_id).payload

    # -- what surrounds them -----------------------------------------------------------------

    def log_artifact(
        self,
        *,
        kind: ArtifactKind,
        uri: str,
        artifact_id: str | None = None,
        hash: str | None = None,  # noqa: A002 - Hutch's name
        format: str | None = None,  # noqa: A002 - Hutch's name
        parent_artifact_id: str | None = None,
        ara_layer: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> ArtifactPayload:
        """Log content that is kept elsewhere.

        Parameters
        ----------
        kind : str
            ``program``, ``dataset``, ``paper``, ``proof`` ...
        uri : str
            Where it is.
        artifact_id : str, optional
            The id, made if not given.
        hash : str, optional
            SHA-256 of the content, 64 hex digits.
        format, parent_artifact_id, ara_layer : str, optional
            Its format, what it was made from, and its layer in an ARA package.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {
            "id": artifact_id or new_id("art-"),
            "kind": kind,
            "uri": uri,
            "hash": hash,
            "format": format,
            "parent_artifact_id": parent_artifact_id,
            "ara_layer": ara_layer,
            "metadata": as_dict(metadata),
        }
        return self._log("log_artifact", ArtifactEvent, fields, event_id=event_id).payload

    def log_stream_event(
        self,
        *,
        label: str,
        text: str | None = None,
        stream_id: str | None = None,
        worker_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> StreamEventPayload:
        """Log a free entry, such as a heartbeat or a note.

        Parameters
        ----------
        label : str
            What kind of entry it is.
        text : str, optional
            What it says.
        stream_id, worker_id : str, optional
            The lane and the worker that logged it.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {"label": label, "text": text, "metadata": as_dict(metadata)}
        return self._log(
            "log_stream_event",
            StreamEventEvent,
            fields,
            stream_id=stream_id,
            worker_id=worker_id,
            event_id=event_id,
        ).payload

    def log_claim(
        self,
        *,
        text: str,
        supported_by: Iterable[str] | None = None,
        requires_reproduction: bool = False,
        claim_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> ClaimPayload:
        """Log a claim drawn from the run.

        Parameters
        ----------
        text : str
            The claim.
        supported_by : iterable of str, optional
            Ids of what it rests on.
        requires_reproduction : bool, default False
            Whether somebody should repeat it.
        claim_id : str, optional
            The id, made if not given.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {
            "id": claim_id or new_id("claim-"),
            "text": text,
            "supported_by": id_list(supported_by),
            "requires_reproduction": requires_reproduction,
            "metadata": as_dict(metadata),
        }
        return self._log("log_claim", ClaimEvent, fields, event_id=event_id).payload

    def log_evidence(
        self,
        *,
        claim_id: str,
        source_uri: str,
        stance: EvidenceStance,
        confidence: float | None = None,
        source_quality: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> EvidencePayload:
        """Log something that speaks for or against a claim.

        Parameters
        ----------
        claim_id, source_uri : str
            The claim, and where the evidence is.
        stance : str
            ``supports``, ``contradicts`` or ``mentions``.
        confidence, source_quality : float, optional
            Shares in [0, 1].
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {
            "claim_id": claim_id,
            "source_uri": source_uri,
            "stance": stance,
            "confidence": confidence,
            "source_quality": source_quality,
            "metadata": as_dict(metadata),
        }
        return self._log("log_evidence", EvidenceEvent, fields, event_id=event_id).payload

    def log_review(
        self,
        *,
        target_id: str,
        scorer: str,
        scores: Mapping[str, float] | None = None,
        concerns: Iterable[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> ReviewPayload:
        """Log a judgement by a model or a person.

        Parameters
        ----------
        target_id, scorer : str
            What was judged, and who judged.
        scores : mapping of str to float, optional
            Criterion -> score.
        concerns : iterable of str, optional
            What the judge did not like.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.
        """
        fields = {
            "target_id": target_id,
            "scorer": scorer,
            "scores": as_dict(scores),
            "concerns": id_list(concerns),
            "metadata": as_dict(metadata),
        }
        return self._log("log_review", ReviewEvent, fields, event_id=event_id).payload
