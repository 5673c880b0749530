"""``%hutch_lineage`` and ``%%hutch_lineage``: parse, call, print."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.display import display

from hutch_lineage.errors import HutchLineageError
from hutch_lineage.readers import is_backend
from hutch_lineage.sdk import StopRun, run
from hutch_lineage.session import (
    Session,
    attach,
    contents_of,
    current_session,
    detach,
    in_shell_words,
    serve_during_cells,
    write_source,
)

from .arguments import HelpAsked, cell_parser, directions_of, line_parser, options_of, split
from .attached import compiled_body, run_attached, run_codes

if TYPE_CHECKING:
    import argparse

    from hutch_lineage.explorer import Explorer


def status_line(session: Session) -> str:
    """Return one line: where events go, and how many have arrived."""
    status = session.status()
    if status["mode"] == "memory":
        owed = f", {status['queued']} not sent" if status["queued"] else ""
        line = f"in memory: {status['captured']:,} OpenLineage events captured{owed}"
    else:
        line = (
            f"live to {status['endpoint']} ({status['backend']}): {status['sent']:,} sent, "
            f"{status['queued']:,} queued"
        )
        if status["rejected"]:
            line += f", {status['rejected']:,} rejected"
        if tries := status["failed"]:
            one = tries == 1
            be = ("is" if one else "are") if status["queued"] else ("was" if one else "were")
            line += f" ({tries:,} {'try' if one else 'tries'} failed and {be} repeated)"
    if session.kept:
        line += f"; events are kept in {session.kept}"
    return f"{line}; last error: {status['last_error']}" if status["last_error"] else line


def _advice(session: Session) -> str:
    """Return a line on the preset of the backend that answers, where another one is in force."""
    found = session.detect()
    in_force = session.status()["backend"]
    if found.backend in (None, "generic", in_force) or in_force != "generic":
        return ""
    return (
        f"\nthere is {found.why}. It shows parents and children under its own preset only: "
        f"%hutch_lineage live {found.url} --backend {found.backend}"
    )


def _show(explorer: Explorer) -> None:
    display(explorer)  # type: ignore[no-untyped-call]  # IPython's has no types


def _newest_view() -> Explorer | None:
    """Return the explorer that was opened last, where one is open."""
    explorers = sys.modules.get("hutch_lineage.explorer")
    return None if explorers is None else explorers.newest(current_session())


@magics_class
class LineageMagics(Magics):
    """The magics of one shell."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self.pump = serve_during_cells(shell)

    @line_cell_magic
    def hutch_lineage(self, line: str, cell: str | None = None) -> None:
        """Capture a run, see its lineage, send it; ``%hutch_lineage --help`` lists the words."""
        __tracebackhide__ = True  # IPython shows only the frames of the user's cell
        try:
            if cell is None:
                self._line(line)
            else:
                self._cell(line, cell)
        except HelpAsked as asked:
            print(asked)  # noqa: T201 - a magic answers on the page

    def _line(self, line: str) -> None:
        parser = line_parser()
        words = split(line)
        arguments = parser.parse_args(words if words else ["show"])
        actions: dict[str | None, Callable[[argparse.Namespace], str | None]] = {
            "show": self._show,
            "live": self._live,
            "memory": self._memory,
            "status": lambda _: status_line(current_session()),
            "open": self._open,
            "attach": lambda _: str(attach()),
            "detach": self._detach,
            "export": self._export,
        }
        action = actions.get(arguments.word)
        if action is None:
            raise HelpAsked(parser.format_help())
        try:
            answer = action(arguments)
        except HutchLineageError as error:
            raise UsageError(in_shell_words(str(error))) from None
        if answer:
            print(answer)  # noqa: T201 - a magic answers on the page

    def _show(self, arguments: argparse.Namespace) -> None:
        from hutch_lineage.explorer import explore

        _show(explore(height=arguments.height, theme=arguments.theme))

    def _open(self, arguments: argparse.Namespace) -> None:
        from hutch_lineage.explorer import explore

        named = " ".join(arguments.path)
        source = named if is_backend(named) else Path(named).expanduser()
        _show(
            explore(
                source,
                kind=arguments.kind,
                run=arguments.run,
                follow=arguments.follow,
                directions=directions_of(arguments.direction),
                height=arguments.height,
            )
        )

    def _live(self, arguments: argparse.Namespace) -> str:
        session = current_session()
        session.go_live(arguments.endpoint, backend=arguments.backend)
        return status_line(session) + ("" if arguments.backend else _advice(session))

    def _memory(self, arguments: argparse.Namespace) -> str:
        del arguments
        session = current_session()
        session.go_memory()
        return status_line(session)

    def _detach(self, arguments: argparse.Namespace) -> str:
        del arguments
        detach()
        return "not attached to Hutch: what it logs is not seen here"

    def _export(self, arguments: argparse.Namespace) -> str:
        path = Path(" ".join(arguments.path)).expanduser()
        options = {**options_of(arguments.option), "preset": arguments.preset}
        view = _newest_view()
        source = current_session() if view is None else view.source
        contents = contents_of(source)
        if view is None:
            written = write_source(source, path, arguments.format, **options)
        else:
            written = view.write(path, arguments.format, **options)
        notes = map(in_shell_words, written.notes)
        return "\n".join((f"wrote {written}: {contents}", *(f"  {note}" for note in notes)))

    def _cell(self, line: str, cell: str) -> None:
        __tracebackhide__ = True
        arguments = cell_parser().parse_args(split(line))
        shell = self.shell
        assert shell is not None  # noqa: S101 - a magic has a shell
        codes = compiled_body(shell, cell)
        current_session()

        def body() -> None:
            __tracebackhide__ = True
            with run(arguments.name, project=arguments.project):
                run_codes(codes, shell.user_ns)

        try:
            if arguments.main:
                with current_session().attached():
                    body()
            else:
                run_attached(body, self.pump)
        except StopRun:
            print("stopped")  # noqa: T201 - a magic answers on the page
