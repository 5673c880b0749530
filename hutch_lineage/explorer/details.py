"""What the panels say about a node, sent ahead while it is small."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from hutch_lineage.model import clean_json
from hutch_lineage.session import Source

if TYPE_CHECKING:
    from hutch_lineage.graph import Scene

AHEAD_ROWS = 5_000
AHEAD_BYTES = 12_000_000
AT_ONCE = 5


class DetailFeed:
    """Decides which details go to the browser unasked, so that panels work in a busy kernel.

    Details of the first 5,000 rows (at most 12 MB) are sent ahead, and again when they change; of
    the others when asked for.

    Parameters
    ----------
    scene : Scene
        Gives a row's details.
    source : Source
        Gives a node's OpenLineage events.
    """

    def __init__(self, scene: Scene, source: Source) -> None:
        self._scene = scene
        self._source = source
        self._due: dict[int, None] = {}
        self._bytes = 0

    def restart(self) -> None:
        """Forget what was sent: a new browser has nothing."""
        self._due.clear()
        self._bytes = 0

    def note(self, content: dict[str, Any], buffers: list[bytes]) -> None:
        """Take from a graph message which rows are new or changed."""
        nodes = content["tables"]["nodes"]
        rows = list(range(nodes["start"], min(nodes["start"] + nodes["count"], AHEAD_ROWS)))
        for patch in content["patches"]["nodes"]:
            if patch["rows"] is not None:  # positions are no details
                rows += memoryview(buffers[patch["rows"]["b"]]).cast("I").tolist()
        if content["reset"]:
            self.restart()
        self._due.update(dict.fromkeys(row for row in rows if row < AHEAD_ROWS))

    def due(self, budget_s: float) -> dict[str, Any]:
        """Return the details to send now: as many as can be made in that time, at least some.

        Small portions keep the loop that is watched going; a graph at rest gets large ones.
        """
        until = time.perf_counter() + budget_s
        details: dict[str, Any] = {}
        while self._due and self._bytes <= AHEAD_BYTES:
            rows = list(islice(self._due, AT_ONCE))
            for row in rows:
                del self._due[row]
            made, size = self._sized(rows)
            self._bytes += size
            details.update(made)
            if time.perf_counter() >= until:
                break
        if self._bytes > AHEAD_BYTES:
            self._due.clear()
        return details

    @property
    def pending(self) -> bool:
        """Whether more details are due."""
        return bool(self._due)

    def of(self, rows: list[int]) -> dict[str, Any]:
        """Return the details of `rows`, by row number as text; always fit to be sent."""
        return self._sized(rows)[0]

    def _sized(self, rows: list[int]) -> tuple[dict[str, Any], int]:
        """Return the details, and their size in bytes."""
        made = self._made(rows)
        try:
            return made, len(orjson.dumps(made))
        except TypeError:  # an event of another producer holds what JSON cannot
            plain: dict[str, Any] = clean_json(made)[0]
            return plain, len(orjson.dumps(plain))

    def _made(self, rows: list[int]) -> dict[str, Any]:
        known = [row for row in rows if 0 <= row < len(self._scene)]
        events_of = self._source.run_events([self._scene.key(row) for row in known])
        return {
            str(row): self._scene.detail(row, events)
            for row, events in zip(known, events_of, strict=True)
        }
