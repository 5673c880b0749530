"""Holding back an interrupt until what must be done as a whole is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["undisturbed"]


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let an interrupt (Ctrl-C, a notebook's stop button) wait until the block has ended.

    It comes right after. An interrupt in the middle would leave tables of different lengths. Only
    the main thread is interrupted, so on others this does nothing.

    Examples
    --------
    >>> with undisturbed():
    ...     done = True
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    held: list[tuple[int, FrameType | None]] = []

    def hold(number: int, frame: FrameType | None) -> None:
        held.append((number, frame))

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            before(*held[-1])
