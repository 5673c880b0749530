"""Lineage records: the neutral form that the graph is built from.

A Hutch event, an OpenLineage RunEvent or a row of a phylogeny file each become records, and the
graph knows nothing else. A record carries a :class:`Stamp`; where two records disagree about an
attribute, the one with the newer stamp wins, so the order of arrival does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

NodeKind = Literal["individual", "agent"]
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Stamp(NamedTuple):
    """When something was said, and by which event: the order in which statements win.

    `timestamp_ns` is Unix time in nanoseconds, or -1 where the source has no time.
    """

    timestamp_ns: int
    event_id: str


class NodeKey(NamedTuple):
    """The identity of a node: ids are unique only within a kind and a run."""

    kind: NodeKind
    run_id: str
    id: str


class RunRecord(NamedTuple):
    """Something about a run.

    `attributes` may hold: ``name, project, started_by, git_commit, config, status, summary,
    started_ns, ended_ns, score_directions`` (a dict metric -> ``higher`` or ``lower``),
    ``metadata``.
    """

    run_id: str
    stamp: Stamp
    attributes: Mapping[str, Any] = _NOTHING


class NodeRecord(NamedTuple):
    """An individual or an agent was seen, with the parents that it declared, in order.

    `attributes` may hold: ``kind, is_seed, island_id, population_id, generation_index,
    genome_uri, genome_hash, genome_lang, genome, origin_time, metadata``.
    """

    key: NodeKey
    stamp: Stamp
    parents: tuple[NodeKey, ...] = ()
    attributes: Mapping[str, Any] = _NOTHING


class OperatorRecord(NamedTuple):
    """An operator (or a self-modification) made `child` from `parents`, in order.

    `attributes` may hold: ``kind, llm_id, llm_temperature, prompt_template, diff, diff_uri,
    cost_usd, tokens_in, tokens_out, verdict, score_before, score_after, target_path, proposal,
    benchmark, overseer_id, relation, metadata``.
    """

    run_id: str
    id: str
    stamp: Stamp
    parents: tuple[NodeKey, ...]
    child: NodeKey
    attributes: Mapping[str, Any] = _NOTHING


class FitnessRecord(NamedTuple):
    """An evaluation of a node. `scores` maps metric -> finite number.

    `attributes` may hold: ``composite, invalid_reason, evaluator_id, evaluator_kind,
    cascade_stage, is_pareto_front, metadata``.
    """

    key: NodeKey
    stamp: Stamp
    scores: Mapping[str, float] = _NOTHING
    attributes: Mapping[str, Any] = _NOTHING


class EdgeRecord(NamedTuple):
    """An edge that is known without its operator; `order` is its place among the parents."""

    parent: NodeKey
    child: NodeKey
    stamp: Stamp
    relation: str = "parent"
    order: int = 0


class MigrationRecord(NamedTuple):
    """Nodes moved, or were copied, from one island to another."""

    keys: tuple[NodeKey, ...]
    stamp: Stamp
    from_island: str
    to_island: str
    attributes: Mapping[str, Any] = _NOTHING


Record: TypeAlias = (
    RunRecord | NodeRecord | OperatorRecord | FitnessRecord | EdgeRecord | MigrationRecord
)
