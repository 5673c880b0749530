"""Verbs about candidates and how they came to be."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from hutch_lineage.model import (
    IndividualEvent,
    IndividualKind,
    IndividualPayload,
    MigrationEvent,
    MigrationPayload,
    OperatorEvent,
    OperatorKind,
    OperatorPayload,
    SelfModEvent,
    SelfModPayload,
    SelfModVerdict,
    TreeExpansionEvent,
    TreeExpansionPayload,
    clean_text,
)

from .events import as_dict, id_of, id_or_new, ids_of
from .verbs_base import VerbBase


class LineageVerbs(VerbBase):
    """Candidates, operators, migrations, self-modifications."""

    __slots__ = ()

    def log_individual(
        self,
        *,
        kind: IndividualKind,
        parent_ids: Iterable[IndividualPayload | str] | None = None,
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
        parent_ids : iterable of IndividualPayload or str, optional
            Its parents: ids, or what ``log_individual`` returned. None or empty: it is a seed.
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
        parents = ids_of(parent_ids)
        fields = {
            "id": id_or_new(individual_id, "ind-"),
            "kind": kind,
            "parent_ids": parents,
            "is_seed": parents == [] if is_seed is None else is_seed,
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
            {"stream_id": stream_id, "worker_id": worker_id, "event_id": event_id},
        ).payload

    def log_operator(
        self,
        *,
        kind: OperatorKind,
        child_id: IndividualPayload | str,
        parent_ids: Iterable[IndividualPayload | str] | None = None,
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
        child_id : IndividualPayload or str
            What it made: an id, or what ``log_individual`` returned.
        parent_ids : iterable of IndividualPayload or str, optional
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
            "id": id_or_new(operator_id, "op-"),
            "kind": kind,
            "parent_ids": ids_of(parent_ids),
            "child_id": id_of(child_id),
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
            {"stream_id": stream_id, "worker_id": worker_id, "event_id": event_id},
        ).payload

    def log_island_migration(
        self,
        *,
        population_id: str,
        from_island: str,
        to_island: str,
        individual_ids: Iterable[IndividualPayload | str],
        trigger: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> MigrationPayload:
        """Log that individuals moved, or were copied, from one island to another.

        Parameters
        ----------
        population_id, from_island, to_island : str
            Where it happened.
        individual_ids : iterable of IndividualPayload or str
            Who moved.
        trigger : str, optional
            What set it off, such as ``interval``.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     moved = hl.log_island_migration(
        ...         population_id="p", from_island="east", to_island="west", individual_ids=["a"]
        ...     )
        >>> moved.to_island
        'west'
        """
        fields = {
            "population_id": population_id,
            "from_island": from_island,
            "to_island": to_island,
            "individual_ids": ids_of(individual_ids),
            "trigger": trigger,
            "metadata": as_dict(metadata),
        }
        return self._log(
            "log_island_migration", MigrationEvent, fields, {"event_id": event_id}
        ).payload

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

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     change = hl.log_self_modification(
        ...         parent_agent_id="v1", child_agent_id="v2", score_before=0.3, score_after=0.4
        ...     )
        >>> change.overseer_verdict
        'pending'
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
        return self._log(
            "log_self_modification", SelfModEvent, fields, {"event_id": event_id}
        ).payload

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

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     grown = hl.log_tree_expansion(tree_id="t", parent_node="root", child_node="left")
        >>> grown.visit_count
        0
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
            "log_tree_expansion", TreeExpansionEvent, fields, {"event_id": event_id}
        ).payload
