"""One front end's place in a scene, and the messages it gets."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from .core import GraphCore
from .table import Buffers, Table

Message: TypeAlias = tuple[dict[str, Any], Buffers]

TABLES = ("nodes", "edges", "operators")


class Drawn(Protocol):
    """What a cursor reads: a scene."""

    changes: int

    @property
    def graph(self) -> GraphCore:
        """The graph behind it."""

    def update(self) -> bool:
        """Take over what changed in the graph."""

    def table(self, name: str) -> Table:
        """Return ``nodes``, ``edges`` or ``operators``."""

    def context(self) -> dict[str, Any]:
        """Return what a message says beside the rows."""


class SceneCursor:
    """Reads a scene from the beginning on, each change once.

    Made by :meth:`Scene.cursor`. Several cursors on one scene do not disturb each other.

    Notes
    -----
    A message is ``(content, buffers)``. ``content`` is JSON-ready: ``op`` ("graph"), ``reset``,
    ``version``, ``tables`` (new rows), ``patches`` (rows that changed), ``categories``,
    ``metrics``, ``runs`` and ``summary``; a column is ``{"t": type, "b": index in buffers}`` or
    ``{"t": "json", "v": [...]}``. Bytes are in the machine's order, which is little-endian on
    every platform that runs Jupyter. A metric column that appears for the first time is NaN (no
    value) in all rows before.
    """

    def __init__(self, scene: Drawn) -> None:
        self._scene = scene
        self._seen = -1
        self._counts = dict.fromkeys(TABLES, 0)
        self._logs = dict.fromkeys(TABLES, 0)

    def first(self) -> Message:
        """Return everything, and go on from there."""
        with self._scene.graph.lock:
            self._scene.update()
            self._counts = dict.fromkeys(TABLES, 0)
            return self._message(reset=True)

    def pull(self) -> Message | None:
        """Return what is new since the last pull; None if nothing is. The first is everything."""
        if self._seen < 0:
            return self.first()
        with self._scene.graph.lock:
            self._scene.update()
            if self._seen == self._scene.changes:
                return None
            return self._message(reset=False)

    def _message(self, *, reset: bool) -> Message:
        scene, buffers = self._scene, Buffers()
        tables: dict[str, Any] = {}
        patches: dict[str, Any] = {}
        for name in TABLES:
            table = scene.table(name)
            start = self._counts[name]
            patches[name] = [] if reset else table.patches(start, self._logs[name], buffers)
            tables[name] = table.appended(start, buffers)
            self._counts[name] = table.count
            self._logs[name] = len(table.log)
        self._seen = scene.changes
        content = {
            "op": "graph",
            "reset": reset,
            "version": scene.graph.version,
            "tables": tables,
            "patches": patches,
            **scene.context(),
        }
        return content, buffers
