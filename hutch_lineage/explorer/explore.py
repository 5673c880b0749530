"""The function that makes an explorer of whatever there is to show."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import ScoreDirection
from hutch_lineage.session import GrowingSource, OpenedSource, Source, current_session

from .explorer import Explorer
from .view_state import THEMES


def explore(
    source: Any = None,
    *,
    kind: str | None = None,
    run: str | None = None,
    follow: bool = False,
    api_key: str | None = None,
    directions: Mapping[str, ScoreDirection] | None = None,
    height: int = 640,
    theme: str = "auto",
) -> Explorer:
    """Return an explorer of the running session, of a file, folder or backend's run, or of a graph.

    Parameters
    ----------
    source : str, Path, LineageGraph or None
        None is the running session: the picture grows while the loop runs. A path, or the address
        of a backend, is read, see :func:`hutch_lineage.load`.
    kind : str, optional
        How to read it, where that is not to be found from the content.
    run : str, optional
        The run to read from a backend, by name or id; not needed where there is only one.
    follow : bool
        Go on reading: the picture grows as the file, the folder or the run does.
    api_key : str, optional
        For a backend: sent as a bearer token.
    directions : mapping, optional
        Which way metrics are better, where what is opened does not say it or is wrong: metric ->
        ``higher`` or ``lower``. See :meth:`LineageGraph.declare`.
    height : int
        Height of the view in CSS pixels.
    theme : {"auto", "light", "dark", "contrast"}
        ``auto`` follows JupyterLab, or else the system; so does ``contrast``, in high contrast.

    Returns
    -------
    Explorer
        A widget: the last line of a cell shows it.

    Raises
    ------
    ReadError
        The file cannot be read, or the backend has not that run.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> hl.explore()
    Explorer(0 individuals, 0 agents, 0 edges, 0 runs)
    """
    if theme not in THEMES:
        raise ConfigurationError(f"no theme {theme!r}: one of {', '.join(THEMES)}", "theme")
    shown: Source
    if source is None:
        shown = current_session()
    elif isinstance(source, LineageGraph):
        shown = OpenedSource(source, "a graph")
    elif isinstance(source, (str, Path)):
        opening = GrowingSource.follow if follow else OpenedSource.open
        shown = opening(source, run, api_key, kind)
    else:
        raise ConfigurationError(
            f"cannot explore {type(source).__name__}: pass a path, a LineageGraph, or nothing for "
            "the running session",
            "source",
        )
    if directions:
        shown.graph.declare(directions)
    return Explorer(shown, height=height, theme=theme)
