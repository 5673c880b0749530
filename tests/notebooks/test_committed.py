"""The notebooks as they are committed: what a reader sees who runs nothing."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tests.notebooks.refresh import SVG_PICTURE, problems

NOTEBOOKS = sorted(Path(__file__).parents[2].joinpath("notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_explorer_is_saved_as_svg_and_png(path: Path) -> None:
    """Each notebook holds its explorer's picture in both forms, no widget, and stays small."""
    notebook = nbformat.read(path, as_version=4)
    assert SVG_PICTURE in nbformat.writes(notebook).replace('\\"', '"')
    assert problems(notebook) == []
