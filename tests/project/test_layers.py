"""The rooms of the package: who may import whom, and through which door."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "hutch_lineage"


def sources(root: Path) -> Iterator[Path]:
    """Every module of the package."""
    for path in sorted((root / PACKAGE).rglob("*.py")):
        if "node_modules" not in path.parts:
            yield path


def imported_modules(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of each absolute import from the package itself."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name


def test_imports_point_downward(project_root: Path) -> None:
    """The layers of the architecture page hold, type-only imports included."""
    # in a process of its own: it configures logging, which would silence the loggers under test
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=project_root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout if done.returncode else "") == (0, "")


def test_other_rooms_are_entered_by_their_front_door(project_root: Path) -> None:
    """Outside a room only the names of its ``__init__`` are used, never its files."""
    side_doors = [
        f"{path.relative_to(project_root)}:{line} imports {name}"
        for path in sources(project_root)
        for line, name in imported_modules(path)
        if name.startswith(f"{PACKAGE}.") and name.count(".") > 1
    ]
    assert side_doors == []


def test_every_room_lists_its_public_names(project_root: Path) -> None:
    """Each room's ``__init__`` says in ``__all__`` what may be used."""
    silent = [
        room.parent.name
        for room in sorted((project_root / PACKAGE).glob("*/__init__.py"))
        if "__all__" not in room.read_text() and room.parent.name != "cli"
    ]
    assert silent == []
