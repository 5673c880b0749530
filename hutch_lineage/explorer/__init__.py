"""The explorer: the widget, what feeds it, and the picture that stays without it."""

from __future__ import annotations

from .driving import StateWarning
from .explore import explore
from .explorer import Explorer

__all__ = ["Explorer", "StateWarning", "explore"]
