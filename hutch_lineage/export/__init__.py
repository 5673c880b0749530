"""Files and texts out of a graph: pictures, pages, tables of other tools, OpenLineage."""

from __future__ import annotations

from .files import export_graph
from .frontend import LATE_ASSETS, asset, late_asset
from .graphml import to_graphml
from .images import to_bundle, to_picture_html
from .jsonl import to_jsonl
from .ndjson import to_ndjson
from .page import Shown, to_html
from .png import to_png
from .svg import to_svg
from .text import to_text
from .wording import one_line

__all__ = [
    "LATE_ASSETS",
    "Shown",
    "asset",
    "export_graph",
    "late_asset",
    "one_line",
    "to_bundle",
    "to_graphml",
    "to_html",
    "to_jsonl",
    "to_ndjson",
    "to_picture_html",
    "to_png",
    "to_svg",
    "to_text",
]
