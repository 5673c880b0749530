"""``hutch-lineage serve-demo``: the quickstart notebook in JupyterLab."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

NAME = "quickstart.ipynb"


def quickstart() -> Path:
    """Return the quickstart: beside this module in a wheel, in `notebooks` in a clone."""
    here = Path(__file__)
    packaged = here.with_name(NAME)
    return packaged if packaged.is_file() else here.parents[2] / "notebooks" / f"01_{NAME}"


@click.command("serve-demo")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of JupyterLab on this machine.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the notebook is put; by default a folder of its own among the temporary ones.",
)
def serve_demo(port: int | None, no_browser: bool, folder: Path | None) -> None:
    """Open a demonstration in JupyterLab: a search that grows while you look. Ctrl-C ends it."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise click.ClickException(
            "JupyterLab is not installed: pip install 'hutch-lineage[notebook]'"
        )
    root = folder or Path(tempfile.mkdtemp(prefix="hutch-lineage-demo-"))
    root.mkdir(parents=True, exist_ok=True)
    notebook = root / NAME
    if not notebook.exists():  # what was changed there stays
        shutil.copyfile(quickstart(), notebook)
    click.echo(f"the notebook is {notebook}")
    words = [f"--ServerApp.root_dir={root}", f"--LabApp.default_url=/lab/tree/{NAME}"]
    words += [] if port is None else [f"--port={port}"]
    words += ["--no-browser"] if no_browser else []
    raise SystemExit(subprocess.call([sys.executable, "-m", "jupyterlab", *words]))  # noqa: S603
