"""The seam between a session and its ties to other processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from hutch_lineage.model import Event, RunStatus

from .config import SDKConfig

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hutch_lineage.openlineage import OpenLineageEmitter


class KnownRun(Protocol):
    """What there is to know of a run."""

    id: str
    name: str | None
    project: str | None
    ended: bool
    foreign: bool
    status: RunStatus


class Host(Protocol):
    """The session that has the ties: :class:`Runtime`."""

    config: SDKConfig
    closed: bool
    emitter: OpenLineageEmitter | None
    heard_runs: dict[str, bool]

    @property
    def runs(self) -> Mapping[str, KnownRun]:
        """The runs by their id."""

    @property
    def is_heard(self) -> bool:
        """Whether anybody wants events as they come."""

    def capture(self, event: Event) -> None:
        """Keep an event and hand it on."""

    def take(self, event: Event) -> None:
        """Keep an event that another SDK stores, and hand it on."""

    def say_once(self, key: str, message: str) -> None:
        """Log a WARNING once."""

    def drop_emitter(self, *, close: bool) -> None:
        """Have no emitter any more."""
