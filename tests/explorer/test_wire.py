"""The explorer as its view hears it: a real kernel, and the messages on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.receivers import Answer, Receiver
from tests.support.kernel import Kernel, Message

SLOW_LOOP = """
with hl.run("search", score_directions={"score": "higher"}) as run:
    parent = run.log_individual(kind="program", individual_id="i0")
    for number in range(1, 60):
        child = run.log_individual(
            kind="program",
            individual_id=f"i{number}",
            parent_ids=[parent.id],
            genome=f"x = {number}",
        )
        run.log_operator(kind="refine", parent_ids=[parent.id], child_id=child.id, cost_usd=0.01)
        run.log_fitness(individual=child, scores={"score": number})
        parent = child
        time.sleep(0.03)
"""


@pytest.fixture(scope="module")
def _kernel() -> Iterator[Kernel]:
    with Kernel() as kernel:
        kernel.load()
        yield kernel


@pytest.fixture
def kernel(_kernel: Kernel) -> Kernel:
    _kernel.begin_anew()
    _kernel.run("ex = hl.explore()\nex")
    return _kernel


def contents(kernel: Kernel, view: str, op: str) -> list[dict[str, Any]]:
    found = [m["content"]["data"]["content"] for m in kernel.customs(view)]
    return [content for content in found if content["op"] == op]


def rows(kernel: Kernel, view: str) -> int:
    graph = contents(kernel, view, "graph")
    return graph[-1]["tables"]["nodes"]["start"] + graph[-1]["tables"]["nodes"]["count"]


def test_grows_while_a_cell_is_busy(kernel: Kernel):
    """After the view is ready, new rows come as deltas during the cell, and all are there."""
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    cell = kernel.start(SLOW_LOOP)
    kernel.wait_for(lambda m: bool(contents(kernel, view, "graph")) and rows(kernel, view) > 10)
    assert "idle" not in [
        m["content"]["execution_state"]
        for m in kernel.messages("status")
        if m["parent_header"].get("msg_id") == cell
    ]
    kernel.wait_for(lambda m: rows(kernel, view) == 60)
    kernel.wait_idle(cell)
    starts = [
        c["tables"]["nodes"]["start"] for c in contents(kernel, view, "graph") if not c["reset"]
    ]
    assert sorted(starts) == starts


def test_whole_until_the_view_has_spoken(kernel: Kernel):
    """A view that was made in a busy cell has not asked yet: each message stands alone."""
    view = kernel.widget()
    kernel.run(SLOW_LOOP)
    kernel.wait_for(lambda m: bool(contents(kernel, view, "graph")) and rows(kernel, view) == 60)
    assert all(content["reset"] for content in contents(kernel, view, "graph"))


def test_toggle_while_a_cell_is_busy(kernel: Kernel):
    """The live switch acts during a plain loop, and the backend gets all, in order."""
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    with Receiver() as receiver:
        cell = kernel.start(SLOW_LOOP)
        kernel.wait_for(lambda m: bool(contents(kernel, view, "graph")) and rows(kernel, view) > 5)
        kernel.post(view, {"op": "live", "on": True, "endpoint": receiver.url})
        kernel.wait_for(lambda m: any(s["mode"] == "live" for s in kernel.state(view, "status")))
        kernel.wait_idle(cell)
        assert kernel.run("hl.emitter().flush(10)") == "True\n"
        made = [event["outputs"][0]["name"] for event in receiver.events if event["outputs"]]
    assert [f"individual:i{number}" for number in range(1, 60)] == made


def test_bad_endpoint_is_said_in_the_status(kernel: Kernel):
    """A URL that cannot be used changes nothing but the message beside the switch."""
    view = kernel.widget()
    kernel.post(view, {"op": "live", "on": True, "endpoint": "not a url"})
    kernel.wait_for(lambda m: any(s["last_error"] for s in kernel.state(view, "status")))
    last = kernel.state(view, "status")[-1]
    assert (last["mode"], last["state"]) == ("memory", "failing")
    assert "not a url" in last["last_error"]


def test_details_are_sent_ahead_with_their_events(kernel: Kernel):
    """Panels need not ask: genome and OpenLineage events of each row come by themselves."""
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    kernel.run(SLOW_LOOP)

    def all_there(_: Message) -> bool:
        return len({row for c in contents(kernel, view, "details") for row in c["details"]}) == 60

    kernel.wait_for(all_there)
    details = {k: v for c in contents(kernel, view, "details") for k, v in c["details"].items()}
    assert details["7"]["genome"] == "x = 7"
    assert [d["name"] for d in details["7"]["events"][0]["outputs"]] == ["individual:i7"]


def test_selection_travels_both_ways(kernel: Kernel):
    """A click sets ``selected`` in Python; setting it in Python moves the view."""
    kernel.run(SLOW_LOOP)
    view = kernel.widget()
    kernel.run("picked = []; end = ex.on_select(lambda key: picked.append(key and key.id))")
    kernel.post(view, {"op": "select", "row": 3})
    kernel.wait_for(lambda m: 3 in kernel.state(view, "selected_row"))
    kernel.run("ex.select('i7'); ex.select(None)")
    assert kernel.run("picked") == "['i3', 'i7', None]\n"
    assert kernel.state(view, "selected_row") == [3, 7, -1]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"op": "nonsense"},
        {"op": "select", "row": "<b>"},
        {"op": "select", "row": 10**9},
        {"op": "details", "rows": [-1, None, 10**9]},
        {"op": "view", "view": [1]},
        {"op": "live", "on": True, "endpoint": {"a": 1}},
    ],
)
def test_odd_messages_do_no_harm(kernel: Kernel, content: dict[str, Any]):
    """What a broken view sends is dropped; the explorer goes on."""
    kernel.post(kernel.widget(), content)
    assert kernel.run("print(ex)") == "Explorer(0 individuals, 0 agents, 0 edges, 0 runs)\n"


def test_static_picture_follows_each_cell(kernel: Kernel):
    """The saved picture is brought up to date after a cell, without a new view."""
    kernel.run(SLOW_LOOP)
    updates = kernel.messages("update_display_data")
    assert "60 individuals" in updates[-1]["content"]["data"]["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" not in updates[-1]["content"]["data"]


QUICK = """
import hutch_lineage.explorer.static_picture as static_picture
static_picture.REFRESH_S, static_picture.SHARE = 0.2, 2
"""


def test_static_picture_follows_a_long_cell(kernel: Kernel):
    """A notebook that is saved during a long cell has a picture of how far the run had got."""
    kernel.run(QUICK + "ex = hl.explore(); ex")
    kernel.post(kernel.widget(), {"op": "ready"})
    cell = kernel.start(SLOW_LOOP)
    kernel.wait_for(lambda m: m["msg_type"] == "update_display_data")
    assert "idle" not in [
        m["content"]["execution_state"]
        for m in kernel.messages("status")
        if m["parent_header"].get("msg_id") == cell
    ]
    kernel.wait_idle(cell)


LARGE = """
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeKey, NodeRecord, Stamp
big = LineageGraph()
keys = [NodeKey("individual", "r", f"i{n}") for n in range(6000)]
big.apply(NodeRecord(k, Stamp(n, ""), tuple(keys[n - 1 : n]), {}) for n, k in enumerate(keys))
"""
SHOW_LARGE = "ex = hl.explore(big); ex"


def has_picture(message: Message) -> bool:
    kind, data = message["msg_type"], message["content"].get("data", {})
    return kind == "update_display_data" and "6,000 individuals" in str(data.get("text/plain"))


def test_a_large_picture_is_in_the_notebook_when_nobody_looks(kernel: Kernel):
    """Where no browser shows the view, the picture of a large graph is there after the cell."""
    kernel.run(LARGE)
    kernel.seen.clear()
    kernel.run(SHOW_LARGE)
    (found,) = filter(has_picture, kernel.seen)
    assert "image/svg+xml" in found["content"]["data"]["text/html"]


def test_a_large_picture_comes_after_the_view(kernel: Kernel):
    """Where a browser shows the view, it has the graph before the picture is made."""
    kernel.run(LARGE)
    kernel.seen.clear()
    cell = kernel.start(SHOW_LARGE)
    kernel.wait_for(lambda m: m["msg_type"] == "display_data")
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    kernel.wait_idle(cell)
    kernel.wait_for(has_picture)
    before = kernel.seen[: next(i for i, m in enumerate(kernel.seen) if has_picture(m))]
    assert any(m["content"].get("data", {}).get("content", {}).get("op") == "graph" for m in before)


def test_static_picture_stays_out_of_captured_output(kernel: Kernel):
    """A cell that captures its output gets what it displays itself, and nothing of ours."""
    kernel.run(QUICK + "ex = hl.explore(); ex")
    kernel.run("%%capture captured\n" + SLOW_LOOP + "print('done')")
    assert kernel.run("captured.outputs, captured.stdout") == "([], 'done\\n')\n"


def test_close_leaves_nothing_in_the_kernel(kernel: Kernel):
    """Opening and closing explorers does not fill the kernel with comms and threads."""
    count = "print(len(get_ipython().kernel.comm_manager.comms), len(views()))"
    kernel.run(
        "import threading\n"
        "def views():\n"
        "    return [t for t in threading.enumerate() if 'lineage-view' in t.name]"
    )
    before = kernel.run(count)
    kernel.run("for _ in range(5):\n    other = hl.explore(); display(other); other.close()")
    kernel.run("time.sleep(0.5)")
    assert kernel.run(count) == before


def test_freeze_leaves_the_picture(kernel: Kernel):
    """After freeze the static picture is visible and the view is gone."""
    view = kernel.widget()
    kernel.run(SLOW_LOOP)
    kernel.run("ex.freeze()")
    closes = [m["content"]["comm_id"] for m in kernel.messages("comm_close")]
    assert view in closes
    assert kernel.state(view, "static_class")[-1] == ""


def test_a_closed_explorer_shows_its_picture(kernel: Kernel) -> None:
    """Showing an explorer that was frozen or closed gives the picture, not an error."""
    kernel.run(SLOW_LOOP)
    for end in ("ex.freeze()", "ex.close()"):
        kernel.run(end)
        kernel.seen.clear()
        assert "Traceback" not in kernel.run("ex")
        view, picture = (m["content"]["data"] for m in kernel.messages("display_data"))
        assert set(view) == {"text/plain"}
        assert "data:image/svg+xml" in picture["text/html"]


def test_steering_from_python(kernel: Kernel):
    """focus, colour_by, search and show change what the view shows."""
    view = kernel.widget()
    kernel.run(SLOW_LOOP)
    kernel.run(
        "ex.focus('i5', 'path'); ex.colour_by('score'); ex.search('i1'); ex.show(kind='agent')"
    )
    state = kernel.state(view, "view")[-1]
    assert state["focus"] == {"mode": "path", "row": 5}
    assert (state["colour"], state["query"], state["kind"]) == ("metric:score", "i1", "agent")


def test_a_range_goes_both_ways(kernel: Kernel):
    """Picked in the browser it is part of the state in Python, and the other way round."""
    view = kernel.widget()
    kernel.run(SLOW_LOOP.replace("60", "5"))
    picked = {"metric:score": {"low": 2.5, "high": None, "missing": True}, "operator": {"low": 1}}
    kernel.post(view, {"op": "view", "view": {"ranges": picked}})
    kernel.wait_for(lambda m: any(state.get("ranges") for state in kernel.state(view, "view")))
    said = kernel.run("print(ex.state['view']['ranges'])")
    assert said == "{'metric:score': {'low': 2.5, 'high': None, 'missing': True}}\n"
    kernel.run("ex.show_range('score'); ex.show_range('cost', high=0.5)")
    expected = {"cost": {"low": None, "high": 0.5, "missing": False}}
    assert kernel.state(view, "view")[-1]["ranges"] == expected


def test_a_layout_comes_when_it_is_chosen(kernel: Kernel):
    """Chosen in the browser or in Python: its columns come, and anew when asked for."""
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    kernel.run(SLOW_LOOP)

    def whole(name: str) -> int:
        patches = [p for c in contents(kernel, view, "graph") for p in c["patches"]["nodes"]]
        return sum(patch["rows"] is None and name in patch["columns"] for patch in patches)

    kernel.post(view, {"op": "view", "view": {"layout": "tree"}})
    kernel.wait_for(lambda m: whole("x:tree") == 1)
    kernel.run("ex.view = {**ex.view, 'layout': 'time'}")
    kernel.wait_for(lambda m: whole("y:time") == 1)
    assert contents(kernel, view, "graph")[-1]["layouts"]["time"]["axis"] == "time"
    kernel.post(view, {"op": "relayout", "layout": "generations"})
    kernel.wait_for(lambda m: whole("x") == 1)
    kernel.post(view, {"op": "relayout", "layout": "<b>"})


def test_two_explorers_share_a_session(kernel: Kernel):
    """Both grow; closing one leaves the other."""
    first = kernel.widget()
    kernel.run("other = hl.explore(); other.close()")
    kernel.run(SLOW_LOOP)
    kernel.wait_for(lambda m: bool(contents(kernel, first, "graph")) and rows(kernel, first) == 60)


def test_the_panels_follow_the_first_graph(kernel: Kernel):
    """The bundles that may come later come once, behind the graph, and again when asked for."""
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    kernel.wait_for(lambda m: bool(contents(kernel, view, "asset")))
    ops = [m["content"]["data"]["content"]["op"] for m in kernel.customs(view)]
    assert ops.index("graph") < ops.index("asset")
    kernel.wait_for(lambda m: len(contents(kernel, view, "asset")) == 2)
    assert [m["name"] for m in contents(kernel, view, "asset")] == ["hands", "panels"]
    kernel.seen.clear()
    kernel.post(view, {"op": "asset", "name": "hands"})
    kernel.post(view, {"op": "asset", "name": "panels"})
    kernel.wait_for(lambda m: len(contents(kernel, view, "asset")) == 2)


def test_raw_events_are_searched_on_request(kernel: Kernel):
    """The answer repeats the number of the question."""
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    kernel.run(SLOW_LOOP.replace("60", "5"))
    kernel.post(view, {"op": "events", "query": "i3", "offset": 0, "limit": 9, "serial": 7})
    kernel.wait_for(lambda m: bool(contents(kernel, view, "answer")))
    (answer,) = contents(kernel, view, "answer")
    assert (answer["serial"], answer["next"]) == (7, None)
    assert 0 < len(answer["events"]) < answer["total"]


def test_a_file_comes_in_parts_during_a_cell(kernel: Kernel):
    """The answer to each question carries its number, and the bytes beside it."""
    view = kernel.widget()
    kernel.post(view, {"op": "ready"})
    cell = kernel.start(SLOW_LOOP)
    kernel.wait_for(lambda m: bool(contents(kernel, view, "graph")) and rows(kernel, view) > 5)

    def answer(serial: int) -> Message:
        def is_it(_: Message) -> bool:
            return any(c["serial"] == serial for c in contents(kernel, view, "answer"))

        kernel.wait_for(is_it)
        return next(
            message
            for message in kernel.customs(view)
            if message["content"]["data"]["content"].get("serial") == serial
        )

    kernel.post(view, {"op": "export", "form": "graphml", "serial": 1})
    token = answer(1)["content"]["data"]["content"]["token"]
    kernel.post(view, {"op": "export", "token": token, "offset": 0, "serial": 2})
    found = answer(2)
    assert "idle" not in [
        m["content"]["execution_state"]
        for m in kernel.messages("status")
        if m["parent_header"].get("msg_id") == cell
    ]
    kernel.wait_idle(cell)
    data = bytes(found["buffers"][0])
    assert found["content"]["data"]["content"]["size"] == len(data)
    assert b"individual/" in data


def test_who_answers_is_told_and_the_choice_goes_live(kernel: Kernel):
    """A backend is looked up on a thread; what the person then chooses is the preset in force."""
    view = kernel.widget()
    marquez = Answer(200, body=b'{"namespaces":[{"name":"default","ownerName":"me"}]}')
    with Receiver(marquez) as receiver:
        kernel.post(view, {"op": "detect", "endpoint": receiver.url, "serial": 7})
        kernel.wait_for(lambda m: bool(contents(kernel, view, "answer")))
        told = contents(kernel, view, "answer")[-1]
        assert (told["serial"], told["backend"]) == (7, "marquez")
        assert told["why"] == "a Marquez: it lists namespaces"
        kernel.post(
            view, {"op": "live", "on": True, "endpoint": receiver.url, "backend": told["backend"]}
        )
        kernel.wait_for(lambda m: any(s["mode"] == "live" for s in kernel.state(view, "status")))
        assert kernel.state(view, "status")[-1]["backend"] == "marquez"
        for on in (False, True):  # the switch alone names none: it goes back to what it was
            kernel.post(view, {"op": "live", "on": on, "endpoint": receiver.url})
            mode = "live" if on else "memory"
            kernel.wait_for(lambda m, to=mode: kernel.state(view, "status")[-1]["mode"] == to)
        assert kernel.state(view, "status")[-1]["backend"] == "marquez"
    kernel.post(view, {"op": "detect", "endpoint": "not a url", "serial": 8})
    kernel.wait_for(lambda m: contents(kernel, view, "answer")[-1]["serial"] == 8)
    assert "cannot be an OpenLineage endpoint" in contents(kernel, view, "answer")[-1]["why"]
