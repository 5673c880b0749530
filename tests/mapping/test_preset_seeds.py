"""What no operator made under a preset: seeds, and parents that nobody named."""

from __future__ import annotations

import pytest

from hutch_lineage.mapping import mapper_of, open_runs, preset_of
from tests.mapping.preset_events import individual, names, self_mod, told, whats, written
from tests.openlineage.events import end, event, operator, start


def test_seeds_are_operators_without_inputs():
    """A seed is written when it is first a parent, the others at the end of the run."""
    history = [start(), individual("s"), individual("t"), operator(1, parent_ids=["s"]), end()]
    documents = written(history)
    assert whats(documents) == ["run", "seed", "operator", "seed", "run"]
    assert [names(each["outputs"]) for each in documents] == [[], ["s"], ["c1"], ["t"], []]
    assert documents[1]["inputs"] == documents[3]["inputs"] == []


def test_what_an_operator_made_is_no_seed():
    """An individual that was logged without parents, and then made by an operator, is no seed."""
    history = [start(), individual("c1"), operator(1, parent_ids=["s"]), end()]
    assert whats(written(history)) == ["run", "operator", "run"]


def test_the_first_agent_is_a_seed():
    """Agents have no event of their own: the first of a line is written before its modification."""
    history = [self_mod("a1", "a2"), self_mod("a2", "a3"), self_mod("a1", "a4")]
    assert whats(written(history)) == ["seed", "self_mod", "self_mod", "self_mod"]


def test_an_agent_that_was_made_before_the_end_is_no_seed_of_what_follows():
    """A run that is begun again goes on with the agents that it had."""
    history = [start(), self_mod("a1", "a2"), end(), start(), self_mod("a2", "a3"), end()]
    assert whats(written(history)) == ["run", "seed", "self_mod", "run", "run", "self_mod", "run"]


@pytest.mark.parametrize("first", ["individual", "operator"])
def test_an_operator_may_come_before_or_after_its_individual(first):
    """In either order the parents are named, and nothing is unknown."""
    pair = [individual("c1", ["a"]), operator(1)]
    history = [start(), *(pair if first == "individual" else pair[::-1]), end()]
    assert whats(written(history)) == ["run", "operator", "run"]


def test_parents_that_no_operator_named_are_not_lost():
    """D12, cured: at the run's end they become operators of kind unknown, with what is missing."""
    history = [
        start(),
        individual("c1", ["a", "b"]),
        operator(1, parent_ids=["a"]),
        individual("d", ["c1"]),
        event("lineage_edge", parent_id="a", child_id="d", relation="inspiration"),
        end(),
    ]
    documents = written(history)
    assert whats(documents) == ["run", "operator", "unknown", "unknown", "unknown", "run"]
    found = [(names(each["inputs"]), names(each["outputs"])) for each in documents[2:5]]
    assert found == [(["b"], ["c1"]), (["c1"], ["d"]), (["a"], ["d"])]
    assert [told(each)["relation"] for each in documents[2:5]] == [None, None, "inspiration"]


def test_a_run_that_never_ends_gives_the_rest_when_asked():
    """What is held back comes once with `rest`, and what comes after the end comes at once."""
    mapper = mapper_of(preset_of("marquez"), "hutch")
    assert mapper.map(individual("c", ["a"])) == []
    assert [len(mapper.rest()), len(mapper.rest())] == [1, 0]
    late = written([start(), end(), individual("c", ["a"]), individual("s")])
    assert whats(late) == ["run", "run", "unknown", "seed"]


def test_only_so_much_is_held_back(monkeypatch):
    """Beyond the limit the oldest is written at once, and none is lost."""
    monkeypatch.setattr(open_runs, "MOST_HELD", 5)
    history = [individual(f"c{n}", ["a"]) for n in range(8)]
    assert [names(each["outputs"]) for each in written(history)] == [["c0"], ["c1"], ["c2"]]
    assert len(written(history, rest=True)) == 8


def test_a_migration_makes_nothing():
    """Individuals that move keep their parents; no event is written for it."""
    moved = event(
        "migration", population_id="p", from_island="0", to_island="1", individual_ids=["a"]
    )
    assert written([moved]) == []
