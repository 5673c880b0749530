"""One front end's place in a scene, and the messages it gets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np

from hutch_lineage.model import undisturbed

from .core import GraphCore
from .table import Buffers, Table

Message: TypeAlias = tuple[dict[str, Any], Buffers]

TABLES = ("nodes", "edges", "operators", "migrations", "makers")
FIRST_ROWS, AT_ONCE_ROWS = 20_000, 100_000
NODES_OF = {
    "edges": ("src", "dst"),
    "operators": ("child",),
    "migrations": ("node",),
    "makers": ("src",),
}


class Drawn(Protocol):
    """What a cursor reads: a scene."""

    changes: int

    @property
    def graph(self) -> GraphCore:
        """The graph behind it."""

    def update(self) -> bool:
        """Take over what changed in the graph."""

    def table(self, name: str) -> Table:
        """Return one of `TABLES`."""

    def context(self) -> dict[str, Any]:
        """Return what a message says beside the rows."""

    def arrangements(self) -> Mapping[str, int]:
        """Return for each layout how often all its positions were made anew."""

    def columns_of(self, layout: str) -> tuple[str, str]:
        """Return the node columns that hold the positions of a layout."""


class SceneCursor:
    """Reads a scene from the beginning on, each change once.

    Made by :meth:`Scene.cursor`. Several cursors on one scene do not disturb each other.

    Notes
    -----
    A message is ``(content, buffers)``. ``content`` is JSON-ready: ``op`` ("graph"), ``reset``,
    ``version``, ``tables`` (new rows), ``patches`` (rows that changed), ``categories``,
    ``metrics``, ``runs``, ``summary`` and ``layouts``; a column is
    ``{"t": type, "b": index in buffers}``, for text also ``"o"``: the buffer of where each text
    begins in ``b``, in bytes, and where the last one ends. Bytes are in the machine's order, which
    is little-endian on every platform that runs Jupyter. A metric column that appears for the first
    time is NaN (no value) in all rows before. The columns ``x:<layout>`` and ``y:<layout>`` come
    when they are first made, and when they are made anew, as a patch whose ``rows`` is None: it
    holds the values of all rows before those that the same message adds.
    """

    def __init__(self, scene: Drawn) -> None:
        self._scene = scene
        self._restart()

    def _restart(self) -> None:
        self._seen = -1
        self._counts = dict.fromkeys(TABLES, 0)
        self._logs = dict.fromkeys(TABLES, 0)
        self._arranged: dict[str, int] = {}

    def first(self, rows: int | None = None) -> Message:
        """Return everything, or what belongs to the first nodes; go on from there."""
        with self._scene.graph.lock:
            self._scene.update()
            with undisturbed():
                self._restart()
                return self._message(rows, reset=True)

    def pull(self, rows: int | None = None) -> Message | None:
        """Return what is new since the last pull; None if nothing is. The first is everything.

        Parameters
        ----------
        rows : int, optional
            At most so many new nodes; the next pull goes on. Edges, operators and migrations come
            with the last of the nodes that they name.
        """
        if self._seen < 0 and not self._counts["nodes"]:
            return self.first(rows)
        with self._scene.graph.lock:
            self._scene.update()
            if self._seen == self._scene.changes:
                return None
            with undisturbed():
                return self._message(rows, reset=False)

    def is_behind(self) -> bool:
        """Return whether the next pull will hold something."""
        with self._scene.graph.lock:
            self._scene.update()
            return self._seen != self._scene.changes

    def messages(self) -> Iterator[Message]:
        """Yield what is new in messages of a bounded size: 20,000 nodes at first, then 100,000.

        The lock of the graph is free between them, so whoever logs does not wait for all.
        """
        message = self.pull(FIRST_ROWS)
        while message is not None:
            yield message
            message = None if self._seen == self._scene.changes else self.pull(AT_ONCE_ROWS)

    def _message(self, rows: int | None, *, reset: bool) -> Message:
        scene, buffers = self._scene, Buffers()
        before, stops = dict(self._counts), self._stops(rows)
        tables: dict[str, Any] = {}
        patches: dict[str, Any] = {}
        for name in TABLES:
            table, start = scene.table(name), before[name]
            patches[name] = [] if reset else table.patches(start, self._logs[name], buffers)
            tables[name] = table.appended(start, stops[name], buffers)
            self._logs[name] = len(table.log)
        for layout, number in scene.arrangements().items():
            if self._arranged.get(layout, 0) != number and before["nodes"]:
                names = scene.columns_of(layout)
                patches["nodes"].append(scene.table("nodes").whole(names, before["nodes"], buffers))
            self._arranged[layout] = number
        self._counts = stops
        complete = all(stops[name] == scene.table(name).count for name in TABLES)
        self._seen = scene.changes if complete else -1
        content = {
            "op": "graph",
            "reset": reset,
            "version": scene.graph.version,
            "tables": tables,
            "patches": patches,
            **scene.context(),
        }
        return content, buffers

    def _stops(self, rows: int | None) -> dict[str, int]:
        """Return where this message ends in each table."""
        scene = self._scene
        stops = {name: scene.table(name).count for name in TABLES}
        if rows is None or stops["nodes"] - self._counts["nodes"] <= rows:
            return stops
        stops["nodes"] = self._counts["nodes"] + rows
        for name, columns in NODES_OF.items():
            table, start = scene.table(name), self._counts[name]
            named = np.zeros(table.count - start, dtype=np.int64)
            for column in columns:
                np.maximum(named, table.view(column)[start:], out=named)
            latest = np.maximum.accumulate(named) if named.size else named
            stops[name] = start + int(np.searchsorted(latest, stops["nodes"]))
        return stops
