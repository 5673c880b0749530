"""The explorer: the widget, what feeds it, and the picture that stays without it."""

from __future__ import annotations

from .explore import explore
from .explorer import Explorer
from .newest import newest
from .remembering import StateWarning

__all__ = ["Explorer", "StateWarning", "explore", "newest"]
