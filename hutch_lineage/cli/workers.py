"""What worker processes left behind, for ``hutch-lineage status`` and ``flush``."""

from __future__ import annotations

from pathlib import Path

import click

from hutch_lineage.errors import HutchLineageError


def tell_workers() -> bool:
    """Print the sessions that did not take all that their workers logged; whether there are any."""
    from hutch_lineage.session import left_by_workers

    found = left_by_workers()
    for left in found:
        what = f"{left.events:,} event" + ("" if left.events == 1 else "s")
        growing = ", and a worker of it lives" if left.growing else ""
        click.echo(f"{left.folder}\n  left by workers of process {left.facts.pid}: {what}{growing}")
        if left.facts.journal is None:
            click.echo(
                "  meant for no backend: `hutch-lineage load FILE` opens the files in it; "
                "remove the folder when they are not needed"
            )
        else:
            click.echo(f"  meant for {left.facts.endpoint}: `hutch-lineage flush` sends them")
    return bool(found)


def hand_over_workers(root: Path) -> bool:
    """Put what workers left for the journals below `root` into those; whether all of it is."""
    from hutch_lineage.session import hand_over, left_by_workers

    complete = True
    for left in left_by_workers():
        if left.facts.journal is None or Path(left.facts.journal).parent != root.absolute():
            continue
        if left.growing:
            click.echo(
                f"{left.folder} is being written to by a worker: try again when it has ended"
            )
            complete = False
            continue
        try:
            hand_over(left)
        except HutchLineageError as error:
            click.echo(str(error), err=True)
            complete = False
    return complete
