"""Files and folders that are not what they seem: none hangs, crashes or fills the memory."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ReadError
from hutch_lineage.export import write
from hutch_lineage.graph import LineageGraph
from hutch_lineage.readers import ReadReport, Source, documents, lines_of, look_up, source
from hutch_lineage.readers.formats.csv_rows import rows
from hutch_lineage.readers.rereading import Rereading
from tests.readers.samples.openevolve import A, checkpoint

DEEP: Any = json.loads("[" * 600 + "]" * 600)
SEED = (
    '{"event_kind": "individual", "run_id": "r", '
    '"payload": {"id": "a", "kind": "program", "is_seed": true}}\n'
)

pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def opened_in_time(place: Path) -> LineageGraph | ReadError:
    """Open a source in a thread that may hang, and say what came of it."""
    came: list[LineageGraph | ReadError] = []

    def open_it() -> None:
        try:
            came.append(hl.load(place))
        except ReadError as error:
            came.append(error)

    thread = Thread(target=open_it, daemon=True)
    thread.start()
    thread.join(20)
    assert came, "it waits for somebody to write into a pipe"
    return came[0]


@pipes
def test_a_pipe_among_programs_is_skipped(tmp_path: Path) -> None:
    """It is in the report; the programs beside it are read."""
    os.mkfifo(checkpoint(tmp_path / "checkpoint_1", A) / "programs" / "x.json")
    graph = opened_in_time(tmp_path / "checkpoint_1")
    assert isinstance(graph, LineageGraph)
    (told,) = graph.report.examples["program files skipped"]
    assert (len(graph), "is no regular file" in told) == (1, True)


@pipes
@pytest.mark.parametrize("name", ["metadata.json", "lineage.json"])
def test_a_pipe_is_not_waited_for_to_find_the_kind(tmp_path: Path, name: str) -> None:
    """Whatever format looks at it."""
    (tmp_path / "programs").mkdir()
    (tmp_path / "ro-crate-metadata.json").write_text("{}")
    os.mkfifo(tmp_path / name)
    assert isinstance(opened_in_time(tmp_path), ReadError)


@pipes
def test_a_pipe_in_place_of_a_patch(tmp_path: Path) -> None:
    """The agent is read without it."""
    (tmp_path / "a").mkdir()
    said = {"run_id": "a", "parent_commit": "initial", "overall_performance": None}
    (tmp_path / "a" / "metadata.json").write_text(json.dumps(said))
    os.mkfifo(tmp_path / "a" / "model_patch.diff")
    graph = opened_in_time(tmp_path)
    assert isinstance(graph, LineageGraph)
    assert graph.report.counts["patches that cannot be read"] == 1
    with pytest.raises(ReadError, match="is no regular file"):
        look_up(str(tmp_path / "a" / "model_patch.diff"))


@pytest.mark.parametrize("open_it", [hl.load, hl.query], ids=["load", "query"])
def test_a_folder_that_may_not_be_looked_into(
    tmp_path: Path, open_it: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as those of others on a cluster: one clear error, or the files that may be read."""
    (tmp_path / "closed").mkdir()
    stat = os.stat

    def refused(path: Any, *args: Any, **options: Any) -> os.stat_result:
        if "closed" in Path(str(path)).parts[:-1]:
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, *args, **options)

    monkeypatch.setattr(os, "stat", refused)
    with pytest.raises(ReadError):
        open_it(tmp_path / "closed")
    (tmp_path / "w.jsonl").write_text(SEED)
    assert len(hl.load(tmp_path)) == 1


def test_a_link_in_a_circle_is_passed_over(tmp_path: Path) -> None:
    """The files beside it are read."""
    (tmp_path / "self.jsonl").symlink_to("self.jsonl")
    (tmp_path / "w.jsonl").write_text(SEED)
    assert len(hl.load(tmp_path)) == 1


@pytest.mark.parametrize("read", [documents, rows], ids=["json", "csv"])
def test_a_packed_line_larger_than_memory(
    tmp_path: Path, read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small file that unpacks to one endless line is refused, and not held in memory."""
    monkeypatch.setitem(lines_of.__globals__, "LARGEST_UNPACKED", 1000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b'id,ancestor_list\n"' + b" " * 5000))
    with pytest.raises(ReadError, match=r"bomb\.gz: unpacks to one value of more than"):
        list(read(path))


def test_a_packed_document_larger_than_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is what has to be read whole since it spans lines."""
    monkeypatch.setitem(lines_of.__globals__, "LARGEST_UNPACKED", 1000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"[\n{\n" + b" \n" * 2000))
    with pytest.raises(ReadError, match="unpack it first"):
        list(documents(path))


def test_more_entries_than_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That some files of a folder were left out is said."""
    monkeypatch.setattr(source, "MOST_NAMES", 2)
    for name in "abc":
        (tmp_path / f"{name}.csv").write_text("id,ancestor_list\n1,['none']\n")
    assert hl.load(tmp_path).report.counts["folders of which only 2 entries were looked at"] == 1


@pytest.mark.parametrize(
    "odd",
    [
        {"code": "\ud800", "metadata": {"island": "\ud800"}},
        {"metadata": {"deep": DEEP}, "metrics": {"combined_score": 10**400, "x": DEEP}},
        {"language": [1], "generation": "x", "metadata": {"island": {}}},
        {"timestamp": 1e308, "generation": 10**400, "metrics": {"combined_score": float("nan")}},
    ],
    ids=["broken Unicode", "deep and large", "of other types", "beyond all times"],
)
def test_programs_that_json_cannot_hold(tmp_path: Path, odd: dict[str, Any]) -> None:
    """They are mended, that is said, and the graph goes out and comes back equal."""
    graph = hl.load(checkpoint(tmp_path / "checkpoint_1", {**A, **odd}))
    assert len(graph) == 1
    back = hl.load(write(graph, tmp_path / "out.json").path)
    assert back.equals(graph)


def test_results_that_name_no_parent(tmp_path: Path) -> None:
    """A list as a parent, an index and a score beyond all numbers: said, and not in the way."""
    result = {"index": 1, "name": "a", "parent": [1], "score": 10**400, "note": DEEP}
    huge = {"index": 10**300, "name": "b", "parent": 1, "score": 1.0}
    path = tmp_path / "tree.json"
    path.write_text(json.dumps({"results": [result, huge]}))
    graph = hl.load(path)
    assert graph.report.counts["parents that are no index: left out"] == 1
    assert (len(graph), graph.edge_count) == (2, 1)
    write(graph, tmp_path / "out.nwk")


@pytest.mark.parametrize("place", ["node", "operator"])
def test_node_link_that_was_changed_by_hand(tmp_path: Path, place: str) -> None:
    """One clear error."""
    with hl.run("r") as run:
        run.log_individual(kind="program", individual_id="a")
        run.log_operator(kind="mutate", parent_ids=["a"], child_id="b")
    path = write(hl.lineage(), tmp_path / "run.json").path
    data = json.loads(path.read_text())
    if place == "node":
        data["nodes"][0]["scores"] = [1]
    else:
        data["graph"]["operators"][0]["attributes"] = 7
    path.write_text(json.dumps(data))
    with pytest.raises(ReadError, match="not as it was written"):
        hl.load(path)


class Hasty:
    """A format of somebody else's that does not look before it leaps."""

    kind = title = "hasty"

    def detect(self, source: Source) -> bool:
        """Return that it fits."""
        return True

    def read(self, source: Source, report: ReadReport) -> Any:
        """Fail as a program does."""
        yield {}["nothing"]


def test_what_a_format_did_not_foresee_is_a_read_error(tmp_path: Path) -> None:
    """Also while the source is followed, so that it is tried again."""
    with pytest.raises(ReadError, match=r"is not laid out as hasty is \(KeyError"):
        Rereading(Hasty(), Source(tmp_path), ReadReport()).poll()
