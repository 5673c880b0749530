"""The emitters as the SDK uses them: built from settings, switched, put into the tee."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from hutch_lineage.mapping import IN_MEMORY
from hutch_lineage.model import Event

from .config import SDKConfig

if TYPE_CHECKING:
    from hutch_lineage.openlineage import OpenLineageEmitter
    from hutch_lineage.transports import SpanEmitter

MIB = 1024 * 1024

logger = logging.getLogger("hutch_lineage.sdk")


class EmitterSink:
    """The OpenLineage emitter in its place in the tee."""

    name = "OpenLineage emitter"

    def __init__(self, emitter: OpenLineageEmitter) -> None:
        self.accept: Callable[[Event], None] = emitter.emit


def build_emitter(config: SDKConfig, *, wanted: bool) -> OpenLineageEmitter | None:
    """Return the emitter that the settings ask for, None where nobody does."""
    endpoint = _allowed(config.openlineage_endpoint) or (IN_MEMORY if wanted else None)
    if endpoint is None:
        return None
    from hutch_lineage.delivery import DeliveryOptions, HttpOptions, Limits
    from hutch_lineage.openlineage import build_openlineage_emitter

    max_bytes = int(config.openlineage_journal_max_mb * MIB)
    limits = Limits(
        max_bytes=max_bytes,
        segment_bytes=max(MIB, min(32 * MIB, max_bytes // 8)),
        keep_s=config.openlineage_journal_keep_days * 24 * 3600.0,
    )
    http = HttpOptions(
        ca_bundle=config.openlineage_ca_bundle,
        gzip=config.openlineage_gzip,
        batch=config.openlineage_batch,
        batch_form=config.openlineage_batch_form,  # type: ignore[arg-type]  # it was checked
        connections=config.openlineage_connections,
    )

    return build_openlineage_emitter(
        endpoint=endpoint,
        namespace=config.openlineage_namespace,
        timeout_s=config.request_timeout_s,
        strict=config.strict,
        api_key=config.openlineage_api_key,
        headers=dict(config.openlineage_headers),
        backend=config.openlineage_backend,
        overrides=config.openlineage_overrides,
        options=DeliveryOptions(
            journal=config.openlineage_journal,
            limits=limits,
            http=http,
            exit_timeout_s=config.openlineage_exit_timeout_s,
        ),
    )


def disabled() -> bool:
    """Whether OPENLINEAGE_DISABLED, the official switch, forbids posting.

    Examples
    --------
    >>> disabled()
    False
    """
    return os.environ.get("OPENLINEAGE_DISABLED", "").strip().lower() in {"1", "true", "yes", "on"}


def _allowed(endpoint: str | None) -> str | None:
    if endpoint in (None, IN_MEMORY) or not disabled():
        return endpoint
    logger.warning("OPENLINEAGE_DISABLED is set: OpenLineage events are captured and not posted")
    return IN_MEMORY


def same_emitter(one: SDKConfig, other: SDKConfig) -> bool:
    """Whether an emitter built for `one` only has to be switched to serve `other`."""
    fixed = (
        "openlineage_namespace",
        "request_timeout_s",
        "strict",
        "openlineage_journal_max_mb",
        "openlineage_journal_keep_days",
        "openlineage_exit_timeout_s",
        "openlineage_batch",
        "openlineage_batch_form",
        "openlineage_connections",
        "openlineage_gzip",
        "openlineage_ca_bundle",
    )
    same = all(getattr(one, name) == getattr(other, name) for name in fixed)
    return same and _journal(one) == _journal(other)


def _journal(config: SDKConfig) -> str:
    return config.openlineage_journal or os.environ.get("HUTCH_OPENLINEAGE_JOURNAL", "")


def switch(emitter: OpenLineageEmitter, config: SDKConfig) -> None:
    """Have the emitter post to the endpoint of `config`, or to none."""
    endpoint = _allowed(config.openlineage_endpoint)
    if endpoint in (None, IN_MEMORY):
        emitter.go_memory(
            backend=config.openlineage_backend, overrides=config.openlineage_overrides
        )
        return
    backend, overrides = config.openlineage_backend, config.openlineage_overrides
    emitter.prefer(backend, overrides=overrides)
    # settings have a default, so generic names nothing: a cell that is run again is no wish to
    # write another form to a backend that was given a better one meanwhile
    named = backend != "generic" or overrides
    emitter.go_live(
        str(endpoint),
        backend=backend if named else None,
        overrides=overrides,
        api_key=config.openlineage_api_key,
        headers=dict(config.openlineage_headers),
    )


def build_spans(config: SDKConfig) -> SpanEmitter | None:
    """Return what sends spans, None where nobody wants them or OpenTelemetry is not installed."""
    if config.otel_endpoint is None:
        return None
    from hutch_lineage.transports import build_span_emitter

    return build_span_emitter(
        config.otel_endpoint,
        config.otel_service_name,
        timeout_s=config.request_timeout_s,
        strict=config.strict,
    )


def starts(event: Event, run_ids: set[str]) -> bool:
    """Whether `event` is the start of one of these runs."""
    return event.run_id in run_ids and getattr(event, "event_kind", None) == "run_start"
