"""What every verb needs: a way to log to the run that is meant."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar
from uuid import UUID

from hutch_lineage.model import Event, RunStatus

E = TypeVar("E", bound=Event)


class VerbBase:
    """Knows which run is meant; the verbs are built on it."""

    __slots__ = ()

    @abstractmethod
    def _log(
        self, verb: str, event_class: type[E], fields: dict[str, Any], envelope: dict[str, Any]
    ) -> E:
        """Make the event, capture it and return it."""

    @abstractmethod
    def _end(self, status: RunStatus, summary: str | None, event_id: str | UUID | None) -> None:
        """End the run that is meant."""
