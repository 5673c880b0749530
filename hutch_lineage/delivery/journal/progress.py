"""How far a journal was delivered, and what was refused on the way."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import orjson

from hutch_lineage.plumbing import append_whole

CURSOR: Final = "cursor"
REJECTED: Final = "rejected.ndjson"


class Cursor:
    """The number of lines that are done, in a file of 21 bytes that is written in place."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CURSOR
        self._fd = -1
        self._written = -1

    def read(self) -> int:
        """Return the number; 0 where there is none that can be read."""
        try:
            return max(0, int(self._path.read_text(encoding="ascii")))
        except (OSError, ValueError):
            return 0

    def write(self, done: int) -> None:
        """Note the number. Where it cannot be written, some events may be sent twice."""
        if done == self._written:
            return
        with contextlib.suppress(OSError):
            if self._fd < 0:
                self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
            os.pwrite(self._fd, b"%020d\n" % done, 0)
            self._written = done

    def close(self) -> None:
        """Close the file."""
        fd, self._fd, self._written = self._fd, -1, -1
        if fd >= 0:
            os.close(fd)


class RejectedFile:
    """What a backend refused: one JSON object a line, with the event, the status and the reason."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / REJECTED

    def __bool__(self) -> bool:
        try:
            return self._path.stat().st_size > 0
        except OSError:
            return False

    def add(self, line: int, body: bytes, status: int | None, reason: str) -> None:
        """Append one, whole or not at all; the caller has masked the reason.

        Raises
        ------
        OSError
            It cannot be written; the file is as before.
        """
        record = orjson.dumps(
            {"line": line, "status": status, "reason": reason, "event": orjson.Fragment(body)}
        )
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            append_whole(fd, record + b"\n")
        finally:
            os.close(fd)

    def records(self) -> list[dict[str, Any]]:
        """Return what is in it; a line that cannot be read is passed over."""
        try:
            lines = self._path.read_bytes().splitlines()
        except OSError:
            return []
        found = []
        for text in lines:
            with contextlib.suppress(ValueError):
                record = orjson.loads(text)
                if isinstance(record, dict) and "event" in record:
                    found.append(record)
        return found

    def without(self, lines: Collection[int]) -> None:
        """Take out what was accepted after all."""
        kept = [record for record in self.records() if record.get("line") not in lines]
        if not kept:
            self._path.unlink(missing_ok=True)
            return
        fresh = self._path.with_suffix(".new")
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.writelines(orjson.dumps(record) + b"\n" for record in kept)
        fresh.replace(self._path)
