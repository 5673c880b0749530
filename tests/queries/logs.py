"""Generated logs full of contradictions, and the forms in which a query opens them."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from hutch_lineage.export import to_parquet_frames
from hutch_lineage.graph import LineageGraph

Events = list[dict[str, Any]]
_names = st.sampled_from(["a", "b", "c", "d", "é", "it's"])
_parents = st.lists(_names, max_size=3)
_maybe = st.none() | st.sampled_from([0.0, 0.25, 2.5])
_scores = st.dictionaries(
    st.sampled_from(["x", "loss", "composite"]), st.sampled_from([-1.0, 0.0, 2.5, 4.0]), max_size=2
)
_directions = st.dictionaries(
    st.sampled_from(["x", "loss"]), st.sampled_from(["higher", "lower"]), max_size=2
)


def _individual(node: str, parents: list[str]) -> dict[str, Any]:
    return {"id": node, "kind": "program", "parent_ids": parents, "is_seed": not parents}


_payloads = {
    "run_start": st.builds(dict, score_directions=_directions),
    "run_update": st.builds(dict, score_directions=_directions),
    "run_end": st.just({"status": "finished"}),
    "individual": st.builds(_individual, _names, _parents),
    "operator": st.builds(
        dict,
        id=st.sampled_from(["p", "q"]),
        kind=st.sampled_from(["mutate", "crossover"]),
        child_id=_names,
        parent_ids=_parents,
        cost_usd=_maybe,
        tokens_in=st.none() | st.integers(0, 9),
        tokens_out=st.none() | st.integers(0, 9),
        llm_id=st.sampled_from([None, "", "m1", "m2"]),
    ),
    "fitness": st.builds(
        dict,
        individual_id=_names,
        evaluator_kind=st.just("benchmark"),
        scores=_scores,
        composite=_maybe,
        invalid_reason=st.sampled_from([None, None, "crash"]),
    ).map(lambda said: said if said["scores"] else {**said, "invalid_reason": "no score"}),
    "lineage_edge": st.builds(dict, parent_id=_names, child_id=_names, relation=st.just("parent")),
    "migration": st.builds(
        dict,
        population_id=st.just("p"),
        from_island=st.just("0"),
        to_island=st.just("1"),
        individual_ids=st.lists(_names, max_size=2),
    ),
    "self_mod": st.builds(
        dict,
        parent_agent_id=_names,
        child_agent_id=_names,
        score_before=_maybe,
        score_after=_maybe,
        benchmark=st.sampled_from([None, "x"]),
    ),
    "claim": st.just({"id": "c", "text": "unrelated"}),
}


def _event(number: int, kind: str, run: str, time_ns: int, payload: Any) -> dict[str, Any]:
    return {
        "event_id": str(uuid.UUID(int=number, version=4)),
        "event_kind": kind,
        "run_id": run,
        "timestamp_ns": time_ns,
        "payload": payload,
    }


@st.composite
def logs(draw: st.DrawFn) -> Events:
    """Some events of two runs, at few different times."""
    kinds = draw(st.lists(st.sampled_from(sorted(_payloads)), min_size=1, max_size=24))
    numbers = draw(st.permutations(range(len(kinds))))
    return [
        _event(
            number,
            kind,
            draw(st.sampled_from(["r1", "r2"])),
            draw(st.integers(0, 6)),
            draw(_payloads[kind]),
        )
        for number, kind in zip(numbers, kinds, strict=True)
    ]


def write_lines(events: Events, path: Path) -> Path:
    """Write one event a line."""
    path.write_text("".join(f"{json.dumps(event)}\n" for event in events), encoding="utf-8")
    return path


def write_duckdb(events: Events, path: Path) -> Path:
    """Write Hutch's event log, by Hutch's own code."""
    from hutch.schema import EVENT_ADAPTER
    from hutch.store import insert_event, open_and_migrate

    connection = open_and_migrate(path)
    for event in events:
        insert_event(connection, EVENT_ADAPTER.validate_python(event))
    connection.close()
    return path


def write_frames(graph: LineageGraph, folder: Path) -> Path:
    """Write the frames of a graph as Parquet, as the package exports them."""
    folder.mkdir()
    for name, content in to_parquet_frames(graph).items():
        (folder / name).write_bytes(content)
    return folder
