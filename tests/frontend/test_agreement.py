"""What the panels compute in the browser is what Python answers on the same graph."""

from __future__ import annotations

import base64
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hutch_lineage.explorer import view_state
from hutch_lineage.export.choosing import Wanted
from hutch_lineage.export.composing import compose
from hutch_lineage.graph import LAYOUTS, LineageGraph, Scene, edge_rows, rows
from hutch_lineage.model import FitnessRecord, NodeKey, NodeRecord, OperatorRecord, RunRecord, Stamp
from tests.graph.lineages import key

pytestmark = pytest.mark.node

SCRIPT = Path(__file__).with_name("agree.mjs")
COLUMNS = {
    "tries": "tries",
    "compared": "compared",
    "improvements": "improvements",
    "rate": "improvement_rate",
    "medianGain": "median_gain",
    "meanGain": "mean_gain",
    "bestGain": "best_gain",
    "cost": "cost_usd",
    "gainPerUsd": "gain_per_usd",
    "tokens": "tokens",
    "gainPerKtoken": "gain_per_1k_tokens",
    "unknownCost": "unknown_cost",
}


def made_up(seed: int, direction: str, individuals: int = 240) -> LineageGraph:
    """A run with all that goes wrong: ghosts, cycles, invalid ones, unknown costs and scores."""
    chance = random.Random(seed)
    graph = LineageGraph()
    graph.apply(RunRecord("r", Stamp(1, "run"), {"score_directions": {"score": direction}}))
    time = 10
    for n in range(individuals):
        time += 1
        generation = n // 24
        name = f"i{n}"
        parents = [f"i{chance.randrange(max(1, n))}" for _ in range(chance.choice([1, 1, 2, 3]))]
        parents = list(dict.fromkeys(parents)) if n >= 6 else []
        if parents and chance.random() < 0.05:
            parents.append(f"lost{n}")
        if parents and chance.random() < 0.03:  # descends from what comes later, or from itself
            parents.append(f"i{min(individuals - 1, n + chance.randrange(3))}")
        above = tuple(key(parent) for parent in dict.fromkeys(parents))
        said: dict[str, Any] = {"generation_index": generation, "kind": "program"}
        graph.apply(NodeRecord(key(name), Stamp(time, f"n{n}"), above, said))
        if above:
            made = _operator(chance, name, above, time)
            graph.apply(made)
            graph.apply(NodeRecord(each.child, Stamp(time, "t"), (), said) for each in made)
        if chance.random() < 0.93:
            reason = {"invalid_reason": "crash"} if chance.random() < 0.1 else {}
            scores = {} if reason else {"score": chance.gauss(generation / 5, 1)}
            graph.apply(FitnessRecord(key(name), Stamp(time, f"f{n}"), scores, reason))
    return graph


def _operator(chance: random.Random, name: str, above: tuple[Any, ...], time: int) -> Any:
    said: dict[str, Any] = {"kind": chance.choice(["mutate", "crossover", None])}
    if chance.random() < 0.8:
        said["llm_id"] = chance.choice(["small", "large"])
    if chance.random() < 0.8:
        said["cost_usd"] = chance.random()
    if chance.random() < 0.8:
        said |= {"tokens_in": chance.randrange(900), "tokens_out": chance.randrange(90)}
    twin = (key(f"{name}-twin"),) if chance.random() < 0.05 else ()
    made = [
        OperatorRecord("r", f"o-{name}", Stamp(time, f"o{name}"), above, child, said)
        for child in (key(name), *twin)
    ]
    if chance.random() < 0.1:  # a second operator made it, too, from some of the parents
        again = Stamp(time + 1, f"p{name}")
        said = {"kind": "repair", "cost_usd": 0.5}
        made.append(OperatorRecord("r", f"p-{name}", again, above[:1], key(name), said))
    return made


def changed(number: int, before: float, after: float, **said: Any) -> OperatorRecord:
    """A self-modification that states its scores."""
    parent, child = key("agent-0", kind="agent"), key(f"agent-{number}", kind="agent")
    said |= {"kind": "self_mod", "score_before": before, "score_after": after}
    return OperatorRecord("r", f"s{number}", Stamp(9_000 + number, "s"), (parent,), child, said)


def asked(graph: LineageGraph, **view: Any) -> dict[str, Any]:
    """What the front end answers."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is needed")
    content, buffers = Scene(graph).snapshot()
    texts = [base64.b64encode(bytes(buffer)).decode() for buffer in buffers]
    given = {"messages": [{"content": content, "buffers": texts}], "view": view}
    done = subprocess.run(
        [node, str(SCRIPT)], input=json.dumps(given), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def same(found: Any, expected: Any) -> bool:
    """Whether two numbers agree; NaN is null in JSON."""
    if found is None or expected != expected:
        return found is None and expected != expected
    return bool(found == pytest.approx(expected, rel=1e-9, abs=1e-12))


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_efficacy_is_that_of_the_graph(direction: str) -> None:
    """Every column of both tables."""
    graph = made_up(3, direction)
    graph.apply(changed(1, 0.2, 0.5, benchmark="score", verdict="accepted"))
    graph.apply(changed(2, 0.2, 0.9, benchmark="another"))
    answer = asked(graph)
    assert answer["metric"] == "score"
    for by, kind in (("operator", "kind"), ("model", "llm_id")):
        table = graph.efficacy(kind, "score")
        assert [row["name"] for row in answer[by]] == list(table.index)
        for row in answer[by]:
            wanted = table.loc[row["name"]]
            wrong = {js: row[js] for js, py in COLUMNS.items() if not same(row[js], wanted[py])}
            assert wrong == {}


@pytest.mark.parametrize("births", [(30, 20, 10), (10, 10, 10), (-1, -1, 5), (-1, -1, -1)])
def test_the_best_of_equals_is_that_of_the_graph(births: tuple[int, ...]) -> None:
    """The first born, in whatever order they came; without times, the source's own, then the id."""
    graph = LineageGraph()
    graph.apply(RunRecord("r", Stamp(1, "run"), {"score_directions": {"score": "higher"}}))
    for name, born, origin in zip("cba", births, (0.0, 7.0, 3.0), strict=True):
        graph.apply(NodeRecord(key(name), Stamp(born, name), (), {"origin_time": origin}))
        graph.apply(FitnessRecord(key(name), Stamp(50, name), {"score": 1.0}))
    best = graph.best()
    assert best is not None
    assert asked(graph)["best"] == best.id


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_seed_shares_are_those_of_the_graph(seed: int) -> None:
    """Ghosts, cycles and several parents included."""
    graph = made_up(seed, "higher")
    answer = asked(graph)["shares"]
    table = graph.seed_shares()
    columns = [*answer["shares"], answer["others"], answer["unknown"]]
    assert (answer["by"], answer["at"]) == ("generation", list(table.index))
    assert answer["seeds"] == list(table)[:-2]
    for name, found in zip(table, columns, strict=True):
        assert found == pytest.approx(table[name].to_list(), abs=1e-6)


def test_costs_are_those_of_the_graph() -> None:
    """An operator that made two children is paid once."""
    graph = made_up(3, "higher")
    found, expected = asked(graph)["cost"], graph.cost()
    assert found["operators"] == expected.operators
    assert found["unpriced"] == expected.unknown_cost
    assert found["cost"] == pytest.approx(expected.cost_usd)
    assert (found["tokensIn"], found["tokensOut"]) == (expected.tokens_in, expected.tokens_out)


def test_what_no_operator_made_has_no_price() -> None:
    """Not that of nothing: a page shows a price where more operators are counted than unpriced."""
    graph = LineageGraph()
    graph.apply(NodeRecord(key("a"), Stamp(1, "a"), (), {}))
    graph.apply(NodeRecord(key("b"), Stamp(2, "b"), (key("a"),), {}))
    found = asked(graph)["cost"]
    assert (graph.cost().cost_usd, found["operators"] > found["unpriced"]) == (None, False)


@pytest.mark.parametrize(
    ("scores", "declared", "expected"),
    [
        ([{"q": 1.0, "p": 1.0}], [{}], "p"),
        ([{"p": 1.0, "q": 1.0}], [{"q": "lower"}], "q"),
        ([{"p": 1.0, "q": 1.0, "r": 1.0}], [{"r": "lower", "q": "higher"}], "r"),
        ([{"p": 1.0, "fitness": 1.0}], [{}], "fitness"),
        ([{"p": 1.0}, {"b": 1.0, "a": 1.0}], [{}, {"b": "higher"}], "p"),
        ([{}, {"b": 1.0, "a": 1.0}], [{"c": "lower"}, {"b": "higher", "a": "lower"}], "b"),
        ([{}], [{"c": "lower"}], None),
    ],
)
def test_both_pictures_begin_with_the_same_metric(
    scores: list[dict[str, float]], declared: list[dict[str, str]], expected: str | None
) -> None:
    """The one of the run; where that is open the first declared; else the first by name."""
    graph = LineageGraph()
    for n, (said, measured) in enumerate(zip(declared, scores, strict=True)):
        run = f"run-{n}"
        graph.apply(RunRecord(run, Stamp(n, run), {"score_directions": said}))
        graph.apply(FitnessRecord(NodeKey("individual", run, "a"), Stamp(9, "f"), measured, {}))
        graph.apply(NodeRecord(NodeKey("individual", run, "a"), Stamp(8, "n"), (), {}))
    static = compose(graph, Wanted()).scale
    assert (asked(graph)["metric"], static and static.name) == (expected, expected)


def test_both_sides_use_the_same_words() -> None:
    """Each has its own table of flags, categories and layouts, and of a new view's state."""
    told = asked(made_up(3, "higher", 3))["words"]
    flags = (rows.SEED, rows.GHOST, rows.INVALID, rows.CYCLE, rows.REJECTED)
    assert list(told["node"].items()) == list(
        zip(("seed", "ghost", "invalid", "cycle", "rejected"), flags, strict=True)
    )
    assert told["edge"] == {"cycle": edge_rows.EDGE_CYCLE, "rejected": edge_rows.EDGE_REJECTED}
    assert told["operator"] == rows.VERDICTS
    assert tuple(told["hideable"]) == view_state.HIDEABLE
    assert told["view"] == view_state.first_view()
    assert tuple(LAYOUTS) == view_state.LAYOUTS
