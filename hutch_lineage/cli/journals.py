"""``hutch-lineage status | flush | tail``: what waits in the journals."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click
import orjson

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.plumbing import counted

from .kept import send_kept, tell_kept
from .sending import TIMEOUT, key_for, send_waiting
from .workers import hand_over_workers, tell_workers

JOURNAL = click.option(
    "--journal",
    type=click.Path(path_type=Path),
    help="Folder of the journals; by default HUTCH_OPENLINEAGE_JOURNAL, else ~/.hutch/openlineage.",
)


def root_of(given: Path | None) -> Path:
    """Return the folder of the journals: the one given, else that of the environment."""
    from hutch_lineage.delivery import journal_root

    root = journal_root(given)
    if root is None:
        raise ConfigurationError(
            "HUTCH_OPENLINEAGE_JOURNAL is off: name a folder with --journal",
            "HUTCH_OPENLINEAGE_JOURNAL",
        )
    return root


@click.command()
@JOURNAL
def status(journal: Path | None) -> None:
    """Tell what waits in the journals: per endpoint and process, owed and refused events.

    And what worker processes logged that their session did not take, since it was killed; what
    waits in Hutch's fallback queue for a server; and what is not in the DuckDB file yet.
    """
    from hutch_lineage.openlineage import left_in

    root = root_of(journal)
    found = left_in(root)
    others = [tell_workers(), tell_kept()]
    if not found and not any(others):
        click.echo(f"nothing waits in {root}")
    for left in found:
        click.echo(left.endpoint)
        for facts in left.journals:
            refused = f", {facts.rejected:,} refused" if facts.rejected else ""
            # what was taken ahead of older events of other runs is not noted on disk
            owed = f"{'at most ' if facts.owed else ''}{facts.owed:,}"
            click.echo(
                f"  {facts.state}: {facts.host} process {facts.pid}: "
                f"{owed} of {counted(facts.events)} not sent{refused} "
                f"({facts.size / 1e6:.1f} MB)"
            )


@click.command()
@click.argument("url", required=False)
@JOURNAL
@TIMEOUT
@click.option("--rejected", "again", is_flag=True, help="Offer refused events once more, too.")
@click.option("--daemon", metavar="URL", help="The Hutch server; by default HUTCH_DAEMON_URL.")
def flush(
    url: str | None, journal: Path | None, timeout_s: float | None, again: bool, daemon: str | None
) -> None:
    """Send what processes that are gone have left, to URL or to the endpoints it was meant for.

    What waits in Hutch's fallback queue goes to the Hutch server, unless URL is given without
    --daemon. The key of HUTCH_OPENLINEAGE_API_KEY goes to the host of URL, or of
    HUTCH_OPENLINEAGE_ENDPOINT. Exit code 1 where something is left, or was refused.
    """
    from hutch_lineage.openlineage import left_in

    complete = hand_over_workers(root_of(journal))
    given = url or os.environ.get("HUTCH_OPENLINEAGE_ENDPOINT") or os.environ.get("OPENLINEAGE_URL")
    waiting = [left for left in left_in(root_of(journal)) if left.owed or (again and left.rejected)]
    if url:
        waiting = [left for left in waiting if left.at(url) is not None]
    kept = send_kept(daemon, timeout_s) if daemon or not url else None
    if not waiting and kept is None:
        click.echo("nothing to send")
    complete = complete and kept is not False
    for left in waiting:
        target = left.target(given)
        if target is None:
            click.echo(f"{left.endpoint} holds a secret that is not in the journal: give the URL")
            complete = False
            continue
        done = send_waiting(left, target, key_for(given, target), timeout_s=timeout_s, again=again)
        complete = complete and done
    if not complete:
        raise SystemExit(1)


@click.command()
@JOURNAL
@click.option("-n", "--lines", default=10, show_default=True, help="Events of each journal.")
@click.option("-f", "--follow", is_flag=True, help="Go on as new ones come.")
@click.option("--json", "raw", is_flag=True, help="Print the events as they are.")
def tail(journal: Path | None, lines: int, follow: bool, raw: bool) -> None:
    """Print the newest events of the journals."""
    from hutch_lineage.openlineage import run_events

    root = root_of(journal)
    seen: dict[Path, int] = {}
    for facts, line in run_events(root, lines):
        click.echo(line.decode() if raw else _one_line(line))
        seen[facts.folder] = facts.events
    while follow:
        time.sleep(0.5)
        counted: dict[Path, int] = {}
        for facts, line in run_events(root):
            counted[facts.folder] = counted.get(facts.folder, 0) + 1
            if counted[facts.folder] > seen.get(facts.folder, 0):
                click.echo(line.decode() if raw else _one_line(line))
        seen = {**seen, **counted}


def _one_line(line: bytes) -> str:
    try:
        event: dict[str, Any] = orjson.loads(line)
        inputs = ", ".join(str(each["name"]) for each in event.get("inputs", ()))
        outputs = ", ".join(str(each["name"]) for each in event.get("outputs", ()))
        edge = f"  {inputs} -> {outputs}" if outputs else ""
        shown = f"{event['eventTime']}  {event['eventType']:8}  {event['job']['name']}{edge}"
    except (ValueError, KeyError, TypeError):
        return "a line that is no RunEvent"
    return shown.encode("unicode_escape", "replace").decode() if not shown.isprintable() else shown
