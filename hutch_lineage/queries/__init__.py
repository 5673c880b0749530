"""Questions to a log that need not fit into memory: DuckDB answers, and no graph is built."""

from __future__ import annotations

from .asking import LineageQuery, query
from .found import NodeList

__all__ = ["LineageQuery", "NodeList", "query"]
