"""Event files that grow: of a file of lines only the new bytes are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import (
    Document,
    FreshItems,
    Item,
    NothingFoundError,
    ReadReport,
    Report,
    head_of,
)

from .event_lines import event_in, events_of, holds_events
from .half_written import Patience

_CHUNK: Final = 1 << 20


class Lines:
    """The whole lines of a file that grows, each once.

    A last line without its end waits, unless it is a whole object. A file that is shorter than
    before, or another one, is read from its start. NUL bytes are not read yet: a network file
    system shows them where data is still on its way.

    Parameters
    ----------
    path : Path
        The file.
    report : Report
        What is skipped goes there, with its line.
    within : str
        What to say before the line, where there are several files.
    """

    def __init__(self, path: Path, report: Report, within: str = "") -> None:
        self._path = path
        self._report = report
        self._within = within
        self._place = self._number = 0
        self._file = (0, 0)

    def new(self) -> Iterator[Item]:
        """Yield the events that have come.

        Raises
        ------
        OSError
            The file cannot be read at present.
        """
        with self._path.open("rb") as file:
            state = os.fstat(file.fileno())
            if self._place > state.st_size or self._file not in ((0, 0), _identity(state)):
                self._report.add("files that were replaced: read anew", str(self._path))
                self._place = self._number = 0
            self._file = _identity(state)
            file.seek(self._place)
            rest = b""
            while data := file.read(_CHUNK):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    if b"\x00" in line:
                        return
                    self._place += len(line) + 1
                    yield from self._event(line)
            if _is_object(rest):
                self._place += len(rest)
                yield from self._event(rest)
                self._number -= 1  # the end of this line is still to come

    def _event(self, line: bytes) -> Iterator[Item]:
        self._number += 1
        text = line.strip().removeprefix(b"\xef\xbb\xbf")
        if not text:
            return
        try:
            document = Document(self._number, orjson.loads(text))
        except orjson.JSONDecodeError as error:
            document = Document(self._number, None, f"not JSON: {error.msg}")
        event, _ = event_in(document, self._report, self._within)
        if event is not None:
            yield event


class Whole:
    """A file that is read anew when it has changed: gzipped, or JSON that spans lines."""

    def __init__(self, path: Path, report: Report, within: str = "") -> None:
        self._path = path
        self._report = report
        self._within = within
        self._fresh = FreshItems()
        self._state: object = None

    def new(self) -> Iterator[Item]:
        """Yield the events that it did not have before.

        Raises
        ------
        OSError, ReadError
            The file cannot be read at present.
        """
        state = self._path.stat()
        mark = (state.st_size, state.st_mtime_ns)
        if mark == self._state:
            return
        told = ReadReport()
        found = list(events_of(self._path, told, self._within))
        self._state = mark
        self._fresh.tell(told, self._report)
        yield from self._fresh.among(found)


class EventFeed:
    """Follows a file of events, or all those of a folder.

    It asks for names, sizes and dates in each poll: a network file system tells of no changes.

    Parameters
    ----------
    place : Path
        The file or the folder.
    files : callable
        Gives the files that may hold events.
    report : Report
        What is odd goes there.

    Attributes
    ----------
    patience : Patience
        How long a file without events is taken for one that is being written.
    """

    period_s = 1.0
    ended = False

    def __init__(self, place: Path, files: Callable[[], Iterator[Path]], report: Report) -> None:
        self.name = str(place)
        self._place = place
        self._files = files
        self._report = report
        self._open: dict[Path, Lines | Whole] = {}
        self.patience = Patience()
        self._given_up: set[Path] = set()

    def poll(self) -> Sequence[Item]:
        """Return the events that have come since the last call.

        Raises
        ------
        ReadError
            The file or the folder is gone, or cannot be read at present.
        """
        if not self._place.exists():
            raise ReadError(f"{self.name}: is gone; it is read again when it is back", self.name)
        return [item for path in self._files() for item in self._new_of(path)]

    def close(self) -> None:
        """Do nothing: nothing is open between two polls."""

    def _new_of(self, path: Path) -> Iterator[Item]:
        within = "" if path == self._place else f"{path.relative_to(self._place)} "
        try:
            if path not in self._open:
                if not holds_events(path):
                    self._wait(path, "files without events")
                    return
                kind = Lines if _has_lines(path) else Whole
                self._open[path] = kind(path, self._report, within)
            yield from self._open[path].new()
        except (OSError, NothingFoundError):
            return  # it is being replaced, or emptied: the next poll finds it
        except ReadError as error:
            self._wait(path, "files skipped: cannot be read", str(error))

    def _wait(self, path: Path, kind: str, example: str = "") -> None:
        if path not in self._given_up and self.patience.ends(path):
            self._given_up.add(path)
            self._report.add(kind, example or str(path))


def _has_lines(path: Path) -> bool:
    """Return whether the first whole line is an event: then there is one on each."""
    head = head_of(path)
    with path.open("rb") as file:
        if not head.startswith(file.read(64)):
            return False  # gzipped
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    if not first.startswith(b"{"):
        return False
    value = _parsed(first)
    return "events" not in value if value else len(first) > 1


def _is_object(text: bytes) -> bool:
    return text.rstrip().endswith(b"}") and bool(_parsed(text))


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _identity(state: os.stat_result) -> tuple[int, int]:
    return (state.st_dev, state.st_ino)
