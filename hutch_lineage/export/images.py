"""The static picture as HTML that every notebook viewer shows."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Any

from .svg import to_svg
from .text import to_text

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph


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
    data = base64.b64encode(to_svg(graph, **options).encode()).decode()
    return (
        f'<img alt="{escape(to_text(graph), quote=True)}" style="max-width:100%" '
        f'src="data:image/svg+xml;base64,{data}">'
    )
