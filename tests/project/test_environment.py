"""environment.yml against pyproject.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement


def by_name(specifications: list[str]) -> dict[str, str]:
    """Requirements as name -> version rule."""
    requirements = [Requirement(text) for text in specifications]
    return {each.name: str(each.specifier) for each in requirements}


@pytest.fixture(scope="module")
def conda(project_root: Path) -> list[object]:
    """The dependencies of environment.yml."""
    document = yaml.safe_load((project_root / "environment.yml").read_text())
    assert document["channels"] == ["conda-forge"]
    return list(document["dependencies"])


@pytest.fixture(scope="module")
def project(project_root: Path) -> dict[str, object]:
    """The ``[project]`` table of pyproject.toml."""
    table: dict[str, object] = tomllib.loads((project_root / "pyproject.toml").read_text())
    return table["project"]  # type: ignore[return-value]


def test_conda_has_the_dependencies_and_the_notebook_extra(
    conda: list[object], project: dict[str, object]
) -> None:
    """`conda env create` gives what `pip install ".[notebook]"` gives."""
    extras: dict[str, list[str]] = project["optional-dependencies"]  # type: ignore[assignment]
    wanted = by_name([*project["dependencies"], *extras["notebook"]])  # type: ignore[misc]
    wanted["python"] = str(project["requires-python"])
    listed = by_name([each for each in conda if isinstance(each, str) and each != "pip"])
    assert wanted == listed


def test_pip_adds_the_project_and_nothing_else(conda: list[object]) -> None:
    """What conda-forge has is not taken from elsewhere."""
    assert [each for each in conda if isinstance(each, dict)] == [{"pip": ["-e ."]}]
