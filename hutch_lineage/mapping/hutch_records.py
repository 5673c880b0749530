"""Hutch events become lineage records."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hutch_lineage.model import (
    EdgeRecord,
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    RunRecord,
    Stamp,
)

from .carried import CARRIED, records_carried
from .names import self_mod_id

AGENT_METRIC = "score"
_OF_INDIVIDUAL = (
    "kind",
    "is_seed",
    "island_id",
    "population_id",
    "generation_index",
    "genome_uri",
    "genome_hash",
    "genome_lang",
)
_OF_OPERATOR = (
    "kind",
    "llm_id",
    "llm_temperature",
    "prompt_template",
    "diff",
    "diff_uri",
    "cost_usd",
    "tokens_in",
    "tokens_out",
)
_OF_FITNESS = (
    "composite",
    "invalid_reason",
    "evaluator_id",
    "evaluator_kind",
    "cascade_stage",
    "is_pareto_front",
)


def known(**attributes: Any) -> dict[str, Any]:
    """Return the attributes that say something: no None, no empty dict, no NaN or infinity."""
    return {name: value for name, value in attributes.items() if value is not None and _says(value)}


def records_of_event(event: Any) -> list[Record]:
    """Return the records of one Hutch event; an empty list for kinds without lineage.

    Parameters
    ----------
    event : Event
        An event of :mod:`hutch_lineage.model` or of the Hutch SDK; only read.
    """
    payload = event.payload
    if CARRIED in payload.metadata:
        told = records_carried(payload.metadata[CARRIED])
        if told is not None:
            return told
    make = _TABLE.get(event.event_kind)
    if make is None:
        return []
    stamp = Stamp(event.timestamp_ns, str(event.event_id))
    record = make(event, payload, stamp)
    if isinstance(record, OperatorRecord) and event.event_kind == "self_mod":
        return [record, *_agent_genome(record), *agent_scores(record)]
    return [record]


def _agent_genome(self_mod: OperatorRecord) -> Iterator[NodeRecord]:
    """Yield the child agent's own text, where the metadata holds it as it does for individuals."""
    genome = self_mod.attributes.get("metadata", {}).get("genome")
    if isinstance(genome, str):
        yield NodeRecord(self_mod.child, self_mod.stamp, (), {"genome": genome})


def agent_scores(self_mod: OperatorRecord) -> Iterator[FitnessRecord]:
    """Yield what a self-modification says of its agents' scores.

    The metric is named after the benchmark, ``score`` where that is not known. What is said of
    the parent gives way to whatever was said when the parent itself was made.
    """
    said, stamp = self_mod.attributes, self_mod.stamp
    metric = str(said.get("benchmark") or AGENT_METRIC)
    if "score_before" in said and self_mod.parents:
        yield FitnessRecord(
            self_mod.parents[0], Stamp(-1, stamp.event_id), {metric: said["score_before"]}
        )
    if "score_after" in said:
        yield FitnessRecord(self_mod.child, stamp, {metric: said["score_after"]})


def _says(value: Any) -> bool:
    return math.isfinite(value) if isinstance(value, float) else value != {}


def _stated(payload: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a payload that say something, and its metadata: :func:`known`, faster.

    It is done for each event of a run that is watched, so it reads where pydantic keeps the fields.
    """
    fields = payload.__dict__
    said = {
        name: value
        for name in names
        if (value := fields[name]) is not None
        and (type(value) is not float or math.isfinite(value))
    }
    if fields["metadata"]:
        said["metadata"] = dict(fields["metadata"])
    return said


def _individuals(event: Any, ids: Sequence[str]) -> tuple[NodeKey, ...]:
    run_id = event.run_id
    return tuple([NodeKey("individual", run_id, node_id) for node_id in ids])


def _run_start(event: Any, payload: Any, stamp: Stamp) -> Record:
    attributes = known(
        name=payload.name,
        project=payload.project,
        started_by=payload.started_by,
        git_commit=payload.git_commit,
        config=dict(payload.config),
        score_directions=dict(payload.score_directions),
        metadata=dict(payload.metadata),
        status="running",
        started_ns=event.timestamp_ns,
    )
    return RunRecord(event.run_id, stamp, attributes)


def _run_update(event: Any, payload: Any, stamp: Stamp) -> Record:
    attributes = known(
        status=payload.status,
        config=dict(payload.config),
        score_directions=dict(payload.score_directions),
        metadata=dict(payload.metadata),
    )
    return RunRecord(event.run_id, stamp, attributes)


def _run_end(event: Any, payload: Any, stamp: Stamp) -> Record:
    attributes = known(
        status=payload.status,
        summary=payload.summary,
        metadata=dict(payload.metadata),
        ended_ns=event.timestamp_ns,
    )
    return RunRecord(event.run_id, stamp, attributes)


def _individual(event: Any, payload: Any, stamp: Stamp) -> Record:
    attributes = _stated(payload, _OF_INDIVIDUAL)
    genome = payload.metadata.get("genome")
    if isinstance(genome, str):
        attributes["genome"] = genome
    key = NodeKey("individual", event.run_id, payload.id)
    return NodeRecord(key, stamp, _individuals(event, payload.parent_ids), attributes)


def _operator(event: Any, payload: Any, stamp: Stamp) -> Record:
    attributes = _stated(payload, _OF_OPERATOR)
    parents = _individuals(event, payload.parent_ids)
    child = NodeKey("individual", event.run_id, payload.child_id)
    return OperatorRecord(event.run_id, payload.id, stamp, parents, child, attributes)


def _fitness(event: Any, payload: Any, stamp: Stamp) -> Record:
    scores = {name: float(score) for name, score in payload.scores.items() if math.isfinite(score)}
    key = NodeKey("individual", event.run_id, payload.individual_id)
    return FitnessRecord(key, stamp, scores, _stated(payload, _OF_FITNESS))


def _lineage_edge(event: Any, payload: Any, stamp: Stamp) -> Record:
    parent, child = _individuals(event, (payload.parent_id, payload.child_id))
    return EdgeRecord(parent, child, stamp, payload.relation)


def _migration(event: Any, payload: Any, stamp: Stamp) -> Record:
    attributes = known(
        population_id=payload.population_id,
        trigger=payload.trigger,
        metadata=dict(payload.metadata),
    )
    keys = _individuals(event, payload.individual_ids)
    return MigrationRecord(keys, stamp, payload.from_island, payload.to_island, attributes)


def _self_mod(event: Any, payload: Any, stamp: Stamp) -> Record:
    attributes = known(
        kind="self_modify",
        verdict=payload.overseer_verdict,
        score_before=payload.score_before,
        score_after=payload.score_after,
        target_path=payload.target_path,
        diff_uri=payload.diff_uri,
        proposal=payload.proposal,
        benchmark=payload.benchmark,
        overseer_id=payload.overseer_id,
        metadata=dict(payload.metadata),
    )
    parent = NodeKey("agent", event.run_id, payload.parent_agent_id)
    child = NodeKey("agent", event.run_id, payload.child_agent_id)
    operator_id = self_mod_id(parent.id, child.id)
    return OperatorRecord(event.run_id, operator_id, stamp, (parent,), child, attributes)


_TABLE: dict[str, Callable[[Any, Any, Stamp], Record]] = {
    "run_start": _run_start,
    "run_update": _run_update,
    "run_end": _run_end,
    "individual": _individual,
    "operator": _operator,
    "fitness": _fitness,
    "lineage_edge": _lineage_edge,
    "migration": _migration,
    "self_mod": _self_mod,
}
