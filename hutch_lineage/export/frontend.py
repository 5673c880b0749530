"""The built front end: its files as text, and the message that carries one to a view."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from hutch_lineage.errors import ExportError

LATE_ASSETS = ("hands", "panels")
"""The bundles that follow the graph, in the order in which they are needed."""


@lru_cache
def asset(name: str) -> str:
    """Return a file of the front end as text.

    Raises
    ------
    ExportError
        It is missing from the installation.

    Examples
    --------
    >>> asset("explorer.css").startswith(".hl-explorer")
    True
    """
    try:
        room = files("hutch_lineage") / "explorer" / "static"
        return (room / name).read_text(encoding="utf-8")
    except OSError as error:
        raise ExportError(
            f"the front end ({name}) is missing from this installation: install the wheel"
        ) from error


def late_asset(name: str) -> dict[str, Any] | None:
    """Return the message that carries a bundle which follows the graph; None for another name.

    The view holds the text and runs it when the first panel that needs it is opened, so that no
    panel has to wait for a busy kernel.

    Examples
    --------
    >>> message = late_asset("panels")
    >>> sorted(message)
    ['css', 'js', 'name', 'op']
    >>> late_asset("../secrets") is None
    True
    """
    if name not in LATE_ASSETS:
        return None
    return {"op": "asset", "name": name, "js": asset(f"{name}.js"), "css": asset(f"{name}.css")}
