"""A request that comes while another one's reply goes out is read, and answered."""

from __future__ import annotations

import time

from tests.support.kernel import Kernel


def test_each_of_two_quick_requests_is_answered(kernel: Kernel) -> None:
    """A kernel 7.3 as it comes does not answer about every second of these pairs."""
    for pair in range(40):
        first = kernel.client.kernel_info()
        time.sleep(pair * 1e-4)  # all moments of the first one's reply
        for asked in (first, kernel.client.kernel_info()):
            kernel.wait_idle(asked, timeout_s=10)


def test_a_request_behind_an_interrupt_is_answered(kernel: Kernel) -> None:
    """The user interrupts while a widget's message is served, and a cell waits behind it."""
    kernel.run("view = hl.explore(); view")
    kernel.run("def interrupt(*_): raise KeyboardInterrupt\nview.on_msg(interrupt)")
    loop = "while True: run.log_individual(kind='program'); time.sleep(0.01)"
    cell = kernel.start(f"with hl.run('r') as run:\n    {loop}")
    kernel.wait_for(lambda message: loop in message["content"].get("code", ""))
    kernel.post(kernel.widget(), {"op": "none"})
    behind = kernel.start("1 + 1")
    kernel.wait_idle(cell, timeout_s=20)
    assert "KeyboardInterrupt" in kernel.text_of(cell)
    kernel.wait_idle(behind, timeout_s=20)
