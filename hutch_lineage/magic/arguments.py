"""The words after ``%hutch_lineage`` and ``%%hutch_lineage``."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable
from typing import Any, NoReturn

from IPython.core.error import UsageError
from IPython.core.magic_arguments import MagicArgumentParser

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.openlineage import BACKENDS
from hutch_lineage.session import options_of as typed_options

# in words, so that help does not wait for what writes the files; a test compares
SUFFIXES = (
    ".html .svg .png .graphml .gexf .json .jsonl .ndjson .csv .alife.csv .nwk .newick .provjson "
    ".prov.json .crate .zip .parquet .frames .md"
)


class HelpAsked(Exception):  # noqa: N818 - nothing went wrong
    """The user asked for help; the text is the argument."""


class _Parser(MagicArgumentParser):
    """Says what is wrong in one line and never ends the interpreter."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message} (see `%hutch_lineage --help`)")

    def print_help(self, file: object = None) -> NoReturn:
        del file
        raise HelpAsked(self.format_help())


def _parser(prog: str, description: str) -> _Parser:
    return _Parser(  # type: ignore[no-untyped-call]  # IPython's has no types
        prog=prog,
        description=description,
        add_help=True,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def line_parser() -> _Parser:
    """Return the parser of ``%hutch_lineage``."""
    parser = _parser(
        "%hutch_lineage",
        "Capture a run, see its lineage, send it. Without a word: show the explorer.",
    )
    words = parser.add_subparsers(dest="word", parser_class=_Parser, metavar="WORD")
    show = words.add_parser("show", help="show the explorer of this session (the default)")
    show.add_argument("--height", type=int, default=640, help="height in pixels")
    show.add_argument("--theme", choices=("auto", "light", "dark"), default="auto")
    live = words.add_parser("live", help="post the session's events to an OpenLineage backend")
    live.add_argument("endpoint", nargs="?", help="for example http://localhost:5000")
    live.add_argument("--backend", choices=BACKENDS, default=None, help="a preset of the mapping")
    words.add_parser("memory", help="stop posting; keep the events in memory")
    words.add_parser("status", help="say where events go and how many have arrived")
    opened = words.add_parser(
        "open", help="show a run from a file, a folder, or a backend; its kind is found"
    )
    opened.add_argument("path", nargs="+", help="where, or for example http://localhost:5000")
    opened.add_argument("--kind", help="how to read it, where that is not to be found")
    opened.add_argument("--run", help="the run of the backend, by name or id")
    opened.add_argument("--follow", action="store_true", help="go on while it grows")
    opened.add_argument(
        "--direction",
        action="append",
        default=[],
        metavar="METRIC=lower|higher",
        help="which way a metric is better, where the file does not say it",
    )
    opened.add_argument("--height", type=int, default=640, help="height in pixels")
    words.add_parser("attach", help="see live what this process logs with the real Hutch SDK")
    words.add_parser("detach", help="stop that, and restore the Hutch SDK as it was")
    export = words.add_parser(
        "export",
        help="write .html, .svg, .jsonl, .ndjson (OpenLineage), .csv, .zip (RO-Crate) and others",
        description="Write the run in the form of the file's suffix; an open explorer's view is "
        f"taken for pages and pictures. Suffixes: {SUFFIXES}.",
    )
    export.add_argument("path", nargs="+", help="the file to write")
    export.add_argument("--format", help="the form, where the suffix does not say it")
    export.add_argument("--preset", help="for OpenLineage: a backend's mapping")
    export.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what the form takes, such as first_parent=true for .nwk",
    )
    words.add_parser("help", help="show this text")
    return parser


def cell_parser() -> _Parser:
    """Return the parser of ``%%hutch_lineage``."""
    parser = _parser("%%hutch_lineage", "Run the cell in a run; Stop and the toggle stay alive.")
    words = parser.add_subparsers(dest="word", parser_class=_Parser, metavar="WORD", required=True)
    run = words.add_parser("run", help="open a run, run the cell in it, end the run")
    run.add_argument("name", nargs="?", help="the run's name")
    run.add_argument("--project", help="the run's project")
    run.add_argument(
        "--main",
        action="store_true",
        help="keep the cell on the main thread, for code that needs it (signals, some GUIs)",
    )
    return parser


def split(line: str) -> list[str]:
    """Split a magic's line as a shell does.

    Raises
    ------
    UsageError
        A quote is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"hutch_lineage: {error} in: {line}") from None


def options_of(pairs: Iterable[str]) -> dict[str, Any]:
    """Return ``name=value`` pairs as options; a value is a number or a truth value where it is one.

    Raises
    ------
    UsageError
        A pair has no ``=``.
    """
    try:
        return typed_options(pairs)
    except ConfigurationError as error:
        raise UsageError(f"hutch_lineage: {error}") from None


def directions_of(pairs: Iterable[str]) -> dict[str, Any]:
    """Return ``metric=direction`` pairs; whether there is such a direction, the graph says.

    Raises
    ------
    UsageError
        A pair has no ``=``.
    """
    found = {}
    for pair in pairs:
        metric, equals, direction = pair.rpartition("=")
        if not equals:
            raise UsageError(f"hutch_lineage: {pair!r} is no METRIC=lower or METRIC=higher")
        found[metric] = direction
    return found
