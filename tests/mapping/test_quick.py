"""The short way writes what the long way writes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.mapping import encode, operator_json, to_run_event
from hutch_lineage.model import parse_event

TEXT = st.text(max_size=20)
FIELDS = st.fixed_dictionaries(
    {
        "id": TEXT,
        "kind": st.sampled_from(["refine", "mutate", "crossover"]),
        "child_id": TEXT,
        "parent_ids": st.lists(TEXT, max_size=3),
        "cost_usd": st.none() | st.floats(0, 1e9),
        "tokens_in": st.none() | st.integers(0, 2**63 - 1),
        "tokens_out": st.none() | st.integers(0, 2**63 - 1),
        "llm_id": st.none() | TEXT,
    }
)


def operator(run_id="r", timestamp_ns=1, **payload):
    """Return an operator event."""
    return parse_event(
        {
            "event_kind": "operator",
            "run_id": run_id,
            "timestamp_ns": timestamp_ns,
            "payload": {"id": "o", "kind": "refine", "child_id": "b", **payload},
        }
    )


def the_long_way(event, namespace, job):
    """Return what mapping and encoding make of an event."""
    return encode(to_run_event(event, namespace=namespace, job_name=job))


@given(FIELDS, TEXT, TEXT, TEXT, st.integers(0, 10**20))
def test_both_ways_write_the_same_bytes(fields, run_id, namespace, job, timestamp_ns):
    """Byte for byte, for whatever the schema lets through."""
    event = operator(run_id, timestamp_ns, **fields)
    assert (operator_json(event, namespace, job), []) == the_long_way(event, namespace, job)


@pytest.mark.parametrize(
    "fields",
    [
        {"cost_usd": math.nan},
        {"cost_usd": np.float64(0.5)},
        {"tokens_in": math.inf},
        {"tokens_out": np.int64(3)},
        {"llm_id": "\ud800"},
        {"llm_id": object()},
        {"parent_ids": None},
        {"tokens_in": 2**70},
    ],
)
def test_what_has_to_be_repaired_takes_the_long_way(fields):
    """Unchecked payloads that JSON cannot hold as they are are left to the long way."""
    event = operator()
    odd = event.model_copy(update={"payload": event.payload.model_copy(update=fields)})
    assert operator_json(odd, "hutch", "job") is None
