"""The OpenLineage emitter, under the names of the Hutch SDK."""

from __future__ import annotations

from hutch_lineage.delivery import Detected, detect_backend
from hutch_lineage.mapping import (
    BACKENDS,
    OPENLINEAGE_PRODUCER,
    OPENLINEAGE_SCHEMA_URL,
    Preset,
    preset_of,
)

from .building import build_openlineage_emitter
from .deliveries import DeliveryLog, EventDelivery
from .emitter import OpenLineageEmitter
from .left import LeftForEndpoint, left_in, run_events, send_left
from .posting import Kept, keep, refused_of
from .views import RejectedEvent

__all__ = [
    "BACKENDS",
    "OPENLINEAGE_PRODUCER",
    "OPENLINEAGE_SCHEMA_URL",
    "DeliveryLog",
    "Detected",
    "EventDelivery",
    "Kept",
    "LeftForEndpoint",
    "OpenLineageEmitter",
    "Preset",
    "RejectedEvent",
    "build_openlineage_emitter",
    "detect_backend",
    "keep",
    "left_in",
    "preset_of",
    "refused_of",
    "run_events",
    "send_left",
]
