"""The session: SDK, emitter and graph joined, and the seam the explorer looks through."""

from __future__ import annotations

from .attachment import Attachment, attach, detach
from .growing import GrowingSource
from .left import hand_over, left_by_workers
from .load import load, reading_key
from .opened import OpenedSource
from .pump import MessagePump, end_serving, serve_during_cells
from .session import Session, current_session, lineage
from .shell_words import in_shell_words
from .source import Source, Status
from .writing import contents_of, options_of, write_source

__all__ = [
    "Attachment",
    "GrowingSource",
    "MessagePump",
    "OpenedSource",
    "Session",
    "Source",
    "Status",
    "attach",
    "contents_of",
    "current_session",
    "detach",
    "end_serving",
    "hand_over",
    "in_shell_words",
    "left_by_workers",
    "lineage",
    "load",
    "options_of",
    "reading_key",
    "serve_during_cells",
    "write_source",
]
