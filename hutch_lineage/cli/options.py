"""What several commands understand, and how they answer a program."""

from __future__ import annotations

from typing import Any

import click
import orjson

RUN = click.option("--run", help="The run that is meant, by name or id, where SOURCE has several.")
KIND = click.option("--kind", help="What SOURCE is, where its content does not tell.")
JSON = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
DIRECTIONS = click.option(
    "--direction",
    "directions",
    multiple=True,
    metavar="METRIC=lower|higher",
    help="Which way a metric is better, where SOURCE does not say it.",
    callback=lambda ctx, parameter, value: _directions(value),
)
METRIC = click.option("--metric", help="The score that counts; by default the run's own.")


def _directions(pairs: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        metric, _, direction = pair.rpartition("=")
        if not metric or direction not in ("higher", "lower"):
            raise click.BadParameter(f"{pair!r} is no METRIC=lower or METRIC=higher")
        found[metric] = direction
    return found


def echo_json(answer: Any) -> None:
    """Print plain data as JSON; what JSON has no word for (NaN, keys of a graph) becomes text."""
    from hutch_lineage.model import clean_json

    click.echo(orjson.dumps(clean_json(answer)[0], option=orjson.OPT_INDENT_2))
