"""The event envelope and its 19 kinds.

``Event`` carries who, when and where; each subclass fixes ``event_kind`` and the payload. The JSON
of an event is the Hutch canonical JSON: real Hutch reads it, and :func:`parse_event` reads Hutch's.
"""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hutch_lineage.errors import InvalidEventError

from . import payloads as p
from .fresh import new_uuid
from .kinds import ALL_KINDS


class Event(BaseModel):
    """Who logged what, and when.

    `timestamp_ns` is Unix time in nanoseconds. Events are frozen.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    event_id: UUID = Field(default_factory=new_uuid)
    run_id: str
    timestamp_ns: Annotated[int, Field(ge=0)] = Field(default_factory=time.time_ns)
    stream_id: str | None = None
    worker_id: str | None = None
    span_id: str | None = None
    trace_id: str | None = None


class RunStartEvent(Event):
    """A run begins."""

    event_kind: Literal["run_start"] = "run_start"
    payload: p.RunStartPayload


class RunUpdateEvent(Event):
    """Facts about a run changed."""

    event_kind: Literal["run_update"] = "run_update"
    payload: p.RunUpdatePayload


class RunEndEvent(Event):
    """A run ends."""

    event_kind: Literal["run_end"] = "run_end"
    payload: p.RunEndPayload


class IndividualEvent(Event):
    """A candidate exists."""

    event_kind: Literal["individual"] = "individual"
    payload: p.IndividualPayload


class OperatorEvent(Event):
    """An operator made a child."""

    event_kind: Literal["operator"] = "operator"
    payload: p.OperatorPayload


class FitnessEvent(Event):
    """A candidate was evaluated."""

    event_kind: Literal["fitness"] = "fitness"
    payload: p.FitnessPayload


class DescriptorEvent(Event):
    """A candidate was placed in an archive."""

    event_kind: Literal["descriptor"] = "descriptor"
    payload: p.DescriptorPayload


class LineageEdgeEvent(Event):
    """An edge without operator."""

    event_kind: Literal["lineage_edge"] = "lineage_edge"
    payload: p.LineageEdgePayload


class MigrationEvent(Event):
    """Candidates moved between islands."""

    event_kind: Literal["migration"] = "migration"
    payload: p.MigrationPayload


class SelfModEvent(Event):
    """An agent proposed to change itself."""

    event_kind: Literal["self_mod"] = "self_mod"
    payload: p.SelfModPayload


class ArtifactEvent(Event):
    """Content was stored elsewhere."""

    event_kind: Literal["artifact"] = "artifact"
    payload: p.ArtifactPayload


class ClaimEvent(Event):
    """A claim was made."""

    event_kind: Literal["claim"] = "claim"
    payload: p.ClaimPayload


class EvidenceEvent(Event):
    """Evidence was given for or against a claim."""

    event_kind: Literal["evidence"] = "evidence"
    payload: p.EvidencePayload


class ReviewEvent(Event):
    """Something was judged."""

    event_kind: Literal["review"] = "review"
    payload: p.ReviewPayload


class StreamEventEvent(Event):
    """A free log entry."""

    event_kind: Literal["stream_event"] = "stream_event"
    payload: p.StreamEventPayload


class SteeringCommandEvent(Event):
    """A command was given."""

    event_kind: Literal["steering_command"] = "steering_command"
    payload: p.SteeringCommandPayload


class TreeExpansionEvent(Event):
    """A tree search grew."""

    event_kind: Literal["tree_expansion"] = "tree_expansion"
    payload: p.TreeExpansionPayload


class ArchiveSnapshotEvent(Event):
    """Figures of an archive."""

    event_kind: Literal["archive_snapshot"] = "archive_snapshot"
    payload: p.ArchiveSnapshotPayload


class ParetoSnapshotEvent(Event):
    """A Pareto front."""

    event_kind: Literal["pareto_snapshot"] = "pareto_snapshot"
    payload: p.ParetoSnapshotPayload


EVENT_CLASSES: tuple[type[Event], ...] = (
    RunStartEvent,
    RunUpdateEvent,
    RunEndEvent,
    IndividualEvent,
    OperatorEvent,
    FitnessEvent,
    DescriptorEvent,
    LineageEdgeEvent,
    MigrationEvent,
    SelfModEvent,
    ArtifactEvent,
    ClaimEvent,
    EvidenceEvent,
    ReviewEvent,
    StreamEventEvent,
    SteeringCommandEvent,
    TreeExpansionEvent,
    ArchiveSnapshotEvent,
    ParetoSnapshotEvent,
)

AnyEvent = Annotated[
    RunStartEvent
    | RunUpdateEvent
    | RunEndEvent
    | IndividualEvent
    | OperatorEvent
    | FitnessEvent
    | DescriptorEvent
    | LineageEdgeEvent
    | MigrationEvent
    | SelfModEvent
    | ArtifactEvent
    | ClaimEvent
    | EvidenceEvent
    | ReviewEvent
    | StreamEventEvent
    | SteeringCommandEvent
    | TreeExpansionEvent
    | ArchiveSnapshotEvent
    | ParetoSnapshotEvent,
    Field(discriminator="event_kind"),
]

EVENT_ADAPTER: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def problems_of(error: ValidationError) -> list[str]:
    """Return one line per broken rule of a pydantic error: ``field: what is wrong``.

    Examples
    --------
    >>> try:
    ...     EVENT_ADAPTER.validate_python({"event_kind": "run_end", "payload": {}})
    ... except ValidationError as error:
    ...     print(problems_of(error))
    ['run_id: Field required']
    """
    lines = []
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        parts = item["loc"][1:] if item["loc"] and item["loc"][0] in ALL_KINDS else item["loc"]
        where = ".".join(str(part) for part in parts)
        message = item["msg"].removeprefix("Value error, ")
        lines.append(f"{where}: {message}" if where else message)
    return lines


def parse_event(data: str | bytes | dict[str, Any]) -> AnyEvent:
    """Read one canonical event.

    Parameters
    ----------
    data : str, bytes or dict
        The event as JSON text or as the dict that JSON gives.

    Returns
    -------
    Event
        An instance of the class for its ``event_kind``.

    Raises
    ------
    InvalidEventError
        The text is not JSON, or the event breaks the schema. ``problems`` lists every broken rule.

    Examples
    --------
    >>> event = parse_event('{"event_kind":"run_end","run_id":"r1","payload":{"status":"failed"}}')
    >>> event.payload.status
    'failed'
    """
    try:
        if isinstance(data, (str, bytes)):
            return EVENT_ADAPTER.validate_json(data)
        return EVENT_ADAPTER.validate_python(data)
    except ValidationError as error:
        problems = problems_of(error)
        raise InvalidEventError(f"not a Hutch event: {'; '.join(problems)}", problems) from error
