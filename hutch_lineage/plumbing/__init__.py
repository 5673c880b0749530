"""What it takes to deal with the world outside this process, shared by whoever does.

A connection over HTTP, a line in a file, locks, the waits between tries, forks and the exit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .backoff import Backoff
from .credentials import Credentials, basic
from .lifetime import EXIT_TIMEOUT_S, register, tell_of_forks
from .locks import FOREIGN_AFTER_S, LOCKS, is_at, is_held, lives, lock, this_host, unlock
from .spell import Spell
from .subscribers import Subscribers
from .wording import counted
from .writing import OneWrite, append_whole

if TYPE_CHECKING:
    from .wire import USER_AGENT, Answer, Wire, is_unreachable, reason_of

__all__ = [
    "EXIT_TIMEOUT_S",
    "FOREIGN_AFTER_S",
    "LOCKS",
    "USER_AGENT",
    "Answer",
    "Backoff",
    "Credentials",
    "OneWrite",
    "Spell",
    "Subscribers",
    "Wire",
    "append_whole",
    "basic",
    "counted",
    "is_at",
    "is_held",
    "is_unreachable",
    "lives",
    "lock",
    "reason_of",
    "register",
    "tell_of_forks",
    "this_host",
    "unlock",
]


def __getattr__(name: str) -> Any:
    """Load what needs an HTTP library when it is first used: capturing does without it."""
    if name not in {"USER_AGENT", "Answer", "Wire", "is_unreachable", "reason_of"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import wire

    return getattr(wire, name)
