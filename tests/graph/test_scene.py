"""The scene: what a front end holds after any sequence of messages is what the graph says."""

from __future__ import annotations

import gc
import json
import math
import threading
import weakref
from contextlib import contextmanager
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.errors import GraphError
from hutch_lineage.export import to_svg
from hutch_lineage.graph import LineageGraph, Scene
from hutch_lineage.graph import edge_rows as edge_rows_module
from hutch_lineage.graph import scene as scene_module
from hutch_lineage.model import (
    EdgeRecord,
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    RunRecord,
    Stamp,
)
from tests.graph.lineages import born, graph_of, made

CONTEXT = ("categories", "metrics", "runs", "summary", "layouts")
TYPES = {"f4": "<f4", "f8": "<f8", "i4": "<i4", "u4": "<u4", "u2": "<u2", "u1": "<u1"}


class Decoder:
    """What a front end does with the messages, in Python."""

    def __init__(self):
        self.tables = {"nodes": {}, "edges": {}, "operators": {}, "migrations": {}, "makers": {}}
        self.counts = dict.fromkeys(self.tables, 0)
        self.context = {}

    def take(self, message):
        content, buffers = message
        content = json.loads(json.dumps(content))  # as it crosses the wire
        if content["reset"]:
            self.__init__()

        def column(part):
            if part["t"] == "str":
                ends = np.frombuffer(buffers[part["o"]], "<u4").tolist()
                return [buffers[part["b"]][a:b].decode() for a, b in pairwise(ends)]
            return np.frombuffer(buffers[part["b"]], TYPES[part["t"]]).tolist()

        for name, table in self.tables.items():
            for patch in content["patches"][name]:
                if patch["rows"] is None:
                    table.update((k, column(part)) for k, part in patch["columns"].items())
                    continue
                rows = column(patch["rows"])
                assert all(row < self.counts[name] for row in rows)
                for field, part in patch["columns"].items():
                    held = table.setdefault(field, [math.nan] * self.counts[name])
                    for row, value in zip(rows, column(part), strict=True):
                        held[row] = value
            new = content["tables"][name]
            assert new["start"] == self.counts[name]
            for field, part in new["columns"].items():
                held = table.setdefault(field, [math.nan] * new["start"])
                held += column(part)
            self.counts[name] += new["count"]
            assert all(len(held) == self.counts[name] for held in table.values())
        self.context = {key: content[key] for key in CONTEXT}
        return self

    def plain(self):
        return json.dumps([self.tables, self.context], sort_keys=True)


def key(number, kind="individual", run="r1"):
    return NodeKey(kind, run, f"n{number}")


@st.composite
def record_lists(draw):
    """Anything a graph may be told: parents late or never, cycles, late scores and costs."""
    keys = st.builds(
        key,
        st.integers(0, 8),
        st.sampled_from(["individual", "agent"]),
        st.sampled_from(["r1", "r2"]),
    )
    records = []
    for number in range(draw(st.integers(1, 25))):
        stamp = Stamp(draw(st.integers(-1, 50)), f"e{number}")
        node = draw(keys)
        parents = tuple(draw(st.lists(keys, max_size=2, unique=True)))
        records.append(
            draw(
                st.sampled_from(
                    [
                        NodeRecord(
                            node, stamp, parents, {"island_id": str(number % 3), "is_seed": True}
                        ),
                        NodeRecord(node, stamp, (), {"generation_index": number % 4}),
                        OperatorRecord(
                            node.run_id,
                            f"o{number % 5}",
                            stamp,
                            parents,
                            node,
                            {"kind": "mutate", "cost_usd": number / 7, "verdict": "rejected"},
                        ),
                        FitnessRecord(node, stamp, {f"m{number % 3}": float(number)}),
                        FitnessRecord(node, stamp, {}, {"invalid_reason": "crashed"}),
                        EdgeRecord(draw(keys), node, stamp),
                        MigrationRecord((node,), stamp, str(number % 2), str(number % 3)),
                        RunRecord(node.run_id, stamp, {"name": f"run {number}"}),
                    ]
                )
            )
        )
    return records


@given(record_lists(), st.lists(st.integers(1, 5), min_size=1), st.integers(0, 25))
def test_deltas_in_any_batching_give_what_one_snapshot_gives(records, sizes, late):
    """Reset and deltas, pulled at any moments by two cursors, add up to the final snapshot."""
    graph = LineageGraph()
    scene = Scene(graph)
    early, front, other = scene.cursor(), Decoder(), Decoder()
    second = scene.cursor()
    place = 0
    positions = []
    while place < len(records):
        size = sizes[place % len(sizes)]
        graph.apply(records[place : place + size])
        place += size
        message = early.pull()
        if message is not None:
            front.take(message)
        now = list(
            zip(front.tables["nodes"].get("x", []), front.tables["nodes"].get("y", []), strict=True)
        )
        assert now[: len(positions)] == positions
        positions = now
        if place > late:
            message = second.pull()
            if message is not None:
                other.take(message)
    message = second.pull()
    if message is not None:
        other.take(message)
    whole = Decoder().take(scene.snapshot())
    assert front.plain() == whole.plain() == other.plain()
    assert early.pull() is None


@given(record_lists())
def test_the_columns_say_what_the_graph_says(records):
    """Ids, ghosts, cycles, edges, orders, scores and costs equal those of the graph."""
    graph = LineageGraph()
    scene = Scene(graph)
    for record in records:
        graph.apply(record)
        scene.update()
    front = Decoder().take(scene.snapshot())
    nodes, edges = front.tables["nodes"], front.tables["edges"]
    looped = {node for cycle in graph.cycles() for node in cycle}
    assert front.counts["nodes"] == len(graph.nx)
    for row in range(front.counts["nodes"]):
        node = scene.key(row)
        said = graph.nx.nodes[node]
        assert (nodes["id"][row], scene.row(node)) == (node.id, row)
        assert bool(nodes["flags"][row] & 2) == said["ghost"]
        assert bool(nodes["flags"][row] & 4) == ("invalid_reason" in said)
        assert bool(nodes["flags"][row] & 8) == (node in looped)
        for metric, value in said.get("scores", {}).items():
            assert nodes[f"m:{metric}"][row] == value
    drawn = {
        (scene.key(a), scene.key(b)): order
        for a, b, order in zip(edges["src"], edges["dst"], edges["order"], strict=True)
    }
    assert drawn == {(a, b): said["order"] for a, b, said in graph.nx.edges(data=True)}


@given(record_lists(), st.integers(1, 3))
def test_a_snapshot_in_parts_is_the_snapshot(records, rows):
    """Each message names only nodes that are there, and together they say the same."""
    graph = LineageGraph()
    graph.apply(records)
    scene, front = Scene(graph), Decoder()
    cursor = scene.cursor()
    while (message := cursor.pull(rows)) is not None:
        content = front.take(message).counts["nodes"]
        assert message[0]["tables"]["nodes"]["count"] <= rows
        for table, column in (("edges", "src"), ("edges", "dst"), ("operators", "child")):
            assert all(row < content for row in front.tables[table].get(column, ()))
    assert front.plain() == Decoder().take(scene.snapshot()).plain()


@contextmanager
def in_batches_from(count):
    """Scenes take in so many rows at once, fewer one by one."""
    with (
        mock.patch.object(scene_module, "BATCH", count),
        mock.patch.object(edge_rows_module, "BATCH", count),
    ):
        yield


@given(record_lists(), st.lists(st.integers(1, 9), min_size=1), st.booleans())
def test_many_at_once_give_what_one_after_the_other_gives(records, sizes, arranged):
    """Columns made in batches and columns made row by row are the same, bit for bit."""
    graph = LineageGraph()
    rows, batches = Scene(graph), Scene(graph)
    place = 0
    while place < len(records):
        size = sizes[place % len(sizes)]
        graph.apply(records[place : place + size])
        place += size
        with in_batches_from(10**9):
            rows.update()
        arranged_from = mock.patch.object(scene_module, "ARRANGED_FROM", 1 if arranged else 10**9)
        with in_batches_from(1), arranged_from:
            batches.update()
    one, other = Decoder().take(rows.snapshot()), Decoder().take(batches.snapshot())
    if arranged:
        for front in (one, other):
            del front.tables["nodes"]["x"], front.tables["nodes"]["y"], front.context["layouts"]
    assert one.plain() == other.plain()


def test_layouts_come_when_asked_for_and_then_grow():
    """Their columns are sent whole once, and with the rows from then on; no old node moves."""
    graph = LineageGraph()
    graph.apply([NodeRecord(key(n), Stamp(n, f"e{n}"), (key(n // 2),)) for n in range(1, 9)])
    scene, front, late = Scene(graph), Decoder(), Decoder()
    cursor = scene.cursor()
    front.take(cursor.pull())
    assert list(front.context["layouts"]) == ["generations"]
    for layout in ("tree", "time", "layered", "radial", "islands"):
        scene.arrange(layout)
        message = cursor.pull()
        assert [patch["rows"] for patch in message[0]["patches"]["nodes"]] == [None]
        front.take(message)
        assert layout in front.context["layouts"]
    scene.arrange("tree")
    assert cursor.pull() is None
    before = {n: list(v) for n, v in front.tables["nodes"].items() if n.partition(":")[1]}
    graph.apply(NodeRecord(key(20), Stamp(20, "new"), (key(3),)))
    front.take(cursor.pull())
    assert {n: front.tables["nodes"][n][:-1] for n in before} == before
    assert front.plain() == late.take(scene.snapshot()).plain()


def test_a_new_arrangement_reaches_every_front_end():
    """Two cursors of one scene: both get the new positions, once."""
    graph = LineageGraph()
    graph.apply([NodeRecord(key(n), Stamp(n, f"e{n}"), (key((n * 7) % 5),)) for n in range(5, 40)])
    scene, fronts = Scene(graph), [Decoder(), Decoder()]
    cursors = [scene.cursor() for _ in fronts]
    for cursor, front in zip(cursors, fronts, strict=True):
        front.take(cursor.pull())
    scene.relayout("generations")
    for cursor, front in zip(cursors, fronts, strict=True):
        front.take(cursor.pull())
        assert cursor.pull() is None
    assert fronts[0].plain() == fronts[1].plain() == Decoder().take(scene.snapshot()).plain()


def test_lanes_of_islands_are_named():
    """A front end can write the island beside its lane."""
    graph = LineageGraph()
    graph.apply(
        [NodeRecord(key(n), Stamp(n, "e"), (), {"island_id": f"i{n % 2}"}) for n in range(4)],
        NodeRecord(key(9), Stamp(9, "e")),
    )
    scene = Scene(graph)
    scene.arrange("islands")
    lanes = Decoder().take(scene.snapshot()).context["layouts"]["islands"]["lanes"]
    assert [lane["name"] for lane in lanes] == ["no island", "i0", "i1"]
    assert all(a["y1"] < b["y0"] for a, b in pairwise(lanes))


def test_an_unknown_layout():
    """One clear error."""
    with pytest.raises(GraphError, match="generations, layered"):
        Scene(LineageGraph()).arrange("spring")


def test_one_scene_for_all_front_ends_of_a_graph():
    """It is shared while somebody uses it, and goes with the last user."""
    graph, other = LineageGraph(), LineageGraph()
    scene = Scene.of(graph)
    assert Scene.of(graph) is scene
    assert Scene.of(other) is not scene
    gone = weakref.ref(scene)
    del scene
    gc.collect()
    assert gone() is None


def test_moves_between_islands():
    """Each migration stands once, however often it is told, oldest first."""
    graph = LineageGraph()
    move = MigrationRecord((key(0), key(1)), Stamp(5 * 10**9, "m"), "a", "b")
    graph.apply(NodeRecord(key(0), Stamp(1, "n")), move)
    scene, front = Scene(graph), Decoder()
    front.take(scene.snapshot())
    graph.apply(move, MigrationRecord((key(0),), Stamp(7 * 10**9, "n"), "b", "c"))
    moves = front.take(scene.delta()).tables["migrations"]
    assert front.context["categories"]["island"] == ["a", "b", "c"]
    assert moves == {
        "node": [0, 1, 0],
        "from": [0, 0, 1],
        "to": [1, 1, 2],
        "time": [5.0, 5.0, 7.0],
    }


def test_agents_tokens_and_scores_of_operators():
    """An agent's own change counts as its doing; another operator's agent is its overseer."""
    graph = LineageGraph()
    told = {"tokens_in": 3, "tokens_out": 4, "score_before": 0.5, "score_after": 0.75}
    parent, child = key(0, "agent"), key(1, "agent")
    graph.apply(
        OperatorRecord("r1", "s", Stamp(1, "a"), (parent,), child, told | {"overseer_id": "judge"}),
        OperatorRecord("r1", "o", Stamp(2, "b"), (), key(2), {"overseer_id": "judge"}),
    )
    scene = Scene(graph)
    front = Decoder().take(scene.snapshot())
    nodes, operators = front.tables["nodes"], front.tables["operators"]
    agents = front.context["categories"]["agent"]
    assert [agents[code] for code in operators["agent"]] == ["n0", "judge"]
    assert agents[nodes["agent"][scene.row(child)]] == "n0"
    assert nodes["agent"][scene.row(parent)] == -1
    assert nodes["tokens"][scene.row(child)] == 7
    assert math.isnan(nodes["tokens"][scene.row(key(2))])
    assert (operators["score_before"][0], operators["score_after"][0]) == (0.5, 0.75)


def test_a_ghost_becomes_real_where_it_stands():
    """A parent that arrives after its child loses the ghost flag and keeps row and position."""
    graph = LineageGraph()
    scene = Scene(graph)
    front = Decoder()
    graph.apply(NodeRecord(key(1), Stamp(1, "a"), (key(0),)))
    front.take(scene.snapshot())
    row = scene.row(key(0))
    before = front.tables["nodes"]["x"][row], front.tables["nodes"]["y"][row]
    assert front.tables["nodes"]["flags"][row] == 2
    graph.apply(NodeRecord(key(0), Stamp(0, "b"), (), {"is_seed": True}))
    front.take(scene.delta())
    assert front.tables["nodes"]["flags"][row] == 1
    assert (front.tables["nodes"]["x"][row], front.tables["nodes"]["y"][row]) == before
    assert front.context["summary"]["ghosts"] == 0


def test_a_late_metric_is_nan_in_the_rows_before():
    """A metric column that first comes in a patch reaches back over all rows."""
    graph = LineageGraph()
    scene = Scene(graph)
    front = Decoder()
    graph.apply([NodeRecord(key(n), Stamp(n, f"e{n}")) for n in range(3)])
    front.take(scene.snapshot())
    assert "m:loss" not in front.tables["nodes"]
    graph.apply(FitnessRecord(key(1), Stamp(9, "f"), {"loss": 0.5}, {"composite": 2.0}))
    front.take(scene.delta())
    assert [math.isnan(v) for v in front.tables["nodes"]["m:loss"]] == [True, False, True]
    assert front.tables["nodes"]["m:composite"][1] == 2.0
    assert {"name": "loss", "direction": "lower", "declared": False} in front.context["metrics"]


def test_operator_columns_and_the_sum_of_costs():
    """A node shows its newest operator and the sum of the costs of all that made it."""
    graph = LineageGraph()
    graph.apply(
        OperatorRecord("r1", "o1", Stamp(10**9, "a"), (key(0),), key(1), {"kind": "mutate"}),
        OperatorRecord(
            "r1",
            "o2",
            Stamp(2 * 10**9, "b"),
            (key(0), key(2)),
            key(1),
            {"kind": "crossover", "llm_id": "m", "cost_usd": 0.25, "tokens_in": 7},
        ),
    )
    scene = Scene(graph)
    front = Decoder().take(scene.snapshot())
    row = scene.row(key(1))
    names = front.context["categories"]
    assert names["operator"][front.tables["nodes"]["op"][row]] == "crossover"
    assert names["model"][front.tables["nodes"]["model"][row]] == "m"
    assert front.tables["nodes"]["cost"][row] == 0.25
    assert front.tables["operators"]["child"] == [row, row]
    assert front.tables["operators"]["time"] == [1.0, 2.0]
    assert math.isnan(front.tables["operators"]["tokens_in"][0])


def test_a_cost_that_comes_later_patches_operator_and_node():
    """Known late is as good as known at once."""
    graph = LineageGraph()
    scene = Scene(graph)
    graph.apply(OperatorRecord("r1", "o", Stamp(1, "a"), (key(0),), key(1), {"kind": "mutate"}))
    front = Decoder().take(scene.snapshot())
    graph.apply(OperatorRecord("r1", "o", Stamp(2, "b"), (key(0),), key(1), {"cost_usd": 0.5}))
    front.take(scene.delta())
    assert front.tables["nodes"]["cost"][scene.row(key(1))] == 0.5
    assert front.tables["operators"]["cost"] == [0.5]


def test_rejected_self_modifications_are_flagged_on_node_edge_and_operator():
    """An agent whose newest self-modification was rejected can be told apart."""
    graph = LineageGraph()
    parent, child = key(0, "agent"), key(1, "agent")
    graph.apply(
        NodeRecord(parent, Stamp(0, "n")),
        OperatorRecord("r1", "s", Stamp(1, "a"), (parent,), child, {"verdict": "rejected"}),
    )
    scene = Scene(graph)
    front = Decoder().take(scene.snapshot())
    assert front.tables["nodes"]["flags"][scene.row(child)] == 16
    assert front.tables["nodes"]["kind"] == [1, 1]
    assert front.tables["edges"]["flags"] == [2]
    assert front.tables["operators"]["flags"] == [2]


def test_children_told_before_their_parents_are_still_drawn_to_the_right_of_them():
    """A graph that is loaded whole does not depend on the order of its file."""
    chain = [NodeRecord(key(n), Stamp(n, f"e{n}"), (key(n - 1),) if n else ()) for n in range(9)]
    graph = LineageGraph()
    graph.apply(chain[::-1])
    scene = Scene(graph)
    front = Decoder().take(scene.snapshot())
    assert [front.tables["nodes"]["x"][scene.row(key(n))] for n in range(9)] == list(range(9))


def test_a_chain_of_100_000_is_mirrored_without_recursion():
    """Depth is no limit for the scene either."""
    records = (
        NodeRecord(key(n), Stamp(n, f"e{n}"), (key(n - 1),) if n else ()) for n in range(100_000)
    )
    graph = LineageGraph()
    graph.apply(records)
    content, _ = Scene(graph).snapshot()
    assert content["tables"]["nodes"]["count"] == 100_000


def test_detail_holds_texts_and_operators():
    """What a panel shows of a node: genome, diff, prompt, verdict, migrations; JSON-ready."""
    graph = LineageGraph()
    graph.apply(
        NodeRecord(
            key(1), Stamp(1, "a"), (key(0),), {"genome": "<b>x</b>", "metadata": {"a": {1}}}
        ),
        OperatorRecord(
            "r1", "o", Stamp(2, "b"), (key(0),), key(1), {"diff": "+x", "prompt_template": "p"}
        ),
    )
    scene = Scene(graph)
    detail = scene.detail(scene.row(key(1)))
    assert detail["genome"] == "<b>x</b>"
    assert detail["diff"] == "+x"
    assert detail["operators"][0]["prompt"] == "p"
    assert json.loads(json.dumps(detail)) == detail


def test_pulling_while_another_thread_applies():
    """A front end may pull on one thread while a run logs on another."""
    graph = LineageGraph()
    scene = Scene(graph)
    cursor, front = scene.cursor(), Decoder()

    def log():
        for n in range(300):
            graph.apply(NodeRecord(key(n), Stamp(n, f"e{n}"), (key(n // 2),) if n else ()))

    worker = threading.Thread(target=log)
    worker.start()
    while worker.is_alive():
        message = cursor.pull()
        if message is not None:
            front.take(message)
    worker.join()
    message = cursor.pull()
    if message is not None:
        front.take(message)
    assert front.counts["nodes"] == 300
    assert front.counts["edges"] == 299


def test_real_runs_are_mirrored(data_dir):
    """Both published Hutch runs come out with their counts."""
    counts = {}
    for name in ("hutch-openevolve", "hutch-codeevolve"):
        graph = LineageGraph()
        lines = (data_dir / name / "events.jsonl").read_text().splitlines()
        graph.apply([json.loads(line) for line in lines])
        content, _ = Scene(graph).snapshot()
        counts[name] = content["summary"]["individuals"], content["tables"]["edges"]["count"]
    assert counts == {"hutch-openevolve": (121, 120), "hutch-codeevolve": (469, 439)}


def test_parents_of_several_operators_are_told():
    """Where two operators made one child, each has its own parents; one alone needs no rows."""
    graph = graph_of(made("c", 1, "a", op="one"), made("d", 1, "a"))
    scene, front = Scene(graph), Decoder()
    assert front.take(scene.snapshot()).tables["makers"]["op"] == []
    graph.apply(made("c", 2, "a", "b", op="two"))
    told = front.take(scene.delta()).tables["makers"]
    names = front.tables["nodes"]["id"]
    pairs = sorted((op, names[src]) for op, src in zip(told["op"], told["src"], strict=True))
    assert pairs == [(0, "a"), (2, "a"), (2, "b")]


def test_notes_are_complete_once_the_graph_rests(monkeypatch):
    """Beside a growing graph the notes may be late; settling makes them, and fronts hear of it."""
    monkeypatch.setattr("hutch_lineage.graph.legend.SMALL", 0)
    graph = LineageGraph()
    scene, front = Scene(graph), Decoder()
    graph.apply(NodeRecord(key(number), Stamp(number, ""), (), {}) for number in range(20))
    front.take(scene.snapshot())
    graph.apply(NodeRecord(key(30), Stamp(30, ""), (key(31),), {}))
    front.take(scene.delta())
    assert front.context["summary"]["ghosts"] == 1
    assert not scene.is_settled
    scene.settle()
    front.take(scene.delta())
    assert scene.is_settled
    assert front.context["summary"]["notes"] == graph.report.lines()
    assert scene.delta() is None


@pytest.mark.parametrize(
    ("odd", "individuals", "axis"),
    [(0, 50, "generation"), (1, 50, "depth"), (1, 200, "generation"), (12, 50, "depth")],
)
def test_columns_are_generations_only_where_nearly_all_agree(odd, individuals, axis):
    """A child of its parent's generation stands one column further; the picture says the same."""
    graph = LineageGraph()
    graph.apply(
        born(
            f"n{n}", n, *([f"n{n - 1}"] if n else []), generation_index=n - (n >= individuals - odd)
        )
        for n in range(individuals)
    )
    scene = Scene(graph)
    scene.update()
    assert scene.layouts()["generations"]["axis"] == axis
    word = "gen" if axis == "generation" else "depth"
    assert f">{word} 0<" in to_svg(graph)


@pytest.mark.parametrize("small", [0, 500])
def test_the_axis_is_what_the_generations_say_in_the_end(monkeypatch, small):
    """Generations that are told late, of nodes that are there, make the layers generations."""
    for module in ("legend", "arrangements"):
        monkeypatch.setattr(f"hutch_lineage.graph.{module}.SMALL", small)
    graph = LineageGraph()
    scene, front = Scene(graph), Decoder()
    chain = [NodeRecord(key(n), Stamp(n, ""), (key(n - 1),) if n else ()) for n in range(40)]
    graph.apply(chain)
    front.take(scene.snapshot())
    assert front.context["layouts"]["generations"]["axis"] == "depth"
    for n in range(40):
        graph.apply(NodeRecord(key(n), Stamp(50 + n, ""), (), {"generation_index": n}))
    front.take(scene.delta())
    scene.settle()
    if small == 0:
        front.take(scene.delta())
    assert front.context["layouts"]["generations"]["axis"] == "generation"
    assert scene.is_settled
    assert scene.delta() is None


@pytest.mark.parametrize("count", [1, 40])
def test_a_number_beyond_printing_is_said_by_its_size(count):
    """What no text can be made of neither breaks the scene nor hides the others."""
    graph = LineageGraph()
    graph.apply(
        OperatorRecord("r", f"o{n}", Stamp(n, f"e{n}"), (), key(n), {"llm_id": 10**5000})
        for n in range(count)
    )
    scene = Scene(graph)
    assert scene.update()
    assert scene.legend.categories["model"] == ["a number of 16,610 bits"]


def test_a_genome_is_told_once():
    """Not again within the metadata that it came in."""
    graph = LineageGraph()
    said = {"genome": "x + 1", "metadata": {"genome": "x + 1", "prompt": "p"}}
    graph.apply(NodeRecord(key("a"), Stamp(1, "e"), (), said))
    scene = Scene(graph)
    scene.update()
    detail = scene.detail(scene.row(key("a")))
    assert (detail["genome"], detail["metadata"]) == ("x + 1", {"prompt": "p"})
