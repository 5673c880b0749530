"""`make demo HEADLESS=1`: the quickstart as a page, with the picture in it."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.browser import Visit

DATA_URI = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)")
MARK = re.compile(r'data-node="([^"]+)"')


@pytest.fixture(scope="module")
def page(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page that the Makefile's own command makes, in another folder."""
    target = tmp_path_factory.mktemp("demo")
    recipe = subprocess.run(
        ["make", "--dry-run", "--always-make", "demo", "HEADLESS=1"],
        cwd=project_root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.replace("\\\n", " ")
    (command,) = re.findall(r"^\S+/jupyter (nbconvert .*)$", recipe, re.MULTILINE)
    words = command.replace("--output-dir build", f"--output-dir {target}").split()
    subprocess.run([sys.executable, "-m", "jupyter", *words], cwd=project_root, check=True)
    return target / "quickstart.html"


def pictures(page: Path) -> list[str]:
    """The SVG pictures in a page."""
    found = DATA_URI.findall(page.read_text(encoding="utf-8"))
    return [base64.b64decode(each).decode() for each in found]


def test_the_page_shows_the_lineage_of_the_run(page: Path) -> None:
    """Without browser, kernel or network the picture is there, a mark for each individual."""
    marks = [set(MARK.findall(svg)) for svg in pictures(page)]
    assert max(map(len, marks)) > 50


@pytest.mark.browser
def test_the_picture_is_visible_without_a_network(page: Path, visit: Callable[..., Visit]) -> None:
    """Opened from disk, the page asks for nothing, and the picture takes up room on it."""
    tab = visit(page.as_uri()).page
    boxes = [each.bounding_box() for each in tab.locator("img[src^='data:image/svg']").all()]
    assert any(box and box["width"] > 300 and box["height"] > 150 for box in boxes)
