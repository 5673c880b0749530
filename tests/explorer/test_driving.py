"""How a notebook drives a view, and the state that leads back to a picture."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ConfigurationError, UnknownNodeError
from hutch_lineage.explorer import Explorer, StateWarning


@pytest.fixture
def explorer():
    """An explorer of a small run: s -> a -> b -> d, s -> c -> d."""
    hl.reset()
    with hl.run("search", score_directions={"score": "higher"}) as run:
        for name, parents, kind in [
            ("s", [], None),
            ("a", ["s"], "mutate"),
            ("b", ["a"], "refine"),
            ("c", ["s"], "mutate"),
            ("d", ["b", "c"], "crossover"),
        ]:
            made = run.log_individual(kind="program", individual_id=name, parent_ids=parents)
            if kind:
                run.log_operator(kind=kind, parent_ids=parents, child_id=name, cost_usd=0.1)
            run.log_fitness(individual=made, scores={"score": float(len(parents))})
    made = hl.explore()
    made._push()
    yield made
    made.close()
    hl.reset()


def row(explorer: Explorer, name: str) -> int:
    return explorer._row_of(name)


def test_the_picture_is_arranged_coloured_and_sized(explorer):
    """Each method sets its field of the shared state and leaves the others."""
    explorer.arrange("tree")
    explorer.colour_by("score", scale="rank")
    explorer.size_by("cost")
    explorer.edges_by("operator")
    explorer.show(kind="individual", run=None)
    named = ("layout", "colour", "scale", "size", "edges")
    expected = ["tree", "metric:score", "rank", "cost", "operator"]
    assert [explorer.view[name] for name in named] == expected
    explorer.size_by(None)
    assert explorer.view["size"] == ""


def test_the_best_is_ranked_by_a_metric_of_its_own(explorer):
    """Whatever the colours show; None follows them again, and the state holds it."""
    explorer.rank_by("score")
    explorer.colour_by("operator")
    assert explorer.state["view"]["best"] == "score"
    explorer.rank_by(None)
    assert explorer.view["best"] == ""


@pytest.mark.parametrize(
    "act",
    [
        lambda ex: ex.arrange("spiral"),
        lambda ex: ex.rank_by("operator"),
        lambda ex: ex.colour_by("score", scale="cubic"),
        lambda ex: ex.size_by("luck"),
        lambda ex: ex.show(run="nobody"),
        lambda ex: ex.show(kind="alien"),
        lambda ex: ex.hide(colour=["red"]),
        lambda ex: ex.unhide("score"),
        lambda ex: ex.focus("a", "sideways"),
        lambda ex: ex.focus("a", "between"),
        lambda ex: ex.focus("a", "steps", steps=0),
    ],
)
def test_what_there_is_not_is_refused_and_nothing_changes(explorer, act):
    """The message names the choices."""
    before = explorer.view
    with pytest.raises(ConfigurationError):
        act(explorer)
    assert explorer.view == before


def test_a_focus_takes_what_its_mode_needs(explorer):
    """Nodes by id become rows; None ends the focus."""
    explorer.focus("d", "between", other="a")
    ends = {"row": row(explorer, "d"), "other": row(explorer, "a")}
    assert explorer.view["focus"] == {"mode": "between", **ends}
    explorer.focus("b", "steps", steps=2)
    assert explorer.view["focus"] == {"mode": "steps", "row": row(explorer, "b"), "steps": 2}
    explorer.focus(mode="improvements")
    assert explorer.view["focus"] == {"mode": "improvements", "row": -1}
    explorer.focus(None)
    assert explorer.view["focus"] is None
    with pytest.raises(UnknownNodeError):
        explorer.focus("nobody")


def test_names_are_hidden_and_left_alone(explorer):
    """hide adds, show_only replaces, unhide brings back."""
    explorer.hide(operator="mutate")
    explorer.hide(operator=["refine"], island=["2"])
    assert explorer.view["hidden"] == {"operator": ["mutate", "refine"], "island": ["2"]}
    explorer.show_only(operator="crossover")
    assert explorer.view["hidden"]["operator"] == ["mutate", "refine"]
    explorer.unhide("island")
    assert list(explorer.view["hidden"]) == ["operator"]
    explorer.unhide()
    assert explorer.view["hidden"] == {}


def test_a_range_is_shown_until_it_has_no_bounds(explorer):
    """Ranges hold together, a new one of the same number replaces the old, unhide ends all."""
    explorer.show_range("score", low=1)
    explorer.show_range("cost", high=0.5, missing=True)
    explorer.show_range("metric:score", low=0.5, high=1.5)
    assert explorer.view["ranges"] == {
        "cost": {"low": None, "high": 0.5, "missing": True},
        "metric:score": {"low": 0.5, "high": 1.5, "missing": False},
    }
    explorer.unhide("operator")
    assert len(explorer.view["ranges"]) == 2
    explorer.show_range("cost")
    assert list(explorer.view["ranges"]) == ["metric:score"]
    explorer.unhide()
    assert explorer.view["ranges"] == {}


def test_numbers_of_numpy_are_numbers(explorer):
    """A bound or a reach that comes out of a data frame holds in the browser, too."""
    explorer.show_range("score", low=np.int64(1), high=np.float32(1.5))
    assert explorer.view["ranges"] == {
        "metric:score": {"low": 1.0, "high": 1.5, "missing": False},
    }
    explorer.focus("b", "steps", steps=np.int64(2))
    assert explorer.view["focus"] == {"mode": "steps", "row": row(explorer, "b"), "steps": 2}


@pytest.mark.parametrize(
    "bounds",
    [
        ("operator", 1, 2),
        ("fitnes", 1, 2),
        ("score", 2, 1),
        ("score", float("nan"), None),
        ("score", "1", None),
        ("score", None, 10**400),
    ],
)
def test_a_range_that_cannot_be_is_refused(explorer, bounds):
    """And changes nothing."""
    by, low, high = bounds
    with pytest.raises(ConfigurationError):
        explorer.show_range(by, low=low, high=high)
    assert explorer.view["ranges"] == {}


def test_folds_open_and_close(explorer):
    """Subtrees by node, chains and dead ends by switch."""
    explorer.collapse("a", "c")
    explorer.fold_chains()
    explorer.hide_dead_ends()
    assert explorer.view["collapsed"] == sorted([row(explorer, "a"), row(explorer, "c")])
    assert explorer.view["chains"]
    assert explorer.view["dead_ends"]
    explorer.expand("a")
    assert explorer.view["collapsed"] == [row(explorer, "c")]
    explorer.expand()
    explorer.fold_chains(False)
    assert explorer.view["collapsed"] == []
    assert not explorer.view["chains"]


def test_two_are_compared(explorer):
    """The first is selected, the second is the other one; None ends it."""
    explorer.compare("d", "a")
    assert explorer.selected.id == "d"
    assert (explorer.view["compare"], explorer.view["tab"]) == (row(explorer, "a"), "compare")
    explorer.compare(None)
    assert explorer.view["compare"] == -1


def test_marks_are_heard_and_set(explorer):
    """What a person frames comes as nodes; a notebook may mark, too."""
    heard = []
    end = explorer.on_group(lambda nodes: heard.append([node.id for node in nodes]))
    explorer._on_message(None, {"op": "group", "rows": [1, 0, "x", 99, -1]}, [])
    explorer.group = ["d"]
    end()
    explorer.group = []
    assert heard == [["s", "a"], ["d"]]


def test_a_state_leads_back_to_the_picture(explorer):
    """Through JSON and in another explorer; what is seen is the same."""
    explorer.arrange("radial")
    explorer.hide(operator="mutate")
    explorer.show_range("score", low=0.5)
    explorer.collapse("a")
    explorer.focus("d", "between", other="a")
    explorer.compare("d", "b")
    explorer.group = ["b", "c"]
    explorer._on_message(None, {"op": "camera", "window": [0, -1, 5.5, 4]}, [])
    state = json.loads(json.dumps(explorer.state))
    other = hl.explore()
    other.state = state
    assert other.state == state
    assert other.view == explorer.view
    assert (other.selected, other.group) == (explorer.selected, explorer.group)
    assert state["camera"] == [0, -1, 5.5, 4]
    other.reset_view()
    assert (other.view["focus"], other.view["collapsed"], other.group) == (None, [], [])
    other.close()


def test_nodes_that_are_not_there_are_reported_and_left_out(explorer):
    """The rest of the state is restored."""
    explorer.collapse("a")
    state = explorer.state
    kind, run, _ = state["collapsed"][0]
    state["collapsed"].append([kind, run, "gone"])
    state["focus"] = {"mode": "ancestors", "node": [kind, "other run", "lost"]}
    state["selected"] = [kind, run, "d"]
    with pytest.warns(StateWarning, match="lost, gone"):
        explorer.state = state
    assert explorer.view["collapsed"] == [row(explorer, "a")]
    assert explorer.view["focus"] is None
    assert explorer.selected.id == "d"


@pytest.mark.parametrize(
    "state",
    [
        {},
        None,
        {"view": 3, "focus": "a", "collapsed": 7, "group": [1, ["a"]], "camera": [1, 2]},
        {"version": 99, "view": {"layout": "spiral", "new": True}, "more": 1},
    ],
)
def test_a_state_of_another_time_or_hand_breaks_nothing(explorer, state):
    """What is not understood is as at first."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explorer.state = state
    assert explorer.view["layout"] == "generations"
    assert explorer.state["camera"] is None


def test_graph_and_frames_are_those_of_the_session(explorer):
    """What is asked in code is what is shown, in the explorer beside it and as the run goes on."""
    other = hl.explore()
    assert explorer.graph is other.graph is hl.lineage()
    assert sorted(explorer.frames.individuals()["id"]) == ["a", "b", "c", "d", "s"]
    assert len(explorer.frames.operators()) == 4
    with hl.run("later") as run:
        run.log_individual(kind="program", individual_id="z")
    assert "z" in set(explorer.frames.individuals()["id"])
    other.close()


def test_each_explorer_has_a_state_of_its_own(explorer):
    """Explorers of one session share the graph and nothing of the view."""
    other = hl.explore()
    other.focus("d")
    assert explorer.view["focus"] is None
    other.close()
