"""``hutch-lineage``: look at a run, and write it in another form, from a shell."""

from __future__ import annotations

import errno
import io
import sys
from typing import NoReturn

import click

from hutch_lineage import __version__
from hutch_lineage.errors import HutchLineageError

from .completion import completion
from .demo import serve_demo
from .exporting import export
from .journals import flush, status, tail
from .looking import best, load, stats, view
from .posting import post
from .wording import line_of


class _Group(click.Group):
    """Prints the package's own errors, and output that cannot be written, as one line; exit 1."""

    def invoke(self, ctx: click.Context) -> object:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # what its encoding lacks becomes a mark
                stream.reconfigure(errors="replace")
        try:
            return super().invoke(ctx)
        except HutchLineageError as error:
            raise click.ClickException(_harmless(str(error))) from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # `| head`: click ends quietly
                raise
            what = f"{error.filename}: " if error.filename else "the output cannot be written: "
            raise click.ClickException(_harmless(f"{what}{error.strerror}")) from None


def _harmless(message: str) -> str:
    """Return a message without what would steer a terminal: it may quote a file."""
    return "\n".join(map(line_of, message.split("\n")))


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="hutch-lineage")
def cli() -> None:
    """Look at the lineage of an evolutionary or self-improving run."""


_LOOK = (view, load, stats, best, export)
_SEND = (post, status, flush, tail)
for _command in (*_LOOK, *_SEND, serve_demo, completion):
    cli.add_command(_command)


def main() -> NoReturn:
    """Run the command line; the entry point of ``hutch-lineage``."""
    cli(prog_name="hutch-lineage")
    raise SystemExit(0)
