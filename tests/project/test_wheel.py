"""The built wheel, in an environment that holds nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.wheel, pytest.mark.timeout(900)]

MAX_WHEEL_BYTES = 950_000

JOURNEY = """
import json, pathlib
from IPython.core.interactiveshell import InteractiveShell
import hutch_lineage as hl

shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "hutch_lineage")
with hl.run("search", project="wheel") as run:
    seed = run.log_individual(kind="program", individual_id="seed")
    child = run.log_individual(kind="program", parent_ids=["seed"], individual_id="child")
    run.log_operator(kind="refine", parent_ids=["seed"], child_id="child", cost_usd=0.5)
    run.log_fitness(individual=child, scores={"score": 2.5})
shell.run_line_magic("hutch_lineage", "status")
for name in ("run.html", "run.svg", "run.graphml", "run.ndjson"):
    shell.run_line_magic("hutch_lineage", f"export {name}")
explorer = hl.explore()
print(json.dumps({
    "version": hl.__version__,
    "file": hl.__file__,
    "repr": repr(explorer),
    "esm": len(explorer._bundle),
    "marks": pathlib.Path("run.svg").read_text().count("data-node="),
    "bundled": explorer._bundle.strip()[:200] in pathlib.Path("run.html").read_text(),
    "panels": "hutch_lineage panels" in pathlib.Path("run.html").read_text(),
}))
"""


@pytest.fixture(scope="module")
def wheel(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this folder."""
    target = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            *(sys.executable, "-m", "build", "--wheel", "--no-isolation"),
            *("--outdir", str(target), str(project_root)),
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment that holds the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    return python


def run(command: list[str | Path], folder: Path) -> str:
    """Run a command in `folder`, away from the sources and from this environment."""
    outer = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    environment["IPYTHONDIR"] = str(folder / "ipython")
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_what_users_need_and_no_more(wheel: Path) -> None:
    """The bundle, the schemas and the type marker are in; sources of the bundle and tests not."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "hutch_lineage/py.typed",
        "hutch_lineage/explorer/static/loader.js",
        "hutch_lineage/explorer/static/explorer.js",
        "hutch_lineage/explorer/static/explorer.css",
        "hutch_lineage/explorer/static/hands.js",
        "hutch_lineage/explorer/static/hands.css",
        "hutch_lineage/explorer/static/panels.js",
        "hutch_lineage/explorer/static/panels.css",
        "hutch_lineage/mapping/facets/hutchOperator.json",
        "hutch_lineage/cli/quickstart.ipynb",
    } <= names
    other = [
        name
        for name in names
        if "/frontend/" in name or not name.startswith(("hutch_lineage/", "hutch_lineage-"))
    ]
    assert other == []


def test_the_wheel_is_small(wheel: Path) -> None:
    """A front end without a framework: the whole package is less than one photograph."""
    assert wheel.stat().st_size < MAX_WHEEL_BYTES


def test_capture_magic_explorer_and_export_work_from_the_wheel(
    installed: Path, tmp_path: Path
) -> None:
    """What the README shows works where only the wheel is installed."""
    said = json.loads(run([installed, "-c", JOURNEY], tmp_path).splitlines()[-1])
    assert "site-packages" in said.pop("file")
    assert said.pop("esm") > 10_000
    assert said.pop("version")
    assert said == {
        "repr": "Explorer(2 individuals, 0 agents, 1 edge, 1 run)",
        "marks": 2,
        "bundled": True,
        "panels": True,
    }


def test_the_command_line_works_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    """`hutch-lineage` reads a file and writes another form of it."""
    run([installed, "-c", JOURNEY], tmp_path)
    command = installed.with_name("hutch-lineage")
    assert "export" in run([command, "--help"], tmp_path)
    run([command, "export", "run.ndjson", "again.svg"], tmp_path)
    assert (tmp_path / "again.svg").read_text().count("data-node=") == 2


def test_its_requirements_agree_with_each_other(installed: Path, tmp_path: Path) -> None:
    """What pip installed beside the wheel fits together."""
    assert "No broken requirements" in run([installed, "-m", "pip", "check"], tmp_path)
