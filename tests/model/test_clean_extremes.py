"""Cleaning of values that are made to break it."""

from __future__ import annotations

import dataclasses
import json
import math
import threading
from fractions import Fraction
from typing import Any

import pytest

from hutch_lineage.model import clean, clean_json
from hutch_lineage.model.clean import MAX_CONTAINERS


@dataclasses.dataclass
class Link:
    """A record that may hold itself."""

    other: Any = None


def test_a_record_that_contains_itself_is_cut() -> None:
    """An object graph with a cycle ends where it closes, and that is said."""
    link = Link()
    link.other = link
    value, repairs = clean_json(link)
    assert json.dumps(value) == '{"other": "<contains itself>"}'
    assert "too_deep" in {repair.kind for repair in repairs}


def test_shared_containers_do_not_unfold_without_end() -> None:
    """Thirty levels of a list that holds the one below twice would be a thousand million lists."""
    value: Any = []
    for _ in range(30):
        value = [value, value]
    cleaned, repairs = clean_json(value)
    assert "too_deep" in {repair.kind for repair in repairs}
    assert str(MAX_CONTAINERS) in json.dumps(cleaned)


def test_a_number_beyond_all_floats() -> None:
    """A fraction too large for a float counts as infinite and is repaired as such."""
    fields, repairs = clean({"cost_usd": Fraction(10**400)})
    assert fields["cost_usd"] is None
    assert [repair.kind for repair in repairs] == ["non_finite"]


@pytest.mark.parametrize("scores", [{"s": math.nan}, {"s": Fraction(-(10**400))}])
def test_scores_that_are_lost_are_kept_as_text(scores: dict[str, Any]) -> None:
    """Nothing is lost: what cannot be a score stands in the metadata."""
    fields, _ = clean({"scores": scores, "metadata": {}, "invalid_reason": None})
    assert fields["scores"] == {}
    assert set(fields["metadata"]["non_finite_scores"]) == {"s"}


def test_a_dict_that_another_thread_fills() -> None:
    """Metadata that grows while it is logged does not fail the call."""
    shared: dict[str, list[int]] = {}
    done = threading.Event()

    def fill() -> None:
        for number in range(20_000):
            shared[f"k{number}"] = [number]
        done.set()

    thread = threading.Thread(target=fill)
    thread.start()
    while not done.is_set():
        clean({"metadata": shared})
    thread.join()
    assert len(clean({"metadata": shared})[0]["metadata"]) == 20_000


def test_a_whole_number_beyond_64_bits() -> None:
    """Metadata holds what every reader of JSON can read: larger numbers are their text."""
    value, repairs = clean_json({"hash": 2**64, "most": 2**64 - 1, "least": -(2**63)})
    assert value == {"hash": str(2**64), "most": 2**64 - 1, "least": -(2**63)}
    assert [(repair.kind, repair.where) for repair in repairs] == [("converted", "value.hash")]
