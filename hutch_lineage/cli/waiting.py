"""What a person sees while a command sends what was left."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Final, Self

import click

SAY_EVERY_S: Final = 5.0


class Waiting:
    """A bar of progress; in an outage, why it stands still and for how long it is tried still.

    Parameters
    ----------
    name : str
        Where events are sent to.
    total : int
        How many there are.

    Attributes
    ----------
    done : int
        How many were taken.
    refused : int
        How many were refused.
    why_refused : str
        The reason of the first of them.
    why : str
        The reason of the last outage in brackets, with a blank before; empty where there was none.
    """

    def __init__(self, name: str, total: int) -> None:
        self._name = name
        self._bar: Any = click.progressbar(length=total, label=name)
        self._said_at = 0.0
        self.done = self.refused = 0
        self.why = self.why_refused = ""

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.__exit__(kind, error, trace)

    def sent(self, count: int) -> None:
        """Show that so many more were taken."""
        self.done += count
        self._bar.update(count)

    def lost(self, count: int, reason: str) -> None:
        """Show that so many more were refused."""
        self.refused += count
        self.why_refused = self.why_refused or reason
        self._bar.update(count)

    def trouble(self, reason: str, left_s: float) -> None:
        """Say, every few seconds, that nothing is taken just now."""
        now = time.monotonic()
        if self.why and now - self._said_at < SAY_EVERY_S:
            return
        first = not self.why
        self._said_at = now
        self.why = f" ({reason})"
        told = (
            f"{self._name} does not take events: {reason}. They stay on disk until it does"
            if first
            else f"still: {reason}"
        )
        click.echo(f"\n{told}; it is tried for {left_s:.0f} s more", err=True)
