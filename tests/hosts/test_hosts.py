"""Hosts other than JupyterLab: Notebook 7 and marimo in a browser; VS Code by what it needs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hutch_lineage.explorer import Explorer
from tests.receivers import unused_port
from tests.support.browser import Visit
from tests.support.lab import JupyterLab
from tests.support.notebook import drawn_pixels, write

APP = """import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import hutch_lineage as hl

    with hl.run("search", score_directions={"score": "higher"}) as run:
        for number in range(40):
            parents = [f"i{number // 2}"] if number else []
            run.log_individual(kind="program", individual_id=f"i{number}", parent_ids=parents)
            run.log_fitness(individual=f"i{number}", scores={"score": number})
    explorer = hl.explore()
    mo.ui.anywidget(explorer)
    return (explorer,)


if __name__ == "__main__":
    app.run()
"""
DRAWN = """() => {
  const find = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.matches(".hl-explorer")) return element;
      const inner = element.shadowRoot && find(element.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  globalThis.explorer = find(document);
  return globalThis.explorer?.dataset.total === "40" && globalThis.explorer.dataset.nodes === "40";
}"""


@pytest.fixture(scope="module")
def marimo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A marimo app that shows an explorer; its address."""
    folder = tmp_path_factory.mktemp("marimo")
    (folder / "app.py").write_text(APP)
    port = unused_port()
    command = [sys.executable, "-m", "marimo", "-q", "run", "app.py", "--headless", "--no-token"]
    environment = {**os.environ, "HOME": str(folder), "MARIMO_SKIP_UPDATE_CHECK": "1"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{address}/health", timeout=1).close()
                break
            except OSError:
                assert process.poll() is None, (folder / "log").read_text()
                time.sleep(0.25)
        yield address
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.browser
def test_marimo(marimo: str, chromium: object) -> None:
    """In marimo the explorer gets its graph and draws it; the toggle reaches Python and back."""
    visit = Visit.open(chromium, marimo, height=1000)  # type: ignore[arg-type]
    try:
        visit.page.wait_for_function(DRAWN, timeout=60_000)
        size = visit.page.evaluate("explorer.querySelector('canvas').width")
        assert size > 300
        visit.page.get_by_role("textbox", name="endpoint").fill("http://127.0.0.1:9")
        visit.page.get_by_role("button", name="Live").click()
        visit.page.wait_for_function("explorer.dataset.mode === 'live'")
        assert visit.errors == []
    finally:
        visit.close()


@pytest.mark.lab
@pytest.mark.browser
def test_notebook_7(lab: JupyterLab, visit: Callable[..., Visit]) -> None:
    """In Notebook 7 the explorer grows, acts, and hides the static picture."""
    show = "%load_ext hutch_lineage\nimport hutch_lineage as hl\n%hutch_lineage"
    log = "with hl.run('r') as run:\n    run.log_individual(kind='program', individual_id='seed')"
    path = write(lab.notebooks / "seven.ipynb", show, log)
    page = visit(f"http://127.0.0.1:{lab.port}/notebooks/{path.name}", height=1000).page
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=60_000)
    prompt = page.locator(".jp-InputPrompt").first
    for _ in range(20):  # what is pressed before the session is connected may be lost
        page.locator(".jp-InputArea-editor").first.click()
        page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(1500)
        if re.search(r"[*\d]", prompt.inner_text()):
            break
    page.wait_for_selector(".hl-explorer", timeout=60_000)
    page.keyboard.press("Shift+Enter")
    page.wait_for_function("document.querySelector('.hl-explorer').dataset.nodes === '1'")
    assert drawn_pixels(page) > 50
    assert not page.locator("img[src^='data:image/svg+xml']").is_visible()


def scripts(root: Path) -> str:
    """All the script that a front end is given."""
    folder = root / "hutch_lineage" / "explorer" / "static"
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js")))


def test_vs_code_needs_no_more_than_it_has(project_root: Path) -> None:
    """A webview without the net: ES modules from blobs, no AMD, no code from text, no address."""
    script = scripts(project_root)
    assert not re.search(r"\brequire\s*[(.]|\bdefine\s*\(|\bdefine\.amd\b|requirejs", script)
    assert not re.search(r"\beval\(|new Function\b|importScripts|document\.write", script)
    assert re.findall(r"^import\b|\bfrom\s*[\"']https?:", script, re.MULTILINE) == []
    assert re.findall(r"\bimport\(\s*[\"'`]", script) == []  # only of what is a blob already
    assert not re.search(r"\b(?:top|parent)\.(?:document|location)\b|localStorage", script)
    assert re.search(r"\bexport\s*\{?|export default", Explorer._esm)
