"""One run: every figure, ours and the peers in turn, so that a busy machine slows all alike."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import inf
from multiprocessing import get_context
from pathlib import Path

from tests.support.browser import chromium_path

from . import layouts, pages, widgets
from .lineages import Lineage, avida_file, prepare
from .results import OURS, Figure, Results

PEERS = ("cytoscape", "sigma3", "sigma4")
MODULES = pages.HERE / "node_modules"
STATIC = pages.EXPLORER / "static"
KB = 1024


@dataclass(frozen=True)
class Plan:
    """What to measure."""

    sizes: tuple[int, ...] = (10_000, 100_000)
    avida: bool = True
    million: int = 1_000_000
    peers: tuple[str, ...] = PEERS
    rounds: int = 3
    seconds: float = 3.0
    layouts: tuple[int, ...] = (100_000, 1_000_000)
    widgets: tuple[int, ...] = (10_000, 100_000)
    notebook: tuple[int, ...] = (100_000, 1_000_000)
    shown: tuple[int, ...] = (200, 1_000, 10_000)


QUICK = Plan(
    sizes=(5_000,),
    avida=False,
    million=0,
    rounds=1,
    seconds=1,
    layouts=(20_000,),
    widgets=(1_000,),
    notebook=(),
    shown=(),
)

GOALS: dict[tuple[str, int], float] = {
    ("paint", 10_000): 150,
    ("paint", 100_000): 400,
    ("fps", 10_000): 50,
    ("fps", 100_000): 40,
    ("p95", 10_000): 50,
    ("p95", 100_000): 50,
    ("append", 100_000): 25,
    ("memory", 100_000): 120,
    ("paint", 1_000_000): 15_000,
    ("fps", 1_000_000): 30,
    ("memory", 1_000_000): 600,
    ("layout", 100_000): 0.5,
    ("layout", 1_000_000): 3,
    ("live", 100_000): 12,
}
IN_PYTHON = {
    "scene": "scene of a graph, layout included",
    "snapshot": "first messages of a scene",
}
IN_PAGE = {
    "paint": ("first paint", "ms"),
    "fps": ("pan and zoom", "fps"),
    "p95": ("pan and zoom, p95 frame", "ms"),
    "append": ("append 100 while live, main thread", "ms"),
    "append drawn": ("append 100 while live, until drawn", "ms"),
    "memory": ("page memory over an empty page", "MB"),
}


def run(plan: Plan) -> Results:
    """Measure everything of a plan."""
    results = Results()
    chromium = chromium_path()
    if chromium is None:
        results.note("Nothing in the browser: no Chromium found; name one with CHROMIUM.")
    peers = plan.peers
    if peers and (shutil.which("node") is None or not MODULES.is_dir()):
        results.note("No peers in the browser: run `npm ci` in benchmarks/explorer (needs Node).")
        peers = ()
    sizes = pages.build() if peers else {}
    with tempfile.TemporaryDirectory() as folder:
        if chromium is not None:
            _browser(results, plan, peers, chromium, Path(folder))
            if plan.notebook:
                from . import notebook

                notebook.measure(results, chromium, plan.notebook, plan.rounds, plan.seconds, say)
    _layouts(results, plan)
    _widgets(results, plan)
    _sizes(results, sizes)
    return results


def say(text: str) -> None:
    """Say what is being measured."""
    print(f"  ... {text}", file=sys.stderr, flush=True)


def _prepared(results: Results, size: int | Path, folder: Path) -> Lineage:
    """Make a lineage in a process of its own: what it takes in memory is not left here."""
    say(f"preparing {size}")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        lineage = pool.submit(prepare, size, folder).result()
    if isinstance(size, int):
        for part, title in IN_PYTHON.items():
            results.add(Figure(f"{title}, {lineage.nodes:,}", "s"), OURS, lineage.seconds[part])
    return lineage


def _browser(
    results: Results, plan: Plan, peers: tuple[str, ...], chromium: str, folder: Path
) -> None:
    """Measure the sizes with the peers, then the largest alone."""
    sizes: list[int | Path] = [*plan.sizes]
    if plan.avida:
        path = avida_file()
        if isinstance(path, Path):
            sizes.append(path)
        else:
            results.note(f"Avida's lineage is left out: {path}.")
    with pages.served(folder) as address:
        for size in sizes:
            lineage = _prepared(results, size, folder)
            _page_rounds(results, plan, lineage, (OURS, *peers), chromium, address)
        if plan.million:
            lineage = _prepared(results, plan.million, folder)
            _page_rounds(results, plan, lineage, (OURS,), chromium, address)


def _page_rounds(
    results: Results,
    plan: Plan,
    lineage: Lineage,
    contenders: tuple[str, ...],
    chromium: str,
    address: str,
) -> None:
    """Let the contenders draw one lineage in turn, several times."""
    left = list(contenders)
    made_up = bool(lineage.wire_appends)
    where = f"{lineage.nodes:,}" + ("" if made_up else f" ({lineage.name})")
    for _ in range(plan.rounds):
        empty = pages.visit(address, chromium, pages.EMPTY, lineage, seconds=0)
        for contender in list(left):
            say(f"{contender}: {where}")
            seen = pages.visit(address, chromium, contender, lineage, seconds=plan.seconds)
            if seen.stopped:
                left.remove(contender)  # once is enough
                results.note(f"{contender} at {where}: over the limit in step `{seen.stopped}`.")
                missing = {"draw": "paint", "ready": "append", "append": "append"}
                seen.figures[missing.get(seen.stopped, "p95")] = inf
            if "memory" in seen.figures:
                seen.figures["memory"] -= empty.figures["memory"]
            if "moved" in seen.facts:
                results.note(f"{contender} at {where}: {seen.facts['moved']} old nodes moved.")
            for key, (title, unit) in IN_PAGE.items():
                figure = Figure(
                    f"{title}, {where}", unit, GOALS.get((key, lineage.nodes)) if made_up else None
                )
                results.add(figure, contender, seen.figures.get(key))


def _layouts(results: Results, plan: Plan) -> None:
    """Measure the layouts, in turn."""
    beyond: set[tuple[str, int]] = set()
    for nodes in plan.layouts:
        for _ in range(plan.rounds):
            for name in layouts.LAYOUTS:
                if (name, nodes) in beyond:
                    continue
                say(f"layout: {name}, {nodes:,}")
                try:
                    took = layouts.seconds(name, nodes)
                except RuntimeError as error:
                    results.note(f"{name}: {error}.")
                    beyond.add((name, nodes))
                    continue
                if took == inf:
                    beyond.add((name, nodes))
                if name == "ours, live":
                    live = Figure(
                        f"live layout, a node of {nodes:,}", "us", GOALS.get(("live", nodes))
                    )
                    results.add(live, OURS, took / nodes * 1e6)
                else:
                    bulk = Figure(f"layout, {nodes:,}", "s", GOALS.get(("layout", nodes)))
                    results.add(bulk, name, took)


def _widgets(results: Results, plan: Plan) -> None:
    """Measure the notebook widgets in Python."""
    for nodes in plan.widgets:
        for name in widgets.WIDGETS:
            say(f"widget: {name}, {nodes:,}")
            try:
                took, size = widgets.made(name, nodes)
            except RuntimeError as error:
                results.note(f"{name}: {error}.")
                continue
            results.add(Figure(f"widget made and serialised in Python, {nodes:,}", "s"), name, took)
            if size != inf:
                results.add(Figure(f"widget, sent to the page, {nodes:,}", "MB"), name, size)


def _sizes(results: Results, libraries: dict[str, dict[str, int]]) -> None:
    """Note what the front ends weigh."""
    view = Figure("front end, minified", "KB", 120)
    files = [STATIC / "explorer.js", STATIC / "explorer.css"]
    results.add(view, OURS, sum(file.stat().st_size for file in files) / KB)
    for name, size in libraries.items():
        results.add(view, name, size["bytes"] / KB)
    panels = [
        path for path in STATIC.glob("*.*") if path not in files and path.suffix in {".js", ".css"}
    ]
    if panels:
        figure = Figure("panels, minified, loaded when opened", "KB", 300)
        results.add(figure, OURS, sum(path.stat().st_size for path in panels) / KB)
    packed = sum(len(gzip.compress(file.read_bytes())) for file in files)
    results.note(f"Our view is {packed / KB:.0f} KB when compressed.")


def versions(peers: tuple[str, ...]) -> str:
    """Return the peers' versions, from the lock file."""
    locked = json.loads((pages.HERE / "package-lock.json").read_text())["packages"]
    return ", ".join(
        f"{name.rstrip('34')} {locked[f'node_modules/{name}']['version']}" for name in peers
    )
