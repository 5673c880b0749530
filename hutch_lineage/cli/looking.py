"""``hutch-lineage load | stats | best | view``: what a run holds."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

import click

from .answers import counts, genome_of, report_of, run_of, steps_of, told
from .opening import open_graph
from .options import DIRECTIONS, JSON, KIND, METRIC, RUN, echo_json
from .wording import line_of


@click.command()
@click.argument("source")
@KIND
@RUN
@DIRECTIONS
@JSON
@click.option("--strict", is_flag=True, help="Exit code 3 where anything was odd.")
def load(
    source: str, kind: str | None, run: str | None, directions: Any, as_json: bool, strict: bool
) -> None:
    """Read SOURCE and tell what it is, how much is in it, and all that was odd.

    SOURCE is a file or folder of any known form, or the address of a Marquez or a Hutch server.
    """
    from hutch_lineage.export import to_text

    opened = open_graph(source, kind, run, directions)
    graph, report = opened.graph, opened.graph.report
    if as_json:
        facts = {"kind": opened.kind, "events": opened.events}
        echo_json({**facts, **counts(graph), "report": report_of(graph)})
    else:
        events = f", {opened.events:,} events" if opened.events else ""
        click.echo(f"{opened.kind}{events}: {to_text(graph).splitlines()[0]}")
        for line in report.lines():
            click.echo(line_of(line))
    if strict and report:
        raise SystemExit(3)


@click.command()
@click.argument("source")
@KIND
@RUN
@DIRECTIONS
@JSON
def stats(source: str, kind: str | None, run: str | None, directions: Any, as_json: bool) -> None:
    """Print what is in SOURCE: counts, the best and its path, costs, and what was odd."""
    from hutch_lineage.export import to_text

    opened = open_graph(source, kind, run, directions)
    graph = opened.graph
    if as_json:
        asked = [opened.run] if opened.run else list(graph.runs)
        runs = [run_of(graph, run_id) for run_id in asked]
        echo_json({**counts(graph), "runs": runs, "report": report_of(graph)})
        return
    click.echo(to_text(graph, opened.run))
    for line in graph.report.lines():
        click.echo(line_of(line))


@click.command()
@click.argument("source")
@METRIC
@KIND
@RUN
@DIRECTIONS
@JSON
@click.option("--agents", is_flag=True, help="The best agent instead of the best individual.")
@click.option("--genome", is_flag=True, help="Print the genome of the best alone.")
def best(
    source: str,
    metric: str | None,
    kind: str | None,
    run: str | None,
    directions: Any,
    as_json: bool,
    agents: bool,
    genome: bool,
) -> None:
    """Print the best of SOURCE and how it came to be, step by step from the seed."""
    from hutch_lineage.errors import GraphError

    opened = open_graph(source, kind, run, directions)
    graph = opened.graph
    if agents and not graph.nodes("agent", opened.run, ghosts=False):
        raise GraphError(f"there is no agent in {source}")
    path = graph.path_to_best(metric, opened.run, "agent" if agents else None)
    if not path:
        raise GraphError(f"nothing in {source} has a score: `hutch-lineage stats` tells more")
    metric = metric or graph.default_metric(path[-1].run_id, path[-1].kind)
    if genome:
        text = genome_of(graph, path[-1])
        if text is None:
            raise GraphError(f"the genome of {path[-1].id} is not in {source}")
        _print_genome(text)
        return
    steps = steps_of(graph, path[-1], str(metric))
    cost = graph.cost(path[-1])
    if as_json:
        direction = graph.direction(str(metric), path[-1].run_id)
        echo_json(
            {
                "id": path[-1].id,
                "run_id": path[-1].run_id,
                "metric": metric,
                "direction": direction,
                "score": steps[-1]["score"],
                "lineage_cost_usd": cost.cost_usd,
                "lineage_operators": cost.operators,
                "path": steps,
            }
        )
        return
    if len(graph.runs) > 1 and not opened.run:
        click.echo(f"of {len(graph.runs)} runs, in {path[-1].run_id} (--run chooses another):")
    for line in told(steps, str(metric)):
        click.echo(line)


def _print_genome(text: str) -> None:
    """Print a genome: exactly, as UTF-8, into a file or a pipe; harmless in a terminal."""
    from hutch_lineage.export import one_line

    text += "" if text.endswith("\n") else "\n"
    if sys.stdout.isatty():
        shown = ("\t".join(map(one_line, line.split("\t"))) for line in text.split("\n"))
        click.echo("\n".join(shown), nl=False)
    else:
        click.echo(text.encode("utf-8", "replace"), nl=False)


@click.command()
@click.argument("source")
@KIND
@RUN
@DIRECTIONS
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the page is written; by default a file of its own among the temporary ones.",
)
@click.option("--no-browser", is_flag=True, help="Only write the page.")
def view(
    source: str,
    kind: str | None,
    run: str | None,
    directions: Any,
    output: Path | None,
    no_browser: bool,
) -> None:
    """Open SOURCE in the explorer, as a page of its own in the browser.

    The page is one file that needs no kernel and no network. For a run that still grows, use
    `%hutch_lineage open SOURCE --follow` in a notebook.
    """
    from hutch_lineage.session import OpenedSource, write_source

    opened = OpenedSource.open(source, run, kind=kind)
    opened.graph.declare(directions)
    page = output or Path(tempfile.mkdtemp(prefix="hutch-lineage-view-")) / "lineage.html"
    click.echo(write_source(opened, page))
    if not no_browser and not webbrowser.open(page.resolve().as_uri()):
        click.echo("no browser could be started: open the file yourself", err=True)
