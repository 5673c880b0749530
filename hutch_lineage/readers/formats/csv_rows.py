"""A table of comma-separated values as a stream of rows with their line numbers."""

from __future__ import annotations

import codecs
import csv
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import Stream, lines_of, opened

Row: TypeAlias = tuple[int, list[str]]
LONGEST_CELL = min(sys.maxsize, 2**31 - 1)  # a genome is longer than csv's 131,072 characters


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a CSV file and the line on which each ends; the first is the header.

    Plain or gzipped, with or without a byte-order mark. Empty lines are passed over.

    Raises
    ------
    ReadError
        There is no such file, it is no UTF-8 text, or a row cannot be taken apart; `line` says
        where. What stands before has been yielded by then.
    """
    with opened(path) as stream:
        reader = csv.reader(_lines(stream, path), skipinitialspace=True)
        before = csv.field_size_limit(LONGEST_CELL)
        try:
            for row in reader:
                if row:
                    yield reader.line_num, row
        except csv.Error as error:
            line = reader.line_num
            raise ReadError(f"{path}: line {line}: {error}", str(path), line) from error
        except (OSError, EOFError, zlib.error) as error:
            line = reader.line_num + 1
            raise ReadError(
                f"{path}: breaks off at line {line}: {error}", str(path), line
            ) from error
        finally:
            csv.field_size_limit(before)


def _lines(stream: Stream, path: Path) -> Iterator[str]:
    number = 0
    try:
        for number, line in enumerate(lines_of(stream, path), start=1):
            yield line.decode("utf-8" if number > 1 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReadError(f"{path}: line {number} is not UTF-8 text", str(path), number) from error


def header_of(head: bytes) -> list[str]:
    r"""Return the column names in the first bytes of a file; empty where it is no table.

    Examples
    --------
    >>> header_of(b"id,ancestor_list\n1,[none]\n")
    ['id', 'ancestor_list']
    """
    line = head.removeprefix(codecs.BOM_UTF8).lstrip().split(b"\n", 1)[0]
    try:
        return [name.strip() for name in next(csv.reader([line.decode()], skipinitialspace=True))]
    except (UnicodeDecodeError, csv.Error, StopIteration):
        return []
