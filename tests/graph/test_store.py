"""Merging: order, repetition and batching of records change nothing."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.errors import GraphError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import EdgeRecord, FitnessRecord, MigrationRecord, NodeRecord, RunRecord
from tests.graph.lineages import any_records, at, born, graph_of, ids, key, made, scored


def in_batches(records, cuts):
    """Apply records in batches that end at `cuts`."""
    graph = LineageGraph()
    edges = sorted({0, len(records), *(cut % (len(records) + 1) for cut in cuts)})
    for start, stop in pairwise(edges):
        graph.apply(records[start:stop])
    return graph


@given(any_records, st.randoms(use_true_random=False), st.lists(st.integers(0, 60), max_size=8))
def test_order_repetition_and_batches_change_nothing(records, chance, cuts):
    """Any order, any repetition and any batching of contradictory records gives one graph."""
    mixed = records + chance.choices(records, k=len(records) // 2) if records else []
    chance.shuffle(mixed)
    assert in_batches(mixed, cuts).to_canonical() == graph_of(records).to_canonical()


@given(any_records, st.randoms(use_true_random=False))
def test_what_follows_from_the_graph_does_not_depend_on_order(records, chance):
    """Birth order, cycles, the report and the frames follow from what was said alone."""
    mixed = chance.sample(records, len(records))
    one, other = graph_of(records), graph_of(mixed)
    assert one.nodes() == other.nodes()
    assert one.cycles() == other.cycles()
    assert one.report.lines() == other.report.lines()
    assert one.frames.individuals().equals(other.frames.individuals())
    assert one.frames.edges().equals(other.frames.edges())


@given(any_records)
def test_repetition_is_no_change(records):
    """Applying the same records again leaves the version, so nothing is drawn anew."""
    graph = graph_of(records)
    version = graph.version
    graph.apply(records)
    assert graph.version == version


@given(any_records, st.randoms(use_true_random=False))
def test_the_networkx_view_does_not_depend_on_when_it_is_read(records, chance):
    """A DiGraph that was followed from the start equals one that is made at the end."""
    followed, late = LineageGraph(), graph_of(records)
    for record in chance.sample(records, len(records)):
        followed.apply(record)
        assert followed.nx is followed.nx
    assert dict(followed.nx.nodes(data=True)) == dict(late.nx.nodes(data=True))
    one = {(p, c): data for p, c, data in followed.nx.edges(data=True)}
    assert one == {(p, c): data for p, c, data in late.nx.edges(data=True)}


def test_the_newest_statement_wins_per_attribute():
    """Timestamps decide, not arrival; an attribute that the newest leaves open stays."""
    graph = graph_of(
        born("a", 3, island_id="new", genome_lang=None),
        born("a", 1, island_id="old", genome_lang="python"),
        born("a", 2, island_id="middle", kind="program"),
    )
    said = graph.node("a")
    assert (said["island_id"], said["genome_lang"], said["kind"]) == ("new", "python", "program")


def test_at_one_time_the_larger_event_id_wins():
    """Statements of the same nanosecond are settled by event id."""
    late = NodeRecord(key("a"), at(1, "b"), (), {"kind": "late"})
    early = NodeRecord(key("a"), at(1, "a"), (), {"kind": "early"})
    assert graph_of(late, early).node("a")["kind"] == "late"


def test_an_unknown_parent_is_a_ghost_until_it_is_introduced():
    """A ghost becomes real in place and keeps its edges."""
    graph = graph_of(born("child", 2, "parent"))
    assert graph.node("parent") == {"ghost": True}
    graph.apply(born("parent", 1, kind="program"))
    assert graph.node("parent") == {"ghost": False, "kind": "program", "birth_ns": 1}
    assert ids(graph.children("parent")) == ["child"]


@pytest.mark.parametrize(
    "record",
    [made("a", 1, "p"), scored("a", 1, x=1.0), EdgeRecord(key("p"), key("a"), at(1))],
    ids=["operator", "fitness", "edge"],
)
def test_whatever_describes_a_node_introduces_it(record):
    """Only nodes that were never more than named by others are ghosts."""
    assert not graph_of(record).node("a")["ghost"]


def test_a_migrating_stranger_is_a_ghost():
    """A migration names nodes, it does not introduce them."""
    graph = graph_of(MigrationRecord((key("a"),), at(1), "0", "1"))
    assert graph.node("a")["ghost"]


def test_an_agent_that_changes_itself_is_no_ghost():
    """No event introduces an agent, so proposing a change does."""
    parent, child = key("g0", kind="agent"), key("g1", kind="agent")
    record = made("g1", 1, "g0")
    graph = graph_of(type(record)("r", "s", at(1), (parent,), child, {}))
    assert [graph.node(agent)["ghost"] for agent in (parent, child)] == [False, False]


def test_conflicting_parents_unite_in_order():
    """Edges of all statements are kept; a parent's place is its least index, then its key."""
    graph = graph_of(born("x", 1, "a", "b"), born("x", 2, "c"), born("x", 3, "d", "e", "b"))
    assert ids(graph.parents("x")) == ["a", "c", "d", "b", "e"]
    orders = [graph.edge(parent, "x")["order"] for parent in graph.parents("x")]
    assert orders == [0, 0, 0, 1, 1]
    assert graph.report.examples["stated with different parents"] == ["x"]


@given(st.lists(st.lists(st.integers(0, 80), max_size=3), max_size=120), st.randoms())
def test_very_many_parents_keep_their_order(statements, chance):
    """However many statements name the parents of one node, and in whatever order."""
    wide = [list(range(40)), *statements]
    records = [born("x", n, *map(str, parents)) for n, parents in enumerate(wide)]
    graph = graph_of(records[:1], chance.sample(records, len(records)))
    least: dict[str, int] = {}
    for parents in wide:
        for order, parent in enumerate(dict.fromkeys(map(str, parents))):
            least[parent] = min(order, least.get(parent, order))
    assert ids(graph.parents("x")) == sorted(least, key=lambda parent: (least[parent], parent))
    assert {parent: graph.edge(parent, "x")["order"] for parent in least} == least


def test_all_islands_are_kept():
    """A node that was stated on several islands, or moved, lists them all."""
    graph = graph_of(
        born("x", 2, island_id="2"),
        born("x", 1, island_id="10"),
        MigrationRecord((key("x"),), at(3), "2", "7"),
    )
    said = graph.node("x")
    assert (said["island_id"], said["islands"]) == ("2", ("10", "2", "7"))
    assert said["migrations"] == (("2", "7", 3),)


def test_scores_are_merged_per_metric():
    """Each metric has its newest value; what a later evaluation leaves out stays."""
    graph = graph_of(scored("a", 2, x=2.0), scored("a", 1, x=1.0, y=1.0))
    assert graph.node("a")["scores"] == {"x": 2.0, "y": 1.0}


def test_a_later_sound_evaluation_ends_invalidity():
    """An invalid reason holds until scores are stated after it."""
    crash = FitnessRecord(key("a"), at(2), {}, {"invalid_reason": "crash"})
    assert graph_of(crash, scored("a", 1, x=1.0)).node("a")["invalid_reason"] == "crash"
    assert "invalid_reason" not in graph_of(scored("a", 3, x=1.0), crash).node("a")


def test_a_later_sound_evaluation_is_a_change():
    """The reason disappears from a DiGraph that showed it, even where no score is new."""
    facts = {"invalid_reason": "crash"}
    graph = graph_of(FitnessRecord(key("a"), at(2), {"x": 1.0}, facts))
    assert graph.nx.nodes[key("a")]["invalid_reason"] == "crash"
    graph.apply(scored("a", 3, x=1.0))
    assert "invalid_reason" not in graph.nx.nodes[key("a")]


def test_an_edge_holds_its_operators():
    """A crossover is one operator on both its edges; the node lists its operators oldest first."""
    graph = graph_of(
        made("x", 2, "a", "b", op="cross", kind="crossover"), made("x", 1, "a", op="copy")
    )
    operators = [[op.id for op in graph.edge(parent, "x")["operators"]] for parent in ("a", "b")]
    assert operators == [["copy", "cross"], ["cross"]]
    assert [op.id for op in graph.node("x")["operators"]] == ["copy", "cross"]


def test_an_edge_that_is_not_there_is_an_error_of_the_graph():
    """The message names both ends and where to look."""
    graph = graph_of(made("x", 1, "a"))
    with pytest.raises(GraphError, match=r"no edge from 'x' to 'a'; parents\(\)"):
        graph.edge("x", "a")


def test_one_operator_id_for_two_children_is_two_operators():
    """Neither child loses its operator, and the report says so."""
    graph = graph_of(made("x", 1, "a", op="o"), made("y", 2, "a", op="o"))
    assert [(op.id, op.child.id) for op in graph.operators] == [("o", "x"), ("o", "y")]
    assert graph.report.counts == {
        "ghost (named but never introduced)": 1,
        "operator id used for several children": 1,
    }


def test_many_operators_may_make_one_node():
    """An output that hundreds of operators wrote keeps each of them once."""
    records = [made("x", n, "a", op=f"o{n}") for n in range(300)]
    graph = graph_of(records, records)
    assert len(graph.operators) == 300
    assert [op.id for op in graph.node("x")["operators"]] == [f"o{n}" for n in range(300)]


def test_the_relation_of_an_edge_is_the_newest_that_says_more_than_parent():
    """``parent`` is what holds where nobody says more."""
    edges = [
        EdgeRecord(key("a"), key("b"), at(n), name)
        for n, name in enumerate(["inspiration", "reference", "parent"])
    ]
    assert graph_of(edges).edge("a", "b")["relation"] == "reference"
    assert graph_of(edges[2]).edge("a", "b")["relation"] == "parent"


def test_directions_and_configuration_add_up():
    """A later statement about one metric or setting leaves the others."""
    graph = graph_of(
        RunRecord("r", at(2), {"score_directions": {"loss": "lower"}, "config": {"b": 2}}),
        RunRecord("r", at(1), {"score_directions": {"gain": "higher"}, "config": {"a": 1}}),
        RunRecord("r", at(3), {"score_directions": {}, "config": {}, "status": "finished"}),
    )
    run = graph.runs["r"]
    assert run.score_directions == {"loss": "lower", "gain": "higher"}
    assert (run.config, run.status) == ({"a": 1, "b": 2}, "finished")


def test_a_hundred_thousand_in_a_row_from_the_wrong_end():
    """Depth is no obstacle, nor are children that arrive before their parents."""
    chain = [born(str(n), n, str(n - 1)) if n else born("0", 0) for n in range(100_000)]
    graph = graph_of(reversed(chain))
    assert len(graph.ancestors("99999")) == 99_999
    assert ids(graph.nodes()[:3]) == ["0", "1", "2"]
    assert graph.cycles() == []
    assert random.Random(1).sample(graph.nodes(), 3)[0] in graph
