"""What a primary transport is."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from hutch_lineage.model import Event


class Transport(Protocol):
    """Where the SDK puts every event first.

    An implementation may be called from several threads at once.
    """

    @property
    def summary(self) -> str:
        """Where events go and how many wait, for a person; empty where that is memory alone."""

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
        """Whether every failure is an error."""

    @property
    def db_path(self) -> Path:
        """The DuckDB file of mode ``embedded``."""

    @property
    def daemon_url(self) -> str:
        """The Hutch server of mode ``daemon``."""

    @property
    def auth_token(self) -> str | None:
        """Its bearer token."""

    @property
    def request_timeout_s(self) -> float:
        """Time limit of one request, in seconds."""

    @property
    def fallback_path(self) -> Path:
        """Where events wait while that server is away."""

    @property
    def auto_fallback(self) -> bool:
        """Whether they do."""
