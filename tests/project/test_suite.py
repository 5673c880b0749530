"""The rules of the test suite itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import requests

SKIPPING = """
import pytest

def test_runs():
    pass

def test_left_out():
    pytest.skip("part is missing")
"""
SKIPPING_MODULE = 'import pytest\npytest.importorskip("no_such_part")\n'


def run_pytest(root: Path, folder: Path, ci: str) -> subprocess.CompletedProcess[str]:
    """Run the tests in `folder` under this project's settings and conftest."""
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c"),
            *(str(root / "pyproject.toml"), "--rootdir", str(root), "-p", "tests.conftest"),
            str(folder),
        ],
        cwd=root,
        env={"PATH": "", "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_skip_fails_the_run_in_ci(tmp_path: Path, project_root: Path) -> None:
    """Under CI=true no part may be missing silently."""
    (tmp_path / "test_it.py").write_text(SKIPPING)
    done = run_pytest(project_root, tmp_path, ci="true")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert "test_left_out: nothing may be skipped under CI=true" in done.stdout


def test_a_module_that_skips_itself_fails_the_run_in_ci(tmp_path: Path, project_root: Path) -> None:
    """A whole file left out counts as much as one test."""
    (tmp_path / "test_module.py").write_text(SKIPPING_MODULE)
    done = run_pytest(project_root, tmp_path, ci="true")
    assert done.returncode == pytest.ExitCode.INTERRUPTED, done.stdout
    assert "test_module.py: nothing may be skipped under CI=true" in done.stdout


def test_a_skip_is_only_a_skip_elsewhere(tmp_path: Path, project_root: Path) -> None:
    """On a laptop a missing optional part is said and no more."""
    (tmp_path / "test_it.py").write_text(SKIPPING)
    (tmp_path / "test_module.py").write_text(SKIPPING_MODULE)
    done = run_pytest(project_root, tmp_path, ci="")
    assert done.returncode == 0, done.stdout
    assert "1 passed, 2 skipped" in done.stdout


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
def test_nothing_but_loopback_can_be_reached() -> None:
    """A test that would need the network fails at once instead of depending on it."""
    with pytest.raises(RuntimeError, match=r"192\.0\.2\.1"):
        requests.get("http://192.0.2.1/", timeout=1)


def test_every_test_states_its_promise(project_root: Path) -> None:
    """A test that fails says by its docstring what no longer holds."""
    silent = [
        f"{path.relative_to(project_root)}::{node.name}"
        for path in sorted((project_root / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert silent == []
