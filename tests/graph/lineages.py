"""Short ways to write lineage records, and generated ones full of contradictions."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import (
    EdgeRecord,
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    RunRecord,
    Stamp,
)


def key(node_id: str, run: str = "r", kind: Any = "individual") -> NodeKey:
    """Name a node of run ``r``."""
    return NodeKey(kind, run, node_id)


def at(time_ns: int, event_id: str | None = None) -> Stamp:
    """Stamp something at a time."""
    return Stamp(time_ns, event_id or f"event-{time_ns}")


def born(node_id: str, time_ns: int, *parents: str, run: str = "r", **attributes: Any):
    """Say that an individual exists."""
    above = tuple(key(parent, run) for parent in parents)
    return NodeRecord(key(node_id, run), at(time_ns), above, attributes)


def made(child: str, time_ns: int, *parents: str, op: str = "", run: str = "r", **attributes: Any):
    """Say that an operator made an individual."""
    above = tuple(key(parent, run) for parent in parents)
    stamp = at(time_ns, f"operator-{time_ns}")
    return OperatorRecord(run, op or f"op-{child}", stamp, above, key(child, run), attributes)


def scored(node_id: str, time_ns: int, run: str = "r", **scores: float):
    """Say that an individual was evaluated."""
    return FitnessRecord(key(node_id, run), at(time_ns, f"fitness-{time_ns}"), scores)


def graph_of(*records: Any) -> LineageGraph:
    """Build a graph."""
    graph = LineageGraph()
    graph.apply(*records)
    return graph


def ids(keys: Any) -> list[str]:
    """Return the bare ids."""
    return [each.id for each in keys]


_names = st.sampled_from(["a", "b", "c", "d", "e"])
_runs = st.sampled_from(["r1", "r2"])
_nodes = st.builds(NodeKey, st.sampled_from(["individual", "agent"]), _runs, _names)
_stamps = st.builds(Stamp, st.integers(-1, 3), st.sampled_from(["x", "y", "z"]))
_parents = st.lists(_nodes, max_size=3).map(tuple)
_islands = st.sampled_from(["0", "1", "2"])
_numbers = st.sampled_from([0.0, -1.0, 2.5, 1e300])


def _some(**values: Any) -> st.SearchStrategy[dict[str, Any]]:
    optional = {name: st.none() | value for name, value in values.items()}
    return st.fixed_dictionaries({}, optional=optional)


_node_facts = _some(
    kind=st.sampled_from(["program", "prompt"]),
    is_seed=st.booleans(),
    island_id=_islands,
    generation_index=st.integers(0, 3),
    origin_time=_numbers,
    metadata=st.dictionaries(_names, st.integers(0, 2), max_size=2),
)
_operator_facts = _some(
    kind=st.sampled_from(["mutate", "crossover"]),
    llm_id=st.sampled_from(["m1", "m2"]),
    cost_usd=_numbers.map(abs),
    tokens_in=st.integers(0, 9),
    verdict=st.sampled_from(["accepted", "rejected"]),
    relation=st.sampled_from(["parent", "inspiration"]),
)
_fitness_facts = _some(composite=_numbers, invalid_reason=st.just("crash"))
_run_facts = _some(
    name=_names,
    status=st.sampled_from(["running", "finished"]),
    started_ns=st.integers(0, 5),
    score_directions=st.dictionaries(_names, st.sampled_from(["higher", "lower"]), max_size=2),
    config=st.dictionaries(_names, st.integers(0, 2), max_size=2),
)
_relations = st.sampled_from(["parent", "inspiration"])

any_record = st.one_of(
    st.builds(RunRecord, _runs, _stamps, _run_facts),
    st.builds(NodeRecord, _nodes, _stamps, _parents, _node_facts),
    st.builds(
        OperatorRecord,
        _runs,
        st.sampled_from(["o1", "o2"]),
        _stamps,
        _parents,
        _nodes,
        _operator_facts,
    ),
    st.builds(
        FitnessRecord,
        _nodes,
        _stamps,
        st.dictionaries(_names, _numbers, max_size=2),
        _fitness_facts,
    ),
    st.builds(EdgeRecord, _nodes, _nodes, _stamps, _relations, st.integers(0, 3)),
    st.builds(MigrationRecord, _parents, _stamps, _islands, _islands, st.just({})),
)
any_records = st.lists(any_record, max_size=25)
