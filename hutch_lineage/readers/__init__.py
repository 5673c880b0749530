"""What was written elsewhere, opened: files of events, and the runs of a backend.

The kind of a file is found from its content, and what was odd is said.
"""

from __future__ import annotations

from .duckdb_log import logged_events
from .feed import Feed, http_url, is_backend, open_feed
from .hutch import hutch_event
from .reading import Reading, read
from .report import ReadReport

__all__ = [
    "Feed",
    "ReadReport",
    "Reading",
    "http_url",
    "hutch_event",
    "is_backend",
    "logged_events",
    "open_feed",
    "read",
]
