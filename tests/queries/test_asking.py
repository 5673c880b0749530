"""Questions to a log that is not made a graph: the answers are those of the graph."""

from __future__ import annotations

import gc
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings

import hutch_lineage as hl
from hutch_lineage.errors import (
    AmbiguousNodeError,
    ConfigurationError,
    GraphError,
    MetricChoiceError,
    ReadError,
    UnknownNodeError,
)
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeKey
from hutch_lineage.queries import LineageQuery
from tests.queries.logs import Events, logs, write_duckdb, write_frames, write_lines


def told(question: Any) -> Any:
    """The answer to a question, or the kind of its error."""
    try:
        return question()
    except (GraphError, MetricChoiceError) as error:
        return type(error)


def same_answers(asked: LineageQuery, graph: LineageGraph, *, order: bool = True) -> None:
    """Compare every answer about every node and run."""
    arranged = list if order else sorted
    for key in graph:
        assert arranged(asked.ancestors(key)) == arranged(graph.ancestors(key))
        assert arranged(asked.descendants(key)) == arranged(graph.descendants(key))
        assert told(lambda key=key: asked.cost(key)) == told(lambda key=key: graph.cost(key))
        assert told(lambda key=key: len(asked.ancestors(key.id))) == told(
            lambda key=key: len(graph.ancestors(key.id))
        )
    for run in (None, *graph.runs):
        assert asked.cost(run=run) == graph.cost(run=run)
        assert asked.metrics(run) == graph.metrics(run)


def same_efficacy(asked: LineageQuery, graph: LineageGraph) -> None:
    """Compare the tables on every metric, of every run."""
    for run in (None, *graph.runs):
        for metric in (None, *graph.metrics(run)):
            for by in ("kind", "llm_id"):
                ours = told(lambda by=by, m=metric, r=run: asked.efficacy(by, m, r))
                theirs = told(lambda by=by, m=metric, r=run: graph.efficacy(by, m, r))
                if isinstance(theirs, pd.DataFrame):
                    pd.testing.assert_frame_equal(ours, theirs)
                else:
                    assert ours == theirs


@settings(max_examples=20)
@given(logs())
def test_lines_of_json(events: Events) -> None:
    """Whatever is stated twice, in any order, of several runs, in cycles, or never introduced."""
    graph = LineageGraph()
    graph.apply(events)
    with tempfile.TemporaryDirectory() as folder:
        path = write_lines(events, Path(folder) / "run [1] of 'two'.jsonl")
        with hl.query(path) as asked:
            same_answers(asked, graph)
            same_efficacy(asked, graph)
            assert asked.skipped == 0


@settings(max_examples=5)
@given(logs())
def test_a_log_of_hutch(events: Events) -> None:
    """As Hutch's own code has written it; the file is the same afterwards."""
    graph = LineageGraph()
    graph.apply(events)
    with tempfile.TemporaryDirectory() as folder:
        path = write_duckdb(events, Path(folder) / "hutch.duckdb")
        before = path.read_bytes()
        with hl.query(path) as asked:
            same_answers(asked, graph)
            same_efficacy(asked, graph)
        assert path.read_bytes() == before


@settings(max_examples=5)
@given(logs())
def test_frames(events: Events) -> None:
    """Parquet of the frames, whose times have microseconds; directions they have none."""
    graph = LineageGraph()
    graph.apply({**event, "timestamp_ns": 1000 * event["timestamp_ns"]} for event in events)
    with tempfile.TemporaryDirectory() as folder:
        path = write_frames(graph, Path(folder) / "frames")
        with hl.query(path) as asked:
            same_answers(asked, graph, order=not graph.cycles())


def a_log(folder: Path, name: str = "run.jsonl") -> Path:
    """A seed, two children and a grandchild of both."""
    events: Events = []
    for time_ns, (node, parents) in enumerate(
        [("a", []), ("b", ["a"]), ("c", ["a"]), ("d", ["b", "c"])]
    ):
        payloads = {
            "individual": {"id": node, "kind": "program", "parent_ids": parents},
            "operator": {"id": f"to-{node}", "kind": "mutate", "child_id": node, "cost_usd": 0.5},
            "fitness": {"individual_id": node, "scores": {"score": float(time_ns)}},
        }
        for kind, payload in payloads.items():
            events.append(
                {
                    "event_id": f"00000000-0000-4000-8000-{len(events):012}",
                    "event_kind": kind,
                    "run_id": "r",
                    "timestamp_ns": 10 + time_ns,
                    "payload": payload | ({"parent_ids": parents} if kind == "operator" else {}),
                }
            )
    return write_lines(events, folder / name)


@pytest.fixture
def asked(tmp_path: Path) -> LineageQuery:
    """A small log, opened."""
    return hl.query(a_log(tmp_path))


def test_an_answer_is_a_list_of_keys(asked: LineageQuery) -> None:
    """It has a length, places, parts, and a table; it is equal to a list."""
    found = asked.ancestors("d")
    keys = [NodeKey("individual", "r", name) for name in "abc"]
    assert (list(found), len(found), found[-1], list(found[:2])) == (keys, 3, keys[2], keys[:2])
    assert found == keys
    assert found != keys[:2]
    assert keys[1] in found
    assert repr(found) == "<3 nodes: 'a', 'b', 'c'>"
    frame = found.frame()
    assert frame["id"].tolist() == ["a", "b", "c"]
    assert frame["birth"].map(lambda time: time.value).tolist() == [10, 11, 12]
    assert asked.ancestors("a").frame().dtypes.tolist() == frame.dtypes.tolist()
    assert repr(asked).endswith("run.jsonl: 4 individuals, 0 agents, 4 edges>")


def test_arrays_and_packed_files(tmp_path: Path) -> None:
    """The kind is found from the content, not from the name."""
    path = a_log(tmp_path)
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    array = tmp_path / "array"
    array.write_text(json.dumps([json.loads(line) for line in path.read_text().splitlines()]))
    for each in (packed, array, str(path)):
        with hl.query(each) as asked:
            assert len(asked.ancestors("d")) == 3


def test_what_is_no_event_is_counted(tmp_path: Path) -> None:
    """A torn line and one of another kind are left out."""
    path = a_log(tmp_path)
    with path.open("a") as file:
        file.write('{"other": 1}\n{"event_kind": "indiv')
    with hl.query(path) as asked:
        assert (asked.skipped, asked.edges) == (2, 4)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "no such file"),
        ("", "is empty"),
        ('{"eventType": "START"}\n', r"holds no Hutch events.*hutch_lineage\.load"),
        ("id,ancestor_list\n", "is neither JSON nor a DuckDB file"),
    ],
)
def test_what_cannot_be_opened_is_told_in_one_line(
    tmp_path: Path, content: str | None, why: str
) -> None:
    """The file, the reason, and what next."""
    path = tmp_path / "x"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ReadError, match=why) as caught:
        hl.query(path)
    assert caught.value.source == str(path)
    assert "\n" not in str(caught.value)


def test_a_folder_without_frames_is_refused(tmp_path: Path) -> None:
    """It is said which file makes a folder one of frames."""
    with pytest.raises(ReadError, match=r"without edges\.parquet"):
        hl.query(tmp_path)


def test_a_database_without_a_log_is_refused(tmp_path: Path) -> None:
    """Some other DuckDB file."""
    import duckdb

    path = tmp_path / "other.duckdb"
    duckdb.connect(str(path)).close()
    with pytest.raises(ReadError, match="without Hutch's event log"):
        hl.query(path)


def test_a_log_that_another_process_has_open_is_refused(tmp_path: Path) -> None:
    """Who has it, and the way out."""
    path = write_duckdb([], tmp_path / "busy.duckdb")
    code = f"import duckdb; c = duckdb.connect({str(path)!r}); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(ReadError, match=f"process {holder.pid}"):
            hl.query(path)
        holder.communicate(b"\n")


def test_a_log_that_this_process_writes_is_read(tmp_path: Path) -> None:
    """Embedded capture goes on meanwhile."""
    path = tmp_path / "own.duckdb"
    hl.configure(hl.SDKConfig(mode="embedded", db_path=path, strict=True))
    with hl.run("own") as run:
        seed = run.log_individual(kind="program", individual_id="a")
        run.log_individual(kind="program", individual_id="b", parent_ids=[seed.id])
        with hl.query(path) as asked:
            assert [key.id for key in asked.descendants("a")] == ["b"]
        run.log_individual(kind="program", individual_id="c", parent_ids=[seed.id])


def test_wrong_names_are_helped(asked: LineageQuery) -> None:
    """As the graph does: what is close, what is meant."""
    with pytest.raises(UnknownNodeError, match=r"no node 'D' among 4; did you mean 'd'\?"):
        asked.ancestors("D")
    with pytest.raises(UnknownNodeError, match="not by int"):
        asked.ancestors(5)
    with pytest.raises(UnknownNodeError, match="no node"):
        asked.descendants(("individual", "r"))
    with pytest.raises(GraphError, match="no run 'x'; run ids are: r"):
        asked.cost(run="x")
    with pytest.raises(MetricChoiceError, match="no node has a score on 'y'"):
        asked.efficacy(metric="y")
    with pytest.raises(ConfigurationError, match="by is"):
        asked.efficacy("model")  # type: ignore[arg-type]


def test_one_id_in_two_runs_is_ambiguous(tmp_path: Path) -> None:
    """The candidates are listed; a key, or the run of a cost, says which."""
    path = a_log(tmp_path)
    lines = path.read_text()
    path.write_text(lines + lines.replace('"r"', '"s"').replace("0000-4000", "0001-4000"))
    with hl.query(path) as asked:
        with pytest.raises(AmbiguousNodeError) as caught:
            asked.ancestors("d")
        assert [key[1] for key in caught.value.candidates] == ["r", "s"]
        assert len(asked.ancestors(NodeKey("individual", "s", "d"))) == 3
        assert asked.cost("d", run="s").cost_usd == 2.0


def test_what_it_had_on_disk_goes_with_it(tmp_path: Path) -> None:
    """With the block, and with the object; a closed query says so."""
    path = a_log(tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    with hl.query(path, folder=work) as asked:
        found = asked.ancestors("d")
        assert list(work.iterdir())
    assert list(work.iterdir()) == []
    with pytest.raises(ReadError, match="was closed"):
        list(found)
    hl.query(path, folder=work)
    gc.collect()
    assert list(work.iterdir()) == []


def test_settings_that_cannot_be_used(tmp_path: Path) -> None:
    """An amount that is none, and a folder that is not there."""
    with pytest.raises(ConfigurationError, match="no amount of memory"):
        hl.query(a_log(tmp_path), memory="much")
    with pytest.raises(ConfigurationError, match="folder="):
        hl.query(a_log(tmp_path), folder=tmp_path / "nowhere")


def test_a_long_chain_needs_no_recursion(tmp_path: Path) -> None:
    """Twenty thousand generations, one after the other."""
    path = tmp_path / "chain.jsonl"
    line = (
        '{"event_kind":"individual","run_id":"r","timestamp_ns":%d,'
        '"payload":{"id":"%d","kind":"program","parent_ids":[%s]}}\n'
    )
    with path.open("w") as file:
        for row in range(20_000):
            file.write(line % (row, row, f'"{row - 1}"' if row else ""))
    with hl.query(path) as asked:
        assert len(asked.ancestors("19999")) == 19_999
        assert asked.descendants("0")[-1].id == "19999"


def test_real_runs(data_dir: Path) -> None:
    """The published runs, every individual."""
    for name in ("hutch-openevolve", "hutch-codeevolve"):
        path = data_dir / name / "events.jsonl"
        graph = hl.load(path)
        with hl.query(path) as asked:
            same_answers(asked, graph)
            same_efficacy(asked, graph)
