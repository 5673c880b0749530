"""Who is next to whom: two arrays of numbers on disk, walked without recursion."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .database import Database, Integers

_AT_ONCE = 2_000_000  # nodes whose edges are written at once
_FEW = 64  # for so few nodes, Python's loop is quicker than numpy's set-up


class Links:
    """The neighbours of each node in one direction, as offsets and targets in mapped files.

    What is walked over often stays in the system's cache; nothing of it has to.

    Parameters
    ----------
    database : Database
        With a table ``edges`` (parent, child).
    near, far : str
        ``child`` and ``parent`` lead upwards, the other way round downwards.
    nodes : int
        How many there are; they are numbered from 0.
    """

    def __init__(self, database: Database, near: str, far: str, nodes: int) -> None:
        ((edges,),) = database.rows("SELECT count(*) FROM edges")
        self._nodes = nodes
        path = database.folder / f"{near}.links"
        self._offsets = _mapped(path.with_suffix(".offsets"), nodes + 1)
        self._targets = _mapped(path, edges)
        place = 0
        for start in range(0, nodes, _AT_ONCE):
            stop = min(start + _AT_ONCE, nodes)
            ours, theirs = database.columns(
                f"SELECT {near}, {far} FROM edges WHERE {near} >= ? AND {near} < ? "
                f"ORDER BY {near}, {far}",
                [start, stop],
            )
            counts = np.bincount(ours - start, minlength=stop - start)
            self._offsets[start + 1 : stop + 1] = place + np.cumsum(counts)
            self._targets[place : place + len(theirs)] = theirs
            place += len(theirs)

    def of(self, row: int) -> list[int]:
        """Return the neighbours of a node."""
        found: list[int] = self._targets[self._offsets[row] : self._offsets[row + 1]].tolist()
        return found

    def reach(self, starts: Iterable[int]) -> Integers:
        """Return what can be reached, the starts included, as ascending numbers."""
        seen = bytearray(self._nodes)
        marked = np.frombuffer(seen, dtype=np.uint8)
        frontier = list(starts)
        offsets, targets = self._offsets.data, self._targets.data
        for row in frontier:
            seen[row] = 1
        while frontier:
            if len(frontier) > _FEW:
                frontier = self._step(np.array(frontier, dtype=np.int64), marked)
                continue
            following = []
            for row in frontier:
                for other in targets[offsets[row] : offsets[row + 1]].tolist():
                    if not seen[other]:
                        seen[other] = 1
                        following.append(other)
            frontier = following
        return np.flatnonzero(marked)

    def _step(self, frontier: Integers, marked: npt.NDArray[np.uint8]) -> list[int]:
        """Return the unmarked neighbours of many nodes, and mark them."""
        starts = self._offsets[frontier]
        counts = self._offsets[frontier + 1] - starts
        ends = np.cumsum(counts)
        places = np.arange(int(ends[-1])) + np.repeat(starts - ends + counts, counts)
        others = self._targets[places]
        fresh = np.unique(others[marked[others] == 0])
        marked[fresh] = 1
        found: list[int] = fresh.tolist()
        return found


def _mapped(path: Path, length: int) -> Integers:
    """Return an array of zeros that stands in a file; an empty one has none."""
    if not length:
        return np.zeros(0, dtype=np.int64)
    return np.asarray(np.memmap(path, dtype=np.int64, mode="w+", shape=(length,)))
