"""Run the code of a notebook in a plain IPython shell, and write the Hutch events that it logs."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from IPython.core.interactiveshell import InteractiveShell

from hutch_lineage.session import current_session, write_source


def main(notebook: Path, target: Path) -> None:
    """Run `notebook`; write `target`."""
    shell = InteractiveShell.instance()
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "code":
            result = shell.run_cell(cell.source, silent=True)
            result.raise_error()
    write_source(current_session(), target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
