"""What part of a population descends from which seed."""

from __future__ import annotations

import pytest
from hypothesis import given

from hutch_lineage.graph import LineageGraph
from tests.graph.lineages import any_records, born, graph_of, key, made


def shares(*records, **wanted):
    """The table as plain data: generation -> seed -> share, rounded."""
    table = graph_of(*records).seed_shares(**wanted)
    return {
        generation: {seed: round(share, 6) for seed, share in row.items() if share}
        for generation, row in zip(table.index, table.to_dict("records"), strict=True)
    }


def test_a_child_of_two_belongs_to_each_by_half():
    """Parents share a child equally, and so on down the generations."""
    found = shares(
        born("a", 1, generation_index=0),
        born("b", 2, generation_index=0),
        born("c", 3, "a", "b", generation_index=1),
        born("d", 4, "a", "c", generation_index=2),
        born("e", 5, "a", generation_index=2),
    )
    assert found == {
        0: {"a": 0.5, "b": 0.5},
        1: {"a": 0.5, "b": 0.5},
        2: {"a": 0.875, "b": 0.125},
    }


def test_the_origin_of_what_descends_from_a_ghost_is_unknown():
    """A parent that no event introduced is no seed."""
    found = shares(born("a", 1, generation_index=0), born("b", 2, "a", "gone", generation_index=1))
    assert found == {0: {"a": 1.0}, 1: {"a": 0.5, "unknown": 0.5}}


def test_a_cycle_shares_what_leads_into_it():
    """Its nodes are one mixture; a closed one comes from nowhere known; a self loop is a seed."""
    found = shares(
        born("a", 1, "a", generation_index=0),
        born("x", 2, "a", "y", generation_index=1),
        born("y", 3, "x", generation_index=1),
        born("p", 4, "q", generation_index=2),
        born("q", 5, "p", generation_index=2),
    )
    assert found == {0: {"a": 1.0}, 1: {"a": 1.0}, 2: {"unknown": 1.0}}


def test_the_largest_seeds_have_columns_and_the_rest_is_others():
    """`top` says how many; equal ones count in birth order."""
    records = [born(name, place, generation_index=0) for place, name in enumerate("abcd")]
    records += [born("e", 9, "d", generation_index=1)]
    assert shares(*records, top=2) == {
        0: {"d": 0.25, "a": 0.25, "others": 0.5},
        1: {"d": 1.0},
    }


def test_generations_that_nobody_said_are_a_group_of_their_own():
    """Nothing is left out."""
    assert shares(born("a", 1), born("b", 2, "a", generation_index=3)) == {
        -1: {"a": 1.0},
        3: {"a": 1.0},
    }


def test_names_that_are_not_enough_carry_their_run():
    """Two runs may use one id, and a seed may be called like a column."""
    graph = graph_of(born("a", 1), born("a", 2, run="s"), born("others", 3))
    assert list(graph.seed_shares()) == ["a (r)", "a (s)", "others (r)", "others", "unknown"]
    assert list(graph.seed_shares(run="s")) == ["a", "others", "unknown"]


def test_without_nodes_there_are_no_rows():
    """The columns of the rest are there all the same."""
    table = LineageGraph().seed_shares()
    assert list(table.columns) == ["others", "unknown"]
    assert len(table) == 0


@given(any_records)
def test_shares_add_up_to_one(records):
    """Whatever a graph looks like."""
    graph = graph_of(*records)
    for kind in ("individual", "agent"):
        for total in graph.seed_shares(kind=kind, top=2).sum(axis=1):
            assert total == pytest.approx(1.0)


def test_operators_make_parents_too():
    """Descent is that of the graph, however it was stated."""
    records = (
        born("a", 1, generation_index=0),
        made("b", 2, "a"),
        born("b", 3, generation_index=1),
    )
    assert shares(*records) == {0: {"a": 1.0}, 1: {"a": 1.0}}
    assert graph_of(*records).parents("b") == [key("a")]
