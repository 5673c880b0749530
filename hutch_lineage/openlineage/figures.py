"""The figures of an emitter."""

from __future__ import annotations

from typing import Any

from hutch_lineage.delivery import DeliveryStats

from .capture import Capture
from .routes import Route

STATS_KEYS = (
    "mode", "endpoint", "backend", "captured", "sent", "queued", "failed", "rejected",
    "last_error", "state", "journal", "journal_error", "adopted",
)  # fmt: skip
"""The keys of ``stats()``, in their order. None is renamed or removed."""


def figures(
    capture: Capture, live: Route | None, routes: list[Route], *, closed: bool
) -> dict[str, Any]:
    """Return what :meth:`OpenLineageEmitter.stats` documents."""
    counted = [live] if live is not None else routes
    parts = [route.delivery.stats() for route in counted]
    now = parts[0] if live is not None else DeliveryStats()
    errors = [part.last_error for part in parts if part.last_error]
    journal = None if live is None else live.journal
    trouble = None if journal is None else journal.trouble
    last_error = errors[-1] if errors else capture.last_problem
    if last_error is None and trouble is not None:
        last_error = f"the journal cannot be written: {trouble}"
    values = (
        "memory" if live is None else "live",
        None if live is None else live.endpoint.masked,
        capture.preset.name,
        len(capture.outbox),
        sum(part.sent for part in parts),
        now.queued,
        sum(part.failed for part in parts),
        sum(part.rejected for part in parts) + capture.unwritten,
        last_error,
        "closed" if closed else "memory" if live is None else now.state,
        None if journal is None or journal.folder is None else str(journal.folder),
        trouble,
        sum(part.adopted for part in parts),
    )
    return dict(zip(STATS_KEYS, values, strict=True))
