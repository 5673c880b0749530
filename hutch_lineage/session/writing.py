"""From what an explorer shows to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hutch_lineage.errors import ExportError

from .source import Source

if TYPE_CHECKING:
    from hutch_lineage.export import Shown


def write_source(source: Source, path: str | Path, *, shown: Shown | None = None) -> Path:
    """Write a source in the form that the file's suffix asks for.

    Parameters
    ----------
    source : Source
        The running session, or a file that was opened.
    path : str or Path
        See :func:`hutch_lineage.export.export_graph` for the forms.
    shown : callable, optional
        What a page is to show at first, see :func:`hutch_lineage.export.to_html`.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ExportError
        The suffix names no form, or the source has not the events that the form holds.

    Examples
    --------
    >>> import tempfile
    >>> import hutch_lineage as hl
    >>> from hutch_lineage.session import current_session
    >>> hl.reset()
    >>> with hl.run("demo") as run:
    ...     seed = run.log_individual(kind="program")
    >>> path = write_source(current_session(), tempfile.mkdtemp() + "/run.jsonl")
    >>> hl.load(path).equals(hl.lineage())
    True
    """
    from hutch_lineage.export import export_graph

    source.sync()
    if Path(path).suffix.lower() != ".jsonl":
        return export_graph(source.graph, path, events=source.all_run_events(), shown=shown)
    events = source.hutch_events()
    if not events:
        raise ExportError(f"{Path(path).name}: there are no Hutch events here to write")
    return export_graph(source.graph, path, events=events)
