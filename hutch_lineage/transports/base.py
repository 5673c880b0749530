"""What a primary transport is."""

from __future__ import annotations

from typing import Protocol

from hutch_lineage.model import Event


class Transport(Protocol):
    """Where the SDK puts every event first.

    An implementation may be called from several threads at once.
    """

    def send(self, event: Event) -> None:
        """Keep one event. Called once per event, in the order of capture of each thread."""

    def close(self) -> None:
        """Release what the transport holds. Calling it twice is harmless."""


class TransportSettings(Protocol):
    """The settings that choose a transport; ``sdk.SDKConfig`` has them."""

    @property
    def mode(self) -> str:
        """``memory``, ``embedded`` or ``daemon``."""

    @property
    def strict(self) -> bool:
        """Whether a mode that cannot be had is an error."""
