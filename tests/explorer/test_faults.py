"""What goes wrong on the way to the view, and what a broken view sends: nothing is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jupyter_client.session import json_packer

import hutch_lineage as hl
from hutch_lineage.explorer import Explorer
from hutch_lineage.explorer.view_state import first_view
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeKey, NodeRecord


def node(number: int) -> NodeRecord:
    return NodeRecord(
        key=NodeKey("individual", "r", f"n{number}"), stamp=(number + 1, f"e{number}")
    )


class Listener:
    """Stands for a browser: takes what is sent if it can be sent at all."""

    def __init__(self, explorer: Explorer) -> None:
        self.messages: list[dict[str, Any]] = []
        self.failing = 0
        explorer.send = self.take  # type: ignore[method-assign]

    def take(self, content: dict[str, Any], buffers: Any = None) -> None:
        del buffers
        if self.failing:
            self.failing -= 1
            raise OSError("the socket is closed")
        json_packer(content)
        self.messages.append(content)

    def of(self, op: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["op"] == op]


@pytest.fixture
def graph() -> LineageGraph:
    graph = LineageGraph()
    graph.apply(map(node, range(5)))
    return graph


@pytest.fixture
def explorer(graph: LineageGraph):
    made = hl.explore(graph)
    made._feeder.close()  # the tests push
    yield made
    made.close()


def test_a_view_that_has_not_spoken_is_never_sent_a_part(explorer, graph, monkeypatch):
    """Also where the graph grows between the look whether there is something and the sending."""
    heard = Listener(explorer)
    explorer._push()
    for _ in range(3):
        cursor = explorer._cursor
        ask = cursor.is_behind

        def grows_after(ask=ask) -> bool:
            behind = ask()
            graph.apply(node(len(graph)))
            return behind

        monkeypatch.setattr(cursor, "is_behind", grows_after)
        explorer._push()
    explorer._push()
    counts = [content["tables"]["nodes"]["count"] for content in heard.of("graph")]
    assert all(content["reset"] for content in heard.of("graph"))
    assert counts[-1] == len(graph)


@pytest.mark.parametrize("answered", [False, True])
def test_what_could_not_be_sent_comes_again(explorer, graph, answered):
    """After a failure the next sending is whole."""
    heard = Listener(explorer)
    if answered:
        explorer._on_message(None, {"op": "ready"}, [])
    graph.apply(node(5))
    heard.failing = 1
    with pytest.raises(OSError, match="closed"):
        explorer._push()
    explorer._push()
    last = heard.of("graph")[-1]
    assert last["reset"]
    assert last["tables"]["nodes"]["count"] == 6


def test_an_error_in_an_answer_is_not_raised(explorer, caplog):
    """The kernel goes on; the log says what happened."""
    Listener(explorer).failing = 1
    explorer._on_message(None, {"op": "delivery"}, [])
    assert "could not be answered" in caplog.text


HALF = "half a character \ud83d"
LONG = "x" * 1_000_000


@pytest.mark.parametrize(
    "content",
    [
        {"op": "view", "view": {"query": HALF, "tab": HALF, "colour": HALF, "run": HALF}},
        {"op": "view", "view": {"run": LONG, "hidden": {"operator": [HALF, LONG, None]}}},
        {"op": "view", "view": {"focus": {"mode": ["x"], "row": {}}, "kind": {}, "compare": 1e300}},
        {"op": "group", "rows": [*range(100_000), True, 1.5, None, -1, 10**30]},
        {"op": "camera", "window": [float("nan"), 0, 1, 10**400]},
        {"op": "delivery", "query": HALF, "offset": 10**400, "limit": True},
        {"op": "events", "query": HALF, "offset": float("nan"), "limit": -1, "serial": [HALF]},
        {"op": "live", "on": True, "endpoint": HALF},
        {"op": "live", "on": True, "endpoint": LONG},
        {"op": "relayout", "layout": ["tree"]},
        {"op": ["view"]},
    ],
    ids=lambda content: f"{content['op']}",
)
def test_whatever_a_view_sends_can_be_sent_back(explorer, caplog, content):
    """Texts are cut and made whole characters; the traits can be sent and are small."""
    Listener(explorer)
    explorer._push()
    explorer._on_message(None, content, [])
    told = json_packer([explorer.view, explorer.status, explorer.state])
    assert len(told) < 30_000
    assert "could not" not in caplog.text


def test_many_are_marked_at_once(explorer, graph, monkeypatch):
    """A frame around the whole picture is one look at the graph, not one for each node in it."""
    graph.apply(map(node, range(5, 2_000)))
    heard = Listener(explorer)
    explorer._push()
    pushes = []
    push = explorer._push
    monkeypatch.setattr(explorer, "_push", lambda: (pushes.append(1), push())[1])
    explorer._on_message(None, {"op": "group", "rows": [*range(2_000)] * 2}, [])
    assert len(explorer.group) == 2_000
    assert heard.of("group")[-1]["rows"] == list(range(2_000))
    assert len(pushes) == 1


def test_details_of_events_that_json_cannot_hold(tmp_path):
    """Halves of characters and huge numbers in a file's events keep no detail from the view."""
    hl.reset()
    with hl.run("search", score_directions={"score": "higher"}) as run:
        run.log_individual(kind="program", individual_id="a")
        run.log_individual(kind="program", individual_id="b", parent_ids=["a"])
        run.log_operator(kind="mutate", parent_ids=["a"], child_id="b")
    file = tmp_path / "events.jsonl"
    with file.open("w") as lines:
        for event in hl.explore()._source.all_run_events():
            odd = {"odd": {"half": "\ud83d", "huge": 10**30, "nan": float("nan")}}
            lines.write(json.dumps({**event, "odd": odd}) + "\n")
    opened = hl.explore(file)
    opened._feeder.close()
    heard = Listener(opened)
    opened._on_message(None, {"op": "ready"}, [])
    opened._on_message(None, {"op": "details", "rows": [0, 1]}, [])
    ahead, asked = heard.of("details")
    assert ahead == asked
    assert any(detail["events"] for detail in asked["details"].values())
    opened.close()
    hl.reset()


@pytest.mark.parametrize(
    "view",
    [
        {"hidden": {"operator": "mutate", "model": None}},
        {"focus": 5, "collapsed": {"0": 1}, "query": 5, "compare": True},
        {"later": {"field": [1]}},
    ],
)
def test_a_view_set_by_hand_is_sound(explorer, view):
    """What a script or an old notebook puts into the trait never reaches the browser unchecked."""
    explorer.view = view
    assert explorer.view == first_view()


def test_very_many_names_stay_hidden(explorer):
    """Of thousands of names all but one can be left out, and no later message brings some back."""
    names = [f"model {number:05}" for number in range(5_000)]
    explorer.hide(model=names)
    explorer._on_message(None, {"op": "view", "view": dict(explorer.view)}, [])
    assert explorer.view["hidden"]["model"] == names
