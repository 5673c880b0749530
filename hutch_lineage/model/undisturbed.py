"""Holding back an interrupt until what must be done as a whole is done."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Final

__all__ = ["undisturbed"]

_SIGINT: Final = int(signal.SIGINT)  # its name is looked up each time, at more than all else costs


class undisturbed:  # noqa: N801 - it reads as a statement
    """Let an interrupt (Ctrl-C, a notebook's stop button) wait until the block has ended.

    It comes right after. An interrupt in the middle would leave tables of different lengths. Only
    the main thread is interrupted, so on others this does nothing.

    Examples
    --------
    >>> with undisturbed():
    ...     done = True
    """

    __slots__ = ("_before", "_held")

    def __init__(self) -> None:
        self._before: Any = None
        self._held: tuple[int, FrameType | None] | None = None

    def __enter__(self) -> None:
        if threading.get_ident() == threading.main_thread().ident:
            before = signal.getsignal(_SIGINT)
            if callable(before):
                self._before = before
                signal.signal(_SIGINT, self._hold)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(_SIGINT, self._before)
            if self._held is not None:
                self._before(*self._held)

    def _hold(self, number: int, frame: FrameType | None) -> None:
        self._held = (number, frame)
