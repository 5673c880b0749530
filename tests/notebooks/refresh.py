"""Execute notebooks in place, or check that they are as this leaves them.

What is saved: outputs without times, without the state of widgets (a page made from a notebook
with widget state shows nothing where the network is missing) and with stable cell ids. An explorer
is saved as SVG and as PNG: what shows no image that is inside HTML shows the other one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
SVG_PICTURE = 'src="data:image/svg+xml;base64,'
MAX_BYTES = 1_000_000
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run every cell in a new kernel."""
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
    ).execute()


def tidy(notebook: nbformat.NotebookNode, stem: str) -> None:
    """Keep what a reader needs and what does not change from one run to the next."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, start=1):
        cell["id"] = f"{stem[:2]}-{number:02d}"
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)


def problems(notebook: nbformat.NotebookNode) -> list[str]:
    """What `tidy` would have removed, and what is missing for a reader without Python."""
    found = [] if "widgets" not in notebook.metadata else ["the state of widgets is saved in it"]
    bundles = [
        output["data"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    if views := sum(WIDGET_VIEW in bundle for bundle in bundles):
        found.append(f"{views} outputs name a widget that nobody has")
    pictures = [bundle for bundle in bundles if SVG_PICTURE in bundle.get("text/html", "")]
    if bare := sum("image/png" not in bundle for bundle in pictures):
        found.append(f"{bare} pictures of an explorer are not there as PNG (is Pillow installed?)")
    if (size := len(nbformat.writes(notebook).encode())) > MAX_BYTES:
        found.append(f"it has {size:,} bytes, more than {MAX_BYTES:,}")
    return found


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say what is wrong")
    parser.add_argument("notebooks", nargs="+", type=Path)
    arguments = parser.parse_args()
    wrong = 0
    for path in arguments.notebooks:
        notebook = nbformat.read(path, as_version=4)
        if arguments.check:
            for problem in problems(notebook):
                print(f"{path}: {problem}; run `make notebooks`")
                wrong = 1
            continue
        execute(notebook, path.parent)
        tidy(notebook, path.stem)
        nbformat.write(notebook, path)
        print(f"executed {path}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
