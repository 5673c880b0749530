"""Runs whose edges are known, as Hutch events: real ones, the notebooks', and made ones."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import Event, parse_event
from hutch_lineage.readers import read
from tests.support.shown import Edge

ROOT = Path(__file__).resolve().parents[2]
MOST_OPERATORS = 500


@dataclass(frozen=True)
class Case:
    """Some runs, and what happens to them on their way.

    Attributes
    ----------
    name : str
        As in the table of docs/backends.md.
    events : callable
        Makes the Hutch events.
    end : int or None
        How many of them are logged before it is looked; None for all.
    hardship : {"", "restart", "twice"}
        The backend is restarted in the middle; or everything is posted twice.
    is_large : bool
        Whether a real backend takes a minute for it.
    """

    name: str
    events: Callable[[], Sequence[Event]]
    end: int | None = None
    hardship: str = ""
    is_large: bool = False

    def __str__(self) -> str:
        return self.name.replace(" ", "-")


def truth_of(events: Sequence[Event]) -> frozenset[Edge]:
    """Return the edges of runs, parent to child, as the graph of their Hutch events has them."""
    graph = LineageGraph()
    graph.apply(events)
    return frozenset(graph.nx.edges)


@lru_cache
def of_file(path: Path) -> tuple[Event, ...]:
    """Return the Hutch events of a file, with at most 500 operators."""
    events: list[Event] = []
    operators = 0
    for event in read(path).events():
        assert not isinstance(event, dict)
        operators += event.event_kind == "operator"
        if event.event_kind != "operator" or operators <= MOST_OPERATORS:
            events.append(event)
    return tuple(events)


@lru_cache
def of_notebook(name: str) -> tuple[Event, ...]:
    """Return the Hutch events that a notebook logs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        program = [sys.executable, "-m", "tests.backends.notebook_events"]
        subprocess.run([*program, ROOT / "notebooks" / name, path], check=True, cwd=ROOT)
        return of_file(path)


def made(run_id: str, name: str, steps: int = 30, *, status: str = "finished") -> list[Event]:
    """Return a run with crossovers, self-modifications and a parent that no operator names."""
    raw: list[tuple[str, dict[str, object]]] = [
        ("run_start", {"name": name}),
        *(("individual", {"id": f"ind-{k}", "kind": "program", "is_seed": True}) for k in range(3)),
    ]
    for k in range(3, steps):
        parents = [f"ind-{k - 3}", f"ind-{k - 1}"][: 1 + k % 2]
        raw.append(("individual", {"id": f"ind-{k}", "kind": "program", "parent_ids": parents}))
        if k % 10 == 9:  # logged with its parents alone
            continue
        operator = {"id": f"op-{k}", "kind": "crossover" if k % 2 else "mutate", "cost_usd": 0.01}
        raw.append(("operator", {**operator, "parent_ids": parents, "child_id": f"ind-{k}"}))
        if k % 5 == 0:
            raw.append(("self_mod", _self_mod(f"agent-{k // 5 - 1}", f"agent-{k // 5}", k)))
    raw.append(("run_end", {"status": status}))
    return [
        parse_event(
            {
                "event_id": str(uuid5(NAMESPACE_URL, f"{run_id}/{number}")),
                "event_kind": kind,
                "run_id": run_id,
                "timestamp_ns": 1_777_984_496_000_000_000 + number * 1_000_000,
                "payload": payload,
            }
        )
        for number, (kind, payload) in enumerate(raw)
    ]


def _self_mod(parent: str, child: str, number: int) -> dict[str, object]:
    return {
        "parent_agent_id": parent,
        "child_agent_id": child,
        "target_path": "agent.py",
        "proposal": "be better",
        "overseer_id": "gate",
        "overseer_verdict": "rejected" if number % 10 else "accepted",
    }


def three_runs() -> list[Event]:
    """Return three runs that share all ids, logged side by side."""
    runs = [made(f"run-{letter}", "twins", 12 + 4 * k) for k, letter in enumerate("abc")]
    longest = max(map(len, runs))
    return [run[k] for k in range(longest) for run in runs if k < len(run)]


def cases(data: Path) -> list[Case]:
    """Return all cases; `data` holds the real runs."""
    openevolve, codeevolve = (
        partial(of_file, data / f"hutch-{name}" / "events.jsonl")
        for name in ("openevolve", "codeevolve")
    )
    second = partial(of_notebook, "02_evolution.ipynb")
    third = partial(of_notebook, "03_self_improving_agents.ipynb")
    crossover = partial(made, "run-x", "crossovers")
    return [
        Case("OpenEvolve's run", openevolve, is_large=True),
        Case("CodeEvolve's run", codeevolve, is_large=True),
        Case("notebook 02", second, is_large=True),
        Case("notebook 03", third, is_large=True),
        Case("crossovers and agents", crossover),
        Case("three runs with the same ids", three_runs),
        Case("while the run goes on", crossover, end=30),
        Case("after FAIL", partial(made, "run-f", "fails", status="failed")),
        Case("a restart in the middle", crossover, hardship="restart"),
        Case("every event posted twice", crossover, hardship="twice"),
    ]


def written(events: Sequence[Event], path: Path) -> Path:
    """Write Hutch events as JSONL."""
    path.write_text("".join(json.dumps(event.model_dump(mode="json")) + "\n" for event in events))
    return path
