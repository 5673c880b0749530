"""Drive a notebook in JupyterLab as a person does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat

from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# Pixels of the canvas that are neither transparent nor of the most frequent colour (the ground).
DRAWN = """(selector) => {
  const canvas = document.querySelector(selector);
  if (!canvas || !canvas.width) return 0;
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const counts = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const key = data[i + 3] ? (data[i] << 16) | (data[i + 1] << 8) | data[i + 2] : -1;
    counts.set(key, (counts.get(key) || 0) + 1);
  }
  return data.length / 4 - Math.max(...counts.values());
}"""


def write(path: Path, *cells: str, kernel: str = "python3") -> Path:
    """Write a notebook of code cells."""
    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}}
    )
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(notebook, path)
    return path


class Notebook:
    """The notebook in front of a JupyterLab page, and `which` of its explorers: the first is 0."""

    def __init__(self, page: Page, which: int = 0) -> None:
        self.page = page
        self.which = which

    # -- cells -------------------------------------------------------------------------------

    def cell(self, index: int) -> Locator:
        """The code cell at `index`."""
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(index)

    def run(self, index: int) -> None:
        """Put the cursor in a cell and press Shift+Enter; do not wait."""
        self.cell(index).locator(".jp-InputArea-editor").click()
        self.page.keyboard.press("Shift+Enter")

    def run_all(self) -> None:
        """Run the whole notebook; do not wait."""
        self.page.evaluate("void jupyterapp.commands.execute('notebook:run-all-cells')")

    def knock(self, after_s: float = 1) -> None:
        """Ask the kernel who it is.

        An ipykernel 7.0 to 7.3 that the extension has not mended yet may leave a request unread
        until another one comes.
        """
        self.page.wait_for_timeout(after_s * 1000)
        self.page.evaluate(
            "void jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestKernelInfo()"
        )

    def prompt(self, index: int) -> str:
        """What stands before a cell: ``[ ]:``, ``[*]:`` or ``[3]:``."""
        return self.cell(index).locator(".jp-InputPrompt").inner_text().replace("\xa0", " ")

    def is_busy(self, index: int) -> bool:
        """Whether a cell is running."""
        return "*" in self.prompt(index)

    def wait_done(self, index: int, timeout_s: float = 60) -> None:
        """Wait until a cell has a number before it, which it gets when it ends."""
        numbered = f"""() => /\\[\\d+\\]/.test(document.querySelectorAll(
            '.jp-Notebook .jp-CodeCell')[{index}].querySelector('.jp-InputPrompt').textContent)"""
        self.page.wait_for_function(numbered, timeout=timeout_s * 1000)

    def output(self, index: int) -> str:
        """The text of a cell's outputs."""
        return self.cell(index).locator(".jp-OutputArea").inner_text().strip()

    def save(self, path: Path) -> None:
        """Save the notebook and wait until it is on disk."""
        before = path.stat().st_mtime_ns
        self.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
        wait_until(lambda: path.stat().st_mtime_ns != before)

    def end_kernels(self) -> None:
        """End every kernel of the server, as a restart of the machine does."""
        self.page.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()")

    # -- the explorer ------------------------------------------------------------------------

    @property
    def explorer(self) -> Locator:
        """The root of the explorer, scrolled to where it can be seen."""
        root = self.page.locator(".hl-explorer").nth(self.which)
        root.wait_for(state="attached", timeout=60_000)
        root.scroll_into_view_if_needed()
        return root

    def wait_for_fact(self, name: str, value: str) -> None:
        """Wait until a data attribute of the root has a value."""
        self.wait(f"root.dataset[{name!r}] === {value!r}")

    def wait_for_text(self, selector: str, text: str) -> None:
        """Wait until a part of the explorer says something."""
        self.wait(f"root.querySelector({selector!r}).innerText.includes({text!r})")

    def wait_for_explorer(self, total: int | None = None, more_than: int = -1) -> None:
        """Wait until so many nodes are there, and drawn."""
        count = f"=== {total}" if total is not None else f"> {more_than}"
        self.wait(f"+root.dataset.total {count} && root.dataset.nodes === root.dataset.total")

    def wait(self, condition: str) -> None:
        """Wait until an expression over the explorer's `root` is true."""
        _ = self.explorer
        self.page.wait_for_function(
            f"""() => {{
                const root = document.querySelectorAll('.hl-explorer')[{self.which}];
                return {condition};
            }}""",
            timeout=60_000,
        )

    def state(self) -> dict[str, Any]:
        """What the view says of itself."""
        found: dict[str, Any] = self.explorer.evaluate("root => root.__hl.state()")
        return found

    def tab(self, name: str) -> None:
        """Open a panel, from the strip or from the menu behind it."""
        tab = self.explorer.get_by_role("tab", name=name, exact=True)
        if not tab.is_visible():
            self.explorer.get_by_role("button", name="More", exact=True).click()
            tab = self.page.get_by_role("menuitem", name=name, exact=True)
        tab.click()

    def node_id(self, row: int) -> str:
        """The id of the node in a row."""
        return str(self.explorer.evaluate(f"root => root.__hl.store.id({row})"))

    def place(self, row: int) -> tuple[float, float]:
        """Where the mark of a row stands on the page."""
        at = self.explorer.evaluate(f"root => root.__hl.screenOf({row})")
        return at["x"], at["y"]

    def click_node(self, row: int) -> None:
        """Click on the mark of a row; again where a growing picture has just moved it away."""
        root = self.explorer

        def clicked() -> bool:
            self.page.mouse.click(*self.place(row))
            self.page.wait_for_timeout(150)
            return root.get_attribute("data-selected") == str(row)

        wait_until(clicked)


def drawn_pixels(page: Page, selector: str = ".hl-explorer canvas") -> int:
    """How many pixels of the picture differ from its ground."""
    return int(page.evaluate(DRAWN, selector))
