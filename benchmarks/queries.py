"""What it takes to ask a log of a million edges without building a graph of it."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import networkx as nx

import hutch_lineage as hl

from .explorer.results import OURS, Figure, Results, markdown

THEIRS = "networkx"
TEXT = """\
## Asking a log

`hl.query` on a file of Hutch events, beside networkx, whose graph is in memory already.

{table}

Measured {machine}.

### How to read it

- **open** reads the whole file once and writes what questions need into a temporary folder, with
  at most {memory} in DuckDB's memory.
- **ancestors** and **descendants** are those of a node with very many. The keys themselves are read
  as they are looked at.
- **In memory**: the same questions to a graph that is loaded, answered with keys in birth order.
- A node has one parent or two among the {window:,} before it. Each has its turn in each of {rounds}
  rounds; the median round counts.
"""


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    rounds: int = 3
    individuals: int = 740_000  # a third with two parents: a million edges
    window: int = 2_000
    in_memory: int = 100_000
    memory: str = "1GB"


QUICK = Plan(rounds=1, individuals=20_000, in_memory=5_000)


def run(plan: Plan) -> Results:
    """Measure."""
    results = Results()
    with tempfile.TemporaryDirectory(prefix="hutch-lineage-bench-") as folder:
        path = Path(folder) / "log.jsonl"
        edges = write_log(path, plan)
        graph = nx.DiGraph(edges)
        size, last = f"{len(edges):,} edges", f"ind-{plan.individuals - 1}"
        goal = 300.0 if len(edges) > 900_000 else None
        for _ in range(plan.rounds):
            began = time.perf_counter()
            with hl.query(path, memory=plan.memory) as asked:
                results.add(Figure(f"open, {size}", "s"), OURS, time.perf_counter() - began)
                questions: dict[str, tuple[float | None, dict[str, Callable[[], object]]]] = {
                    "ancestors": (
                        goal,
                        {
                            OURS: lambda asked=asked: asked.ancestors(last),  # type: ignore[misc]
                            THEIRS: lambda: nx.ancestors(graph, last),
                        },
                    ),
                    "descendants": (
                        None,
                        {
                            OURS: lambda asked=asked: asked.descendants("ind-0"),  # type: ignore[misc]
                            THEIRS: lambda: nx.descendants(graph, "ind-0"),
                        },
                    ),
                    "cost of an ancestry": (
                        None,
                        {OURS: lambda asked=asked: asked.cost(last)},  # type: ignore[misc]
                    ),
                    "efficacy": (None, {OURS: asked.efficacy}),
                }
                for name, (limit, asks) in questions.items():
                    for who, ask in asks.items():
                        began = time.perf_counter()
                        ask()
                        took = (time.perf_counter() - began) * 1e3
                        results.add(Figure(f"{name}, {size}", "ms", limit), who, took)
    ask_in_memory(plan, results)
    return results


def ask_in_memory(plan: Plan, results: Results) -> None:
    """Put questions of descent to a graph in memory, and to networkx."""
    theirs, last = nx.DiGraph(), plan.in_memory - 1
    with tempfile.TemporaryDirectory(prefix="hutch-lineage-bench-") as folder:
        path = Path(folder) / "log.jsonl"
        theirs.add_edges_from(write_log(path, replace(plan, individuals=plan.in_memory)))
        graph = hl.load(path)
    graph.ancestors(f"ind-{last}")  # puts all in birth order, once
    for _ in range(plan.rounds):
        for name, our, their in (
            ("ancestors", graph.ancestors, nx.ancestors),
            ("descendants", graph.descendants, nx.descendants),
            ("common ancestor", graph.mrca, nx.lowest_common_ancestor),
        ):
            nodes = {"ancestors": [last], "descendants": [0]}.get(name, [last, last - 1])
            ids = [f"ind-{number}" for number in nodes]
            times = [_seconds(lambda: our(*ids)), _seconds(lambda: their(theirs, *ids))]  # noqa: B023 - called at once
            size = f"{plan.in_memory:,} nodes in memory"
            for who, took in zip((OURS, THEIRS), times, strict=True):
                results.add(Figure(f"{name}, {size}", "ms"), who, took * 1e3)
            share = Figure(f"{name}, {size}, of networkx's time", "x", 0.5)
            results.add(share, OURS, times[0] / times[1])


def _seconds(ask: Callable[[], object]) -> float:
    began = time.perf_counter()
    ask()
    return time.perf_counter() - began


def write_log(path: Path, plan: Plan) -> list[tuple[str, str]]:
    """Write a search as Hutch events; return its edges."""
    chance, edges, number = random.Random(1), [], 0
    with path.open("w") as file:
        for row in range(plan.individuals):
            most = 2 if chance.random() < 0.35 else 1
            above = {
                chance.randrange(max(0, row - plan.window), row) for _ in range(most if row else 0)
            }
            child, parents = f"ind-{row}", [f"ind-{each}" for each in sorted(above)]
            edges += [(parent, child) for parent in parents]
            scores, kind = {"score": chance.random()}, chance.choice(("mutate", "crossover"))
            made = {"id": f"op-{row}", "kind": kind, "child_id": child, "parent_ids": parents}
            for event, payload in (
                ("individual", {"id": child, "kind": "program", "parent_ids": parents}),
                ("operator", {**made, "cost_usd": 0.01, "tokens_in": 10}),
                ("fitness", {"individual_id": child, "scores": scores}),
            ):
                number += 1
                line = {
                    "event_id": f"00000000-0000-4000-8000-{number:012x}",
                    "event_kind": event,
                    "run_id": "run",
                    "timestamp_ns": 1_700_000_000_000_000_000 + number,
                    "payload": payload,
                }
                file.write(json.dumps(line) + "\n")
    return edges


def page(results: Results, rounds: int) -> str:
    """Return the section of docs/performance.md."""
    plan = Plan()
    return TEXT.format(
        table="\n".join(markdown(results.rows())),
        machine=results.machine(),
        rounds=rounds,
        memory=plan.memory,
        window=plan.window,
    )


def lines(results: Results) -> list[str]:
    """Return the results as lines of text: the table, the machine."""
    return [*markdown(results.rows()), "", results.machine()]
