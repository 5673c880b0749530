"""The OpenLineage emitter, under the names of the Hutch SDK."""

from __future__ import annotations

from hutch_lineage.mapping import OPENLINEAGE_PRODUCER, OPENLINEAGE_SCHEMA_URL

from .building import build_openlineage_emitter
from .emitter import BACKENDS, OpenLineageEmitter, RejectedEvent

__all__ = [
    "BACKENDS",
    "OPENLINEAGE_PRODUCER",
    "OPENLINEAGE_SCHEMA_URL",
    "OpenLineageEmitter",
    "RejectedEvent",
    "build_openlineage_emitter",
]
