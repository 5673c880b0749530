"""A real kernel, driven over the wire as a notebook front end does."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from jupyter_client import BlockingKernelClient, KernelManager
from jupyter_client.kernelspec import KernelSpecManager

Message = dict[str, Any]


class Kernel:
    """An ipykernel process of its own. Messages of iopub are kept in ``seen``.

    Parameters
    ----------
    specs : Path, optional
        A folder of kernel specifications to choose from, instead of those of the environment.
    name : str
        Which kernel.
    """

    def __init__(self, specs: Path | None = None, name: str = "python3") -> None:
        self.specs, self.name = specs, name
        self.seen: list[Message] = []
        self._loaded = False

    def __enter__(self) -> Self:
        for _ in range(3):
            self._start()
            if self._is_heard():
                return self
            self.__exit__()
        raise AssertionError("the kernel answers, but publishes nothing")

    def _start(self) -> None:
        self.manager = KernelManager(kernel_name=self.name)
        if self.specs is not None:
            self.manager.kernel_spec_manager = KernelSpecManager(kernel_dirs=[str(self.specs)])
        self.manager.start_kernel()
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def _is_heard(self) -> bool:
        """Whether what a cell publishes arrives: another process may have taken the port first."""
        try:
            self.run("", timeout_s=10)
        except AssertionError:
            return False
        self.seen.clear()
        return True

    def __exit__(self, *_: object) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.manager.context.destroy(0)

    def load(self) -> None:
        """Load the extension, and what the cells of tests use."""
        modules = "hutch_lineage as hl, asyncio, pathlib, time"
        assert self.run(f"%load_ext hutch_lineage\nimport {modules}") == ""
        self._loaded = True

    def begin_anew(self) -> None:
        """Forget what was seen; the SDK has seen nothing, either."""
        self.seen.clear()
        assert self.run("hl.reset()") == ""

    def start(self, code: str) -> str:
        """Begin to execute a cell; return the id that its messages carry."""
        return str(self.client.execute(code))

    def run(self, code: str, timeout_s: float = 60) -> str:
        """Execute a cell to its end and return what it printed, errors included."""
        cell = self.start(code)
        self.wait_idle(cell, timeout_s)
        return self.text_of(cell)

    def wait_idle(self, cell: str, timeout_s: float = 60) -> None:
        """Wait until a cell has ended."""

        def ended(message: Message) -> bool:
            return (
                message["parent_header"].get("msg_id") == cell
                and message["msg_type"] == "status"
                and message["content"]["execution_state"] == "idle"
            )

        self.wait_for(ended, timeout_s)

    def wait_for(self, wanted: Callable[[Message], bool], timeout_s: float = 30) -> Message:
        """Return the first message, seen already or yet to come, that is wanted."""
        for message in self.seen:
            if wanted(message):
                return message
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            try:
                message = self.client.get_iopub_msg(timeout=0.2)
            except queue.Empty:
                if self.specs and not self._loaded:  # 7.0 to 7.3 may not have read it: knock
                    self.client.kernel_info()
                continue
            self.seen.append(message)
            if wanted(message):
                return message
        raise AssertionError(f"no such message in {timeout_s} s, among {len(self.seen)}")

    def text_of(self, cell: str) -> str:
        """Return the streams, results and tracebacks of a cell as one text."""
        parts = []
        for message in self.seen:
            if message["parent_header"].get("msg_id") != cell:
                continue
            content = message["content"]
            if message["msg_type"] == "stream":
                parts.append(content["text"])
            elif message["msg_type"] in ("execute_result", "display_data"):
                parts.append(content["data"].get("text/plain", "") + "\n")
            elif message["msg_type"] == "error":
                parts.append("\n".join(content["traceback"]))
        return "".join(parts)

    def messages(self, kind: str) -> list[Message]:
        """Return the messages seen so far of one type."""
        return [message for message in self.seen if message["msg_type"] == kind]

    def widget(self) -> str:
        """Return the comm id of the newest explorer."""

        def is_explorer(message: Message) -> bool:
            state = message["content"].get("data", {}).get("state", {})
            return message["msg_type"] == "comm_open" and "static_class" in state

        self.wait_for(is_explorer)
        return str([m for m in self.seen if is_explorer(m)][-1]["content"]["comm_id"])

    def post(self, comm_id: str, content: dict[str, Any]) -> None:
        """Send a custom message to a widget, as its view does."""
        session = self.client.session
        message = session.msg(
            "comm_msg",
            {"comm_id": comm_id, "data": {"method": "custom", "content": content}},
        )
        self.client.shell_channel.send(message)

    def customs(self, comm_id: str) -> list[Message]:
        """Return the custom messages a widget has sent to its view."""
        return [
            message
            for message in self.messages("comm_msg")
            if message["content"]["comm_id"] == comm_id
            and message["content"]["data"].get("method") == "custom"
        ]

    def state(self, comm_id: str, name: str) -> list[Any]:
        """Return the values that a synced trait has been given, in order."""
        updates = [
            message["content"]["data"].get("state", {})
            for message in self.messages("comm_msg")
            if message["content"]["comm_id"] == comm_id
        ]
        return [update[name] for update in updates if name in update]
