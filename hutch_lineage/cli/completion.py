"""``hutch-lineage completion``: what a shell needs to complete the commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

PROGRAM = "hutch-lineage"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL.

    For bash: `eval "$(hutch-lineage completion bash)"` in ~/.bashrc; zsh alike; for fish:
    `hutch-lineage completion fish > ~/.config/fish/completions/hutch-lineage.fish`.
    """
    script = get_completion_class(shell)
    if script is None:
        raise click.ClickException(f"this version of click has no completion for {shell}")
    click.echo(script(ctx.find_root().command, {}, PROGRAM, "_HUTCH_LINEAGE_COMPLETE").source())
