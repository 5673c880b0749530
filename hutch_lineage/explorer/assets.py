"""The files of the front end, and the sending of the one that may come later."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

LATE = ("hands", "panels")
UNHEARD_TURN = 2


@lru_cache
def asset(name: str) -> str:
    """Return a file of the front end's bundle as text."""
    return (files("hutch_lineage") / "explorer" / "static" / name).read_text(encoding="utf-8")


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
    if name not in LATE:
        return None
    return {"op": "asset", "name": name, "js": asset(f"{name}.js"), "css": asset(f"{name}.css")}


class LateAssets:
    """Says when the bundles that may come later are due: once a front end, after its first graph.

    A front end that has not spoken yet may still be on its way or be kept from speaking by a busy
    kernel. It gets them once, behind the second graph, and again when it has spoken.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Forget what was sent: a new front end has nothing."""
        self._unheard = 0
        self._sent = False

    def due(self, *, heard: bool) -> list[dict[str, Any]]:
        """Return what to send now that a graph has gone out to a front end, heard of or not."""
        if self._sent:
            return []
        if not heard:
            self._unheard += 1
            if self._unheard != UNHEARD_TURN:
                return []
        self._sent = heard
        return [message for name in LATE if (message := late_asset(name))]
