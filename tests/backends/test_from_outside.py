"""A run of a Marquez from the magic and from the command line, as a second researcher opens it."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner

import hutch_lineage as hl
from hutch_lineage.cli.main import cli
from tests.backends.measuring import Backend
from tests.support.kernel import Kernel


@pytest.fixture
def posted(marquez: Backend) -> str:
    """The name of a run that was posted under the preset."""
    name = f"outside-{uuid4().hex[:8]}"
    settings = {"openlineage_endpoint": marquez.url, "openlineage_namespace": name}
    hl.configure(hl.SDKConfig(**settings, openlineage_backend="marquez"))
    with hl.run(name) as run:
        for number in range(4):
            parents = [f"i{number - 1}"] if number else []
            run.log_individual(kind="program", individual_id=f"i{number}", parent_ids=parents)
            if parents:
                run.log_operator(kind="mutate", parent_ids=parents, child_id=f"i{number}")
    assert hl.emitter().flush(60)
    return name


def test_the_command_line_takes_an_address(marquez: Backend, posted: str, tmp_path: Path) -> None:
    """`stats` and `export` do with a run of a backend what they do with a file."""
    told = CliRunner().invoke(cli, ["stats", marquez.url, "--run", posted])
    assert told.exit_code == 0
    assert "4 individuals" in told.output
    target = tmp_path / "run.graphml"
    done = CliRunner().invoke(cli, ["export", marquez.url, str(target), "--run", posted])
    assert (done.exit_code, target.exists()) == (0, True)
    failed = CliRunner().invoke(cli, ["stats", marquez.url, "--run", f"{posted}-x"])
    assert (failed.exit_code, "did you mean" in failed.output) == (1, True)


def test_the_magic_opens_and_follows_a_run(marquez: Backend, posted: str) -> None:
    """One line in another notebook; a mistake is one line, too."""
    with Kernel() as kernel:
        kernel.run("%load_ext hutch_lineage\nimport hutch_lineage as hl")
        shown = kernel.run(f"%hutch_lineage open {marquez.url} --run {posted} --follow")
        assert "4 individuals · 3 edges · 1 run" in shown
        told = kernel.run(f"%hutch_lineage open {marquez.url} --run {posted}-x")
        assert "did you mean" in told
        assert "Traceback" not in told
        advice = kernel.run(f"%hutch_lineage live {marquez.url}")
        assert f"%hutch_lineage live {marquez.url} --backend marquez" in advice
        again = kernel.run(f"%hutch_lineage live {marquez.url} --backend marquez")
        assert "there is" not in again
        assert "(marquez)" in again
