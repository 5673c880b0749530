"""Messages that arrive while a plain cell keeps the kernel busy."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.kernel import Kernel, Message

BUSY = """
with hl.run("search"):
    print("began", flush=True)
    while not pathlib.Path({path!r}).exists():
        _ = hl.log_individual(kind="program")
        time.sleep(0.02)
"""


@pytest.fixture
def busy(kernel: Kernel, tmp_path: Any):
    """A kernel that shows an explorer and is in a cell until the test ends; and the cell's id."""
    kernel.run("explorer = hl.explore(); explorer")
    kernel.widget()
    end = tmp_path / "end"
    cell = kernel.start(BUSY.format(path=str(end)))
    kernel.wait_for(lambda m: m["msg_type"] == "stream" and "began" in m["content"]["text"])
    yield kernel, cell
    end.touch()
    kernel.wait_idle(cell)


def ask(kernel: Kernel, kind: str, content: dict[str, Any]) -> str:
    message = kernel.client.session.msg(kind, content, metadata={"version": "1.0.0"})
    kernel.client.shell_channel.send(message)
    return str(message["header"]["msg_id"])


def answer(kernel: Kernel, question: str) -> Message:
    while True:
        reply: Message = kernel.client.get_shell_msg(timeout=20)
        if reply["parent_header"].get("msg_id") == question:
            return reply


def has_ended(kernel: Kernel, cell: str) -> bool:
    return any(
        m["parent_header"].get("msg_id") == cell and m["content"]["execution_state"] == "idle"
        for m in kernel.messages("status")
    )


def test_a_reloaded_page_learns_of_the_widgets(busy: tuple[Kernel, str]):
    """The questions that a page asks when it is loaded anew are answered during the cell."""
    kernel, cell = busy
    view = kernel.widget()
    info = answer(kernel, ask(kernel, "kernel_info_request", {}))
    assert info["content"]["status"] == "ok"
    comms = answer(kernel, ask(kernel, "comm_info_request", {"target_name": "jupyter.widget"}))
    assert view in comms["content"]["comms"]
    assert not has_ended(kernel, cell)


def test_a_reloaded_page_gets_the_widgets_state(busy: tuple[Kernel, str]):
    """The channel over which a page asks for all widgets opens and answers during the cell."""
    kernel, cell = busy
    view = kernel.widget()
    opening = {"comm_id": "page", "target_name": "jupyter.widget.control", "data": {}}
    ask(kernel, "comm_open", opening)
    ask(kernel, "comm_msg", {"comm_id": "page", "data": {"method": "request_states"}})

    def states(message: Message) -> bool:
        data = message["content"].get("data", {})
        return message["msg_type"] == "comm_msg" and data.get("method") == "update_states"

    found = kernel.wait_for(states)
    assert view in found["content"]["data"]["states"]
    assert not has_ended(kernel, cell)


def test_other_requests_wait_for_the_cell(busy: tuple[Kernel, str], tmp_path: Any):
    """A cell that is queued meanwhile runs after the one that is running, and is not lost."""
    kernel, cell = busy
    after = kernel.start("print('after')")
    answer(kernel, ask(kernel, "kernel_info_request", {}))
    assert kernel.text_of(after) == ""
    (tmp_path / "end").touch()
    kernel.wait_idle(cell)
    kernel.wait_idle(after)
    assert kernel.text_of(after) == "after\n"
