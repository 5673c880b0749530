"""README and documentation: the code in them runs, and the tables say what the code says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from hutch_lineage.model import IndividualKind, OperatorKind
from hutch_lineage.sdk import SETTINGS
from tests.frontend.looks import LOOKS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def cells(page: Path, first: str) -> list[list[str]]:
    """The rows of the table in `page` whose heading begins with `first`."""
    lines = page.read_text(encoding="utf-8").splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = []
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


def test_every_kind_is_named() -> None:
    """Which words `kind` takes stands where the verbs are explained."""
    page = (ROOT / "docs" / "capture.md").read_text(encoding="utf-8")
    said = re.findall(
        r"^- an (?:individual|operator) is (.*?)[;.]$", page, re.MULTILINE | re.DOTALL
    )
    kinds = [tuple(re.findall(r"`(\w+)`", each)) for each in said]
    assert kinds == [get_args(IndividualKind), get_args(OperatorKind)]


@pytest.mark.parametrize(
    "page", [p for p in PAGES if BLOCK.search(p.read_text())], ids=lambda p: p.name
)
def test_the_python_on_a_page_runs(page: Path, tmp_path: Path) -> None:
    """A reader can paste the examples, top to bottom, into one session."""
    run_code("\n".join(BLOCK.findall(page.read_text(encoding="utf-8"))), tmp_path)


@pytest.mark.parametrize("name", ["send.md"])
def test_each_block_of_a_page_runs_alone(name: str, tmp_path: Path) -> None:
    """Where a page is looked up for one thing, its block is all that is pasted."""
    for code in BLOCK.findall((ROOT / "docs" / name).read_text(encoding="utf-8")):
        run_code(code, tmp_path)


def run_code(code: str, tmp_path: Path) -> None:
    """Run what a page shows, warnings being errors."""
    keep = {k: v for k, v in os.environ.items() if not k.startswith(("HUTCH_", "OPENLINEAGE_"))}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env={**keep, "HUTCH_LINEAGE_SESSIONS": str(tmp_path / "sessions")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "False" not in done.stdout.split()


def test_the_readme_opens_with_ten_lines_that_run() -> None:
    """The first thing after the picture is code, and it is short."""
    readme = PAGES[0].read_text(encoding="utf-8")
    first = BLOCK.search(readme)
    assert first is not None
    assert len([line for line in first.group(1).splitlines() if line.strip()]) <= 10
    assert readme.index("docs/images/explorer-light.png") < first.start()


def test_the_table_of_settings_is_complete() -> None:
    """Every setting is documented with its environment name, its default and its meaning."""
    documented = cells(ROOT / "docs" / "configuration.md", "setting")
    expected = [
        [f"`{s.field}`", f"`{s.env}`" if s.env else "", f"`{s.default}`", s.meaning]
        for s in SETTINGS
    ]
    assert documented == expected


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    """No page points at a file that is not there."""
    links = [each for each in LINK.findall(page.read_text()) if "://" not in each]
    assert [each for each in links if not (page.parent / each).exists()] == []


def test_every_dependency_is_justified() -> None:
    """A package that users get, or that an extra adds, has its reason on the dependencies page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        required += extra
    names = {re.split(r"[\[<>=!~ ]", each, maxsplit=1)[0] for each in required} - {"hutch-lineage"}
    page = (ROOT / "docs" / "dependencies.md").read_text()
    general = {"pytest-": "pytest with its plugins", "types-": "stubs", "-stubs": "stubs"}
    unnamed = [
        name
        for name in sorted(names)
        if name not in page and not any(k in name and v in page for k, v in general.items())
    ]
    assert unnamed == []


def test_the_makefile_and_the_guide_agree() -> None:
    """Every command of `make help` is in the guide for contributors, and the other way round."""
    makefile = (ROOT / "Makefile").read_text()
    commands = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE)) - {"help"}
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    assert commands == set(re.findall(r"`make ([a-z]+)[ `]", guide))


def test_each_promise_about_notebooks_names_its_test() -> None:
    """The table of what survives where points at files and tests that exist."""
    for where, _, shown_by in cells(ROOT / "docs" / "notebooks.md", "where"):
        if shown_by == "-":
            assert where == "Colab"
            continue
        path, _, name = re.findall(r"`([^`]+)`", shown_by)[0].partition("::")
        assert f"def {name}" in (ROOT / path).read_text(encoding="utf-8"), where


def test_each_cell_beside_other_viewers_is_shown() -> None:
    """The explorer's table of features points at tests and at approved pictures that exist."""
    looks = {look.name for look in LOOKS}
    for what, *_, shown_by in cells(ROOT / "docs" / "explorer.md", "what"):
        pictures = re.findall(r"\(images/looks/([^)]+)\.png\)", shown_by)
        tests = [each.partition("::") for each in re.findall(r"`([^`]+)`", shown_by)]
        assert pictures or tests, what
        assert looks.issuperset(pictures), what
        for path, _, name in tests:
            assert f"def {name}" in (ROOT / path).read_text(encoding="utf-8"), what


def test_the_map_of_the_front_end_names_every_module() -> None:
    """A newcomer finds each module in its folder's row, and none that is gone."""
    source = ROOT / "hutch_lineage" / "explorer" / "frontend" / "src"
    for folder, names, _ in cells(ROOT / "docs" / "architecture.md", "folder"):
        named = re.findall(r"`(\w+)`", names)
        if named in (["index"], ["list"]):  # they list the rest themselves
            continue
        modules = [path.stem for path in (source / folder.strip("`")).glob("*.js")]
        assert sorted(named) == sorted(modules), folder
    assert sorted(path.stem for path in source.glob("*.js")) == ["index", "loader"]


def test_the_folders_of_the_front_end_build_on_each_other() -> None:
    """Modules import from their own folder and from those above it in the table, but for two."""
    source = ROOT / "hutch_lineage" / "explorer" / "frontend" / "src"
    rows = cells(ROOT / "docs" / "architecture.md", "folder")
    order = [folder.strip("`/") for folder, *_ in rows]
    ahead = [
        f"{path.relative_to(source)} imports {target.relative_to(source)}"
        for at, folder in enumerate(order)
        for path in sorted((source / folder).rglob("*.js"))
        for found in re.findall(r'^import .*?"(\..+?)";$', path.read_text(), re.M | re.S)
        if (target := (path.parent / found).resolve()).relative_to(source).parts[0]
        in order[at + 1 :]
    ]
    assert ahead == [
        "data/store.js imports picture/scene.js",
        "frame/app.js imports panels/panel.js",
    ]
