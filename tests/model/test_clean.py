"""Cleaning keeps what JSON can hold, and says what it had to change."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import json
import math
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from hutch_lineage.model import clean, clean_json, clean_text
from hutch_lineage.model.clean import MAX_DEPTH

NAN, INF = math.nan, math.inf


def _cleaned(fields: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    result, repairs = clean(fields)
    return result, [repair.kind for repair in repairs]


def test_nothing_to_do() -> None:
    """Arguments that are fine come back as the same dict, not copied."""
    fields = {"id": "o", "parent_ids": ["a"], "cost_usd": 0.5, "tokens_in": 3, "metadata": {}}
    result, repairs = clean(fields)
    assert result is fields
    assert repairs == []


@pytest.mark.parametrize("number", [NAN, INF, -INF, np.float64("nan"), np.float32("inf")])
@pytest.mark.parametrize("name", ["cost_usd", "composite", "tokens_in", "llm_temperature"])
def test_optional_number(name: str, number: float) -> None:
    """An optional number that is not finite becomes None."""
    assert _cleaned({name: number}) == ({name: None}, ["non_finite"])


def test_score_leaves() -> None:
    """A score that is not finite goes to the metadata as text; the others stay."""
    fields = {"scores": {"a": NAN, "b": 1.5}, "invalid_reason": None, "metadata": {"k": 1}}
    assert clean(fields)[0] == {
        "scores": {"b": 1.5},
        "invalid_reason": None,
        "metadata": {"k": 1, "non_finite_scores": {"a": "nan"}},
    }


def test_no_score_left() -> None:
    """Where no score is left, invalid_reason says why; one that the caller gave is kept."""
    lost = {"scores": {"a": INF, "b": -INF}, "metadata": {}}
    kept = {"non_finite_scores": {"a": "inf", "b": "-inf"}}
    assert clean({**lost, "invalid_reason": None})[0] == {
        "scores": {},
        "metadata": kept,
        "invalid_reason": "no finite score: a=inf, b=-inf",
    }
    assert clean({**lost, "invalid_reason": "crashed"})[0]["invalid_reason"] == "crashed"


def test_review_without_reason() -> None:
    """A payload that has no invalid_reason gets none."""
    assert "invalid_reason" not in clean({"scores": {"a": NAN}, "metadata": {}})[0]


@pytest.mark.parametrize("given_as", [list, tuple, np.array])
def test_coordinates(given_as: Any) -> None:
    """A position with a number that is not finite is kept whole in the metadata."""
    result, kinds = _cleaned({"coordinates": given_as([0.5, NAN]), "metadata": {}})
    assert result == {"coordinates": [], "metadata": {"non_finite_coordinates": [0.5, "nan"]}}
    assert kinds == ["non_finite"]


def test_coverage() -> None:
    """The coverage of an empty archive, 0/0, is 0; an infinite one is left to be refused."""
    result = clean({"coverage": NAN, "metadata": {}})[0]
    assert result == {"coverage": 0.0, "metadata": {"non_finite_coverage": "nan"}}
    assert clean({"coverage": INF, "metadata": {}})[0]["coverage"] == INF


class Kind(enum.StrEnum):
    PROGRAM = "program"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64(1.5), 1.5),
        (np.float32(0.5), 0.5),
        (np.longdouble(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.array(2.0), 2.0),
        (np.array([1, 2]), [1, 2]),
        (pd.Series(["a", "b"]), ["a", "b"]),
        (pd.NA, None),
        (Kind.PROGRAM, "program"),
        (("a", "b"), ["a", "b"]),
    ],
)
def test_lossless(value: Any, expected: Any) -> None:
    """Scalars and arrays of other libraries become Python's own, silently."""
    result, repairs = clean({"value": value, "metadata": {"k": value}})
    for got in (result["value"], result["metadata"]["k"]):
        assert (got, type(got)) == (expected, type(expected))
    assert repairs == []


@pytest.mark.parametrize(
    ("value", "expected", "kind"),
    [
        (Path("/tmp/x"), "/tmp/x", "converted"),
        ({3, 1, 2}, [1, 2, 3], "converted"),
        (
            dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
            "2026-01-02T00:00:00+00:00",
            "converted",
        ),
        (dt.date(2026, 1, 2), "2026-01-02", "converted"),
        (dt.timedelta(seconds=1.5), 1.5, "converted"),
        (b"a\xff", "a\\xff", "converted"),
        (Decimal("0.10"), "0.10", "converted"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001", "converted"),
        ({1: "a", None: "b", False: "c"}, {"1": "a", "null": "b", "false": "c"}, "converted"),
        (len, "<built-in function len>", "not_json"),
        (NAN, "nan", "non_finite"),
        ("a\ud800", "a\ufffd", "surrogate"),
        ({"a\ud800": 1}, {"a\ufffd": 1}, "surrogate"),
    ],
)
def test_free_data(value: Any, expected: Any, kind: str) -> None:
    """In metadata, what JSON cannot hold is stored in its usual form, and said."""
    result, kinds = _cleaned({"metadata": {"k": value}})
    assert result == {"metadata": {"k": expected}}
    assert set(kinds) == {kind}


def test_dataclass() -> None:
    """A dataclass is stored as its fields."""

    @dataclasses.dataclass
    class Settings:
        rate: float
        folder: Path

    result = clean({"config": {"settings": Settings(0.5, Path("out"))}})[0]
    assert result == {"config": {"settings": {"rate": 0.5, "folder": "out"}}}


def test_typed_fields_are_judged_elsewhere() -> None:
    """What a typed field cannot hold is left for the schema to refuse."""
    fields = {"child_id": Path("x"), "parent_ids": [1, None], "scores": {"a": "1"}}
    assert clean(fields)[0] == fields


def test_broken_repr() -> None:
    """An object that cannot even be shown does not break the caller."""

    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert clean({"metadata": {"k": Broken()}})[0] == {"metadata": {"k": "<Broken>"}}


def test_contains_itself() -> None:
    """A structure that contains itself is cut there; one that is only shared is not."""
    shared = [1]
    loop: list[Any] = [shared, shared]
    loop.append(loop)
    assert clean_json({"k": loop})[0] == {"k": [[1], [1], "<contains itself>"]}


def test_depth() -> None:
    """Nesting is cut at a depth that every reader of JSON can follow."""
    deep: list[Any] = []
    for _ in range(1000):
        deep = [deep]
    text = json.dumps(clean_json(deep)[0])
    assert text == "[" * MAX_DEPTH + f'"<deeper than {MAX_DEPTH}>"' + "]" * MAX_DEPTH


def test_snapshot() -> None:
    """Later changes of the caller's own objects do not reach what was cleaned."""
    history = [1]
    result = clean({"metadata": {"history": history}})[0]
    history.append(2)
    assert result == {"metadata": {"history": [1]}}


def test_input_untouched() -> None:
    """The caller's dict is not changed."""
    metadata = {"k": NAN}
    fields = {"scores": {"a": NAN}, "metadata": metadata, "invalid_reason": None}
    before = repr(fields)
    clean(fields)
    assert repr(fields) == before


def test_pairs_are_joined() -> None:
    """Two halves of a character are joined; a half alone becomes U+FFFD."""
    assert clean_text("\ud83d\ude00 \ud83d") == "\U0001f600 \ufffd"


ANYTHING: SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary(max_size=4)
    | st.dates()
    | st.builds(object),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.text(st.characters()) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(ANYTHING)
def test_always_json(value: Any) -> None:
    """Whatever comes in, what comes out is valid JSON in valid UTF-8, and stays as it is."""
    result, _ = clean_json(value)
    assert json.loads(json.dumps(result, allow_nan=False, ensure_ascii=False).encode()) == result
    assert clean_json(result) == (result, [])


def test_no_array_library_loaded() -> None:
    """numpy and pandas are recognised without being imported."""
    code = (
        "import sys; from hutch_lineage.model import clean; clean({'metadata': {'k': object()}});"
        "print([name for name in ('numpy', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
