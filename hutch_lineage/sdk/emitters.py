"""The OpenLineage emitter as the SDK uses it: built from settings, switched, put into the tee."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.mapping import IN_MEMORY
from hutch_lineage.model import Event

from .config import SDKConfig

if TYPE_CHECKING:
    from hutch_lineage.openlineage import OpenLineageEmitter

logger = logging.getLogger("hutch_lineage.sdk")


class EmitterSink:
    """The OpenLineage emitter in its place in the tee."""

    name = "OpenLineage emitter"

    def __init__(self, emitter: OpenLineageEmitter) -> None:
        self.accept: Callable[[Event], None] = emitter.emit


def build_emitter(config: SDKConfig, *, wanted: bool) -> OpenLineageEmitter | None:
    """Return the emitter that the settings ask for, None where nobody does."""
    endpoint = config.openlineage_endpoint or (IN_MEMORY if wanted else None)
    if endpoint is None:
        return None
    from hutch_lineage.openlineage import build_openlineage_emitter

    return build_openlineage_emitter(
        endpoint=endpoint,
        namespace=config.openlineage_namespace,
        timeout_s=config.request_timeout_s,
        strict=config.strict,
        api_key=config.openlineage_api_key,
        headers=dict(config.openlineage_headers),
        backend=config.openlineage_backend,
    )


def same_emitter(one: SDKConfig, other: SDKConfig) -> bool:
    """Whether an emitter built for `one` only has to be switched to serve `other`."""
    fixed = ("openlineage_namespace", "request_timeout_s", "strict")
    return all(getattr(one, name) == getattr(other, name) for name in fixed)


def switch(emitter: OpenLineageEmitter, config: SDKConfig) -> None:
    """Have the emitter post to the endpoint of `config`, or to none."""
    if config.openlineage_endpoint in (None, IN_MEMORY):
        emitter.go_memory()
        return
    emitter.go_live(
        str(config.openlineage_endpoint),
        backend=config.openlineage_backend,
        api_key=config.openlineage_api_key,
        headers=dict(config.openlineage_headers),
    )


def refuse_otel(config: SDKConfig) -> None:
    """Say that spans cannot be sent yet; in strict mode raise ConfigurationError."""
    problem = "otel_endpoint (HUTCH_OTEL_ENDPOINT) is not available in this version"
    if config.strict:
        raise ConfigurationError(f"{problem}: leave it unset", "otel_endpoint")
    logger.warning("%s of hutch_lineage: no spans are sent", problem)


def starts(event: Event, run_ids: set[str]) -> bool:
    """Whether `event` is the start of one of these runs."""
    return event.run_id in run_ids and getattr(event, "event_kind", None) == "run_start"
