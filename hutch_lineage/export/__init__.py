"""Files and texts out of a graph: pictures, pages, events, and what other tools read.

:func:`write` makes a file in any form of the table ``FORMS``; each form has a function of its own.
"""

from __future__ import annotations

from .alife import to_alife
from .crate import to_crate
from .events import events_of_graph
from .formats import FORMS, Form, form_of
from .frontend import LATE_ASSETS, asset, late_asset
from .gexf import to_gexf
from .graphml import to_graphml
from .images import to_bundle, to_picture_html
from .jsonl import to_jsonl
from .markdown import to_markdown
from .ndjson import to_ndjson
from .newick import to_newick
from .nodelink import to_node_link
from .options import TEXTS
from .page import Shown, to_html
from .png import to_png
from .prov import to_prov
from .svg import to_svg
from .tables import to_csv_frames, to_parquet_frames
from .text import to_text
from .wording import dollars, number, one_line
from .writing import ExportWarning, Written, write

__all__ = [
    "FORMS",
    "LATE_ASSETS",
    "TEXTS",
    "ExportWarning",
    "Form",
    "Shown",
    "Written",
    "asset",
    "dollars",
    "events_of_graph",
    "form_of",
    "late_asset",
    "number",
    "one_line",
    "to_alife",
    "to_bundle",
    "to_crate",
    "to_csv_frames",
    "to_gexf",
    "to_graphml",
    "to_html",
    "to_jsonl",
    "to_markdown",
    "to_ndjson",
    "to_newick",
    "to_node_link",
    "to_parquet_frames",
    "to_picture_html",
    "to_png",
    "to_prov",
    "to_svg",
    "to_text",
    "write",
]
