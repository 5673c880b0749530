"""Operators that make new nodes are appended many at once, and leave the tables as merging does."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.graph import store as stores
from hutch_lineage.graph.store import Store
from hutch_lineage.model import NodeKey, OperatorRecord, Stamp
from tests.graph.lineages import any_records, at, key, made

_ids = st.integers(0, 12).map(str)
_facts = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from([None, "mutate"]),
        "cost_usd": st.sampled_from([None, 0.0, 0.5]),
        "metadata": st.sampled_from([{}, {"a": 1}]),
        "relation": st.sampled_from(["", "clone"]),
    },
)
_operators = st.builds(
    OperatorRecord,
    st.sampled_from(["r", "s"]),
    st.sampled_from(["o", "p"]),
    st.builds(Stamp, st.sampled_from([-1, 0, 5, 2**70]), st.sampled_from(["x", "é", "\ud800"])),
    st.lists(_ids.map(key), max_size=4).map(tuple),
    st.builds(NodeKey, st.sampled_from(["individual", "individual", "agent"]), st.just("r"), _ids),
    _facts,
)


def merged(records, size):
    """Apply records in batches, and return all that the store holds then."""
    store = Store()
    for start in range(0, len(records), size):
        store.apply(records[start : start + size])
    return holdings(store)


def holdings(store):
    """Return the tables of a store as plain data."""
    held = {}
    for name, value in vars(store).items():
        if name.endswith("_log"):
            held[name] = [value.since(version) for version in range(store.version + 1)]
        elif hasattr(value, "stamp_of"):
            held[name] = (value.values, value._base, value._later)
        elif name not in ("_handlers", "run_maps"):
            held[name] = value
    return held


def with_care(records, size):
    """Do the same, each record by itself."""
    with patch.object(stores, "admit", lambda tables, records, start, version: start):
        return merged(records, size)


@given(st.lists(_operators, max_size=30), any_records, st.sampled_from([1, 3, 100]))
def test_appending_leaves_what_merging_leaves(operators, others, size):
    """All tables, down to the order of rows and what changed when, are the same."""
    records = [*operators[:10], *others[:10], *operators[10:], *others[10:]]
    assert merged(records, size) == with_care(records, size)


def test_a_long_log_is_appended():
    """Where each operator makes a new node of known ones, nothing is left for merging."""
    store = Store()
    store.apply([made("0", 1)])
    told = [made(str(number), number, str(number - 1)) for number in range(1, 50)]
    assert stores.admit(store, told, 0, 2) == 49
    assert store.parents[40] == (39,)


def test_what_comes_before_a_fault_stays():
    """A record that is none costs itself: the tables are of one length afterwards."""
    store = Store()
    store.apply([made("0", 1)])
    faulty = OperatorRecord("r", "o", at(3), (["no key"],), key("2"))
    with pytest.raises(TypeError):
        stores.admit(store, [made("1", 2, "0"), faulty], 0, 2)
    assert (len(store.keys), len(store.known), store.children[0]) == (2, 2, (1,))
