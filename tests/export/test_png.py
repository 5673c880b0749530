"""The static picture in pixels: it shows what the SVG shows."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from hutch_lineage.errors import ExportError
from hutch_lineage.export import png, to_png, write
from hutch_lineage.export.choosing import Wanted
from hutch_lineage.export.composing import compose
from hutch_lineage.export.palette import theme_of
from tests.export.lineages import many


def opened(data):
    return Image.open(io.BytesIO(data))


def pixels(data):
    return np.asarray(opened(data).convert("RGB")).astype(int)


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


def count_of(data, colour, tolerance=12):
    """How many pixels have nearly a colour."""
    return int((np.abs(pixels(data) - rgb(colour)).max(axis=2) <= tolerance).sum())


@pytest.mark.parametrize("density", [1, 2, 3])
def test_density_is_pixels_for_one(graph, density):
    """The image has `density` times the size of the picture, and says so to a printer."""
    image = opened(to_png(graph, width=800, height=400, density=density))
    assert image.size == (800 * density, 400 * density)
    assert image.info["dpi"] == pytest.approx((96 * density, 96 * density), abs=0.1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_are_where_the_svg_has_them(graph, theme):
    """At the centre of each filled mark is its colour, and at the corner the ground's."""
    colours = theme_of(theme)
    picture = compose(graph, Wanted())
    drawn = pixels(to_png(graph, theme=theme))
    filled = [mark for mark in picture.marks if mark.style in ("node", "seed")]
    assert len(filled) == 4
    for mark in filled:
        wanted = rgb(colours.ramp(mark.share))
        assert np.abs(drawn[round(2 * mark.y), round(2 * mark.x)] - wanted).max() <= 12, mark.id
    assert np.abs(drawn[0, 0] - rgb(colours.background)).max() <= 2


def test_the_path_to_the_best_is_warm(graph):
    """The one warm colour is in the picture."""
    assert count_of(to_png(graph), theme_of("light").warm) > 500


def test_words_are_written(graph):
    """Title, story and foot: the lines of text are there, in ink."""
    drawn = pixels(to_png(graph))
    ground = rgb(theme_of("light").background)
    for y in (20, drawn.shape[0] // 2 - 16):
        line = drawn[2 * y - 10 : 2 * y + 10]
        assert (np.abs(line - ground).max(axis=2) > 100).sum() > 100


def test_many_nodes_are_cells(graph):
    """100,000 marks are not drawn one by one, and the file stays small."""
    data = to_png(many(5_000), max_marks=500)
    assert len(data) < 200_000
    assert (np.abs(pixels(data) - 255).max(axis=2) > 30).mean() > 0.4


def test_a_full_picture_is_small():
    """With as many single marks as are ever drawn, it is far below what a notebook minds."""
    assert len(to_png(many(1_900))) < 250_000


@pytest.mark.parametrize(
    "options", [{"density": 0}, {"density": 5}, {"width": 9000, "height": 9000}]
)
def test_sizes_have_bounds(graph, options):
    """An image that would fill the memory is refused."""
    with pytest.raises(ExportError):
        to_png(graph, **options)


def test_hostile_text_is_only_drawn(hostile):
    """Characters that no font has, and markup, are no trouble."""
    assert opened(to_png(hostile)).size[0] == 2000


def test_without_a_system_font(graph, hostile, monkeypatch):
    """Pillow's own font does, with what it cannot write in other signs."""
    monkeypatch.setattr(png, "FONTS", (("no-such-font.ttf", "no-such-font.ttf"),))
    png._font.cache_clear()
    try:
        assert count_of(to_png(graph), theme_of("light").ink, 60) > 100
        assert to_png(hostile)
    finally:
        png._font.cache_clear()
    assert png._plain("é ↑ 中 ≤ 2 · x") == "e (higher) ? <= 2 · x"


def test_the_suffix_png_writes_it(graph, tmp_path):
    """`export("x.png")` writes the same bytes."""
    assert write(graph, tmp_path / "x.png").path.read_bytes() == to_png(graph)


def test_an_empty_graph_has_a_picture():
    """There is something to look at before anything was logged."""
    assert opened(to_png(many(0))).size[0] == 2000
