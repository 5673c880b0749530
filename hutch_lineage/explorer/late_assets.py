"""When the bundles that follow the graph are sent."""

from __future__ import annotations

from typing import Any

from hutch_lineage.export import LATE_ASSETS, late_asset

UNHEARD_TURN = 2


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
        return [message for name in LATE_ASSETS if (message := late_asset(name))]
