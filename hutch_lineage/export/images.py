"""The static picture in the forms that a notebook can keep."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Any

from .choosing import Wanted
from .composing import compose
from .palette import theme_of
from .png import can_draw, picture_png
from .svg import picture_svg, to_svg
from .text import to_text

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph, Scene


def to_picture_html(graph: LineageGraph, **options: Any) -> str:
    """Return the static picture as one ``<img>`` with its data inside.

    An image is shown where an inline SVG is stripped: in notebooks that are not trusted, on
    GitHub, in mail. Its alternative text is :func:`to_text`.

    Parameters
    ----------
    graph : LineageGraph
        What to draw.
    **options
        As for :func:`to_svg`.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> to_picture_html(LineageGraph()).startswith('<img alt="')
    True
    """
    return _image(to_svg(graph, **options), to_text(graph))


def to_bundle(graph: LineageGraph, *, scene: Scene | None = None) -> dict[str, Any]:
    """Return the static picture as a notebook's output: text, HTML and PNG by MIME type.

    Parameters
    ----------
    graph : LineageGraph
        What to draw.
    scene : Scene, optional
        As for :func:`to_svg`.

    Returns
    -------
    dict of str to str
        ``text/plain`` the summary, ``text/html`` the SVG as an image, ``image/png`` the same for
        LaTeX, PDF and hosts without HTML, in base64; without Pillow there is no PNG.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> sorted(to_bundle(LineageGraph()))
    ['image/png', 'text/html', 'text/plain']
    """
    colours = theme_of("light")
    with graph.lock:
        text = to_text(graph)
        picture = compose(graph, Wanted(scene=scene))
    bundle = {"text/plain": text, "text/html": _image(picture_svg(picture, colours), text)}
    if can_draw():
        bundle["image/png"] = base64.b64encode(picture_png(picture, colours)).decode()
    return bundle


def _image(svg: str, text: str) -> str:
    data = base64.b64encode(svg.encode()).decode()
    return (
        f'<img alt="{escape(text, quote=True)}" style="max-width:100%" '
        f'src="data:image/svg+xml;base64,{data}">'
    )
