"""Every frame as CSV and as Parquet."""

from __future__ import annotations

import io
import json

import duckdb
import pandas as pd
import pytest

from hutch_lineage.export import to_csv_frames, to_parquet_frames
from hutch_lineage.export.tables import FRAMES
from hutch_lineage.graph import Frames, LineageGraph
from hutch_lineage.session import load
from tests.graph.lineages import born, graph_of, scored


def parquet(files, name, tmp_path):
    """Read a Parquet file as a table with its types."""
    path = tmp_path / name
    path.write_bytes(files[name])
    with duckdb.connect() as database:
        relation = database.read_parquet(str(path))
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        return relation.fetchnumpy(), types


def test_no_frame_is_forgotten():
    """The list is that of the graph's frames."""
    assert set(FRAMES) == {name for name in dir(Frames) if not name.startswith("_")}


def test_csv_holds_the_rows(graph):
    """Tuples are JSON, what is missing is empty."""
    files = to_csv_frames(graph)
    assert sorted(files) == sorted(f"{name}.csv" for name in FRAMES)
    found = pd.read_csv(io.BytesIO(files["individuals.csv"])).set_index("id")
    assert json.loads(found.loc["c", "parent_ids"]) == ["s1", "s2"]
    assert found.loc["best", "sum"] == 2.75
    assert pd.isna(found.loc["lost", "generation_index"])


def test_parquet_has_the_types_also_of_an_empty_graph(graph, tmp_path):
    """The same columns and types, whatever is in it."""
    some, none = (to_parquet_frames(each) for each in (graph, LineageGraph()))
    for name in FRAMES:
        _, types = parquet(some, f"{name}.parquet", tmp_path)
        _, empty = parquet(none, f"{name}.parquet", tmp_path)
        assert list(types.items())[: len(empty)] == list(empty.items())
    values, types = parquet(some, "individuals.parquet", tmp_path)
    assert types["parent_ids"] == "VARCHAR[]"
    assert types["birth"] == "TIMESTAMP WITH TIME ZONE"
    assert list(values["parent_ids"][list(values["id"]).index("c")]) == ["s1", "s2"]


def test_metrics_that_differ_in_capitals_only():
    """Both are written."""
    files = to_parquet_frames(graph_of(born("a", 1), scored("a", 1, score=1.0, Score=2.0)))
    assert b"Score" in files["individuals.parquet"]


@pytest.mark.parametrize("folder", ["hutch-codeevolve"])
def test_a_real_run(data_dir, folder, tmp_path):
    """As many rows as the frames have, and the sum of their costs."""
    graph = load(data_dir / folder / "events.jsonl")
    files = to_parquet_frames(graph)
    for name in FRAMES:
        frame = getattr(graph.frames, name)()
        values, _ = parquet(files, f"{name}.parquet", tmp_path)
        assert len(next(iter(values.values()))) == len(frame)
