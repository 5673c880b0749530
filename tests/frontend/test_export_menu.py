"""The picture as a file, made in the page."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]
SVG = "{http://www.w3.org/2000/svg}"


def saved(view: View, kind: str, folder: Path) -> Path:
    """Choose a kind of file and keep what the browser is handed."""
    with view.page.expect_download() as download:
        view.page.get_by_label("Export the picture").select_option(kind)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_png_has_twice_the_pixels_of_the_picture(view: Open, tmp_path: Path) -> None:
    """With a busy kernel too: nothing is asked of it."""
    shown = view()
    shown.call("busy")
    path = saved(shown, "png", tmp_path)
    assert path.name == "circle-packing.png"
    wide, tall = struct.unpack(">II", path.read_bytes()[16:24])
    camera = shown.page.evaluate("[hl.app.camera.width, hl.app.camera.height]")
    assert [wide, tall] == [2 * each for each in camera]


@pytest.mark.parametrize("individuals", [264, 6000])
def test_an_svg_holds_what_is_seen(view: Open, tmp_path: Path, individuals: int) -> None:
    """Marks as paths in the colours of the picture, labels as text, a density as an image."""
    shown = view({"individuals": individuals})
    root = ET.parse(saved(shown, "svg", tmp_path)).getroot()  # noqa: S314  # made by this test
    texts = [text.text for text in root.iter(f"{SVG}text")]
    fills = {path.get("fill") for path in root.iter(f"{SVG}path")} - {"none"}
    assert any(text and "gen" in text for text in texts)
    if individuals < 3000:
        assert len(fills) > 10
    else:
        assert len(list(root.iter(f"{SVG}image"))) == 1
