"""The short way from an operator's event to its records says what the long way says."""

from __future__ import annotations

import copy
import json
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.graph import LineageGraph
from hutch_lineage.mapping import RunEventReader, mapper_of, preset_of
from hutch_lineage.mapping.own_operators import OwnOperators
from hutch_lineage.model import NodeRecord, OperatorRecord, parse_event

ids = st.sampled_from(["a", "b", "c", "d:e", "é", "", "null", "{}"])
odd = st.sampled_from(
    [
        *(None, True, 0, 2**70, -1.5, float("nan"), float("inf")),
        *("", "x", "run", "agent:a", "individual:b", "\ud800", "START", "COMPLETE"),
        *("2026-01-01T00:00:00.123456", "2026-01-01T00:00   .123456Z"),
        "2026-01-01T00:00:00.1234\uff156Z",
        *([], [{}], {}, {"name": "individual:a"}),
    ]
).map(copy.deepcopy)


@st.composite
def payloads(draw):
    """An operator as a program logs it."""
    return {
        "id": draw(ids),
        "kind": draw(st.sampled_from(["mutate", "crossover", "refine"])),
        "parent_ids": draw(st.lists(ids, max_size=3)),
        "child_id": draw(ids),
        "llm_id": draw(st.sampled_from([None, "", "a-model"])),
        "cost_usd": draw(st.none() | st.floats(0, 9)),
        "tokens_in": draw(st.none() | st.integers(0, 9)),
        "tokens_out": draw(st.none() | st.integers(0, 2**40)),
    }


@st.composite
def logs(draw):
    """Return the events of a few operators as the default mapping writes them."""
    mapper, told = mapper_of(preset_of("generic"), "hutch"), []
    if draw(st.booleans()):
        told.append({"event_kind": "run_start", "payload": {"name": draw(ids) or None}})
    operators = draw(st.lists(payloads(), min_size=1, max_size=6))
    told += [{"event_kind": "operator", "payload": payload} for payload in operators]
    lines = []
    for number, event in enumerate(told):
        moment = draw(st.sampled_from([0, 1_700_000_000_123_456_789])) + number
        run = draw(st.sampled_from(["r", "s"]))
        parsed = parse_event({**event, "run_id": run, "timestamp_ns": moment})
        lines += [body for body, _ in mapper.map(parsed)]
    return [json.loads(line) for line in lines]


def read(events):
    """Return the graph of events, what was odd about them, and their operators."""
    noticed: list[object] = []
    reader = RunEventReader(noticed.append)
    records = [record for event in events for record in reader.records(event)]
    graph = LineageGraph()
    graph.apply(records)
    operators = [record for record in records if isinstance(record, OperatorRecord)]
    return graph.to_canonical(), noticed, operators


def read_the_long_way(events):
    """Do the same without the short way."""
    with patch.object(OwnOperators, "records", lambda self, event: None):
        return read(events)


@given(logs())
def test_both_ways_say_the_same(events):
    """What the default mapping wrote makes the same graph, with the same stamps."""
    assert repr(read(events)) == repr(read_the_long_way(events))


def places(value):
    """Yield each place in a JSON value: what holds it, and under which key."""
    keys = value if isinstance(value, dict) else range(len(value) if type(value) is list else 0)
    for key in keys:
        yield value, key
        yield from places(value[key])


@given(logs(), st.data())
def test_both_ways_say_the_same_of_what_was_tampered_with(events, data):
    """Whatever stands in an event in place of what belongs there is read as with all care."""
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(list(places(events))[len(events) :]))
        do = data.draw(st.sampled_from(["replace", "remove", "add", "copy"]))
        if do == "remove":
            del holder[key]
        elif do == "add" and isinstance(holder, dict):
            holder[data.draw(st.sampled_from(["event_kind", "facets", "more"]))] = data.draw(odd)
        elif do == "copy":
            events.append(copy.deepcopy(data.draw(st.sampled_from(events))))
        else:
            holder[key] = data.draw(odd)
    assert repr(read(events)) == repr(read_the_long_way(events))


def test_a_node_is_introduced_once():
    """An individual that an operator made is not introduced again where it becomes a parent."""
    mapper = mapper_of(preset_of("generic"), "hutch")
    reader, introduced = RunEventReader(), []
    for number in range(1, 20):
        payload = {"id": "o", "kind": "refine", "parent_ids": [str(number - 1)]}
        event = {"event_kind": "operator", "run_id": "r", "payload": payload}
        payload["child_id"] = str(number)
        [(body, _)] = mapper.map(parse_event(event))
        introduced += [
            record.key.id
            for record in reader.records(json.loads(body))
            if isinstance(record, NodeRecord)
        ]
    assert introduced == ["0"]
