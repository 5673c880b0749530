"""What is to be opened, looked at once for all formats: a file, a folder, or an address."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
import zlib
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final

from hutch_lineage.errors import ReadError, mask_url

from .addresses import is_backend
from .documents import GZIP
from .opening import first_values
from .places import is_file, is_folder
from .report import Report

HEAD_BYTES: Final = 64 * 1024
MOST_NAMES: Final = 10_000
_HOST_PORT: Final = re.compile(r"([\w.-]+|\[[\da-fA-F:]+\]):\d{2,5}(/\S*)?")


class Source:
    """A file, a folder or an address, and what may be asked of it before a format is chosen.

    All of it is looked at when first asked for, and kept.

    Parameters
    ----------
    where : str or Path
        A path (``~`` is the home folder), or ``http://host:port``.
    run : str, optional
        The run that is meant, for sources that hold several.
    api_key : str, optional
        For an address: sent as a bearer token.

    Attributes
    ----------
    name : str
        What it is called for people: no secrets.
    path : Path or None
        None where it is an address.
    address : str
        Empty where it is a path.
    found_out : dict of str to bool
        What formats have found out by asking, so that none asks twice.

    Raises
    ------
    ReadError
        There is no such file or folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write('{"nodes": [{"step": 0}]}')
    ...     file.flush()
    ...     Source(file.name).opening
    [{'nodes': [{'step': 0}]}]
    """

    def __init__(
        self, where: str | Path, run: str | None = None, api_key: str | None = None
    ) -> None:
        self.run = run
        self.api_key = api_key
        self.found_out: dict[str, bool] = {}
        self.path: Path | None = None
        self.address = ""
        if is_backend(where):
            self.address = str(where).strip()
            self.name = mask_url(self.address)
            return
        self.name = str(where)
        try:
            self.path = Path(where).expanduser()
            self.path.stat()
        except FileNotFoundError:
            meant = f"; did you mean http://{where}?" if _HOST_PORT.fullmatch(str(where)) else ""
            raise ReadError(f"{where}: no such file{meant}", str(where)) from None
        except (OSError, ValueError, RuntimeError) as error:
            # ValueError: a name that no file can have; RuntimeError: a home that is not there
            why = getattr(error, "strerror", None) or error
            raise ReadError(f"{where}: cannot be opened: {why}", str(where)) from error
        self.name = str(self.path)

    @property
    def here(self) -> Path:
        """The path. Only for formats that have found it to be one."""
        if self.path is None:
            raise ReadError(f"{self.name}: is an address, and this kind is read from a path")
        return self.path

    @cached_property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.path is not None and is_folder(self.path)

    @cached_property
    def is_file(self) -> bool:
        """Whether it is a regular file: one that can be looked at and then read from the start."""
        return self.path is not None and is_file(self.path)

    @cached_property
    def names(self) -> list[str]:
        """What stands in the folder, sorted, at most ten thousand; empty where it is none."""
        if not self.is_folder:
            return []
        try:
            with os.scandir(self.here) as entries:
                return sorted(entry.name for entry in islice(entries, MOST_NAMES))
        except OSError as error:
            raise ReadError(f"{self.name}: cannot be read: {error.strerror}", self.name) from error

    def note_unseen(self, report: Report) -> None:
        """Say where the folder holds more than was looked at."""
        if len(self.names) >= MOST_NAMES:
            report.add(f"folders of which only {MOST_NAMES:,} entries were looked at", self.name)

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB of the file, unpacked where it is gzipped; empty where it is none."""
        return head_of(self.here) if self.is_file else b""

    @cached_property
    def text(self) -> str:
        """The head as text, without a byte-order mark; empty where it is no UTF-8."""
        return text_of(self.head)

    @cached_property
    def opening(self) -> list[Any]:
        """The first JSON values of the file, the last as far as the head goes; empty if none."""
        return first_values(self.text)

    @property
    def first(self) -> dict[str, Any]:
        """The first JSON value where it is an object, else an empty one."""
        value = self.opening[0] if self.opening else None
        return value if isinstance(value, dict) else {}


def bytes_of(path: Path, most: int = -1) -> bytes:
    """Return what a regular file holds; a pipe in a folder of files would be waited for forever.

    Parameters
    ----------
    path : Path
        The file.
    most : int
        How many bytes; all by default.

    Raises
    ------
    OSError
        It cannot be read, or is no regular file.

    Examples
    --------
    >>> bytes_of(Path("nowhere"))
    Traceback (most recent call last):
        ...
    FileNotFoundError: [Errno 2] No such file or directory: 'nowhere'
    """
    if not stat.S_ISREG(path.stat().st_mode) and not is_folder(path):
        raise OSError(errno.EINVAL, "is no regular file", str(path))
    with path.open("rb") as file:
        return file.read(most)


def head_of(path: Path, most: int = HEAD_BYTES) -> bytes:
    """Return the first bytes of a regular file, unpacked where it is gzipped.

    Raises
    ------
    ReadError
        It cannot be opened.

    Examples
    --------
    >>> head_of(Path("nowhere"))
    Traceback (most recent call last):
        ...
    hutch_lineage.errors.ReadError: nowhere: cannot be opened: No such file or directory
    """
    try:
        head = bytes_of(path, most)
    except OSError as error:
        raise ReadError(f"{path}: cannot be opened: {error.strerror}", str(path)) from error
    if not head.startswith(GZIP):
        return head
    try:
        return zlib.decompressobj(wbits=31).decompress(head, most)
    except zlib.error:
        return head


def text_of(head: bytes) -> str:
    r"""Return the beginning of a text, which may break off within a character; "" if it is none.

    Examples
    --------
    >>> text_of("\ufeffé".encode()[:-1]), text_of(b"\x00")
    ('', '')
    """
    if b"\x00" in head:
        return ""
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(head)
    except UnicodeDecodeError:
        return ""
