"""What the repository may and may not hold."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

# Paths of one person's or one machine's home, and marks of a file that was not finished.
MACHINE_PATH = re.compile(
    r"(?<![\w.:/-])/(?:home/\w+|Users/\w+|root|work|farm|tmp/\w+)/[\w.-]+|[A-Z]:\\Users\\"
)
MERGE_MARK = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)
MAX_BYTES = 1_500_000


@pytest.fixture(scope="module")
def tracked(project_root: Path) -> list[Path]:
    """The files under version control (in an unpacked archive: all but what tools made)."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=project_root, capture_output=True, text=True, check=True
        ).stdout
        names = [name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        made = {".venv", "build", "dist", "site", "node_modules"}
        found = (path.relative_to(project_root) for path in project_root.rglob("*"))
        names = [str(each) for each in found if not made & set(each.parts)]
    return [path for name in names if (path := project_root / name).is_file()]


def texts(paths: list[Path]) -> dict[Path, str]:
    """The contents of those that are text."""
    found = {}
    for path in paths:
        try:
            found[path] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return found


def test_no_file_names_a_folder_of_one_machine(tracked: list[Path], project_root: Path) -> None:
    """The project works anywhere, so nothing in it points into somebody's home."""
    found = [
        f"{path.relative_to(project_root)}: {hit.group()}"
        for path, text in texts(tracked).items()
        if path != Path(__file__) and path.suffix != ".js"
        for hit in MACHINE_PATH.finditer(text)
    ]
    assert found == []


def test_no_file_holds_a_half_done_merge(tracked: list[Path], project_root: Path) -> None:
    """Nothing is committed with conflict marks in it."""
    found = [path for path, text in texts(tracked).items() if MERGE_MARK.search(text)]
    assert found == []


def test_no_file_is_large(tracked: list[Path], project_root: Path) -> None:
    """A clone stays small: data lives elsewhere, pictures are compressed."""
    large = [str(p.relative_to(project_root)) for p in tracked if p.stat().st_size > MAX_BYTES]
    assert large == []


def test_the_licence_is_apache_2(project_root: Path) -> None:
    """LICENSE and the package's metadata say the same."""
    project = tomllib.loads((project_root / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    assert project["license-files"] == ["LICENSE"]
    first_lines = (project_root / "LICENSE").read_text().split("\n\n", 1)[0]
    assert "Apache License" in first_lines
    assert "Version 2.0" in first_lines


def test_the_changelog_knows_this_version(project_root: Path) -> None:
    """A version that is built has its entry, or stands under Unreleased."""
    changelog = (project_root / "CHANGELOG.md").read_text()
    version = re.search(r'"(.+)"', (project_root / "hutch_lineage" / "_version.py").read_text())
    assert version is not None
    assert f"## [{version.group(1)}]" in changelog or "## [Unreleased]" in changelog
