"""How long a file takes to become a graph, and how much memory a node takes then.

Each opening has a process of its own, so that what one leaves behind costs no other. Beside it
stands a networkx graph that is filled by hand from the same file: the same nodes and edges with
their attributes, without the rules that a graph of events needs.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx
import orjson

from hutch_lineage.graph import LineageGraph
from hutch_lineage.mapping import mapper_of, preset_of
from hutch_lineage.model import parse_event

from .explorer.lineages import avida_file
from .explorer.results import OURS, Figure, Results, markdown

BY_HAND = "networkx"
TEXT = """\
## Opening files

What it takes until a file is a graph that can be asked.

{table}

Measured {machine}.

Peer: networkx {networkx}, filled by hand from the same file: the same nodes, edges and attributes.

### How to read it

- **events** are those of a search as the default preset writes them, one OpenLineage event a line,
  {size} a piece. Each makes an individual of two others.
- **peak memory** is how far the process grew while it read, over the individuals.
- **rate** is that of networkx over ours, in the same round.
- Each opening has a process of its own in each of {rounds} rounds; the median round counts.
{notes}"""


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    rounds: int = 3
    events: int = 1_000_000
    avida: bool = True


QUICK = Plan(rounds=1, events=20_000)


def run(plan: Plan) -> Results:
    """Measure."""
    results = Results()
    folder = Path(tempfile.mkdtemp(prefix="hutch-lineage-bench-"))
    try:
        file = write_events(folder / "events.ndjson", plan.events)
        avida = avida_file() if plan.avida else None
        if isinstance(avida, str):
            results.note(avida)
        for _ in range(plan.rounds):
            if isinstance(avida, Path):
                _openings(results, avida, "12,059 individuals (alife-avida)", 0.4, None, None)
            goals = (25.0, 1.2, 0.6) if plan.events >= 1_000_000 else (None, None, None)
            _openings(results, file, f"{plan.events:,} events", *goals)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return results


def lines(results: Results) -> list[str]:
    """Return the results as lines of text: the table, the machine."""
    return [*markdown(results.rows()), "", results.machine(), *results.notes]


def page(results: Results, rounds: int) -> str:
    """Return the section of docs/performance.md."""
    return TEXT.format(
        table="\n".join(markdown(results.rows())),
        machine=results.machine(),
        networkx=nx.__version__,
        size=f"{len(_template()):,} bytes",
        rounds=rounds,
        notes="".join(f"- Not measured: {note}.\n" for note in results.notes),
    )


def _openings(
    results: Results,
    file: Path,
    of: str,
    seconds: float | None,
    kilobytes: float | None,
    share: float | None,
) -> None:
    taken = {}
    for name in (OURS, BY_HAND):
        found = _in_a_process(name, file)
        taken[name] = found["seconds"]
        results.add(Figure(f"open {of}", "s", seconds), name, found["seconds"])
        memory = Figure(f"peak memory of a node, {of}", "KB", kilobytes)
        results.add(memory, name, found["kilobytes"])
    results.add(Figure(f"rate, {of}", "of it", share), OURS, taken[BY_HAND] / taken[OURS])


def _in_a_process(name: str, file: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.readers", name, str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def write_events(path: Path, events: int) -> Path:
    """Write a search of so many individuals, each of two of the two hundred before it."""
    template = _template().replace("{", "{{").replace("}", "}}")
    for mark, field in (("CHILD", "0"), ("FIRST", "1"), ("SECOND", "2")):
        template = template.replace(mark, f"{{{field}}}")
    with path.open("w") as file:
        for number in range(events):
            first, second = (max(0, number - 1 - 7 * number % span) for span in (97, 200))
            file.write(template.format(number, first, second) + "\n")
    return path


def _template() -> str:
    """Return an event as the default preset writes it, with marks for what differs."""
    event = parse_event(
        {
            "event_id": "00000000-0000-4000-8000-000000000001",
            "event_kind": "operator",
            "run_id": "bench",
            "timestamp_ns": 1_700_000_000_000_000_000,
            "payload": {
                "id": "op-CHILD",
                "kind": "crossover",
                "parent_ids": ["ind-FIRST", "ind-SECOND"],
                "child_id": "ind-CHILD",
                "llm_id": "a-model",
                "cost_usd": 0.012,
                "tokens_in": 120,
                "tokens_out": 45,
            },
        }
    )
    [(body, _)] = mapper_of(preset_of("generic"), "hutch").map(event)
    return body.decode()


# In the process of its own


def _opened(file: Path) -> LineageGraph:
    import hutch_lineage as hl

    return hl.load(file)


def _by_hand(file: Path) -> Any:
    return (_rows_by_hand if file.suffix == ".csv" else _events_by_hand)(file)


def _rows_by_hand(file: Path) -> Any:
    graph = nx.DiGraph()
    with file.open(newline="") as table:
        for row in csv.DictReader(table):
            graph.add_node(row["id"], **row)
            for parent in row["ancestor_list"].strip("[]").split(","):
                if parent != "'none'":
                    graph.add_edge(parent.strip("'"), row["id"])
    return graph


def _events_by_hand(file: Path) -> Any:
    graph = nx.DiGraph()
    with file.open("rb") as events:
        for line in events:
            event = orjson.loads(line)
            told = event["run"]["facets"]["hutchOperator"]
            child = event["outputs"][0]["name"]
            graph.add_node(child, time=event["eventTime"])
            for parent in event["inputs"]:
                graph.add_edge(parent["name"], child, **told)
    return graph


def _main(name: str, file: str) -> None:
    work: dict[str, Callable[[Path], Any]] = {OURS: _opened, BY_HAND: _by_hand}
    import hutch_lineage.graph
    import hutch_lineage.session  # noqa: F401 - what is imported once does not count

    unit = 1 if sys.platform == "darwin" else 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    start = time.perf_counter()
    graph = work[name](Path(file))
    seconds = time.perf_counter() - start
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before
    print(json.dumps({"seconds": seconds, "kilobytes": grown / 1000 / len(graph)}))
    sys.stdout.flush()
    os._exit(0)  # taking a million nodes apart is of no interest


if __name__ == "__main__":
    _main(*sys.argv[1:])
