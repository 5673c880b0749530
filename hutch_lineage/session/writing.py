"""From what an explorer shows to a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from hutch_lineage.errors import ConfigurationError, ExportError
from hutch_lineage.model import NodeKind

from .source import Source

if TYPE_CHECKING:
    from hutch_lineage.export import Shown, Written
    from hutch_lineage.mapping import Preset
    from hutch_lineage.model import Event


def write_source(
    source: Source,
    path: str | Path,
    format: str | None = None,  # noqa: A002 - what it is called everywhere
    *,
    preset: str | Preset | None = None,
    shown: Shown | None = None,
    **options: Any,
) -> Written:
    """Write a source in the form that is asked for, or that the file's suffix says.

    Parameters
    ----------
    source : Source
        The running session, or what was opened.
    path, format, preset, options
        As for :func:`hutch_lineage.export.write`.
    shown : callable, optional
        What a page or a picture is to show, see :func:`hutch_lineage.export.to_html`.

    Returns
    -------
    Written
        The path, and notes on what the form could not carry.

    Raises
    ------
    ExportError
        As for :func:`hutch_lineage.export.write`.

    Examples
    --------
    >>> import tempfile
    >>> import hutch_lineage as hl
    >>> from hutch_lineage.session import current_session
    >>> hl.reset()
    >>> with hl.run("demo") as run:
    ...     seed = run.log_individual(kind="program")
    >>> path = write_source(current_session(), tempfile.mkdtemp() + "/run.jsonl").path
    >>> hl.load(path).equals(hl.lineage())
    True
    """
    from hutch_lineage.export import form_of, write

    source.sync()
    form = form_of(Path(path).name)
    name = format or (form.name if form else "")
    events = _events(source, name, mapped=preset is None)
    return write(source.graph, path, format, events=events, preset=preset, shown=shown, **options)


def _events(source: Source, form: str, *, mapped: bool) -> Sequence[Event | Mapping[str, Any]]:
    """Return the events that a form holds: OpenLineage events as they went out, or Hutch's."""
    if form == "html" or (form == "openlineage" and mapped):
        return source.all_run_events()
    return source.hutch_events() or source.all_run_events()


def contents_of(source: Source) -> str:
    """Return in words what a file of a source is made from.

    Raises
    ------
    ExportError
        Nothing has been logged or read: there would be nothing in the file.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> from hutch_lineage.model import NodeKey, NodeRecord, Stamp
    >>> from hutch_lineage.session import OpenedSource
    >>> graph = LineageGraph()
    >>> graph.apply(NodeRecord(NodeKey("agent", "r", "a"), Stamp(1, "")))
    1
    >>> contents_of(OpenedSource(graph, "run.jsonl"))
    '1 agent of run.jsonl'
    """
    from hutch_lineage.export import one_line
    from hutch_lineage.plumbing import counted

    source.sync()
    graph, name = source.graph, one_line(source.status()["source"])
    if not (len(graph) or graph.runs):
        if source.status()["can_go_live"]:
            raise ExportError("nothing was captured: open a run or log one")
        raise ExportError(f"there is nothing in {name} so far")
    counts = [(len(graph.nodes(kind)), kind) for kind in get_args(NodeKind)]
    named = [counted(count, kind) for count, kind in counts if count]
    return f"{' and '.join(named) or counted(0, 'individual')} of {name}"


def options_of(pairs: Iterable[str]) -> dict[str, Any]:
    """Return options that were typed as ``name=value``.

    A value is a truth value or a number where it is one.

    Raises
    ------
    ConfigurationError
        A pair has no ``=``.

    Examples
    --------
    >>> options_of(["first-parent=true", "width=300", "run=7"])
    {'first_parent': True, 'width': 300, 'run': '7'}
    """
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ConfigurationError(f"{pair!r} is no NAME=VALUE")
        name = name.strip().replace("-", "_")
        found[name] = _option_value(name, value)
    return found


def _option_value(name: str, text: str) -> bool | int | float | str:
    """Return the value of an option that was typed: a truth value or a number where it is one.

    An option that is a text stays one: a run may be called ``7``, a title ``True``.
    """
    from hutch_lineage.export import TEXTS

    word = text.strip()
    if name in TEXTS:
        return word
    if word.lower() in ("true", "false"):
        return word.lower() == "true"
    for number in (int, float):
        try:
            return number(word)
        except ValueError:
            continue
    return word
