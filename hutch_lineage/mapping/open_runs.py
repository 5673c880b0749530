"""What a mapping by operators remembers of a run: its clock, and whose parents nobody named yet.

An individual declares its parents, and an operator names them again; either may be logged first.
What no operator has named by the end of the run is written as an operator of kind ``unknown``. All
that is kept has a limit, beyond which the oldest is written, or forgotten, early.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from .clock import LAST_US, iso_from_ns

MOST_HELD: Final = 10_000
"""How many individuals of a run may wait for their operator."""


class Said(NamedTuple):
    """Which Hutch event said something, and when."""

    event_id: str | None
    timestamp_ns: int


class Seed(NamedTuple):
    """A seed that has not been written; `origin` is the run and the id that it was taken from."""

    id: str
    said: Said
    origin: tuple[str, str] | None


class Held(NamedTuple):
    """A child and the parents, each with its relation, that no operator has named so far."""

    child: str
    said: Said
    parents: dict[str, str | None]


@dataclass(slots=True)
class OpenRun:
    """The state of one run. `job` is the name of its job, `start` the payload of its start."""

    run_id: str
    job: str
    start: Any = None
    ended: bool = False
    last_us: int = -1
    named: dict[str, dict[str, None]] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    seeds: dict[str, Seed] = field(default_factory=dict)
    agents: dict[str, None] = field(default_factory=dict)

    def tick(self, timestamp_ns: int) -> str:
        """Return the next event time: the given one, or a microsecond after the last."""
        self.last_us = min(max(timestamp_ns // 1000, self.last_us + 1), LAST_US)
        return iso_from_ns(self.last_us * 1000)

    def declare(self, child: str, parents: Iterable[str], relation: str | None, said: Said) -> None:
        """Hold the parents of a child that no operator has named."""
        named = self.named.get(child, {})
        missing = {parent: relation for parent in parents if parent not in named}
        if missing:
            held = self.held.get(child)
            if held is None:
                self.held[child] = Held(child, said, missing)
            else:
                held.parents.update({**missing, **held.parents})

    def name(self, child: str, parents: Iterable[str]) -> None:
        """Note that an operator named the parents of a child."""
        self.seeds.pop(child, None)
        named = self.named.setdefault(child, {})
        named.update(dict.fromkeys(parents))
        held = self.held.get(child)
        if held is not None:
            for parent in named:
                held.parents.pop(parent, None)
            if not held.parents:
                del self.held[child]
        _forget(self.named)

    def meet(self, agent: str) -> bool:
        """Note an agent; return whether it is new."""
        new = agent not in self.agents
        self.agents[agent] = None
        _forget(self.agents)
        return new

    def overdue(self) -> Iterator[Held | Seed]:
        """Take out what is too much to be held."""
        while len(self.held) > MOST_HELD:
            yield self.held.pop(next(iter(self.held)))
        while len(self.seeds) > MOST_HELD:
            yield self.seeds.pop(next(iter(self.seeds)))

    def rest(self) -> Iterator[Held | Seed]:
        """Take out all that was held, oldest first."""
        waiting: list[Held | Seed] = [*self.seeds.values(), *self.held.values()]
        waiting.sort(key=_moment)
        self.seeds.clear()
        self.held.clear()
        yield from waiting

    def end(self) -> None:
        """Note that the run has ended: what comes late is no longer held."""
        self.ended = True
        self.named.clear()  # the agents stay: one that goes on with a run begun again is no seed


def _moment(waiting: Held | Seed) -> int:
    return waiting.said.timestamp_ns


def _forget(known: dict[str, Any]) -> None:
    if len(known) > 2 * MOST_HELD:
        for key in list(islice(known, MOST_HELD)):
            del known[key]
