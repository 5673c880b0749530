"""What waits in journals, sent while a person looks on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from hutch_lineage.plumbing import counted

from .waiting import Waiting

if TYPE_CHECKING:
    from hutch_lineage.delivery import Credentials
    from hutch_lineage.mapping import Endpoint
    from hutch_lineage.openlineage import LeftForEndpoint

TIMEOUT = click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0),
    help="Seconds to try; by default 60, and 10 where nothing at all is taken.",
)


def send_waiting(
    left: LeftForEndpoint,
    target: Endpoint,
    credentials: Credentials | None,
    *,
    timeout_s: float | None = None,
    again: bool = False,
) -> bool:
    """Send what waits for an endpoint and tell what became of it; return whether all was taken.

    Parameters
    ----------
    left, target, credentials
        See :func:`hutch_lineage.openlineage.send_left`.
    timeout_s : float, optional
        The longest time in seconds; without it 60, and 10 where nothing at all is taken.
    again : bool
        Whether what was refused is offered once more, too.
    """
    from hutch_lineage.openlineage import send_left

    total = left.owed + (left.rejected if again else 0)
    with Waiting(left.endpoint, total) as progress:
        done = send_left(
            left,
            target,
            credentials,
            timeout_s=60.0 if timeout_s is None else timeout_s,
            patience_s=10.0 if timeout_s is None else None,
            again=again,
            on_progress=progress.sent,
            on_refused=progress.lost,
            on_trouble=progress.trouble,
        )
    told = f"sent {counted(progress.done)} to {left.endpoint}"
    if progress.refused:
        told += f", {refusal(progress.refused, progress.why_refused, left.endpoint)}"
    rest = total - progress.done - progress.refused
    click.echo(
        told
        if done
        else f"{told}; {rest:,} left in {left.folder}{progress.why}. Run `hutch-lineage flush` "
        "again when it is back"
    )
    return done and not progress.refused


def refusal(count: int, why: str, endpoint: str) -> str:
    """Return how many events an endpoint refused, why, and what can be done."""
    from hutch_lineage.export import one_line

    return one_line(
        f"{count:,} refused: {why}; `hutch-lineage flush {endpoint} --rejected` offers "
        f"{'it' if count == 1 else 'them'} again"
    )


def key_for(given: str | None, target: Endpoint) -> Credentials | None:
    """Return the key of the environment where `target` is on the host of `given`."""
    from hutch_lineage.delivery import Credentials
    from hutch_lineage.mapping import parse_endpoint

    key = os.environ.get("HUTCH_OPENLINEAGE_API_KEY") or os.environ.get("OPENLINEAGE_API_KEY")
    if given and key and parse_endpoint(given).origin == target.origin:
        return Credentials(key)
    return None
