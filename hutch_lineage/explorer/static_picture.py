"""The picture that stays where no widget can run."""

from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .explorer import Explorer

_numbers = itertools.count(1)


class StaticPicture:
    """A second output under the live view, hidden while the view is there.

    It is shown on GitHub, in an exported page, in an untrusted or reopened notebook. It is a
    separate output since updating the output that holds the view would make the view anew.
    """

    def __init__(self) -> None:
        self.css_class = f"hl-static-{next(_numbers)}"
        self.display_id = f"hutch-lineage-{self.css_class}"
        self._last: dict[str, Any] | None = None
        self.shown = False

    def show(self, bundle: dict[str, Any]) -> None:
        """Make the output."""
        from IPython.display import display

        self.shown = True
        self._last = self._wrapped(bundle)
        display(  # type: ignore[no-untyped-call]
            self._last, raw=True, display_id=self.display_id
        )

    def refresh(self, bundle: dict[str, Any]) -> None:
        """Change the output, where it is shown and the bundle differs."""
        from IPython.display import update_display

        wrapped = self._wrapped(bundle)
        if self.shown and wrapped != self._last:
            self._last = wrapped
            update_display(  # type: ignore[no-untyped-call]
                wrapped, raw=True, display_id=self.display_id
            )

    def _wrapped(self, bundle: dict[str, Any]) -> dict[str, Any]:
        html = f'<div class="{self.css_class}">{bundle["text/html"]}</div>'
        return {**bundle, "text/html": html}


class AfterCells:
    """Refreshes the static pictures of the explorers on the page after each cell."""

    def __init__(self) -> None:
        self._explorers: weakref.WeakSet[Explorer] = weakref.WeakSet()
        self._shells: weakref.WeakSet[Any] = weakref.WeakSet()

    def add(self, explorer: Explorer) -> None:
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
            explorer.refresh_static()

    def discard(self, explorer: Explorer) -> None:
        """Leave `explorer` alone from now on."""
        self._explorers.discard(explorer)


after_cells = AfterCells()
