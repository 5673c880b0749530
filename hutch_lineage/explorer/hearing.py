"""What the browser says, and what is done about it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hutch_lineage.errors import HutchLineageError
from hutch_lineage.export import late_asset
from hutch_lineage.mapping import BACKENDS
from hutch_lineage.model import clean_text

from .raw_events import answer_events
from .view_state import LAYOUTS, checked_view, error_text

if TYPE_CHECKING:
    from hutch_lineage.graph import Scene, SceneCursor
    from hutch_lineage.session import Source

    from .delivery_feed import DeliveryFeed
    from .details import DetailFeed
    from .feeder import Feeder
    from .file_feed import FileFeed
    from .late_assets import LateAssets

logger = logging.getLogger("hutch_lineage.explorer")

MAX_ENDPOINT = 2_000


class Hearing:
    """The part of an explorer that answers its view.

    Whatever a message holds, it raises nothing: what cannot be done is told in the status.
    """

    _detecting = False

    if TYPE_CHECKING:
        view: Any
        selected: Any
        status: Any
        send: Any
        _source: Source
        _scene: Scene
        _cursor: SceneCursor
        _push_lock: threading.RLock
        _answered: bool
        _greeted: bool
        _relayouts: dict[str, None]
        _details: DetailFeed
        _delivery: DeliveryFeed
        _late: LateAssets
        _feeder: Feeder
        _files: FileFeed
        comm: Any

        def _is_large(self) -> bool: ...
        def _push(self) -> float | None: ...
        def _send_details(self, details: dict[str, Any]) -> None: ...
        def _send_state(self) -> None: ...
        def _on_group(self, content: dict[str, Any]) -> None: ...
        def _on_camera(self, content: dict[str, Any]) -> None: ...

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        del buffers
        handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "ready": self._on_ready,
            "live": self._on_live,
            "detect": self._on_detect,
            "select": self._on_select,
            "group": self._on_group,
            "camera": self._on_camera,
            "view": self._on_view,
            "details": self._on_details,
            "stop": self._on_stop,
            "asset": self._on_asset,
            "events": self._on_events,
            "delivery": self._on_delivery,
            "relayout": self._on_relayout,
            "export": self._on_export,
        }
        handler = handlers.get(str(content.get("op"))) if isinstance(content, dict) else None
        if handler is None:
            logger.debug("a message that is not understood came from the view")
            return
        try:
            handler(content)
        except HutchLineageError as error:
            self.status = {**self.status, "last_error": error_text(str(error))}
        except Exception:
            logger.warning("a message from the view could not be answered", exc_info=True)

    def _on_ready(self, content: dict[str, Any]) -> None:
        del content
        with self._push_lock:
            self._answered, self._greeted = True, False
            self._cursor = self._scene.cursor()
            self._details.restart()
            self._delivery.restart()
            self._late.restart()
            if not self._is_large():
                self._push()
        self._feeder.wake(now=True)  # it rests longer while nobody listens
        self._send_state()

    def _on_relayout(self, content: dict[str, Any]) -> None:
        if content.get("layout") in LAYOUTS:
            self._relayouts[content["layout"]] = None
            self._feeder.wake(now=True)

    def _on_live(self, content: dict[str, Any]) -> None:
        try:
            if content.get("on"):
                backend = content.get("backend")
                self._source.go_live(
                    _endpoint(content), backend=backend if backend in BACKENDS else None
                )
            else:
                self._source.go_memory()
        finally:
            self.status = dict(self._source.status())

    def _on_detect(self, content: dict[str, Any]) -> None:
        """Answer who is at an endpoint; on a thread, since nobody may be there."""
        endpoint = _endpoint(content)
        if endpoint is not None and not self._detecting:
            self._detecting = True
            threading.Thread(
                target=self._detect,
                args=(endpoint, _serial(content)),
                name="hutch-lineage-detect",
                daemon=True,
            ).start()
        else:
            self.send({"op": "answer", "serial": _serial(content), "none": True})

    def _detect(self, endpoint: str, serial: int | None) -> None:
        backend, why = None, ""
        try:
            found = self._source.detect(endpoint)
            backend, why = found.backend, found.why
        except HutchLineageError as error:
            why = error_text(str(error))
        finally:
            self._detecting = False
            if self.comm is not None:
                self.send({"op": "answer", "serial": serial, "backend": backend, "why": why})

    def _on_select(self, content: dict[str, Any]) -> None:
        row = content.get("row")
        if isinstance(row, int) and 0 <= row < len(self._scene):
            self.selected = self._scene.key(row)
        else:
            self.selected = None

    def _on_view(self, content: dict[str, Any]) -> None:
        self.view = checked_view(self.view, content.get("view"))

    def _on_details(self, content: dict[str, Any]) -> None:
        rows = content.get("rows")
        if isinstance(rows, list):
            wanted = [row for row in rows[:200] if isinstance(row, int)]
            self._send_details(self._details.of(wanted))

    def _on_asset(self, content: dict[str, Any]) -> None:
        message = late_asset(str(content.get("name")))
        if message is not None:
            self.send(message)

    def _on_events(self, content: dict[str, Any]) -> None:
        found = answer_events(self._source.all_run_events(), content)
        self.send({"op": "answer", "serial": _serial(content), **found})

    def _on_delivery(self, content: dict[str, Any]) -> None:
        answer = self._delivery.answer(content)
        self.send({"op": "answer", "serial": _serial(content), **answer})

    def _on_export(self, content: dict[str, Any]) -> None:
        self._files.answer(content, _serial(content))

    def _on_stop(self, content: dict[str, Any]) -> None:
        del content
        from hutch_lineage.sdk import runtime

        runtime().request_stop()


def _endpoint(content: dict[str, Any]) -> str | None:
    """Return the endpoint that a message names; None where it names none."""
    return clean_text(str(content.get("endpoint") or "")[:MAX_ENDPOINT]).strip() or None


def _serial(content: dict[str, Any]) -> int | None:
    """Return the number of a question; what is no number is not sent back."""
    serial = content.get("serial")
    return serial if isinstance(serial, int) and abs(serial) < 2**53 else None
