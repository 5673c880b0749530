"""Changes: every altered key, once, from any version on."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.graph import LineageGraph
from hutch_lineage.graph.changes import ChangeLog
from tests.graph.lineages import any_records, born, graph_of, key, made, scored


def seen(graph):
    """Return everything visible, by key."""
    return (
        {node: graph.node(node) for node in graph.nodes()},
        {(p, c): graph.edge(p, c) for p, c in graph.nx.edges},
        dict(graph.operators),
        dict(graph.runs),
    )


@given(st.lists(any_records, max_size=5), st.data())
def test_no_change_is_missed(batches, data):
    """Whatever differs from an earlier version is among the changes since it, each key once."""
    graph, states = LineageGraph(), {}
    states[0] = seen(graph)
    for batch in batches:
        graph.apply(batch)
        states[graph.version] = seen(graph)
    since = data.draw(st.sampled_from(sorted(states)))
    changes = graph.changes_since(since)
    listed = (changes.nodes, changes.edges, changes.operators, changes.runs)
    for before, now, keys in zip(states[since], seen(graph), listed, strict=True):
        assert {each for each in now if before.get(each) != now[each]} <= set(keys)
        assert len(set(keys)) == len(keys)
    assert changes.version == graph.version


def test_changes_are_what_changed_and_no_more():
    """A score touches its node alone."""
    graph = graph_of(born("a", 1), made("b", 2, "a"))
    version = graph.version
    graph.apply(scored("b", 3, x=1.0))
    changes = graph.changes_since(version)
    assert (changes.nodes, changes.edges, changes.operators, changes.runs) == (
        [key("b")],
        [],
        [],
        [],
    )


def test_nothing_new_is_no_change():
    """Without news the changes are empty and false."""
    graph = graph_of(born("a", 1))
    assert not graph.changes_since(graph.version)


@given(st.lists(st.integers(0, 9), max_size=200))
def test_a_log_stays_small_and_complete(rows):
    """However often few rows change, the log keeps the last touch of each."""
    log = ChangeLog()
    for _ in range(10):
        log.add_row()
    for version, row in enumerate(rows * 20, start=1):
        log.touch(row, version)
    last = {row: version for version, row in enumerate(rows * 20, start=1)}
    for since in accumulate([0, len(rows), len(rows) * 19]):
        expected = sorted((v, row) for row, v in last.items() if v > since)
        assert log.since(since) == [row for _, row in expected]
