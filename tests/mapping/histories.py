"""Generated runs: events of every kind that carries lineage, with awkward ids and gaps."""

from __future__ import annotations

from hypothesis import strategies as st

from hutch_lineage.model import (
    FitnessEvent,
    FitnessPayload,
    IndividualEvent,
    IndividualPayload,
    LineageEdgeEvent,
    LineageEdgePayload,
    OperatorEvent,
    OperatorPayload,
    RunEndEvent,
    RunEndPayload,
    RunStartEvent,
    RunStartPayload,
    SelfModEvent,
    SelfModPayload,
)

AWKWARD = (
    "",
    "A",
    "a",
    "None",
    "~7e",
    "a~~0123456789abcdef",
    "hutch.r1.individual-a",
    "individual:a",
    "agent-a",
    "../a b/?#%00\\u0000",
    "\0",
    "\0" * 90,
    "\0\U0001f642é" * 30,
    "x" * 200 + "1",
    "x" * 200 + "2",
    "5F0C9A52-6D0F-4C39-9E0A-0D6A3F2B7C11",
)
"""Ids that look like names of ours, are cut, fold to another one, or cannot be stored."""

ids = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
    st.integers(0, len(AWKWARD) - 1).map(AWKWARD.__getitem__),
)
runs = st.sampled_from(["r1", "r2", "", "r\0" * 30])
maybe_text = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
moments = st.integers(0, 253_402_300_799_999_999_999)
counts = st.none() | st.integers(0, 2**53)
dollars = st.none() | st.floats(0, 1e9)
scores = st.none() | st.floats(allow_nan=False, allow_infinity=False)

run_starts = st.builds(RunStartPayload, name=maybe_text, project=maybe_text, started_by=maybe_text)
run_ends = st.builds(
    RunEndPayload,
    status=st.sampled_from(["running", "finished", "failed", "cancelled"]),
    summary=maybe_text,
)
operators = st.builds(
    OperatorPayload,
    id=ids,
    kind=st.sampled_from(["mutate", "crossover", "refine"]),
    parent_ids=st.lists(ids, max_size=3),
    child_id=ids,
    cost_usd=dollars,
    tokens_in=counts,
    tokens_out=counts,
    llm_id=maybe_text,
    diff=maybe_text,
)
self_mods = st.builds(
    SelfModPayload,
    parent_agent_id=ids,
    child_agent_id=ids,
    overseer_verdict=st.sampled_from(["accepted", "rejected", "pending"]),
    score_before=scores,
    score_after=scores,
    target_path=maybe_text,
)
seeds = st.builds(IndividualPayload, id=ids, kind=st.just("program"), is_seed=st.just(True))
fitnesses = st.builds(
    FitnessPayload,
    individual_id=ids,
    evaluator_kind=st.just("unit_test"),
    scores=st.dictionaries(ids, st.floats(), min_size=1, max_size=2),
)


def _events(cls, payloads):
    return st.builds(cls, run_id=runs, timestamp_ns=moments, payload=payloads)


events = st.one_of(
    _events(RunStartEvent, run_starts),
    _events(OperatorEvent, operators),
    _events(SelfModEvent, self_mods),
    _events(IndividualEvent, seeds),
    _events(FitnessEvent, fitnesses),
    _events(RunEndEvent, run_ends),
)
histories = st.lists(events, max_size=12)

children = st.builds(
    IndividualPayload,
    id=ids,
    kind=st.just("program"),
    parent_ids=st.lists(ids, min_size=1, max_size=3),
)
links = st.builds(
    LineageEdgePayload,
    parent_id=ids,
    child_id=ids,
    relation=st.sampled_from(["parent", "inspiration"]),
)
lineages = st.lists(
    st.one_of(events, _events(IndividualEvent, children), _events(LineageEdgeEvent, links)),
    max_size=12,
)
"""As `histories`, with parents that only individuals and edges name."""
