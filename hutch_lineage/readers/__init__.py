"""Files of events, opened: the kind is found from the content, and what was odd is said."""

from __future__ import annotations

from .load import load
from .reading import Reading, read
from .report import ReadReport

__all__ = ["ReadReport", "Reading", "load", "read"]
