"""A file as a stream of JSON values with their line numbers, however the JSON is laid out."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import orjson

from hutch_lineage.errors import ReadError

GZIP = b"\x1f\x8b"
BINARY = (b"PAR1", b"%PDF", b"PK\x03\x04", b"\x89PNG")
WRAPPER = "events"
LARGEST_UNPACKED = 1 << 29  # bytes of a line, or of what is read whole
Stream: TypeAlias = io.BufferedReader | gzip.GzipFile
_new = tuple.__new__  # a third of what the class itself takes
BETWEEN = re.compile(r"[\s,\[\]]*")


class Document(NamedTuple):
    """One JSON value, or why there is none.

    Attributes
    ----------
    line : int
        The line, from 1, on which it begins.
    value : object
        The value; None where `fault` is set.
    fault : str
        What is wrong; empty if nothing is.
    """

    line: int
    value: Any
    fault: str = ""


def documents(path: Path) -> Iterator[Document]:
    r"""Yield the JSON values of a file, reading it as a stream where it has one value a line.

    One value a line; a JSON array; pretty-printed values one after another; an object that holds
    the array as ``events``. Plain or gzipped, with or without a byte-order mark, any line ends.
    Members of an array come one by one; blank lines are passed over. A file that breaks off, such
    as a gzipped one whose writer was killed, gives what stands before, and a last document with
    the fault.

    Raises
    ------
    ReadError
        There is no such file, it cannot be opened, it is empty, or it is not UTF-8 text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write('{"a": 1}\n[2]\n{"torn')
    ...     file.flush()
    ...     [(each.line, each.value, bool(each.fault)) for each in documents(Path(file.name))]
    [(1, {'a': 1}, False), (2, 2, False), (3, None, True)]
    """
    line = 0
    with opened(path) as stream:
        try:
            for document in _values(stream, path):
                line = document.line
                yield document
        except MemoryError:
            raise ReadError(
                f"{path}: does not fit into memory: what is read whole, since it is no JSON a "
                "line, or one line of it",
                str(path),
                line + 1,
            ) from None
        except (OSError, EOFError, zlib.error) as error:
            if not line:
                raise ReadError(f"{path}: cannot be read to its end: {error}", str(path)) from error
            yield Document(line + 1, None, f"the file breaks off: {error}")


@contextmanager
def opened(path: Path) -> Iterator[Stream]:
    """Open a file for reading, unpacked where it is gzipped.

    Raises
    ------
    ReadError
        There is no such file, it is a folder, or it cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file, opened(Path(file.name)) as stream:
    ...     stream.read()
    b''
    """
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise ReadError(f"{path}: no such file", str(path)) from None
    except IsADirectoryError:
        raise ReadError(f"{path}: is a folder; name a file in it", str(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise ReadError(f"{path}: cannot be opened: {why}", str(path)) from error
    with raw:
        try:
            packed = raw.peek(2)[:2] == GZIP  # not read: a pipe cannot go back
        except OSError as error:
            raise ReadError(f"{path}: cannot be read: {error.strerror}", str(path)) from error
        # no buffer around it: one would keep what comes just before a fault
        yield gzip.GzipFile(fileobj=raw) if packed else raw


def _values(stream: Stream, path: Path) -> Iterator[Document]:
    if b"\x00" in stream.peek(1024).split(b"\n", 1)[0]:  # before a line without end is read
        raise _no_text(path)
    lines = enumerate(lines_of(stream, path), start=1)
    number, text = next(
        ((n, clean) for n, line in lines if (clean := line.removeprefix(codecs.BOM_UTF8)).strip()),
        (0, b""),
    )
    if not number:
        raise ReadError(f"{path}: is empty", str(path))
    if b"\x00" in text or text.startswith(BINARY):
        raise _no_text(path)
    first = _parsed(number, text.strip())
    ahead: list[tuple[int, bytes]] = []
    if first.fault and text.strip()[:1] in (b"[", b"{"):
        ahead = _to_next_text(lines)
        if text.strip()[:1] == b"[" or not _is_object(ahead):
            rest = b"".join(line for _, line in ahead) + _rest(stream, path)
            yield from _laid_out(text + rest, number, path)
            return
    yield from _members(first)
    for number, line in chain(ahead, lines):
        stripped = line.strip()
        if stripped:
            document = _parsed(number, stripped)
            value = document.value
            if type(value) is dict and WRAPPER not in value:
                yield document  # as nearly all are
            else:
                yield from _members(document)


def lines_of(stream: Stream, path: Path) -> Iterator[bytes]:
    """Yield the lines of a file; a small packed one may hold a line larger than all memory.

    Raises
    ------
    ReadError
        A line of a packed file is longer than 512 MiB.

    Examples
    --------
    >>> list(lines_of(io.BufferedReader(io.BytesIO(b"a")), Path("a.txt")))
    [b'a']
    """
    if not isinstance(stream, gzip.GzipFile):
        yield from stream
        return
    while line := stream.readline(LARGEST_UNPACKED):
        if len(line) == LARGEST_UNPACKED:
            raise _too_large(path)
        yield line


def _rest(stream: Stream, path: Path) -> bytes:
    if not isinstance(stream, gzip.GzipFile):
        return stream.read()
    rest = stream.read(LARGEST_UNPACKED)
    if len(rest) == LARGEST_UNPACKED:
        raise _too_large(path)
    return rest


def _too_large(path: Path) -> ReadError:
    return ReadError(
        f"{path}: unpacks to one value of more than {LARGEST_UNPACKED >> 20} MiB: unpack it first "
        "if that is meant",
        str(path),
    )


def _no_text(path: Path) -> ReadError:
    return ReadError(
        f"{path}: is not a text file (UTF-8); event files hold JSON, one event a line", str(path)
    )


def _to_next_text(lines: Iterator[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    ahead = []
    for number, line in lines:
        ahead.append((number, line))
        if line.strip():
            break
    return ahead


def _is_object(ahead: list[tuple[int, bytes]]) -> bool:
    """Whether the next line is an object of its own: then the line before it is torn."""
    return bool(ahead) and isinstance(_parsed(0, ahead[-1][1].strip()).value, dict)


def _parsed(line: int, text: bytes) -> Document:
    try:
        return _new(Document, (line, orjson.loads(text), ""))
    except orjson.JSONDecodeError as error:
        fault = error.msg
    try:  # NaN and Infinity are not JSON, but Python and others write them
        return Document(line, json.loads(text))
    except (ValueError, RecursionError):
        return Document(line, None, f"not JSON: {fault}")


def _members(document: Document) -> Iterator[Document]:
    """Yield the members of an array, or of an object's ``events``; else the document itself."""
    value = document.value
    if isinstance(value, dict) and isinstance(value.get(WRAPPER), list) and "run" not in value:
        value = value[WRAPPER]
    if isinstance(value, list):
        yield from (Document(document.line, member) for member in value)
    else:
        yield document


def _laid_out(data: bytes, line: int, path: Path) -> Iterator[Document]:
    """Read values that are spread over lines; after a broken one go on at the next that looks so.

    Brackets and commas between values are passed over, so an array need not be complete.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = line + data[: error.start].count(b"\n")
        raise ReadError(f"{path}: line {at} is not UTF-8 text", str(path), at) from error
    decoder = json.JSONDecoder()
    place = counted = _skip(text, 0)
    line += text.count("\n", 0, place)
    indent = text[text.rfind("\n", 0, place) + 1 : place]
    begin = re.compile(r"\n" + (re.escape(indent) if indent.isspace() else "") + r"\{")
    while place < len(text):
        line += text.count("\n", counted, place)
        counted = place
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            at = getattr(error, "pos", place)
            yield Document(
                line + text.count("\n", place, at),
                None,
                f"not JSON: {getattr(error, 'msg', 'nested too deeply')}",
            )
            following = begin.search(text, max(place + 1, at - 1 - len(indent)))
            if following is None:
                return
            place = following.end() - 1
        else:
            yield from _members(Document(line, value))
            place = _skip(text, place)


def _skip(text: str, place: int) -> int:
    found = BETWEEN.match(text, place)
    return found.end() if found else place
