"""The folder in which the worker processes of a session leave their events.

One per process that has a session, below ``~/.hutch/sessions``, with owner-only rights::

    9b1c04d2e7f3a586-4711/             whose workers, and the process id of the session
        owner                          locked while the session lives
        session.json                   which runs are open, and where their events go
        4802-1f9a6c02-000001.ndjson    the events of one worker, one Hutch event a line
        4802-1f9a6c02-000001.taken     how many bytes of them the session has taken

Each file has one writer. A worker holds a lock on its own while it lives, so the session can tell
an idle worker from one that has ended, however it ended.
"""

from __future__ import annotations

from .facts import FACTS, RunFacts, SessionFacts
from .folder import SessionFolder
from .inbox import Inbox
from .left import LeftSession, left_sessions, sweep
from .outbox import Outbox
from .place import (
    RUN_VARIABLE,
    SESSION_VARIABLE,
    SESSIONS_VARIABLE,
    is_session,
    parent_folder,
    session_roots,
)

__all__ = [
    "FACTS",
    "RUN_VARIABLE",
    "SESSIONS_VARIABLE",
    "SESSION_VARIABLE",
    "Inbox",
    "LeftSession",
    "Outbox",
    "RunFacts",
    "SessionFacts",
    "SessionFolder",
    "is_session",
    "left_sessions",
    "parent_folder",
    "session_roots",
    "sweep",
]
