"""``hutch-lineage post``: a run that was kept somewhere, sent to a backend."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from hutch_lineage.plumbing import counted

from .journals import JOURNAL, root_of
from .options import KIND, RUN
from .sending import TIMEOUT, key_for, refusal, send_waiting
from .wording import line_of

if TYPE_CHECKING:
    from hutch_lineage.mapping import Preset
    from hutch_lineage.sdk import SDKConfig
    from hutch_lineage.session import OpenedSource


@click.command()
@click.argument("source")
@click.argument("url")
@click.option(
    "--backend",
    help="How events are written: a preset, or auto to ask URL; by default "
    "HUTCH_OPENLINEAGE_BACKEND, else generic.",
)
@KIND
@RUN
@JOURNAL
@TIMEOUT
@click.option("--anew", is_flag=True, help="Write OpenLineage events as --backend does, too.")
@click.option("--again", is_flag=True, help="Post what URL was given before, too.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be posted.")
def post(
    source: str,
    url: str,
    backend: str | None,
    kind: str | None,
    run: str | None,
    journal: Path | None,
    timeout_s: float | None,
    anew: bool,
    again: bool,
    dry_run: bool,
) -> None:
    """Post SOURCE, a run kept in any form, to the OpenLineage backend at URL.

    OpenLineage events go out as they are, unless --anew says otherwise, and all others as the
    preset of --backend writes them. Events stand in a journal first, so that a command that was
    cut short goes on where it was when it is given again (or with `hutch-lineage flush`), and of a
    run that has grown only what is new is posted. The key of HUTCH_OPENLINEAGE_API_KEY is
    sent to URL. Exit code 1 where something is left, or URL refused some of it.
    """
    from hutch_lineage.mapping import parse_endpoint
    from hutch_lineage.openlineage import keep, left_in, refused_of
    from hutch_lineage.sdk import SDKConfig
    from hutch_lineage.session import OpenedSource

    config = SDKConfig.from_env()
    preset = _preset(backend or config.openlineage_backend, config, url)
    target = parse_endpoint(url, preset.path)
    opened = OpenedSource.open(source, run, kind=kind)
    bodies, notes = _run_events(opened, preset, config.openlineage_namespace, anew=anew)
    click.echo(f"{opened.name}: {counted(len(bodies), 'OpenLineage event')} ({preset.name})")
    for note in notes:
        click.echo(f"  {line_of(note)}")
    if dry_run:
        return
    root = root_of(journal)
    name = _named(source, run, preset)
    kept = keep(bodies, target, root, name, accepted=preset.accepted, again=again)
    found = [left for left in left_in(root) if left.endpoint == target.masked]
    reasons = [why for left in found for why in refused_of(kept.had, left)]
    if kept.had:
        told = f"{counted(len(kept.had))} of them were given to {target.masked} before"
        said = refusal(len(reasons), reasons[0], target.masked) if reasons else ""
        click.echo(f"{told}, {said}" if said else told)
    complete = not reasons
    for left in found:
        if left.owed:
            key = key_for(url, target)
            done = send_waiting(left, target, key, timeout_s=timeout_s)
            complete = complete and done
    if not complete:
        raise SystemExit(1)


def _preset(name: str, config: SDKConfig, url: str) -> Preset:
    from hutch_lineage.mapping import AUTO, preset_of
    from hutch_lineage.openlineage import detect_backend

    if name == AUTO:
        found = detect_backend(url, api_key=config.openlineage_api_key)
        click.echo(str(found))
        name = found.backend or "generic"
    return preset_of(name, config.openlineage_overrides)


def _run_events(
    opened: OpenedSource, preset: Preset, namespace: str, *, anew: bool
) -> tuple[list[bytes], Sequence[str]]:
    """Return the RunEvents of a source as JSON, and what the mapping has no place for."""
    from hutch_lineage.session import write_source

    with TemporaryDirectory(prefix="hutch-lineage-post-") as folder:
        kept = bool(opened.all_run_events()) and not opened.hutch_events() and not anew
        given = None if preset.is_default or kept else preset
        path = Path(folder) / "run.ndjson"
        written = write_source(opened, path, "openlineage", preset=given, namespace=namespace)
        return path.read_bytes().split(b"\n")[:-1], written.notes


def _named(source: str, run: str | None, preset: Preset) -> str:
    """Return what tells one posting from another: the same source, run and mapping."""
    place = Path(source)
    with suppress(OSError):
        source = str(place.resolve()) if place.exists() else source
    return f"{source} {run or ''} as {preset!r}"
