"""What was written elsewhere, opened: files, folders, and the runs of a backend.

The kind is found from the content, and what was odd is said. One file of ``formats`` for each kind,
behind one seam (:class:`Format`); other packages add theirs as an entry point of the group
``hutch_lineage.readers``.
"""

from __future__ import annotations

from .addresses import http_url, is_backend, is_marquez
from .conversion import Conversion, events_among, is_event
from .documents import Document, Stream, documents, lines_of, opened
from .duckdb_log import duckdb_log, logged_events, logged_values
from .file_state import file_state
from .folders import files_below
from .format import Feed, Followable, Format, Item, NothingFoundError
from .fresh_items import FreshItems
from .hutch import checked_event, hutch_event, is_hutch
from .looking_up import look_up
from .opening import first_values
from .places import is_file, is_folder
from .reading import Reading, read
from .registry import all_formats
from .report import ReadReport, Report
from .source import Source, bytes_of, head_of, text_of

__all__ = [
    "Conversion",
    "Document",
    "Feed",
    "Followable",
    "Format",
    "FreshItems",
    "Item",
    "NothingFoundError",
    "ReadReport",
    "Reading",
    "Report",
    "Source",
    "Stream",
    "all_formats",
    "bytes_of",
    "checked_event",
    "documents",
    "duckdb_log",
    "events_among",
    "file_state",
    "files_below",
    "first_values",
    "head_of",
    "http_url",
    "hutch_event",
    "is_backend",
    "is_event",
    "is_file",
    "is_folder",
    "is_hutch",
    "is_marquez",
    "lines_of",
    "logged_events",
    "logged_values",
    "look_up",
    "opened",
    "read",
    "text_of",
]
