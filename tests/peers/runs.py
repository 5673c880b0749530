"""Runs that every peer is given, and their RunEvents under each preset."""

from __future__ import annotations

import json
from typing import Any

from hutch_lineage.mapping import PRESETS, mapper_of, preset_of
from hutch_lineage.model import parse_event
from tests.openlineage.events import RUN_ID

BACKENDS = tuple(PRESETS)


def _event(event_kind: str, run_id: str, at: int, **payload: Any) -> Any:
    return parse_event(
        {
            "event_kind": event_kind,
            "run_id": run_id,
            "timestamp_ns": 1_777_984_496_000_000_000 + at * 1_000_000,
            "payload": payload,
        }
    )


def search(run_id: str = RUN_ID, status: str = "finished") -> list[Any]:
    """Return the events of a run with a crossover, awkward ids, agents, and unnamed parents."""
    made: list[Any] = []

    def log(event_kind: str, **payload: Any) -> None:
        made.append(_event(event_kind, run_id, len(made), **payload))

    log("run_start", name="circle packing, v1.2", project="packing", started_by="ada",
        git_commit="4f2a", metadata={"repository": "https://example.org/packing.git"})  # fmt: skip
    for node in ("ind-A", "b.b/(1)"):
        log("individual", id=node, kind="program", is_seed=True)
    for number, parents in enumerate((["ind-A"], ["ind-A", "b.b/(1)"], ["c0", "c1"])):
        child = f"c{number}"
        log("individual", id=child, kind="program", parent_ids=parents)
        log("operator", id=f"op:{number}", kind="crossover" if len(parents) > 1 else "mutate",
            parent_ids=parents, child_id=child, cost_usd=0.01, llm_id="a-model")  # fmt: skip
    log("individual", id="C0", kind="program", parent_ids=["c2", "c0"])
    log("self_mod", parent_agent_id="agent-0", child_agent_id="agent-1",
        overseer_verdict="accepted", score_before=0.2, score_after=0.5)  # fmt: skip
    log("self_mod", parent_agent_id="agent-1", child_agent_id="agent-2",
        overseer_verdict="rejected", target_path="tools/edit.py")  # fmt: skip
    log("run_end", status=status, summary="out of money" if status == "failed" else None)
    return made


EDGES = {
    ("ind-A", "c0"), ("ind-A", "c1"), ("b.b/(1)", "c1"), ("c0", "c2"), ("c1", "c2"), ("c2", "C0"),
    ("c0", "C0"), ("agent-0", "agent-1"), ("agent-1", "agent-2"),
}  # fmt: skip
"""The true edges of :func:`search`."""


OTHER_RUN = "5f0c9a52-6d0f-4c39-9e0a-0d6a3f2b7c12"
TRUE = {((run, one), (run, other)) for run in (RUN_ID, OTHER_RUN) for one, other in EDGES}
"""The true edges of :func:`documents`, as pairs of (run, id)."""


def posted(events: list[Any], backend: str) -> list[bytes]:
    """Return the RunEvents of events as they are posted under a preset."""
    mapper = mapper_of(preset_of(backend), "hutch")
    return [body for event in events for body, _ in mapper.map(event)]


def documents(backend: str) -> list[dict[str, Any]]:
    """Return two runs with the same ids, one of which failed, as RunEvents."""
    events = [*search(), *search(OTHER_RUN, "failed")]
    return [json.loads(body) for body in posted(events, backend)]
