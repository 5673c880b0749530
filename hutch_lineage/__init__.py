"""Capture what a search does, see its lineage, send it.

The verbs of the SDK, the explorer and the readers, under one name::

    import hutch_lineage as hl

    with hl.run("circle-packing") as run:
        seed = run.log_individual(kind="program")
        child = run.log_individual(kind="program", parent_ids=[seed.id])
        run.log_operator(kind="refine", parent_ids=[seed.id], child_id=child.id)
        run.log_fitness(individual=child, scores={"sum_radii": 2.61})

    hl.explore()

Names are loaded when they are first used: importing this module loads neither pandas, networkx,
requests, numpy, duckdb nor IPython.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .errors import HutchLineageError
    from .explorer import Explorer, explore
    from .graph import LineageGraph
    from .openlineage import OpenLineageEmitter, detect_backend
    from .queries import query
    from .sdk import (
        Population,
        Run,
        SDKConfig,
        configure,
        emitter,
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
        reset,
        run,
        start_population,
        start_run,
    )
    from .session import attach, detach, lineage, load

__all__ = [
    "Explorer",
    "HutchLineageError",
    "LineageGraph",
    "OpenLineageEmitter",
    "Population",
    "Run",
    "SDKConfig",
    "__version__",
    "attach",
    "configure",
    "detach",
    "detect_backend",
    "emitter",
    "end_run",
    "explore",
    "lineage",
    "load",
    "load_ipython_extension",
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
    "query",
    "reset",
    "run",
    "start_population",
    "start_run",
    "unload_ipython_extension",
]

_ROOM_OF = {
    "Explorer": "explorer",
    "HutchLineageError": "errors",
    "LineageGraph": "graph",
    "OpenLineageEmitter": "openlineage",
    "attach": "session",
    "detach": "session",
    "detect_backend": "openlineage",
    "explore": "explorer",
    "lineage": "session",
    "load": "session",
    "load_ipython_extension": "magic",
    "query": "queries",
    "unload_ipython_extension": "magic",
}


def __getattr__(name: str) -> Any:
    if name.startswith("_") or name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_ROOM_OF.get(name, 'sdk')}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
