"""The command line: a run is looked at and written in another form, and mistakes are one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hutch_lineage as hl
from hutch_lineage.cli.main import cli
from hutch_lineage.export import FORMS, Form
from hutch_lineage.sdk import runtime


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """A run of two as Hutch JSONL."""
    with hl.run("packing") as run:
        seed = run.log_individual(kind="program", individual_id="a")
        run.log_fitness(individual=seed, scores={"score": 1.0})
        child = run.log_individual(kind="program", individual_id="b", parent_ids=["a"])
        run.log_operator(kind="mutate", parent_ids=["a"], child_id="b", cost_usd=0.5)
        run.log_fitness(individual=child, scores={"score": 2.0})
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(event.model_dump_json() for event in runtime().events))
    return path


def call(*words: str | Path) -> Result:
    """Run the command with these words."""
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_stats_sums_up_a_file(events: Path) -> None:
    """Counts, the best, the path to it and its cost are printed."""
    done = call("stats", events)
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "2 individuals · 1 edge · 1 run",
        "packing · finished · $0.500",
        "  best b: score 2 (assumed: higher is better)",
        "  path: a 1 > b 2",
        "  lineage cost: $0.500 over 1 step",
    ]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_export_writes_each_form(events: Path, tmp_path: Path, form: Form) -> None:
    """The suffix chooses the form, and the file is named."""
    target = tmp_path / f"out{form.suffixes[0]}"
    assert call("export", events, target).output.splitlines()[0] == f"wrote {target}"
    assert target.stat().st_size > 0


def test_export_says_what_a_form_cannot_carry(events: Path, tmp_path: Path) -> None:
    """A line for each, below the name of the file."""
    target = tmp_path / "out.ndjson"
    done = call("export", events, target, "--preset", "marquez")
    assert done.output == f"wrote {target}\n  scores of nodes, left out: 2\n"


def test_export_takes_a_form_by_name_and_its_options(events: Path, tmp_path: Path) -> None:
    """Where the suffix does not say it; what cannot be read is one line."""
    target = tmp_path / "tree.txt"
    words = ("export", events, target, "--format", "newick", "-o", "lengths=none")
    assert call(*words).exit_code == 0
    assert target.read_text() == "(b)a;\n"
    refused = call(*words, "-o", "first-parent")
    assert (refused.exit_code, "'first-parent' is no NAME=VALUE" in refused.output) == (2, True)
    assert "one of html, svg" in call("export", events, target, "--format", "gif").output


def test_what_was_exported_opens_again(events: Path, tmp_path: Path) -> None:
    """OpenLineage NDJSON of a run holds its lineage."""
    target = tmp_path / "run.ndjson"
    call("export", events, target)
    assert call("stats", target).output.splitlines()[0] == "2 individuals · 1 edge · 1 run"


@pytest.mark.parametrize("words", [["stats", "nowhere.jsonl"], ["export", "nowhere.jsonl", "x"]])
def test_a_mistake_is_one_line(words: list[str]) -> None:
    """No traceback: the message names the file, and the exit code is 1."""
    done = call(*words)
    assert (done.exit_code, done.output) == (1, "Error: nowhere.jsonl: no such file\n")


def test_an_unknown_form_names_the_known_ones(events: Path, tmp_path: Path) -> None:
    """A suffix without a form says which there are, and nothing is written."""
    done = call("export", events, tmp_path / "run.docx")
    assert done.exit_code == 1
    assert ".html (html), .svg (svg), .png (png), .graphml (graphml)" in done.output
    assert not (tmp_path / "run.docx").exists()


def test_a_run_written_as_jsonl_comes_back_whole(events: Path, tmp_path: Path) -> None:
    """Hutch JSONL keeps what OpenLineage has no place for: seeds, scores, all kinds of events."""
    target = tmp_path / "again.jsonl"
    call("export", events, target)
    assert hl.load(target).equals(hl.load(events))


def test_openlineage_becomes_hutch_events(events: Path, tmp_path: Path) -> None:
    """They are made from the graph, which is said, and give an equal one."""
    middle, target = tmp_path / "run.ndjson", tmp_path / "made.jsonl"
    call("export", events, middle)
    assert "made from the graph" in call("export", middle, target).output
    assert hl.load(target).equals(hl.load(middle))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_cannot_be_written(events: Path) -> None:
    """A full disk behind ``>`` is one line on the error stream."""
    command = [
        sys.executable,
        "-c",
        "from hutch_lineage.cli import main; main()",
        "stats",
        str(events),
    ]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "the output cannot be written" in done.stderr
