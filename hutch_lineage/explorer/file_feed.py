"""A file for the person at the browser: made as by `Explorer.export`, handed over in parts."""

from __future__ import annotations

import logging
import secrets
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hutch_lineage.errors import HutchLineageError
from hutch_lineage.export import FORMS, Written

from .view_state import error_text

logger = logging.getLogger("hutch_lineage.explorer")

NOT_FROM_HERE = ("svg", "png")  # the page draws what it shows itself
PART_BYTES = 1 << 20
MAX_BYTES = 512 << 20

Answer = tuple[dict[str, Any], list[bytes]]
Send = Callable[[dict[str, Any], list[bytes]], None]


def endings() -> dict[str, str]:
    """Return how a file for the browser may end, and what it is then; folders come as archives.

    Examples
    --------
    >>> endings()["gexf"], endings()["parquet.zip"]
    ('Graph (GEXF)', 'Every frame (Parquet)')
    """
    return {
        form.suffixes[-1 if name == "alife" else 0][1:] + ".zip" * form.is_folder: form.title
        for name, form in FORMS.items()
        if name not in NOT_FROM_HERE
    }


class FileFeed:
    """Answers a browser that wants a file.

    Asked for ``forms`` it tells which there are. The next question names one and gets a token at
    once; the file is made on a thread, so that neither a loop nor the toggle waits for it. With the
    token the browser asks for one part after the other; a part that is asked for before the file is
    there comes when it is. There is one file at a time; it is gone when its last part was asked
    for, or another was begun.

    Parameters
    ----------
    write : callable
        Writes the file, in the form that its suffix asks for.
    send : callable
        Sends an answer with its buffers, on any thread.
    """

    def __init__(self, write: Callable[[Path], Written], send: Send) -> None:
        self._write = write
        self._send = send
        self._lock = threading.Lock()
        self._made: _Made | None = None

    def answer(self, asked: dict[str, Any], serial: int | None) -> None:
        """Answer a question, whatever stands in it; the answer may come later."""
        found: Answer | None
        with self._lock:
            if asked.get("forms"):
                found = {"forms": endings()}, []
            elif asked.get("form") in tuple(endings()):
                found = self._begin(str(asked["form"]))
            else:
                found = self._part(asked, serial)
        if found is not None:
            self._reply(serial, found)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._drop()

    def _begin(self, form: str) -> Answer:
        if self._made is not None and self._made.is_open:
            return {"error": "another file is being made"}, []
        self._drop()
        made = self._made = _Made(form)
        threading.Thread(
            target=self._make, args=(made,), name="hutch-lineage-file", daemon=True
        ).start()
        return {"token": made.token}, []

    def _make(self, made: _Made) -> None:
        made.make(self._write)
        with self._lock:
            if self._made is not made:  # closed meanwhile
                made.remove()
                return
            made.is_open = False
            serial, offset = made.waiting
            made.waiting = (None, 0)
            found = None if serial is None else self._read(made, offset)
        if found is not None:
            self._reply(serial, found)

    def _part(self, asked: dict[str, Any], serial: int | None) -> Answer | None:
        made, offset = self._made, asked.get("offset")
        if made is None or asked.get("token") != made.token or type(offset) is not int:
            return {"error": "the file is no longer there: save it again"}, []
        offset = min(max(offset, 0), MAX_BYTES)
        if made.is_open:
            made.waiting = (serial, offset)
            return None
        return self._read(made, offset)

    def _read(self, made: _Made, offset: int) -> Answer:
        found = made.part(offset)
        if made.error or offset + PART_BYTES >= made.size:
            self._drop()
        return found

    def _drop(self) -> None:
        made, self._made = self._made, None
        if made is not None and not made.is_open:
            made.remove()

    def _reply(self, serial: int | None, found: Answer) -> None:
        content, buffers = found
        self._send({"op": "answer", "serial": serial, **content}, buffers)


class _Made:
    """One file, in a folder of its own that goes with it."""

    def __init__(self, form: str) -> None:
        self.form = form
        self.token = secrets.token_hex(8)
        self.is_open = True
        self.waiting: tuple[int | None, int] = (None, 0)
        self.error = self.notes = ""
        self.size = 0
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._path = Path()

    def make(self, write: Callable[[Path], Written]) -> None:
        """Write the file; what goes wrong stands in `error`."""
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="hutch-lineage-")
            written = write(Path(self._folder.name) / f"lineage.{self.form}")
            self._path, self.notes = written.path, "; ".join(written.notes)
            self.size = self._path.stat().st_size
            if self.size > MAX_BYTES:
                self.error = (
                    f"{self.size / 2**20:,.0f} MB are too much for a browser: "
                    f'explorer.export("lineage.{self.form}") writes them to the disk of the kernel'
                )
        except HutchLineageError as error:
            self.error = error_text(str(error))
        except Exception as error:
            logger.warning("a file for the view could not be made", exc_info=True)
            self.error = error_text(f"{type(error).__name__}: {error}")

    def part(self, offset: int) -> Answer:
        """Return the bytes from `offset` on, as many as one message may hold."""
        if self.error:
            return {"error": self.error}, []
        try:
            with self._path.open("rb") as stream:
                stream.seek(max(offset, 0))
                data = stream.read(PART_BYTES)
        except OSError as error:
            return {"error": f"the file cannot be read: {error.strerror or error}"}, []
        return {"size": self.size, "offset": offset, "notes": self.notes}, [data]

    def remove(self) -> None:
        """Remove the file."""
        if self._folder is not None:
            self._folder.cleanup()
