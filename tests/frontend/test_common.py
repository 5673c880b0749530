"""Python and the browser give the same answers about the same lineage."""

from __future__ import annotations

import base64
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hutch_lineage.graph import LineageGraph, Scene
from tests.graph.lineages import born, graph_of, made

SCRIPT = Path(__file__).with_name("common.mjs")


def grown(
    seed: int, *, contradicted: bool = False, cyclic: bool = False, foreign: float = 0.0
) -> LineageGraph:
    """A random graph; where wanted, times go against the edges, or edges go back.

    `foreign` is the share of those that have no birth but a time of their source.
    """
    chance = random.Random(seed)
    names = [f"i{number}" for number in range(60)]
    chance.shuffle(names)
    records: list[Any] = []
    for number, name in enumerate(names):
        seconds = chance.randrange(40) if contradicted else 100 + number
        time_ns = -1 if contradicted and chance.random() < 0.1 else seconds * 10**9
        parents = chance.sample(names[:number], min(chance.choice([0, 1, 1, 2, 3]), number))
        if cyclic and chance.random() < 0.1:
            parents.append(chance.choice(names))
        own = {}
        if chance.random() < foreign:
            time_ns, own = -1, {"origin_time": chance.choice([-3, 0.5, 7, 20, chance.random()])}
        records.append(born(name, time_ns, *parents, **own))
        if parents:
            records.append(made(name, 10**12, *parents, cost_usd=0.5, tokens_in=3, tokens_out=1))
    return graph_of(*records)


def asked(graph: LineageGraph, pairs: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """What the view's own code says of pairs of rows."""
    messages = [
        {"content": content, "buffers": [base64.b64encode(each).decode() for each in buffers]}
        for content, buffers in Scene(graph).cursor().messages()
    ]
    done = subprocess.run(
        [shutil.which("node") or "node", str(SCRIPT)],
        input=json.dumps({"messages": messages, "pairs": pairs}),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


@pytest.mark.node
@pytest.mark.parametrize(
    ("contradicted", "cyclic"), [(False, False), (True, False), (False, True), (True, True)]
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_are_compared_alike(seed: int, contradicted: bool, cyclic: bool) -> None:
    """MRCA, shared and own ancestors, steps and costs are those of `LineageGraph.compare`."""
    graph = grown(seed, contradicted=contradicted, cyclic=cyclic)
    assert_compared_alike(graph, seed)


@pytest.mark.node
@pytest.mark.parametrize("foreign", [1.0, 0.5])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_times_of_a_source_count_where_no_birth_is_known(seed: int, foreign: float) -> None:
    """Of several common ancestors the same one is the most recent, also beside known births."""
    assert_compared_alike(grown(seed, foreign=foreign), seed)


def assert_compared_alike(graph: LineageGraph, seed: int) -> None:
    scene = Scene(graph)
    scene.update()
    chance = random.Random(seed)
    pairs = [(chance.randrange(60), chance.randrange(60)) for _ in range(120)]
    keys = [scene.key(row) for row in range(len(scene))]
    wanted = []
    for a, b in pairs:
        c = graph.compare(keys[a], keys[b])
        costs = [
            [cost.operators, cost.cost_usd or 0, cost.tokens_in or 0, cost.tokens_out or 0]
            for cost in (c.cost_a, c.cost_b)
        ]
        wanted.append(
            {
                "mrca": -1 if c.mrca is None else keys.index(c.mrca),
                "shared": len(c.shared_ancestors),
                "only": [c.only_a, c.only_b],
                "steps": [c.steps_a, c.steps_b],
                "costs": costs,
            }
        )
    assert asked(graph, pairs) == wanted
