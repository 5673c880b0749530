"""Primary transports, where the SDK puts every event first; and spans for OpenTelemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .base import Transport, TransportSettings
from .build import build_transport
from .memory import MemoryTransport

if TYPE_CHECKING:
    from .daemon import DaemonTransport
    from .embedded import EmbeddedTransport
    from .left import LeftFile, left_ahead, left_in_queue, send_queue
    from .spans import SpanEmitter, build_span_emitter

__all__ = [
    "DaemonTransport",
    "EmbeddedTransport",
    "LeftFile",
    "MemoryTransport",
    "SpanEmitter",
    "Transport",
    "TransportSettings",
    "build_span_emitter",
    "build_transport",
    "left_ahead",
    "left_in_queue",
    "send_queue",
]

_MODULE_OF = {
    "DaemonTransport": "daemon",
    "EmbeddedTransport": "embedded",
    "SpanEmitter": "spans",
    "build_span_emitter": "spans",
    "LeftFile": "left",
    "left_ahead": "left",
    "left_in_queue": "left",
    "send_queue": "left",
}


def __getattr__(name: str) -> Any:
    """Load a transport when it is first used: a search in memory pays for none of them."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
