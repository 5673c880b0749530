"""What waits for a Hutch server or a DuckDB file, for ``hutch-lineage status`` and ``flush``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hutch_lineage.plumbing import counted

from .waiting import Waiting

if TYPE_CHECKING:
    from hutch_lineage.sdk import SDKConfig


def _config(daemon: str | None = None) -> SDKConfig:
    from hutch_lineage.sdk import SDKConfig

    config = SDKConfig.from_env()
    if daemon is not None:
        config.mode, config.daemon_url = "daemon", daemon
        config.check()
    return config


def tell_kept() -> bool:
    """Print the files in which events wait for a server or a store; return whether there are any.

    Looked at are the fallback queue and the DuckDB file of the environment, or the default ones.
    """
    from hutch_lineage.errors import mask_url
    from hutch_lineage.transports import left_ahead, left_in_queue

    config = _config()
    where = "`hutch-lineage flush --daemon URL`"
    if config.mode == "daemon":
        where = f"`hutch-lineage flush` (to {mask_url(config.daemon_url)})"
    found = False
    for queue, noted in ((left_in_queue, ""), (left_ahead, " noted")):
        for left in queue(config.fallback_path):
            found = True
            click.echo(f"{left.path}\n  {counted(left.events)}{noted} for a Hutch server")
            click.echo(
                "  a process that lives sends them"
                if left.growing
                else f"  sent by {where}, or by the next start with a server"
            )
    for left in left_ahead(config.db_path):
        found = True
        click.echo(f"{left.path}\n  {counted(left.events)} not in {config.db_path} yet")
        click.echo(
            "  a process that lives stores them"
            if left.growing
            else "  stored by the next start with this file (HUTCH_DB_PATH)"
        )
    return found


def send_kept(daemon: str | None, timeout_s: float | None) -> bool | None:
    """Send the fallback queue to a Hutch server; None where nothing waits, else whether all went.

    The server is `daemon`, else the one of HUTCH_DAEMON_URL.
    """
    from hutch_lineage.errors import mask_url
    from hutch_lineage.transports import left_ahead, left_in_queue, send_queue

    config = _config(daemon)
    path = config.fallback_path
    waiting = left_in_queue(path) + [each for each in left_ahead(path) if not each.growing]
    total = sum(each.events for each in waiting)
    if not total:
        return None
    if config.mode != "daemon":
        click.echo(
            f"{counted(total)} in {path} wait for a Hutch server: name it with --daemon URL or "
            "HUTCH_DAEMON_URL"
        )
        return False
    name = mask_url(config.daemon_url)
    with Waiting(name, total) as progress:
        done = send_queue(
            path,
            config.daemon_url,
            config.auth_token,
            request_timeout_s=config.request_timeout_s,
            timeout_s=60.0 if timeout_s is None else timeout_s,
            patience_s=10.0 if timeout_s is None else None,
            on_progress=progress.sent,
            on_trouble=progress.trouble,
        )
    told = f"sent {counted(progress.done)} to the Hutch server at {name}"
    rest = sum(each.events for each in left_in_queue(path))
    click.echo(
        told
        if done
        else f"{told}; {rest:,} left in {path}{progress.why}. Run `hutch-lineage "
        "flush` again when it is back"
    )
    return done and not left_for_another_server(path)


def left_for_another_server(path: os.PathLike[str]) -> bool:
    """Say what a killed process had noted for another server; return whether there is any."""
    from pathlib import Path

    from hutch_lineage.transports import left_ahead

    others = [each for each in left_ahead(Path(path)) if not each.growing]
    for each in others:
        click.echo(f"{counted(each.events)} in {each.path} are for another server: name that one")
    return bool(others)
