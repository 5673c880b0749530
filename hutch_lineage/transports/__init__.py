"""Primary transports: where the SDK puts every event first."""

from __future__ import annotations

from .base import Transport, TransportSettings
from .build import build_transport
from .memory import MemoryTransport

__all__ = ["MemoryTransport", "Transport", "TransportSettings", "build_transport"]
