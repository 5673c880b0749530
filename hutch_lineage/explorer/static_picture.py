"""The picture that stays where no widget can run."""

from __future__ import annotations

import itertools
import threading
import time
import weakref
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph, Scene

_numbers = itertools.count(1)

REFRESH_S = 20.0
SHARE = 40


_bundles: weakref.WeakKeyDictionary[LineageGraph, tuple[int, dict[str, Any]]] = (
    weakref.WeakKeyDictionary()
)


def bundle_of(graph: LineageGraph, scene: Scene) -> dict[str, Any]:
    """Return the picture of a graph as a notebook keeps it.

    Drawn once for each state of the graph, whatever the number of explorers and of cells.
    """
    from hutch_lineage.export import to_bundle

    version = graph.version
    held = _bundles.get(graph)
    if held is None or held[0] != version:
        held = _bundles[graph] = version, to_bundle(graph, scene=scene)
    return held[1]


def text_of(shown: object) -> dict[str, Any]:
    """Return what stands in the place of a picture until there is one."""
    text = repr(shown)
    return {"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>"}


class StaticPicture:
    """A second output under the live view, hidden while the view is there.

    It is shown on GitHub, in an exported page, in an untrusted or reopened notebook. It is a
    separate output since updating the output that holds the view would make the view anew.
    """

    def __init__(self) -> None:
        self.css_class = f"hl-static-{next(_numbers)}"
        self._picture_id = f"hutch-lineage-{self.css_class}"
        self._view_id = f"{self._picture_id}-view"
        self._last: dict[str, Any] | None = None
        self._next = 0.0
        self._lock = threading.Lock()

    @property
    def shown(self) -> bool:
        """Whether the outputs are on a page."""
        return self._last is not None

    @property
    def is_due(self) -> bool:
        """Whether the picture is old enough to be refreshed during a cell.

        That is every 20 s, or seldomer where it takes long: a notebook that is saved during a long
        cell, or whose kernel dies, keeps a picture of how far the run had got.
        """
        return self.shown and time.monotonic() >= self._next

    def hasten(self, after_s: float = 0.0) -> None:
        """Have the picture refreshed at the next opportunity after so many seconds."""
        self._next = time.monotonic() + after_s

    def show(self, view: dict[str, Any], compose: Callable[[], dict[str, Any]]) -> None:
        """Make both outputs: the view, which the browser then makes, and meanwhile the picture."""
        _display(view, self._view_id)
        picture = self._wrapped(compose())
        self._rest(0.0)
        _display(picture, self._picture_id)
        self._last = picture

    def refresh(self, compose: Callable[[], dict[str, Any]]) -> None:
        """Change the picture, where it is shown and differs. From any thread."""
        with self._lock:
            if not self.shown or _is_captured():
                return
            began = time.monotonic()
            wrapped = self._wrapped(compose())
            self._rest(time.monotonic() - began)
            if wrapped != self._last:
                self._last = wrapped
                _update(wrapped, self._picture_id)

    def _rest(self, took_s: float) -> None:
        self._next = time.monotonic() + max(REFRESH_S, SHARE * took_s)

    def end_view(self, text: str) -> None:
        """Put a line of text in the place of the view."""
        if self.shown:
            _update({"text/plain": text}, self._view_id)

    def _wrapped(self, picture: dict[str, Any]) -> dict[str, Any]:
        html = f'<div class="{self.css_class}">{picture["text/html"]}</div>'
        return {**picture, "text/html": html}


def _display(bundle: dict[str, Any], display_id: str) -> None:
    from IPython.display import display

    show: Callable[..., object] = display  # IPython's has no types
    show(bundle, raw=True, display_id=display_id)


def _update(bundle: dict[str, Any], display_id: str) -> None:
    from IPython.display import update_display

    update: Callable[..., object] = update_display  # IPython's has no types
    update(bundle, raw=True, display_id=display_id)


def _is_captured() -> bool:
    """Whether the running cell keeps for itself what is displayed, as with ``%%capture``."""
    from IPython import get_ipython
    from IPython.core.displaypub import CapturingDisplayPublisher

    shell = get_ipython()
    return shell is not None and isinstance(shell.display_pub, CapturingDisplayPublisher)


class Shown(Protocol):
    """An explorer on the page."""

    def after_cell(self) -> None:
        """Bring its static picture up to date."""


class AfterCells:
    """Refreshes the static pictures of the explorers on the page after each cell."""

    def __init__(self) -> None:
        self._explorers: weakref.WeakSet[Shown] = weakref.WeakSet()
        self._shells: weakref.WeakSet[Any] = weakref.WeakSet()

    def add(self, explorer: Shown) -> None:
        """Refresh `explorer` from now on, in the shell that runs."""
        from IPython import get_ipython

        self._explorers.add(explorer)
        shell = get_ipython()
        if shell is not None and shell not in self._shells:
            self._shells.add(shell)
            shell.events.register("post_run_cell", self.refresh)

    def refresh(self, *_: Any) -> None:
        """Bring all pictures up to date."""
        for explorer in tuple(self._explorers):
            explorer.after_cell()

    def discard(self, explorer: Shown) -> None:
        """Leave `explorer` alone from now on."""
        self._explorers.discard(explorer)


after_cells = AfterCells()
