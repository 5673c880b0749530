"""Events as a preset writes them, and what the tests ask of them."""

from __future__ import annotations

import json

from hutch_lineage.mapping import PRESETS, mapper_of, named_node, preset_of
from hutch_lineage.model import EdgeRecord, NodeRecord, OperatorRecord, RunRecord
from tests.mapping.test_runevents import RESTORED
from tests.openlineage.events import RUN_ID, end, event, operator, start

OTHERS = [name for name in PRESETS if name != "generic"]


def written(history, backend="marquez", *, rest=False, **overrides):
    """Return the RunEvents that a preset makes of events."""
    mapper = mapper_of(preset_of(backend, overrides), "hutch")
    bodies = [body for event in history for body, _ in mapper.map(event)]
    if rest:
        bodies += [body for body, _ in mapper.rest()]
    return [json.loads(body) for body in bodies]


def self_mod(parent="a1", child="a2", verdict="accepted", run_id=RUN_ID, **payload):
    """Return a new ``self_mod``."""
    fields = {"parent_agent_id": parent, "child_agent_id": child, "overseer_verdict": verdict}
    return event("self_mod", run_id, **fields, **payload)


def individual(node_id, parents=(), run_id=RUN_ID, **payload):
    """Return a new ``individual``, a seed where it has no parents."""
    return event(
        "individual",
        run_id,
        id=node_id,
        kind="program",
        parent_ids=list(parents),
        is_seed=not parents,
        **payload,
    )


def told(document):
    """Return the ``hutchLineage`` facet of an event."""
    return document["run"]["facets"]["hutchLineage"]


def names(datasets):
    """Return the ids behind dataset names."""
    return [named_node(each["name"]).id for each in datasets]


def whats(documents):
    """Return what each event tells of."""
    return [told(document)["what"] for document in documents]


def operations(records):
    """Return what operators and self-modifications say, NUL as the presets write it."""
    return [
        (
            record.run_id,
            record.id.replace("\0", "\ufffd"),
            record.parents,
            record.child,
            record.stamp,
            {
                name: value.replace("\0", "\ufffd") if isinstance(value, str) else value
                for name in RESTORED
                if (value := record.attributes.get(name)) is not None
            },
        )
        for record in records
        if isinstance(record, OperatorRecord)
    ]


def run_ids(records):
    """Return the runs that records tell of."""
    return {record.run_id for record in records if isinstance(record, RunRecord)}


def edges(records):
    """Return every edge that records say, of whatever kind."""
    found = set()
    for record in records:
        if isinstance(record, OperatorRecord):
            found |= {(parent, record.child) for parent in record.parents}
        elif isinstance(record, NodeRecord):
            found |= {(parent, record.key) for parent in record.parents}
        elif isinstance(record, EdgeRecord):
            found.add((record.parent, record.child))
    return found


FULL = [
    start(project="p", started_by="ada", git_commit="4f2a", metadata={"repository": "https://x/r"}),
    individual("s"),
    individual("c", ["s"]),
    operator(1, parent_ids=["s"], child_id="c", llm_id="m", cost_usd=0.1),
    individual("d", ["c"]),
    event("lineage_edge", parent_id="s", child_id="d", relation="inspiration"),
    self_mod(verdict="rejected", target_path="t.py"),
    end(status="failed", summary="out of money"),
]
