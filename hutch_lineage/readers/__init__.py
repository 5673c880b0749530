"""Files of events, opened: the kind is found from the content, and what was odd is said."""

from __future__ import annotations

from .reading import Reading, read
from .report import ReadReport

__all__ = ["ReadReport", "Reading", "read"]
