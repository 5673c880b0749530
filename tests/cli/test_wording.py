"""What the commands advise can be typed: options and not arguments of Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import hutch_lineage as hl
from hutch_lineage.cli.main import cli
from hutch_lineage.sdk import runtime
from hutch_lineage.session import in_shell_words


@pytest.fixture
def crossed(tmp_path: Path) -> str:
    """A run with a child of two, without a score, as Hutch JSONL."""
    with hl.run("packing") as run:
        for name in "ab":
            run.log_individual(kind="program", individual_id=name)
        run.log_individual(kind="program", individual_id="c", parent_ids=["a", "b"])
        run.log_operator(kind="crossover", parent_ids=["a", "b"], child_id="c")
    path = tmp_path / "run.jsonl"
    path.write_text("".join(f"{event.model_dump_json()}\n" for event in runtime().events))
    return str(path)


def said(*words: str) -> str:
    """Return what a command prints."""
    return CliRunner().invoke(cli, words).output


def test_the_advice_of_an_export_can_be_typed(crossed: str, tmp_path: Path) -> None:
    """An option of a form is given by -o, and then it does as it says."""
    tree, crate = str(tmp_path / "run.nwk"), str(tmp_path / "run.zip")
    assert ": -o first_parent=true keeps the first of each\n" in said("export", crossed, tree)
    assert "wrote" in said("export", crossed, tree, "-o", "first_parent=true")
    assert "no licence was stated: -o license=NAME names one" in said("export", crossed, crate)
    assert "no licence" not in said("export", crossed, crate, "-o", "license=MIT")


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ("several runs: name one with run=, of: a", "several runs: name one with --run, of: a"),
        ("take the id as run=: b", "take the id as --run: b"),
        ("kind= chooses another; pass metric=", "--kind chooses another; pass --metric"),
        ("pass api_key=, or set HUTCH_OPENLINEAGE_API_KEY", "set HUTCH_OPENLINEAGE_API_KEY"),
        ("'run=' and run=a and license=MIT and x.kind= are data", None),
    ],
)  # fmt: skip
def test_words_for_python_become_options(python: str, shell: str | None) -> None:
    """Only a word that stands for itself; what has a value is somebody's data."""
    assert in_shell_words(python) == (python if shell is None else shell)


@pytest.mark.parametrize("address", ["localhost:5055", "10.0.0.7:5000/api/v1", "[::1]:8080"])
def test_an_address_without_a_scheme_is_recognised(address: str) -> None:
    """It could be a file, but there is none."""
    told = f"{address}: no such file; did you mean http://{address}?"
    assert told in said("load", address)


def test_a_file_that_is_missing_is_no_address() -> None:
    """Neither has a port."""
    assert said("load", "nowhere.jsonl").rstrip().endswith("no such file")
