"""The captured events as one preset writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from hutch_lineage.delivery import JournaledOutbox
from hutch_lineage.mapping import Preset, RunEventDict, mapper_of


class Mapped:
    """A mapping, and the RunEvents that came out of it. Not locked: the capture is.

    Attributes
    ----------
    preset : Preset
        How events are written.
    is_default : bool
        Whether that is the specification's own mapping.
    outbox : JournaledOutbox
        The RunEvents as JSON.
    next : int
        The number of the first Hutch event that has not been mapped.
    floor : int
        The first RunEvent that is not a forked child's parent's.
    owed : bool
        Whether an endpoint is sent these, so that no event may be passed over.
    unwritten : int
        How many events could not be written.
    last_problem : str or None
        Why the last of them could not be written.
    """

    def __init__(self, preset: Preset, namespace: str, job_name_default: str, first: int) -> None:
        self.preset = preset
        self.is_default = preset.is_default
        self.mapper = mapper_of(preset, namespace, job_name_default)
        self.outbox = JournaledOutbox()
        self.next = first
        self.floor = 0
        self.owed = False
        self.unwritten = 0
        self.last_problem: str | None = None
        self._parsed: list[RunEventDict | None] = []

    def bodies(self, event: Any) -> tuple[list[bytes] | None, list[str]]:
        """Return the RunEvents of an event, None where it cannot be written; and what was wrong."""
        try:
            found = self.mapper.map(event)
        except Exception as error:
            return None, [f"{type(error).__name__}: {error}"]
        if len(found) == 1:
            body, problems = found[0]
            return [body], problems
        return [body for body, _ in found], [text for _, problems in found for text in problems]

    def keep(self, bodies: Sequence[bytes], following: int) -> None:
        """Put the RunEvents of an event into the outbox; `following` is the number of the next."""
        self.next = following
        for body in bodies:
            self.outbox.append(body)

    def lost(self, problem: str) -> None:
        """Note that an event could not be written."""
        self.unwritten += 1
        self.last_problem = problem

    def rest(self) -> bool:
        """Put what was held back into the outbox; return whether there was any."""
        bodies = [body for body, _ in self.mapper.rest()]
        for body in bodies:
            self.outbox.append(body)
        return bool(bodies)

    def parsed(self) -> list[RunEventDict]:
        """Return every RunEvent, parsed once from its JSON."""
        for index in range(len(self._parsed), len(self.outbox)):
            try:
                self._parsed.append(orjson.loads(self.outbox.read(index)))
            except LookupError:  # delivered long ago, and kept no more
                self._parsed.append(None)
        return [event for event in self._parsed if event is not None]
