"""A graph as a file, in the form that the file's name asks for."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hutch_lineage.errors import ExportError

from .graphml import to_graphml
from .jsonl import to_jsonl
from .ndjson import to_ndjson
from .page import Shown, to_html
from .png import to_png
from .svg import to_svg

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import Event

BINARY = getattr(os, "O_BINARY", 0)  # Windows would translate line ends

FORMS: dict[str, Callable[[LineageGraph, list[Any], Shown | None], str | bytes]] = {
    ".html": lambda graph, events, shown: to_html(graph, events=events, shown=shown),
    ".svg": lambda graph, *_: to_svg(graph),
    ".png": lambda graph, *_: to_png(graph),
    ".graphml": lambda graph, *_: to_graphml(graph),
    ".ndjson": lambda _, events, __: to_ndjson(events),
    ".jsonl": lambda _, events, __: to_jsonl(events),
}


def export_graph(
    graph: LineageGraph,
    path: str | Path,
    events: Iterable[Event | Mapping[str, Any]] | None = None,
    *,
    shown: Shown | None = None,
) -> Path:
    """Write a graph to a file.

    Parameters
    ----------
    graph : LineageGraph
        What to write.
    path : str or Path
        The suffix chooses the form: ``.html`` the explorer as a page of its own that works
        offline, ``.svg`` and ``.png`` the static picture, ``.graphml``, ``.jsonl`` the Hutch
        events, with nothing left out, ``.ndjson`` the OpenLineage events, which hold no scores. A
        file that exists is replaced, whole: a reader never sees half of it.
    events : iterable of dict or Event, optional
        The events behind the graph; ``.jsonl`` and ``.ndjson`` need them, ``.html`` shows them.
    shown : callable, optional
        What ``.html`` is to show at first, see :func:`to_html`.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ExportError
        The suffix names no form, ``.jsonl`` or ``.ndjson`` was asked for without events, ``.png``
        without Pillow, or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from hutch_lineage.graph import LineageGraph
    >>> export_graph(LineageGraph(), tempfile.gettempdir() + "/lineage.svg").name
    'lineage.svg'
    """
    try:
        target = Path(path).expanduser()
    except RuntimeError as error:
        raise ExportError(f"{path}: {error}") from error
    form = FORMS.get(target.suffix.lower())
    if form is None:
        raise ExportError(
            f"{target.name}: no export for {target.suffix or 'a name without a suffix'}; "
            f"one of {', '.join(FORMS)}"
        )
    if events is None and target.suffix.lower() in (".jsonl", ".ndjson"):
        raise ExportError(f"{target.name}: the events are needed, and none are known")
    write_whole(target, form(graph, list(events or ()), shown))
    return target


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, a text as UTF-8, so that it is there whole or not at all.

    Raises
    ------
    ExportError
        The file cannot be written.
    """
    try:
        target = path.resolve()  # through a link, so that the link stays
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, no possible name
        raise ExportError(f"{path}: cannot be written: {error}") from error
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        with suppress(FileNotFoundError):
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise ExportError(f"{path}: cannot be written: {error.strerror or error}") from error
