"""A graph as a file, in the form that is asked for or that the file's name says."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hutch_lineage.errors import ExportError
from hutch_lineage.mapping import Preset

from .formats import FORMS, Form, form_of
from .job import Job
from .whole import write_folder, write_whole, zipped

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import Event

    from .page import Shown


class ExportWarning(UserWarning):
    """A file could not carry all of a graph."""


@dataclass(frozen=True, slots=True)
class Written(os.PathLike[str]):
    """A file or folder that was written.

    Attributes
    ----------
    path : Path
        Where it is.
    form : Form
        What it is.
    notes : tuple of str
        What of the graph is not in it, and what was done otherwise than asked, a line each.
    """

    path: Path
    form: Form
    notes: tuple[str, ...] = ()

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)


def write(
    graph: LineageGraph,
    path: str | Path,
    format: str | None = None,  # noqa: A002 - what it is called everywhere
    *,
    events: Iterable[Event | Mapping[str, Any]] | None = None,
    preset: str | Preset | None = None,
    shown: Shown | None = None,
    **options: Any,
) -> Written:
    """Write a graph to a file or a folder.

    Parameters
    ----------
    graph : LineageGraph
        What to write.
    path : str or Path
        What exists is replaced, whole: a reader never sees half of it. A folder that holds other
        files is left alone.
    format : str, optional
        A name in ``FORMS``; without it the suffix of `path` says it: ``.html .svg .png .graphml
        .gexf .json .jsonl .ndjson .csv .nwk .provjson .crate .parquet .frames .md``; with ``.zip``
        behind it a folder becomes an archive, and ``.zip`` alone is an RO-Crate.
    events : iterable of dict or Event, optional
        The events behind the graph, as they were logged or read. Without them Hutch and OpenLineage
        events are made from the graph.
    preset : str or Preset, optional
        For OpenLineage: how to map. None leaves events of other producers as they are.
    shown : callable, optional
        What a page is to show at first, see :func:`to_html`.
    **options
        What the form takes; see the function that it is named after, such as :func:`to_newick`.

    Returns
    -------
    Written
        The path, and notes on what the form could not carry.

    Raises
    ------
    ExportError
        There is no such form or option, the form cannot hold this graph, ``.png`` without Pillow,
        or the file cannot be written. What was there before stays.

    Examples
    --------
    >>> import tempfile
    >>> from hutch_lineage.graph import LineageGraph
    >>> write(LineageGraph(), tempfile.mkdtemp() + "/lineage.nwk").form.title
    'Trees (Newick)'
    """
    try:
        target = Path(path).expanduser()
    except RuntimeError as error:
        raise ExportError(f"{path}: {error}") from error
    form = _chosen(target, format)
    job = Job(graph, list(events or ()), preset, shown, dict(options))
    job.checked(form.options, form.name)
    if preset is not None and form.name not in ("openlineage", "ro-crate"):
        raise ExportError(f"{target.name}: a preset is for OpenLineage events (.ndjson)")
    try:
        content = form.make(job)
    except RecursionError as error:
        raise ExportError(
            f"{target.name}: something in the graph is nested too deeply for {form.title}"
        ) from error
    if not isinstance(content, Mapping):
        write_whole(target, content)
    elif target.suffix.lower() == ".zip":
        write_whole(target, zipped(content))
    else:
        write_folder(target, content, form.own)
    return Written(target, form, tuple(job.notes))


def _chosen(target: Path, name: str | None) -> Form:
    if name is not None:
        if name not in FORMS:
            raise ExportError(f"no format {name!r}: one of {', '.join(FORMS)}")
        return FORMS[name]
    form = form_of(target.name)
    if form is None:
        known = ", ".join(
            f"{suffix} ({form.name})" for form in FORMS.values() for suffix in form.suffixes
        )
        raise ExportError(
            f"{target.name}: no export for {target.suffix or 'a name without a suffix'}; "
            f"one of {known}"
        )
    return form
