"""Delivery against the reference, the official client and bare sockets: one run, one machine."""

from __future__ import annotations

from .callers import FIELDS, timed
from .measure import Plan, run
from .page import lines, page

__all__ = ["FIELDS", "Plan", "lines", "page", "run", "timed"]
