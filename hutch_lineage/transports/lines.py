"""Files in which each line is an event."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from hutch_lineage.errors import InvalidEventError
from hutch_lineage.model import parse_event
from hutch_lineage.plumbing import append_whole


def is_event(line: bytes) -> bool:
    """Whether a line is the JSON of a Hutch event.

    Examples
    --------
    >>> is_event(b'{"event_kind": "run_end", "run_id": "r", "payload": {}}'), is_event(b"{}")
    (True, False)
    """
    try:
        parse_event(line)
    except InvalidEventError:
        return False
    return True


def events_among(lines: Iterable[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Return the lines that are events, and the others.

    Examples
    --------
    >>> events_among([b"{}"])
    ([], [b'{}'])
    """
    events: list[bytes] = []
    others: list[bytes] = []
    for line in lines:
        (events if is_event(line) else others).append(line)
    return events, others


def set_aside(path: Path, lines: Sequence[bytes]) -> None:
    """Append lines that nobody takes to a file that only its owner reads.

    Raises
    ------
    OSError
        They cannot be written; the file is as before.
    """
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        append_whole(fd, b"".join(line + b"\n" for line in lines))
    finally:
        os.close(fd)
