"""A lane: one thread with one connection, which posts what it is given."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from .dispatch import Post
from .replies import Reply
from .seams import Sender

logger = logging.getLogger("hutch_lineage.delivery")


class Lane:
    """One connection to an endpoint, and the thread that posts on it.

    Attributes
    ----------
    under_way : Post or None
        What it posts, and `worked_at`, when it got that; whoever gives it a post says so.
    """

    def __init__(self) -> None:
        self.under_way: Post | None = None
        self.worked_at = 0.0
        self._thread: threading.Thread | None = None
        self._model: Sender | None = None
        self._sender: Sender | None = None

    def start(self, work: Callable[[Lane], None]) -> bool:
        """Have a daemon thread do `work`; return whether there is one."""
        thread = threading.Thread(
            target=work, args=(self,), name="hutch-lineage-courier", daemon=True
        )
        try:
            thread.start()
        except RuntimeError as error:  # no more threads, or the interpreter is ending
            logger.debug("no delivery thread: %s", error)
            return False
        self._thread = thread
        return True

    def join(self, timeout_s: float) -> None:
        """Wait for the end of its thread, unless that is this one."""
        if self._thread not in (None, threading.current_thread()):
            self._thread.join(timeout_s)

    def batch(self, model: Sender) -> int:
        """Return how many events one post may carry."""
        return self._sender_like(model).batch

    def post(self, bodies: Sequence[bytes], model: Sender) -> list[Reply]:
        """Post on a connection of its own that is made as `model` is."""
        sender = self._sender_like(model)
        try:
            if len(bodies) == 1:
                return [sender.send(bodies[0])]
            return sender.send_batch(bodies)
        except Exception as error:  # a sender never raises; one that does must not end this
            return [Reply("retry", None, type(error).__name__)]

    def close(self) -> None:
        """Close its connection."""
        if self._sender is not None:
            self._sender.close()

    def forget(self) -> None:
        """Drop its connection without touching it: a forked child shares it with its parent."""
        if self._sender is not None:
            self._sender.forget()

    def _sender_like(self, model: Sender) -> Sender:
        if self._sender is None or self._model is not model:
            self.close()
            self._model, self._sender = model, model.twin()
        return self._sender
