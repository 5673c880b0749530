"""What it takes to deal with the world outside this process, shared by whoever does.

A connection over HTTP, a line in a file, the waits between tries, forks and the exit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .backoff import Backoff
from .credentials import Credentials, basic
from .lifetime import EXIT_TIMEOUT_S, register, tell_of_forks
from .writing import OneWrite

if TYPE_CHECKING:
    from .wire import USER_AGENT, Answer, Wire, reason_of

__all__ = [
    "EXIT_TIMEOUT_S",
    "USER_AGENT",
    "Answer",
    "Backoff",
    "Credentials",
    "OneWrite",
    "Wire",
    "basic",
    "reason_of",
    "register",
    "tell_of_forks",
]


def __getattr__(name: str) -> Any:
    """Load what needs an HTTP library when it is first used: capturing does without it."""
    if name not in {"USER_AGENT", "Answer", "Wire", "reason_of"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import wire

    return getattr(wire, name)
