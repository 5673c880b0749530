"""What the transports of processes that are gone have left: to look at, and to send."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from hutch_lineage.plumbing import is_held

from .ahead import files_beside, writer_of
from .backlog import Backlog
from .fallback import FallbackQueue
from .server import HutchServer, NotTakenError

AGAIN_S: Final = 1.0


class LeftFile(NamedTuple):
    """A file with events that are nowhere else yet.

    Attributes
    ----------
    path : Path
        The file.
    events : int
        How many.
    growing : bool
        Whether the process that writes it lives, which sees to them itself.
    """

    path: Path
    events: int
    growing: bool


def left_in_queue(path: Path) -> list[LeftFile]:
    """Return the files of Hutch's fallback queue that hold events, in the order of sending.

    Examples
    --------
    >>> left_in_queue(Path("nowhere.jsonl"))
    []
    """
    return [LeftFile(each, count, False) for each, count in FallbackQueue(path).left().items()]


def left_ahead(beside: Path) -> list[LeftFile]:
    """Return the files beside a store, or a fallback queue, in which events wait for it.

    Examples
    --------
    >>> left_ahead(Path("nowhere.duckdb"))
    []
    """
    found = []
    for path in sorted(files_beside(beside)):
        writer = writer_of(path, beside)
        try:
            with path.open("rb") as file:
                count = sum(1 for line in file if line.strip() and line.endswith(b"\n"))
        except OSError:
            continue
        if count:
            found.append(LeftFile(path, count, is_held(path, writer.pid if writer else 0)))
    return found


def send_queue(
    path: Path,
    url: str,
    token: str | None = None,
    *,
    request_timeout_s: float = 5.0,
    timeout_s: float = 60.0,
    patience_s: float | None = None,
    on_progress: Callable[[int], object] = lambda _: None,
    on_trouble: Callable[[str, float], object] = lambda _, __: None,
) -> bool:
    """Send to a Hutch server what waits for one, oldest first; return whether nothing is left.

    That is the fallback queue, and what processes that were killed had noted for this server.

    Parameters
    ----------
    path : Path
        The fallback queue.
    url, token : str
        The server and its bearer token.
    request_timeout_s : float
        The time limit of one request.
    timeout_s, patience_s : float
        The longest time, and the longest where nothing at all is taken.
    on_progress, on_trouble : callable
        Called with how many more were taken; with the reason and the seconds that are left.

    Examples
    --------
    >>> send_queue(Path("nowhere.jsonl"), "http://127.0.0.1:9")
    True
    """
    server = HutchServer(url, token, request_timeout_s)
    backlog = Backlog(server, path)
    before = rest = sum(backlog.left().values())
    start = time.monotonic()
    deadline = start + (timeout_s if patience_s is None else min(timeout_s, patience_s))

    def going() -> bool:
        nonlocal rest, deadline
        now_left = sum(backlog.left().values())
        on_progress(rest - now_left)
        rest = now_left
        if rest < before:
            deadline = start + timeout_s
        return time.monotonic() < deadline

    try:
        while backlog.may_hold_more(told=False):
            reason = ""
            try:
                on_progress(backlog.send_left_behind())
                backlog.send_queue(going)
            except NotTakenError as error:
                reason = str(error)
            except BlockingIOError:
                reason = "another process sends them just now"
            finally:
                backlog.release()
            left_s = deadline - time.monotonic() if going() else 0.0
            if reason:
                on_trouble(reason, left_s)
            if left_s <= 0:
                return not backlog.may_hold_more(told=False)
            if reason:
                time.sleep(min(AGAIN_S, left_s))
        return True
    finally:
        server.close()
        backlog.close_queue()
