"""``hutch-lineage export``: a run in another form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import DIRECTIONS, KIND, RUN
from .wording import line_of


@click.command()
@click.argument("source")
@click.argument("target", type=click.Path(path_type=Path))
@KIND
@RUN
@DIRECTIONS
@click.option(
    "--format", "form", metavar="NAME", help="The form, where the suffix does not say it."
)
@click.option("--preset", metavar="BACKEND", help="For OpenLineage: a backend's mapping.")
@click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="What the form takes, such as first_parent=true for .nwk.",
)
def export(
    source: str,
    target: Path,
    kind: str | None,
    run: str | None,
    directions: Any,
    form: str | None,
    preset: str | None,
    options: tuple[str, ...],
) -> None:
    """Write SOURCE (a file, a folder, or a backend) as TARGET, in the form of its suffix.

    .html .svg .png .graphml .gexf .json (node-link) .jsonl (Hutch events) .ndjson (OpenLineage)
    .csv (ALife) .nwk (Newick) .provjson .crate or .zip (RO-Crate) .parquet .frames (every frame)
    .md (report). What the form cannot carry is said, a line each.
    """
    from hutch_lineage.errors import ConfigurationError
    from hutch_lineage.session import OpenedSource, options_of, write_source

    try:
        given = options_of(options)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    opened = OpenedSource.open(source, run, kind=kind)
    opened.graph.declare(directions)
    written = write_source(opened, target, form, preset=preset, **given)
    streamed = not (target.is_file() or target.is_dir())  # /dev/stdout: it holds the file alone
    click.echo(f"wrote {written}", err=streamed)
    for note in written.notes:
        click.echo(f"  {line_of(note)}", err=streamed)
