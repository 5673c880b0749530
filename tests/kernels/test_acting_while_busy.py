"""What needs Python acts while a cell runs, whatever the kernel and the kind of cell."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.kernel import Kernel

# A busy machine may take longer than the half second that is promised; a cell takes much longer.
PROMISED_S, BOUND_S = 0.5, 5.0

LOOP = """while not pathlib.Path({end!r}).exists():
    individual = hl.log_individual(kind="program", genome="x = 1")
    {rest}
"""
PLAIN = "time.sleep(0.05)"
CELLS = {
    "plain": 'with hl.run("search"):\n',
    "async": 'with hl.run("search"):\n',
    "attached": "%%hutch_lineage run search\n",
    "main": "%%hutch_lineage run search --main\n",
}


@dataclass
class Busy:
    """A kernel in the middle of a cell, and what its view is called."""

    kernel: Kernel
    view: str
    cell: str
    end: Path

    def has_ended(self) -> bool:
        """Whether the cell has ended."""
        return any(
            m["parent_header"].get("msg_id") == self.cell
            and m["content"]["execution_state"] == "idle"
            for m in self.kernel.messages("status")
        )

    def act(self, content: dict[str, Any], seen: Callable[[], bool]) -> float:
        """Do in the view what sends `content`; return how long it took until it was `seen`."""
        began = time.monotonic()
        self.kernel.post(self.view, content)
        self.kernel.wait_for(lambda _: seen(), BOUND_S)
        assert not self.has_ended()
        return time.monotonic() - began

    def statuses(self, name: str) -> list[Any]:
        """The values of one entry of the status, in order, without repetitions."""
        values = [status[name] for status in self.kernel.state(self.view, "status")]
        return [v for v, before in zip(values, [None, *values], strict=False) if v != before]


@pytest.fixture(params=list(CELLS))
def busy(request: pytest.FixtureRequest, kernel: Kernel, tmp_path: Path) -> Iterator[Busy]:
    """An explorer, and a cell that runs until the test ends."""
    kind = request.param
    kernel.run("explorer = hl.explore(); explorer")
    end = tmp_path / "end"
    rest = "await asyncio.sleep(0.05)" if kind == "async" else PLAIN
    body = LOOP.format(end=str(end), rest=rest)
    head = CELLS[kind]
    if not head.startswith("%%"):
        body = "".join(f"    {line}\n" for line in body.splitlines())
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    made = Busy(kernel, view, kernel.start(head + body), end)
    kernel.wait_for(lambda m: m["msg_type"] == "comm_msg" and rows(kernel, view) > 1)
    kernel.wait_for(lambda _: bool(made.statuses("mode")))  # counts are told now and then
    yield made
    end.touch()
    kernel.wait_idle(made.cell)


def rows(kernel: Kernel, view: str) -> int:
    """How many nodes the view has been told of."""
    graphs = [m["content"]["data"]["content"] for m in kernel.customs(view)]
    return max(
        (
            content["tables"]["nodes"]["start"] + content["tables"]["nodes"]["count"]
            for content in graphs
            if content["op"] == "graph"
        ),
        default=0,
    )


def test_every_control_acts_during_the_cell(busy: Busy) -> None:
    """Toggle, selection, details: each is there long before the cell ends; none is lost."""
    kernel, view = busy.kernel, busy.view
    times = []
    for number in range(4):
        on = number % 2 == 0
        content = {"op": "live", "on": on, "endpoint": "http://127.0.0.1:9"}
        wanted = ["memory", "live"] * (number // 2 + 1) + ["memory"] * (not on)
        times.append(busy.act(content, lambda w=wanted: busy.statuses("mode")[-len(w) :] == w))
    done = ["live", "memory", "live", "memory"]
    assert busy.statuses("mode")[-4:] == done
    for on in (True, False, True, False):  # clicks that come while another is served
        kernel.post(view, {"op": "live", "on": on, "endpoint": "http://127.0.0.1:9"})
    busy.act({"op": "ping"}, lambda: busy.statuses("mode")[-8:] == done * 2)
    times.append(
        busy.act({"op": "select", "row": 1}, lambda: 1 in kernel.state(view, "selected_row"))
    )
    answered = len(kernel.customs(view))

    def told() -> bool:
        contents = [m["content"]["data"]["content"] for m in kernel.customs(view)[answered:]]
        return any("1" in c["details"] for c in contents if c["op"] == "details")

    times.append(busy.act({"op": "details", "rows": [1]}, told))
    assert sorted(times)[len(times) // 2] < 2 * PROMISED_S, times


@pytest.mark.parametrize("busy", ["plain"], indirect=True)
def test_what_else_needs_python_acts_during_the_cell(busy: Busy) -> None:
    """Layouts, tidying up, raw events, deliveries, files, who is at an endpoint, late bundles."""
    kernel, view = busy.kernel, busy.view

    def contents(op: str) -> list[dict[str, Any]]:
        found = [m["content"]["data"]["content"] for m in kernel.customs(view)]
        return [content for content in found if content["op"] == op]

    def is_whole(column: str) -> bool:
        patches = [patch for each in contents("graph") for patch in each["patches"]["nodes"]]
        return any(patch["rows"] is None and column in patch["columns"] for patch in patches)

    def is_answered(serial: int) -> bool:
        return any(answer["serial"] == serial for answer in contents("answer"))

    questions = [
        {"op": "events", "query": "", "offset": 0, "limit": 5},
        {"op": "delivery", "offset": 0, "limit": 5},
        {"op": "export", "form": "graphml"},
        {"op": "detect", "endpoint": "http://127.0.0.1:9"},
    ]
    times = [
        busy.act(question | {"serial": serial}, lambda s=serial: is_answered(s))
        for serial, question in enumerate(questions, 1)
    ]
    for content, column in (
        ({"op": "view", "view": {"layout": "tree"}}, "x:tree"),
        ({"op": "relayout", "layout": "generations"}, "x"),
    ):
        times.append(busy.act(content, lambda c=column: is_whole(c)))
    kernel.wait_for(lambda _: len(contents("asset")) >= 2)  # these come unasked, after the graph
    before = len(contents("asset"))
    times.append(
        busy.act({"op": "asset", "name": "panels"}, lambda: len(contents("asset")) > before)
    )
    assert sorted(times)[len(times) // 2] < 2 * PROMISED_S, times


def test_stop_ends_the_loop(busy: Busy) -> None:
    """Stop reaches the loop at its next call; the run ends as cancelled, and the kernel lives."""
    began = time.monotonic()
    busy.kernel.post(busy.view, {"op": "stop"})
    busy.kernel.wait_idle(busy.cell, BOUND_S)
    assert time.monotonic() - began < BOUND_S
    assert not busy.end.exists()
    status = "[(r.name, r.status) for r in hl.sdk.runtime().runs.values()]"
    assert busy.kernel.run(status) == "[('search', 'cancelled')]\n"


def test_an_interrupt_of_the_idle_kernel_leaves_it_alive(kernel: Kernel) -> None:
    """After messages were served during a cell, SIGINT while nothing runs does no harm."""
    kernel.run("explorer = hl.explore(); explorer")
    view = kernel.widget()
    cell = kernel.start(
        "for _ in range(10):\n    hl.log_individual(kind='program'); time.sleep(0.05)"
    )
    kernel.post(view, {"op": "select", "row": -1})
    kernel.post(view, {"op": "live", "on": True, "endpoint": "http://127.0.0.1:9"})
    kernel.wait_for(lambda _: any(s["mode"] == "live" for s in kernel.state(view, "status")))
    kernel.wait_idle(cell)
    kernel.manager.interrupt_kernel()
    time.sleep(0.3)
    assert kernel.manager.is_alive()
    assert kernel.run("1 + 2") == "3\n"
