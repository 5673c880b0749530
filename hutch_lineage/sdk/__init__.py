"""The SDK: settings, runs, the verbs, and the tee that hands every event on."""

from __future__ import annotations

from .active import (
    active_run,
    end_run,
    log_archive_snapshot,
    log_artifact,
    log_claim,
    log_descriptor,
    log_evidence,
    log_fitness,
    log_individual,
    log_island_migration,
    log_operator,
    log_pareto_front,
    log_review,
    log_run_update,
    log_self_modification,
    log_stream_event,
    log_tree_expansion,
    run,
    start_population,
    start_run,
)
from .config import (
    DEFAULT_DB_PATH,
    DEFAULT_FALLBACK_PATH,
    SDKConfig,
    TransportMode,
)
from .emitters import disabled
from .hearing import hear
from .populations import Population
from .process import after_reset, configure, emitter, reset, runtime
from .runs import Run
from .runtime import Runtime, StopRun, before_verb
from .settings import DEFAULT_DAEMON_URL, SETTINGS, Setting
from .tee import Sink, Tee
from .verbs import Verbs

RunHandle = Run

__all__ = [
    "DEFAULT_DAEMON_URL",
    "DEFAULT_DB_PATH",
    "DEFAULT_FALLBACK_PATH",
    "SETTINGS",
    "Population",
    "Run",
    "RunHandle",
    "Runtime",
    "SDKConfig",
    "Setting",
    "Sink",
    "StopRun",
    "Tee",
    "TransportMode",
    "Verbs",
    "active_run",
    "after_reset",
    "before_verb",
    "configure",
    "disabled",
    "emitter",
    "end_run",
    "hear",
    "log_archive_snapshot",
    "log_artifact",
    "log_claim",
    "log_descriptor",
    "log_evidence",
    "log_fitness",
    "log_individual",
    "log_island_migration",
    "log_operator",
    "log_pareto_front",
    "log_review",
    "log_run_update",
    "log_self_modification",
    "log_stream_event",
    "log_tree_expansion",
    "reset",
    "run",
    "runtime",
    "start_population",
    "start_run",
]
