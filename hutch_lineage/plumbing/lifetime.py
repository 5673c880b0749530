"""Who is told when the process forks or ends."""

from __future__ import annotations

import atexit
import contextlib
import os
import weakref
from typing import Final, Protocol

EXIT_TIMEOUT_S: Final = 5.0
"""How long the end of the interpreter may be held up by what is left to do, unless set."""


class Living(Protocol):
    """Something that has to act when the process forks or ends."""

    def before_exit(self) -> None:
        """Act before the interpreter ends; quick, and before any :meth:`at_exit`."""

    def at_exit(self) -> None:
        """Act before the interpreter ends."""

    def before_fork(self) -> None:
        """Act before the process is forked, on the thread that does it."""

    def after_fork(self) -> None:
        """Act in a forked child."""


class Forked(Protocol):
    """Something that has to act when the process was forked."""

    def after_fork(self) -> None:
        """Act in a forked child."""


_living: weakref.WeakSet[Living] = weakref.WeakSet()
_forked: weakref.WeakSet[Forked] = weakref.WeakSet()


def register(item: Living) -> None:
    """Have `item` told of forks and of the end, for as long as it is used elsewhere."""
    _living.add(item)


def tell_of_forks(item: Forked) -> None:
    """Have `item` told of forks, for as long as it is used elsewhere."""
    _forked.add(item)


def _at_exit() -> None:
    for item in list(_living):
        with contextlib.suppress(KeyboardInterrupt):  # it ends a wait; what is left was told
            item.before_exit()
    for item in list(_living):
        with contextlib.suppress(KeyboardInterrupt):
            item.at_exit()


def _before_fork() -> None:
    for item in list(_living):
        item.before_fork()


def _after_fork() -> None:
    for item in [*_living, *_forked]:
        item.after_fork()


atexit.register(_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork)
