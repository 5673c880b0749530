"""The picture as an image in HTML."""

from __future__ import annotations

import base64
import importlib.util
from html.parser import HTMLParser

import pytest

from hutch_lineage.errors import ExportError
from hutch_lineage.export import to_bundle, to_picture_html, to_png, to_svg, to_text


class Tags(HTMLParser):
    """Collects the tags of a page with their attributes."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_one_image_that_holds_the_svg(graph):
    """The image's data is the SVG, its alternative text the summary."""
    parser = Tags()
    parser.feed(to_picture_html(graph, theme="dark"))
    [(tag, attributes)] = parser.found
    prefix, data = attributes["src"].split(",")
    assert (tag, prefix) == ("img", "data:image/svg+xml;base64")
    assert base64.b64decode(data).decode() == to_svg(graph, theme="dark")
    assert attributes["alt"] == to_text(graph)


def test_hostile_text_stays_in_its_attribute(hostile):
    """Whatever ids and names say, there is one image and nothing else."""
    parser = Tags()
    parser.feed(to_picture_html(hostile))
    [(tag, attributes)] = parser.found
    assert (tag, set(attributes)) == ("img", {"alt", "style", "src"})


def test_a_notebook_keeps_text_html_and_png(graph):
    """One output for every host: the summary, the SVG as an image, and pixels for paper."""
    bundle = to_bundle(graph)
    assert bundle["text/plain"] == to_text(graph)
    assert bundle["text/html"] == to_picture_html(graph)
    assert base64.b64decode(bundle["image/png"]) == to_png(graph)


def test_without_pillow_there_is_no_png(graph, monkeypatch):
    """The package works without Pillow: SVG and text are kept, and a PNG is refused in words."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert set(to_bundle(graph)) == {"text/plain", "text/html"}
    with pytest.raises(ExportError, match="pip install pillow"):
        to_png(graph)
