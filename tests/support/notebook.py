"""Drive a notebook in JupyterLab as a person does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat

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


def write(path: Path, *cells: str) -> Path:
    """Write a notebook of code cells."""
    notebook = nbformat.v4.new_notebook(
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        }
    )
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(notebook, path)
    return path


class Notebook:
    """The notebook in front of a JupyterLab page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def cell(self, index: int) -> Locator:
        """The code cell at `index`."""
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(index)

    def run(self, index: int) -> None:
        """Put the cursor in a cell and press Shift+Enter; do not wait."""
        self.cell(index).locator(".jp-InputArea-editor").click()
        self.page.keyboard.press("Shift+Enter")

    def run_all(self) -> None:
        """Run the whole notebook; do not wait."""
        self.page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")

    def wait_done(self, index: int, timeout_s: float = 60) -> None:
        """Wait until a cell has a number before it, which it gets when it ends."""
        prompt = f"""() => /\\[\\d+\\]/.test(document.querySelectorAll(
            '.jp-Notebook .jp-CodeCell')[{index}].querySelector('.jp-InputPrompt').textContent)"""
        self.page.wait_for_function(prompt, timeout=timeout_s * 1000)

    def output(self, index: int) -> str:
        """The text of a cell's outputs."""
        return self.cell(index).locator(".jp-OutputArea").inner_text()

    def save(self) -> None:
        """Save the notebook and wait until it is on disk."""
        self.page.evaluate("jupyterapp.commands.execute('docmanager:save')")


def explorer(page: Page) -> Locator:
    """The explorer's root element."""
    return page.locator(".hl-explorer").first


def facts(page: Page) -> dict[str, Any]:
    """The data attributes of the explorer's root."""
    return dict(page.evaluate("() => ({...document.querySelector('.hl-explorer').dataset})"))


def drawn_pixels(page: Page, selector: str = ".hl-explorer canvas") -> int:
    """How many pixels of the picture differ from its ground."""
    return int(page.evaluate(DRAWN, selector))
