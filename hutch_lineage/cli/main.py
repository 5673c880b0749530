"""``hutch-lineage``: look at a run, and write it in another form, from a shell."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any, NoReturn

import click

from hutch_lineage import __version__
from hutch_lineage.errors import HutchLineageError

from .journals import flush, status, tail


class _Group(click.Group):
    """Prints the package's own errors, and output that cannot be written, as one line; exit 1."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except HutchLineageError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # `| head`: click ends quietly
                raise
            raise click.ClickException(f"the output cannot be written: {error.strerror}") from None


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hutch-lineage")
def cli() -> None:
    """Look at the lineage of an evolutionary or self-improving run."""


_RUN = click.option("--run", help="The run of a backend, by name or id.")
_KIND = click.option("--kind", help="How to read SOURCE, where that is not to be found out.")


@cli.command()
@click.argument("source")
@_KIND
@_RUN
def stats(source: str, kind: str | None, run: str | None) -> None:
    """Print what is in SOURCE: counts, the best and its path, costs, and what was odd.

    SOURCE is a file, a folder, or the address of a backend, such as http://localhost:5000.
    """
    from hutch_lineage.export import one_line, to_text
    from hutch_lineage.session import load

    graph = load(source, kind=kind, run=run)
    click.echo(to_text(graph))
    for line in graph.report.lines():
        click.echo(one_line(line))


@cli.command()
@click.argument("source")
@click.argument("target", type=click.Path(path_type=Path))
@_KIND
@_RUN
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
    form: str | None,
    preset: str | None,
    options: tuple[str, ...],
) -> None:
    """Write SOURCE (a file, a folder, or a backend) as TARGET, in the form of its suffix.

    .html .svg .png .graphml .gexf .json (node-link) .jsonl (Hutch events) .ndjson (OpenLineage)
    .csv (ALife) .nwk (Newick) .provjson .crate or .zip (RO-Crate) .parquet .frames (every frame)
    .md (report). What the form cannot carry is said, a line each.
    """
    from hutch_lineage.export import one_line
    from hutch_lineage.session import OpenedSource, option_value, write_source

    pairs = [option.partition("=") for option in options]
    if lacking := next((name for name, equals, _ in pairs if not equals), None):
        raise click.UsageError(f"{lacking!r} is no NAME=VALUE")
    given: dict[str, Any] = {
        name.strip().replace("-", "_"): option_value(value) for name, _, value in pairs
    }
    written = write_source(
        OpenedSource.open(source, run, kind=kind), target, form, preset=preset, **given
    )
    click.echo(f"wrote {written}")
    for note in written.notes:
        click.echo(f"  {one_line(note)}")


for _command in (status, flush, tail):
    cli.add_command(_command)


def main() -> NoReturn:
    """Run the command line; the entry point of ``hutch-lineage``."""
    cli(prog_name="hutch-lineage")
    raise SystemExit(0)
