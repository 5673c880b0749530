"""A file that holds one JSON value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import Report, documents, first_values, head_of, text_of


def begins_with(path: Path, is_it: Callable[[Any], bool]) -> bool:
    """Return whether a file begins with such a value; False where it cannot be read.

    Examples
    --------
    >>> begins_with(Path("nowhere"), bool)
    False
    """
    try:
        values = first_values(text_of(head_of(path)), most=1)
    except ReadError:
        return False
    return bool(values) and is_it(values[0])


def only_value(path: Path, is_it: Callable[[Any], bool], what: str) -> Any:
    """Return the JSON value that a file holds.

    Raises
    ------
    ReadError
        It is no JSON, or another thing; ``line`` says where.
    """
    fault: tuple[int, str] | None = None
    for document in documents(path):
        if document.fault:
            fault = fault or (document.line, document.fault)
        elif is_it(document.value):
            return document.value
        else:
            fault = fault or (document.line, f"no {what}")
    line, problem = fault or (1, "nothing in it")
    raise ReadError(
        f"{path}: line {line}: {problem}; a file whose program was killed as it wrote ends early:"
        " open an earlier copy",
        str(path),
        line,
    )


def values_of(
    paths: Sequence[Path], is_it: Callable[[Any], bool], what: str, report: Report
) -> Iterator[tuple[Path, Any]]:
    """Yield the JSON value of each file; one that cannot be read is in the report.

    Raises
    ------
    ReadError
        None can be read: that of the first.
    """
    first: ReadError | None = None
    found = False
    for path in paths:
        try:
            value = only_value(path, is_it, what)
        except ReadError as error:
            first = first or error
            report.add("files skipped: cannot be read", str(error))
        else:
            found = True
            yield path, value
    if first is not None and not found:
        raise first
