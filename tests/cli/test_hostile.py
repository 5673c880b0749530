"""Output that a terminal or an encoding cannot take, and places that cannot be written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hutch_lineage.cli.main import cli

ESCAPE = "\x1b]0;evil\x07"


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A run with a name, an id and a genome that not every encoding holds."""
    payload = {"id": "☃", "kind": "program", "is_seed": True, "metadata": {"genome": "print('☃')"}}
    score = {"individual_id": "☃", "scores": {"s": 1}, "evaluator_kind": "deterministic_metric"}
    events = [("individual", payload), ("fitness", score)]
    path = tmp_path / "run.jsonl"
    path.write_text(
        "".join(
            json.dumps({"event_kind": kind, "run_id": "☃", "payload": said}) + "\n"
            for kind, said in events
        )
    )
    return str(path)


@pytest.mark.parametrize("words", [["stats"], ["best"], ["load", "--json"]], ids=" ".join)
def test_an_encoding_without_the_characters(source: str, words: list[str]) -> None:
    """A mark stands for each; it is no crash."""
    result = CliRunner(charset="latin-1").invoke(cli, [words[0], source, *words[1:]])
    assert (result.exit_code, result.exception) == (0, None)


def test_a_genome_goes_into_a_file_as_it_is(source: str) -> None:
    """As UTF-8, whatever the terminal's encoding: programs are read as that."""
    result = CliRunner(charset="latin-1").invoke(cli, ["best", source, "--genome"])
    assert (result.exit_code, result.stdout_bytes) == (0, "print('☃')\n".encode())


def test_an_error_that_quotes_a_file_does_not_steer_the_terminal(tmp_path: Path) -> None:
    """No control character of it is printed."""
    path = tmp_path / "a.csv"
    path.write_text(f"id,{ESCAPE}\n1,2\n")
    result = CliRunner().invoke(cli, ["load", str(path), "--kind", "alife-csv"])
    assert (result.exit_code, "\x1b" in result.output) == (1, False)


def test_a_place_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """The message says which."""
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(cli, ["serve-demo", "--folder", str(tmp_path / "file" / "x")])
    assert (result.exit_code, f"{tmp_path}/file/x" in result.output) == (1, True)


@pytest.mark.parametrize("option", ["title=2024", "title=True"])
def test_an_option_that_is_a_text_stays_one(source: str, tmp_path: Path, option: str) -> None:
    """Also where it looks like a number or a truth value."""
    target = tmp_path / "run.md"
    result = CliRunner().invoke(cli, ["export", source, str(target), "-o", option])
    assert (result.exit_code, target.read_text().split("\n")[0]) == (0, f"# {option[6:]}")


def test_a_stream_holds_the_file_alone(source: str, tmp_path: Path) -> None:
    """What is said about it goes to standard error."""
    result = CliRunner().invoke(cli, ["export", source, "/dev/null", "--format", "newick"])
    assert (result.exit_code, result.stdout) == (0, "")
    assert "wrote /dev/null" in result.stderr
