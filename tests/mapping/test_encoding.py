"""JSON that is always JSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.mapping import encode

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
documents = st.dictionaries(
    st.text(),
    st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)),
)


@given(documents)
def test_every_document_becomes_valid_json(document):
    """Whatever numbers and text a document holds, strict JSON comes out."""
    body, _ = encode(document)
    json.loads(body, parse_constant=lambda name: pytest.fail(name))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_becomes_null_and_is_told(value):
    """A non-finite number in a facet is null in the JSON and named in the problems."""
    body, problems = encode({"run": {"facets": {"f": {"cost_usd": value}}}})
    assert json.loads(body) == {"run": {"facets": {"f": {"cost_usd": None}}}}
    assert problems == [f"run.facets.f.cost_usd was {value}, written as null"]


def test_numpy_becomes_plain():
    """numpy scalars and arrays become the numbers they hold."""
    body, problems = encode({"a": np.float32(0.5), "b": np.int64(3), "c": np.arange(2)})
    assert json.loads(body) == {"a": 0.5, "b": 3, "c": [0, 1]}
    assert len(problems) == 3


def test_half_surrogates_become_the_replacement_character():
    """A lone surrogate is U+FFFD; a pair of them is the character it stands for."""
    body, problems = encode({"a\ud800": "x\udfff", "pair": "\ud83d\ude00"})
    assert json.loads(body) == {"a\ufffd": "x\ufffd", "pair": "😀"}
    assert len(problems) == 3


def test_what_json_cannot_hold_is_named():
    """An object without JSON form is an error that names field and type."""
    with pytest.raises(TypeError, match=r"a\.b is a object"):
        encode({"a": {"b": object()}})


@pytest.mark.parametrize("run", [None, "r", {"facets": [1]}, {"facets": {"x": [1], "y": None}}])
def test_events_of_others_may_have_any_shape(run):
    """Where a facet should be an object and is not, it is written as it is."""
    body, problems = encode({"run": run})
    assert (json.loads(body), problems) == ({"run": run}, [])
