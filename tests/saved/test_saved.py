"""What is left of the explorer where nothing runs: on pages, on paper, on GitHub, elsewhere."""

from __future__ import annotations

import base64
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import papermill
import pytest
from nbconvert import HTMLExporter, LatexExporter
from PIL import Image

from tests.saved.conftest import LOOP, SHOW, executed
from tests.support.browser import Visit
from tests.support.notebook import write

MAX_BYTES = 2_000_000
VIEW = "application/vnd.jupyter.widget-view+json"
BIG = """import numpy as np
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import FitnessRecord, NodeKey, NodeRecord, Stamp

graph, rng = LineageGraph(), np.random.default_rng(1)
keys = [NodeKey("individual", "r", f"individual-{n:06}") for n in range(100_000)]
records = []
for n, key in enumerate(keys):
    parents = tuple(keys[p] for p in rng.integers(max(0, n - 2_000), n, 2)) if n > 500 else ()
    records.append(NodeRecord(key, Stamp(n, f"n{n}"), parents, {"is_seed": not parents}))
    records.append(FitnessRecord(key, Stamp(n, f"f{n}"), {"score": float(rng.normal() + n / 2e4)}))
graph.apply(*records)
hl.explore(graph)"""


def outputs(path: Path, cell: int) -> list[dict[str, Any]]:
    """The MIME bundles of a cell."""
    notebook = nbformat.read(path, as_version=4)
    return [dict(output["data"]) for output in notebook.cells[cell].outputs]


class Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_picture_is_that_of_the_last_cell(saved: Path) -> None:
    """The explorer was shown before the loop; text, SVG and PNG are of after it."""
    view, picture = outputs(saved, 0)
    assert VIEW in view
    assert set(picture) == {"text/plain", "text/html", "image/png"}
    assert picture["text/plain"].startswith("21 individuals · 20 edges · 1 run")
    svg = base64.b64decode(re.search(r"svg\+xml;base64,([^\"]+)", picture["text/html"])[1])
    assert b"21 individuals" in svg
    image = Image.open(io.BytesIO(base64.b64decode(picture["image/png"])))
    assert image.size[0] == 2000
    assert len({colour for _, colour in image.convert("RGB").getcolors(1 << 24)}) > 20


def test_frozen_leaves_no_view(saved: Path) -> None:
    """After freeze the notebook names no widget in that cell; text and picture stay."""
    line, picture = outputs(saved, 2)
    assert set(line) == {"text/plain"}
    assert "21 individuals" in line["text/plain"]
    assert set(picture) == {"text/plain", "text/html", "image/png"}


def test_what_github_shows(saved: Path) -> None:
    """GitHub runs no script and keeps neither style sheets nor classes: an image is enough."""
    _, picture = outputs(saved, 0)
    tags = Tags(picture["text/html"]).found
    assert [tag for tag, _ in tags] == ["div", "img"]
    image = tags[1][1]
    assert str(image["src"]).startswith("data:image/svg+xml;base64,")
    assert "21 individuals" in str(image["alt"])
    for _, attributes in tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert not re.search(r"display|position|url\(|expression", str(attributes.get("style")))


@pytest.fixture(scope="module")
def page(saved: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The notebook as `nbconvert --to html` writes it; the address of the page."""
    html, _ = HTMLExporter().from_filename(str(saved))
    path = tmp_path_factory.mktemp("page") / "saved.html"
    path.write_text(html, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def offline(page: str, chromium: Any) -> Iterator[Any]:
    """The page in a browser that reaches nothing."""
    visit = Visit.open(chromium, "about:blank", height=1200)
    visit.page.goto(page, wait_until="load")
    yield visit.page
    visit.close()


@pytest.mark.browser
def test_an_exported_page_shows_it_offline(offline: Any) -> None:
    """nbconvert's page asks the net for widgets' scripts; without them the pictures are there."""
    pictures = offline.locator("img[src^='data:image/svg+xml']")
    assert pictures.count() == 2
    for number in range(2):
        pictures.nth(number).scroll_into_view_if_needed()
        assert pictures.nth(number).is_visible()
        assert pictures.nth(number).evaluate("image => image.naturalWidth") == 1000


@pytest.mark.browser
def test_printed_to_pdf_by_chromium(offline: Any, tmp_path: Path) -> None:
    """The PDF has the picture as vectors: its words can be searched, its path is in its colour."""
    target = tmp_path / "saved.pdf"
    offline.pdf(path=target, print_background=True)
    words = subprocess.run(["pdftotext", target, "-"], capture_output=True, text=True, check=True)
    assert words.stdout.count("21 individuals · 20 edges · all drawn") == 2
    prefix = tmp_path / "page"
    subprocess.run(["pdftoppm", "-r", "60", "-png", target, prefix], check=True)
    warm = 0
    for path in sorted(tmp_path.glob("page*.png")):
        for count, (red, green, blue) in Image.open(path).convert("RGB").getcolors(1 << 24):
            warm += count * (abs(red - 217) < 30 and abs(green - 72) < 30 and abs(blue - 15) < 40)
    assert warm > 20


def test_latex_takes_the_png(saved: Path) -> None:
    """`nbconvert --to latex` or pdf includes the pixels."""
    text, resources = LatexExporter().from_filename(str(saved))
    images = [name for name in resources["outputs"] if name.endswith(".png")]
    assert len(images) == 2
    assert all(f"{{{name}}}" in text for name in images)
    assert resources["outputs"][images[0]].startswith(b"\x89PNG")


def test_papermill(tmp_path: Path) -> None:
    """papermill runs it, and the notebook that it writes has the newest picture."""
    source, target = write(tmp_path / "in.ipynb", SHOW, LOOP), tmp_path / "out.ipynb"
    papermill.execute_notebook(source, target, kernel_name="python3", progress_bar=False)
    _, picture = outputs(target, 0)
    assert "21 individuals" in picture["text/plain"]
    assert "image/png" in picture


def test_a_hundred_thousand_stay_under_two_megabytes(tmp_path: Path) -> None:
    """The file does not grow with the run: neither rows nor genomes are saved, only the picture."""
    path = executed(tmp_path / "big.ipynb", "import hutch_lineage as hl", BIG)
    assert path.stat().st_size < MAX_BYTES
    _, picture = outputs(path, 1)
    assert picture["text/plain"].startswith("100,000 individuals")
    assert "image/png" in picture


def test_a_terminal_shows_the_text(tmp_path: Path) -> None:
    """IPython without a page: the summary is printed, and no address of an object."""
    code = f"{SHOW}\n{LOOP}\nhl.explore()"
    environment = {"IPYTHONDIR": str(tmp_path), "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor"],
        input=code.replace("\n\n", "\n") + "\n",
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "21 individuals · 20 edges · 1 run" in done.stdout
    assert "best i19: sum 19" in done.stdout
    assert "object at 0x" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
