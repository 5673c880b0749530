"""Event files: detection by content, mending, reporting, and real files."""

from __future__ import annotations

import gzip
import json

import pytest

from hutch_lineage.errors import ReadError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.readers import ReadReport, read
from hutch_lineage.session import load


def hutch(event_kind, **payload):
    return {"event_kind": event_kind, "run_id": "r1", "timestamp_ns": 5, "payload": payload}


def openlineage(parent, child, operator="op-1"):
    return {
        "eventType": "RUNNING",
        "eventTime": "2026-05-05T12:34:56.123456Z",
        "run": {
            "runId": "run-1",
            "facets": {"hutchOperator": {"operator_id": operator, "operator_kind": "refine"}},
        },
        "job": {"namespace": "hutch", "name": "packing"},
        "inputs": [{"namespace": "hutch", "name": f"individual:{parent}"}],
        "outputs": [{"namespace": "hutch", "name": f"individual:{child}"}],
        "producer": "https://github.com/xyin-anl/hutch/v0.1.0",
    }


SEED = hutch("individual", id="a", kind="program", is_seed=True)
CHILD = hutch("individual", id="b", kind="program", parent_ids=["a"])


def write(path, values):
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


def test_hutch_events_by_content(tmp_path):
    """The kind is found from the lines, not from the name of the file."""
    reading = read(write(tmp_path / "something.txt", [SEED, CHILD]))
    assert (reading.kind, len(reading.events())) == ("hutch-jsonl", 2)
    assert repr(reading.apply_to(LineageGraph())) == (
        "LineageGraph(2 individuals, 0 agents, 1 edge, 1 run)"
    )


def test_openlineage_events_by_content(tmp_path):
    """OpenLineage events come back as they are, and give operator edges."""
    events = [openlineage("a", "b"), openlineage("b", "c", "op-2")]
    reading = read(write(tmp_path / "x.jsonl", events))
    assert (reading.kind, reading.events()) == ("openlineage-ndjson", events)
    graph = reading.apply_to(LineageGraph())
    assert [key.id for key in graph.ancestors("c")] == ["a", "b"]


def test_openlineage_array(tmp_path):
    """A JSON array of events is read like lines."""
    path = tmp_path / "events.json"
    path.write_text(json.dumps([openlineage("a", "b"), openlineage("b", "c", "op-2")], indent=1))
    assert len(load(path).nx) == 3


def test_bad_lines_are_skipped_and_named(tmp_path):
    """What cannot be read costs only itself, and the report says where it is and why."""
    path = tmp_path / "e.jsonl"
    bad = hutch("operator", id="o", kind="no-such-kind", parent_ids=["a"], child_id="b")
    lines = [json.dumps(SEED), "{torn", json.dumps(bad), json.dumps({"x": 1}), json.dumps(CHILD)]
    path.write_text("\n".join(lines))
    graph = load(path)
    assert len(graph.nx) == 2
    report = graph.report
    assert report.counts["lines skipped: not JSON"] == 1
    assert report.examples["lines skipped: not JSON"][0].startswith("line 2: ")
    assert report.examples["Hutch events skipped"][0].startswith("line 3: ")
    assert report.examples["values skipped: not an event"] == ["line 4: an object with 'x'"]


def test_null_scores_are_left_out(tmp_path):
    """A score that was not finite stands as null in Hutch's files: the event is kept."""
    some = hutch("fitness", individual_id="a", scores={"x": None, "y": 2.0}, evaluator_kind="human")
    none = hutch("fitness", individual_id="b", scores={"x": None}, evaluator_kind="human")
    graph = load(write(tmp_path / "e.jsonl", [SEED, CHILD, some, none]))
    assert graph.node("a")["scores"] == {"y": 2.0}
    assert graph.node("b")["invalid_reason"] == "no finite score: x=nan"
    assert graph.report.counts["mended (non_finite)"] == 2


def test_the_scores_of_a_review_are_read_too(tmp_path):
    """A review has scores as a fitness has, finite or null, but no reason for their absence."""
    told = [hutch("review", target_id="a", scorer="s", scores={"x": x}) for x in (1.0, None)]
    one, other = read(write(tmp_path / "e.jsonl", told)).events()
    assert (one.payload.scores, other.payload.scores) == ({"x": 1.0}, {})


def test_a_file_with_both_kinds_gives_both(tmp_path):
    """Nothing is dropped because the first line was of another kind."""
    reading = read(write(tmp_path / "e.jsonl", [openlineage("a", "b"), SEED]))
    assert (reading.kind, len(reading.events())) == ("openlineage-ndjson", 2)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("id,name\n0,x\n", 1, "not JSON"),
        ('\n\n{"x": 1}\n', 3, "an object with 'x'"),
        ("[]", 1, "nothing in it"),
        ('{"event_kind": "operator"}', 1, "run_id: Field required"),
    ],
)
def test_nothing_readable_names_file_line_and_reason(tmp_path, text, line, message):
    """One clear error, with what would have been readable."""
    path = tmp_path / "e.csv"
    path.write_text(text)
    with pytest.raises(ReadError, match=r"readable are .*hutch-jsonl \(Hutch events") as caught:
        load(path)
    assert (caught.value.source, caught.value.line) == (str(path), line)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_what_was_odd_is_merged_into_the_graphs_report(tmp_path):
    """Counts stay exact where there are more oddities than examples."""
    path = tmp_path / "e.jsonl"
    path.write_text(json.dumps(SEED) + "\n" + "nope\n" * 12)
    assert load(path).report.counts["lines skipped: not JSON"] == 12


def test_hutch_files(data_dir):
    """The published Hutch runs open whole."""
    report = ReadReport()
    reading = read(data_dir / "hutch-codeevolve" / "events.jsonl")
    assert (reading.kind, len(list(reading.items(report))), bool(report)) == (
        "hutch-jsonl",
        1459,
        False,
    )
    assert len(load(data_dir / "hutch-openevolve" / "events.jsonl").nx) == 121


@pytest.mark.parametrize(
    ("folder", "events"),
    [("airflow", 32), ("dbt", 266), ("marquez", 39), ("spark-container", 109), ("CLL", 9)],
)
def test_openlineage_files_of_other_producers(data_dir, folder, events):
    """Events without run, time or namespace open too: each is read, and there are edges."""
    path = data_dir / f"openlineage-{folder}" / "events.ndjson"
    reading = read(path)
    graph = reading.apply_to(LineageGraph())
    assert (reading.kind, len(reading.events())) == ("openlineage-ndjson", events)
    assert graph.nx.number_of_edges() > 0


def test_a_file_that_breaks_off_gives_what_it_holds(tmp_path):
    """A run whose writer was killed opens as far as it goes, and the report says so."""
    path = tmp_path / "run.jsonl.gz"
    lines = json.dumps(SEED).encode() + b"\n" + json.dumps(CHILD).encode() + b"\n"
    path.write_bytes(gzip.compress(lines)[:-9])
    report = ReadReport()
    items = read(path).items(report)
    assert [event.payload.id for event in items] == ["a", "b"]
    assert ["line 3: the file breaks off" in line for line in report.lines()] == [True]


def test_a_home_that_is_not_there():
    """A tilde with an unknown user is an error of the source."""
    with pytest.raises(ReadError, match="home directory"):
        read("~no-such-user-here/run.jsonl")


def test_an_event_nested_beyond_measure_is_read(tmp_path):
    """A facet of a thousand levels costs nobody the lineage."""
    event = openlineage("a", "b")
    event["run"]["facets"]["deep"] = "HERE"
    path = tmp_path / "deep.ndjson"
    path.write_text(json.dumps(event).replace('"HERE"', "[" * 1000 + "]" * 1000))
    assert load(path).ancestors("b")[0].id == "a"
