"""The backend presets: variants of the mapping for what a backend can show."""

from __future__ import annotations

from typing import Final

BACKENDS: Final = ("generic",)
"""The presets that there are. ``generic`` is the default mapping."""
