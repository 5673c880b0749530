"""Serve the browser's messages while a cell is running.

A kernel takes messages from widgets only between cells. During a cell, somebody has to look for
them: the SDK does at each verb, and ``%%hutch_lineage run`` does while it waits for its worker.

ipykernel has no public way to do this. The pump therefore probes for what it needs, in the form
of ipykernel 6 and of ipykernel 7, and does nothing where it does not find it: then the messages
wait until the cell ends, as they do without this package.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

logger = logging.getLogger("hutch_lineage.magic")

COMM_TYPES = frozenset({"comm_msg", "comm_close"})


class MessagePump:
    """Handles waiting widget messages on the main thread, at most every `period_s` seconds.

    Parameters
    ----------
    kernel : object
        The running kernel, or None outside one.
    period_s : float
        The least time between two looks, in seconds. A call in between costs about 0.2 µs.

    Attributes
    ----------
    available : bool
        Whether this kernel's queues can be reached.
    """

    def __init__(self, kernel: Any, period_s: float = 0.2) -> None:
        self.period_s = period_s
        self._kernel = kernel
        self._next = 0.0
        self._busy = False
        self._take_waiting = _probe(kernel)
        self.available = self._take_waiting is not None

    def __call__(self) -> None:
        """Handle what waits, where it is time to look again."""
        now = time.monotonic()
        if now < self._next or self._take_waiting is None or self._busy:
            return
        if threading.current_thread() is not threading.main_thread():
            return
        self._next = now + self.period_s
        self._busy = True
        try:
            self._take_waiting(self._handle)
        finally:
            self._busy = False

    def _handle(self, frames: list[Any]) -> bool:
        """Handle one message if it is a widget's; return whether it was."""
        kernel = self._kernel
        try:
            identity, parts = kernel.session.feed_identities(frames, copy=False)
            head = kernel.session.deserialize(parts, content=False, copy=False)["header"]
        except Exception:
            return False
        if head["msg_type"] not in COMM_TYPES:
            return False
        message = kernel.session.deserialize(parts, content=True, copy=False)
        cell = kernel.get_parent("shell")
        self._say("busy", message)
        try:
            getattr(kernel.comm_manager, head["msg_type"])(None, identity, message)
        finally:
            self._say("idle", message)  # ipywidgets holds back the next change until then
            self._say("busy", cell)  # the cell still runs: keep the notebook's indicator right
        return True

    def _say(self, state: str, parent: Any) -> None:
        kernel = self._kernel
        kernel.session.send(
            kernel.iopub_socket,
            "status",
            {"execution_state": state},
            parent=parent,
            ident=b"kernel." + kernel.ident.encode() + b".status",
        )


Handler = Callable[[list[Any]], bool]


def _probe(kernel: Any) -> Callable[[Handler], None] | None:
    """Return the way to take waiting messages from this kernel, or None."""
    if kernel is None:
        return None
    try:
        import zmq

        needed = (kernel.session, kernel.iopub_socket, kernel.comm_manager, kernel.get_parent)
        if None in needed:
            return None
        if getattr(kernel, "_supports_kernel_subshells", False):
            return _ipykernel_7(kernel, zmq)
        if hasattr(kernel, "msg_queue"):
            return _ipykernel_6(kernel, zmq)
    except Exception as error:
        logger.debug("this kernel cannot be asked for messages during a cell: %s", error)
    return None


def _ipykernel_7(kernel: Any, zmq: Any) -> Callable[[Handler], None]:
    manager = kernel.shell_channel_thread.manager
    socket = manager.get_shell_channel_to_subshell_pair(None).to_socket
    later, loop = kernel.shell_main, kernel.io_loop

    def take(handle: Handler) -> None:
        while True:
            try:
                frames = socket.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            if not handle(frames):
                loop.add_callback(later, None, frames)  # for after the cell, in order

    return take


def _ipykernel_6(kernel: Any, zmq: Any) -> Callable[[Handler], None]:
    queue, stream = kernel.msg_queue, kernel.shell_stream

    def take(handle: Handler) -> None:
        stream.flush(zmq.POLLIN)
        waiting = []
        while not queue.empty():
            waiting.append(queue.get_nowait())
        keep = []
        try:
            while waiting:
                item = waiting.pop(0)
                carries_message = len(item) == 3 and len(item[2]) == 1
                if not (carries_message and handle(item[2][0])):
                    keep.append(item)
        finally:
            for item in keep + waiting:
                queue.put_nowait(item)

    return take
