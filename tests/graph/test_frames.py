"""Frames: the same columns and dtypes whatever is in the graph."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given

from hutch_lineage.graph import LineageGraph
from hutch_lineage.graph.columns import FRAME_COLUMNS
from hutch_lineage.model import FitnessRecord, NodeRecord, OperatorRecord, RunRecord
from tests.graph.lineages import any_records, at, born, graph_of, key, made, scored

NAMES = {
    "individuals": "nodes",
    "agents": "nodes",
    "edges": "edges",
    "operators": "operators",
    "runs": "runs",
}


def dtypes_of(frame):
    """Return column -> dtype as text."""
    return frame.dtypes.astype(str).to_dict()


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_graph_has_all_columns(name):
    """No rows, the documented columns in order, the documented dtypes."""
    frame = getattr(LineageGraph().frames, name)()
    assert (len(frame), dtypes_of(frame)) == (0, FRAME_COLUMNS[NAMES[name]])
    assert list(frame) == list(FRAME_COLUMNS[NAMES[name]])


@given(any_records)
def test_dtypes_do_not_depend_on_the_content(records):
    """Fixed columns keep their dtype; what is added is one float64 column per metric."""
    graph = graph_of(records)
    for name, columns in NAMES.items():
        dtypes = dtypes_of(getattr(graph.frames, name)())
        assert {column: dtypes.pop(column) for column in FRAME_COLUMNS[columns]} == FRAME_COLUMNS[
            columns
        ]
        assert set(dtypes.values()) <= {"float64"}


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_documented(name):
    """The docstring of a frame names each of its columns."""
    frames = LineageGraph().frames
    text = type(frames).individuals.__doc__ if name == "agents" else getattr(frames, name).__doc__
    assert [column for column in FRAME_COLUMNS[NAMES[name]] if column not in text] == []


def test_individuals():
    """One row each in birth order, with descent, cost of making, and a column per metric."""
    graph = graph_of(
        born("a", 1_000_000_000, kind="program", is_seed=True, island_id="0", generation_index=0),
        born("b", 2_000_000_000, "ghost", "a"),
        made("b", 3, "ghost", "a", cost_usd=0.5, tokens_in=7),
        scored("b", 4, kind=1.5, sum_radii=2.5),
        FitnessRecord(key("a"), at(5), {}, {"invalid_reason": "crash", "composite": 9.0}),
    )
    frame = graph.frames.individuals().set_index("id")
    assert list(frame.index) == ["ghost", "a", "b"]
    assert frame["ghost"].to_list() == [True, False, False]
    assert frame.loc["b", "parent_ids"] == ("ghost", "a")
    assert frame["n_children"].to_list() == [1, 1, 0]
    assert frame.loc["b", ["cost_usd", "tokens_in", "sum_radii", "score:kind"]].to_list() == [
        0.5,
        7,
        2.5,
        1.5,
    ]
    assert frame.loc["a", "birth"] == pd.Timestamp("1970-01-01T00:00:01Z")
    assert frame.loc["a", ["kind", "island_id", "invalid_reason", "composite"]].to_list() == [
        "program",
        "0",
        "crash",
        9.0,
    ]
    assert frame.loc["b", ["tokens_out", "is_seed", "generation_index"]].isna().all()


def test_agents_are_apart():
    """Agents stand in their own frame."""
    graph = graph_of(born("a", 1), NodeRecord(key("g", kind="agent"), at(2)))
    assert graph.frames.individuals()["id"].to_list() == ["a"]
    assert graph.frames.agents()["id"].to_list() == ["g"]


def test_edges_and_operators():
    """A crossover is two edges and one operator."""
    graph = graph_of(made("x", 2_000, "a", "b", op="o", kind="crossover", llm_id="m"))
    edges = graph.frames.edges()
    assert edges[["parent_id", "child_id", "order"]].to_numpy().tolist() == [
        ["a", "x", 0],
        ["b", "x", 1],
    ]
    assert edges["operator_ids"].to_list() == [("o",), ("o",)]
    operators = graph.frames.operators()
    assert operators["parent_ids"].to_list() == [("a", "b")]
    assert operators.loc[0, ["id", "kind", "child_id", "llm_id"]].to_list() == [
        "o",
        "crossover",
        "x",
        "m",
    ]
    assert operators.loc[0, "time"] == pd.Timestamp(2_000, tz="UTC")


def test_runs():
    """Counts and sums per run; the run without a start comes last."""
    graph = graph_of(
        RunRecord("r", at(1), {"name": "n", "started_ns": 10**9, "status": "running"}),
        RunRecord("r", at(2), {"ended_ns": 3 * 10**9, "status": "finished"}),
        born("x", 3, "ghost"),
        made("x", 4, "ghost", cost_usd=0.25),
        born("y", 5, run="other"),
    )
    frame = graph.frames.runs()
    assert frame["run_id"].to_list() == ["r", "other"]
    row = frame.loc[0]
    assert (row["name"], row["status"], row["seconds"]) == ("n", "finished", 2.0)
    assert row[["individuals", "ghosts", "edges", "operators"]].to_list() == [2, 1, 1, 1]
    assert (row["cost_usd"], row["unknown_cost"]) == (0.25, 0)
    assert pd.isna(frame.loc[1, "cost_usd"])


def test_values_that_do_not_fit_are_missing():
    """A source may say anything: what a column cannot hold is missing, not an error."""
    said = {"cost_usd": "much", "tokens_in": 10**30, "tokens_out": 2.0, "llm_id": 7}
    graph = graph_of(
        OperatorRecord("r", "o", at(10**21), (key("a"),), key("b"), said),
        born("c", 1, is_seed="yes", generation_index=1.0, origin_time=float("inf")),
    )
    row = graph.frames.operators().loc[0]
    assert row[["cost_usd", "tokens_in", "time"]].isna().all()
    assert (row["tokens_out"], row["llm_id"]) == (2, "7")
    individual = graph.frames.individuals().set_index("id").loc["c"]
    assert individual[["is_seed", "origin_time"]].isna().all()
    assert individual["generation_index"] == 1
