"""Serve the browser's messages while a cell is running.

A kernel takes messages from widgets only between cells. During a cell, somebody has to look for
them: the SDK does at each verb once the extension is loaded or an explorer is shown, and
``%%hutch_lineage run`` does while it waits for its worker.

ipykernel has no public way to do this. The pump therefore probes for what it needs, in the form
of ipykernel 6 and of ipykernel 7, and does nothing where it does not find it: then the messages
wait until the cell ends, as they do without this package.
"""

from __future__ import annotations

import contextvars
import inspect
import logging
import threading
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, NamedTuple

from hutch_lineage.sdk import before_verb

from .replies import reply_through_stream

logger = logging.getLogger("hutch_lineage.session")

COMM_TYPES = frozenset({"comm_open", "comm_msg", "comm_close"})
# What a page asks first when it is loaded anew. It gets its widgets back once this is answered.
QUESTIONS = frozenset({"comm_info_request", "kernel_info_request"})


_pumps: dict[int, MessagePump] = {}


def serve_during_cells(shell: Any) -> MessagePump:
    """Serve waiting messages at each verb from now on, in the kernel of an IPython shell.

    Returns the pump, for whoever waits without calling verbs. Outside a kernel it does nothing.

    Examples
    --------
    >>> serve_during_cells(None).serving
    False
    """
    kernel = getattr(shell, "kernel", None)
    pump = _pumps.get(id(kernel))
    if pump is None:
        reply_through_stream(kernel)
        pump = _pumps[id(kernel)] = MessagePump(kernel)
    pump.serving = pump.available
    if pump.serving and pump not in before_verb:
        before_verb.append(pump)
    return pump


def end_serving(shell: Any) -> None:
    """Leave the messages to the kernel again.

    Examples
    --------
    >>> end_serving(None)
    """
    pump = _pumps.get(id(getattr(shell, "kernel", None)))
    if pump is not None:
        pump.serving = False
        if pump in before_verb:
            before_verb.remove(pump)


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
    serving : bool
        Whether it does so; it can be switched off and on.
    """

    def __init__(self, kernel: Any, period_s: float = 0.2) -> None:
        self.period_s = period_s
        self._kernel = kernel
        self._next = 0.0
        self._busy = False
        self._shell = _probe(kernel)
        self.available = self._shell is not None
        self.serving = self.available
        if self._shell is not None:
            try:
                self._shell.watch(self._meanwhile)
            except Exception as error:
                logger.debug("this kernel cannot be asked for messages in async cells: %s", error)

    def __call__(self) -> None:
        """Handle what waits, where it is time to look again."""
        now = time.monotonic()
        if now < self._next or self._shell is None or self._busy or not self.serving:
            return
        if threading.current_thread() is not threading.main_thread():
            return
        self._next = now + self.period_s
        self._busy = True
        try:
            self._shell.take(self._handle)
        finally:
            self._busy = False

    def _meanwhile(self, frames: list[Any]) -> bool:
        return self.serving and self._handle(frames)

    def _handle(self, frames: list[Any]) -> bool:
        """Handle one message if it is a widget's, or about widgets; return whether it was."""
        kernel = self._kernel
        try:
            identity, parts = kernel.session.feed_identities(frames, copy=False)
            head = kernel.session.deserialize(parts, content=False, copy=False)["header"]
        except Exception:
            return False
        kind = head["msg_type"]
        if kind not in COMM_TYPES and kind not in QUESTIONS:
            return False
        message = kernel.session.deserialize(parts, content=True, copy=False)
        cell = kernel.get_parent("shell")
        self._say("busy", message)
        try:
            if kind in COMM_TYPES:
                getattr(kernel.comm_manager, kind)(None, identity, message)
            else:
                self._answer(kernel.shell_handlers[kind], identity, message)
        except Exception:  # never the user's loop
            logger.warning("a %s could not be handled during the cell", kind, exc_info=True)
        finally:
            self._say("idle", message)  # ipywidgets holds back the next change until then
            self._say("busy", cell)  # the cell still runs: keep the notebook's indicator right
        return True

    def _answer(self, handler: Callable[..., Any], identity: Any, message: Any) -> None:
        shell = self._shell
        assert shell is not None  # noqa: S101 - it is where the message came from
        answer = handler(shell.answers, identity, message)
        if inspect.iscoroutine(answer):
            _finish(answer)
        shell.flush()

    def _say(self, state: str, parent: Any) -> None:
        kernel = self._kernel
        kernel.session.send(
            kernel.iopub_socket,
            "status",
            {"execution_state": state},
            parent=parent,
            ident=b"kernel." + kernel.ident.encode() + b".status",
        )


def _finish(coroutine: Coroutine[Any, Any, object]) -> None:
    """Run to its end a coroutine that waits for nothing; the event loop is below us, busy."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    coroutine.close()


Handler = Callable[[list[Any]], bool]


class Shell(NamedTuple):
    """Ways to the messages that wait for the main shell, and back to who sent them."""

    take: Callable[[Handler], None]
    watch: Callable[[Handler], None]
    answers: Any
    flush: Callable[[], object]


def _probe(kernel: Any) -> Shell | None:
    """Return the ways to this kernel's shell, or None."""
    if kernel is None:
        return None
    try:
        import zmq

        needed = (kernel.session, kernel.iopub_socket, kernel.comm_manager, kernel.get_parent)
        if None in needed or not kernel.shell_handlers.keys() >= QUESTIONS:
            return None
        if getattr(kernel, "_supports_kernel_subshells", False):
            return _ipykernel_7(kernel, zmq)
        if hasattr(kernel, "msg_queue"):
            return _ipykernel_6(kernel, zmq)
    except Exception as error:
        logger.debug("this kernel cannot be asked for messages during a cell: %s", error)
    return None


def _ipykernel_7(kernel: Any, zmq: Any) -> Shell:
    manager = kernel.shell_channel_thread.manager
    pair = manager.get_shell_channel_to_subshell_pair(None)
    socket, stream, loop = pair.to_socket, pair.to_stream, kernel.io_loop
    # The kernel's own callback runs every cell in one context, so that variables of a context last
    # from cell to cell; `shell_main` alone does not.
    usual = getattr(stream, "_recv_callback", None) or partial(kernel.shell_main, None)

    def take(handle: Handler) -> None:
        try:
            while True:
                try:
                    frames = socket.recv_multipart(zmq.NOBLOCK, copy=False)
                except zmq.Again:
                    return
                if not handle(frames):
                    loop.add_callback(usual, frames)  # for after the cell, in order
        except BaseException:  # an interrupt: the stream will not be woken for what is left
            loop.add_callback(stream.flush, zmq.POLLIN)
            raise

    def watch(handle: Handler) -> None:
        # What the loop receives while a cell awaits: 7.0 to 7.3 let it wait for the cell to end,
        # and 7.4 forgets to say when it is done.
        running = kernel._main_asyncio_lock

        def receive(frames: list[Any]) -> Any:
            return None if running.locked() and handle(frames) else usual(frames)

        contextvars.Context().run(stream.on_recv, receive, copy=False)  # not the cell's

    return Shell(take, watch, manager.get_subshell_to_shell_channel_socket(None), lambda: None)


def _ipykernel_6(kernel: Any, zmq: Any) -> Shell:
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

    return Shell(take, lambda _: None, stream, lambda: stream.flush(zmq.POLLOUT))
