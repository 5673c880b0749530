"""Hutch and OpenLineage events of one file, as they come: a line that is no event costs itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hutch_lineage.errors import ReadError
from hutch_lineage.mapping import is_openlineage
from hutch_lineage.readers import (
    Document,
    Item,
    NothingFoundError,
    Report,
    checked_event,
    documents,
    first_values,
    head_of,
    is_hutch,
    text_of,
)


def is_event_json(value: Any) -> bool:
    """Return whether a JSON value looks like an event of either kind."""
    return is_hutch(value) or is_openlineage(value)


def events_of(path: Path, report: Report, within: str = "") -> Iterator[Item]:
    """Yield the events of a file, reading it as a stream.

    Parameters
    ----------
    path : Path
        JSON in any layout that :func:`~hutch_lineage.readers.documents` reads.
    report : Report
        What is skipped goes there, with its line.
    within : str
        What to say before the line, where there are several files.

    Raises
    ------
    NothingFoundError
        There is none in it; ``line`` is the first line at fault.
    ReadError
        It cannot be read.
    """
    found = False
    fault: tuple[int, str] | None = None
    for document in documents(path):
        event, problem = event_in(document, report, within)
        if event is not None:
            found = True
            yield event
        else:
            fault = fault or (document.line, problem)
    if not found:
        line, problem = fault or (1, "nothing in it")
        raise NothingFoundError(f"{path}: no event in it; line {line}: {problem}", str(path), line)


def event_in(document: Document, report: Report, within: str = "") -> tuple[Item | None, str]:
    """Return the event that a document holds, or why it holds none; that is in the report, too."""
    value = document.value
    if not document.fault and not is_hutch(value) and is_openlineage(value):
        return value, ""
    where = f"{within}line {document.line}"
    if document.fault:
        report.add("lines skipped: not JSON", f"{where}: {document.fault}")
        return None, document.fault
    if is_hutch(value):
        event, problem = checked_event(value, where, report)
        return event, problem
    what = _described(value)
    report.add("values skipped: not an event", f"{where}: {what}")
    return None, f"not an event: {what}"


def holds_events(path: Path) -> bool:
    """Return whether a file begins with an event; False where it cannot be read.

    Examples
    --------
    >>> holds_events(Path("nowhere.jsonl"))
    False
    """
    try:
        values = first_values(text_of(head_of(path)), most=4)
    except ReadError:
        return False
    if (
        len(values) == 1
        and isinstance(values[0], dict)
        and isinstance(values[0].get("events"), list)
    ):
        values = values[0]["events"]
    return any(map(is_event_json, values))


def _described(value: Any) -> str:
    if isinstance(value, dict):
        names: Iterable[str] = list(value)[:5]
        return f"an object with {', '.join(map(repr, names))}" if value else "an empty object"
    return f"a {type(value).__name__}"
