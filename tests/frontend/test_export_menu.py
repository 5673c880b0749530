"""Files from the menu: of what is shown, made in the page; of the whole graph, from Python."""

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
        view.page.get_by_label("Export", exact=True).select_option(kind)
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
    assert wide == 2 * camera[0]
    assert tall > 2 * camera[1]  # the title over it, the legend under it


@pytest.mark.parametrize("colour", ["", "island"])
def test_a_saved_picture_says_what_it_shows(view: Open, tmp_path: Path, colour: str) -> None:
    """The run and the metric of the best over it, the legend and what the foot counts under it."""
    shown = view()
    shown.page.evaluate("colour => hl.store.setView({ colour })", colour)
    shown.settle()
    root = ET.parse(saved(shown, "svg", tmp_path)).getroot()  # noqa: S314  # made by this test
    texts = [text.text for text in root.findall(f"{SVG}text")]
    assert texts[0] == "circle-packing · best by sum_radii ↑"
    assert texts[1] == (colour or "sum_radii ↑")
    assert texts[-1] == shown.text(".hl-total")
    names = shown.page.locator(".hl-legend button.hl-name > span").all_inner_texts()
    assert set(names) <= set(texts)
    assert len(root.findall(f"{SVG}rect")) > len(names)


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


def kinds(shown: View) -> list[str]:
    """Return the choices of the menu."""
    shown.settle()
    found: list[str] = shown.page.evaluate(
        "[...document.querySelector('[aria-label=Export]').options].map(o => o.value)"
    )
    return found


def said(shown: View) -> str:
    """Return what stands in place of the menu's name."""
    return shown.page.locator("[aria-label=Export] option").first.inner_text()


def test_a_table_holds_those_that_are_shown(view: Open, tmp_path: Path) -> None:
    """With every column, also those that the panel does not show at first."""
    shown = view()
    shown.page.evaluate("hl.store.setView({ dead_ends: true })")
    total = shown.state()["total"]
    head, *rows = saved(shown, "csv", tmp_path).read_text(encoding="utf-8").splitlines()
    assert len(rows) == total
    assert {"id", "sum_radii", "seconds", "operator", "cost", "children"} <= set(head.split(","))


def test_a_file_of_the_graph_comes_in_parts(view: Open, tmp_path: Path) -> None:
    """Each is asked for when the one before is here."""
    shown = view()
    path = saved(shown, "graphml", tmp_path)
    assert path.name == "circle-packing.graphml"
    assert path.read_text() == "graphml of circle-packing"
    sent = [message for message in shown.sent("export") if "forms" not in message]
    asked = [message.get("offset", message.get("form")) for message in sent]
    assert asked == ["graphml", 0, 8, 16, 24]
    shown.settle()
    assert said(shown) == "Export"


def test_python_says_what_it_makes_and_what_is_not_in_a_file(view: Open, tmp_path: Path) -> None:
    """The list comes once; what a form cannot carry stands in place of the menu's name."""
    shown = view()
    assert kinds(shown) == ["", "png", "svg", "csv", "html", "graphml", "jsonl", "frames.zip"]
    assert saved(shown, "jsonl", tmp_path).name == "circle-packing.jsonl"
    shown.settle()
    assert said(shown) == "Saved: scores left out: 7"
    assert len([message for message in shown.sent("export") if "forms" in message]) == 1


def test_a_busy_kernel_is_waited_for_and_says_why_it_cannot(view: Open) -> None:
    """Meanwhile pictures are saved, and no second file is asked for."""
    shown = view()
    shown.call("busy")
    menu = shown.page.get_by_label("Export", exact=True)
    menu.select_option("jsonl")
    shown.settle()
    assert said(shown) == "Waiting for the kernel…"
    assert kinds(shown) == ["", "png", "svg", "csv"]
    serial = shown.sent("export")[-1]["serial"]
    evil = "no events <img src=x onerror='window.hacked=1'>"
    shown.call("push", {"content": {"op": "answer", "serial": serial, "error": evil}})
    shown.settle()
    assert said(shown) == f"Not saved: {evil}"
    assert shown.call("hacked") == [0, None]
    assert "html" in kinds(shown)


def test_a_kernel_that_goes_ends_the_wait(view: Open) -> None:
    """What needs none is still offered."""
    shown = view()
    shown.call("busy")
    shown.page.get_by_label("Export", exact=True).select_option("html")
    shown.call("gone", "restarted")
    shown.settle()
    assert said(shown) == "Not saved: the kernel has ended"
    assert kinds(shown) == ["", "png", "svg", "csv"]


def test_a_saved_page_offers_what_works_there(view: Open) -> None:
    """No kernel, no files from it."""
    shown = view()
    shown.call("standalone", 0)
    shown.settle()
    assert kinds(shown) == ["", "png", "svg", "csv"]


def test_a_picture_waits_for_what_makes_it(view: Open, tmp_path: Path) -> None:
    """Chosen before the last bundle has come, it is saved once that has."""
    shown = view({"individuals": 60, "bare": True})
    shown.page.get_by_label("Export", exact=True).select_option("svg")
    shown.settle()
    assert said(shown) == "Waiting for the kernel…"
    with shown.page.expect_download() as download:
        shown.call("asset")
    assert download.value.suggested_filename.endswith(".svg")
