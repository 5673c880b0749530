"""One contender in a page of a fresh headless Chromium: drawn, moved, appended to, weighed."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from tests.support.browser import launched

from .limit import LIMIT_S
from .lineages import ROOT, Lineage
from .results import OURS

HERE = Path(__file__).resolve().parent
EXPLORER = ROOT / "hutch_lineage" / "explorer"
# In this order a file is looked for.
FOLDERS = [HERE / "dist", HERE / "web", EXPLORER / "static", EXPLORER / "frontend" / "dev"]
EMPTY = ""
MB = 1e6


class TooSlowError(Exception):
    """A step took longer than the limit."""


class _Files(SimpleHTTPRequestHandler):
    """Serves the page, the contenders and the lineages."""

    extensions_map = {  # noqa: RUF012 - as the base class has it
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".css": "text/css",
        ".html": "text/html",
    }

    def __init__(self, *given: Any, lineages: Path) -> None:
        self.folders = [*FOLDERS, lineages]
        super().__init__(*given)

    def translate_path(self, path: str) -> str:
        name = Path(path.partition("?")[0]).name or "page.html"
        return str(next((d / name for d in self.folders if (d / name).is_file()), HERE / name))

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(lineages: Path) -> Iterator[str]:
    """Serve the pages on loopback; gives the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, lineages=lineages)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def build() -> dict[str, dict[str, int]]:
    """Bundle the peers; return the size of each library, minified and gzipped."""
    said = subprocess.run(
        ["node", HERE / "web" / "build.mjs"], check=True, capture_output=True, text=True
    )
    sizes: dict[str, dict[str, int]] = json.loads(said.stdout)
    return sizes


@dataclass
class Seen:
    """What one visit found. A figure that is missing was not reached; see `stopped`."""

    figures: dict[str, float] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    stopped: str = ""


def visit(address: str, chromium: str, contender: str, lineage: Lineage, *, seconds: float) -> Seen:
    """Measure a contender once, in a browser of its own, so that none inherits another's waste."""
    seen = Seen()
    with launched(chromium) as browser:
        page = browser.new_page(viewport={"width": 1000, "height": 600})
        page.goto(f"{address}/page.html?contender={contender}")
        page.wait_for_function("globalThis.bench !== undefined")
        tools = page.context.new_cdp_session(page)
        try:
            drawn = _step(
                page, "draw", f"/{lineage.wire.name if contender == OURS else lineage.plain.name}"
            )
            seen.figures["paint"] = drawn.pop("ms")
            seen.facts |= drawn
            seen.figures["memory"] = weight(tools)
            if contender == EMPTY:
                return seen
            moved = _step(page, "move", seconds)
            seen.figures |= {"fps": moved["fps"], "p95": moved["p95"]}
            files = lineage.wire_appends if contender == OURS else lineage.plain_appends
            if files:
                seen.facts |= _step(page, "ready", [f"/{each.name}" for each in files])
                before = _busy(tools)
                times = _step(page, "append")["ms"]
                seen.figures["append drawn"] = median(times)
                seen.figures["append"] = (_busy(tools) - before) * 1000 / len(times)
        except TooSlowError as slow:
            seen.stopped = str(slow)
    return seen


def _step(page: Any, step: str, *given: Any) -> Any:
    """Do one step in the page and return its result; the page may hang for as long as it likes."""
    from playwright.sync_api import TimeoutError as NotInTime

    try:
        page.evaluate("([step, given]) => bench.begin(step, ...given)", [step, list(given)])
        page.wait_for_function("bench.done !== null", timeout=LIMIT_S * 1000)
        done = page.evaluate("bench.done")
    except NotInTime:
        raise TooSlowError(step) from None
    if "error" in done:
        raise RuntimeError(f"{step}: {done['error']}")
    return done


def weight(tools: Any) -> float:
    """Return what the page's scripts and the browser's parts of it hold after a collection, MB.

    Array buffers count; what a renderer keeps outside the page's process (textures) does not.
    """
    for _ in range(2):
        tools.send("HeapProfiler.collectGarbage")
        time.sleep(0.2)
    use = tools.send("Runtime.getHeapUsage")
    parts = ("usedSize", "embedderHeapUsedSize", "backingStorageSize")
    return sum(float(use.get(part, 0)) for part in parts) / MB


def _busy(tools: Any) -> float:
    """Return for how many seconds the page's main thread has been busy."""
    tools.send("Performance.enable")
    metrics = tools.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")
