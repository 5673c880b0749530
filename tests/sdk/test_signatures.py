"""A loop written for Hutch runs with the import changed."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import hutch
import pytest
from hutch import sdk as theirs

import hutch_lineage as hl
from hutch_lineage import sdk as ours
from hutch_lineage.sdk import Run

VERBS = [name for name in theirs.__all__ if inspect.isfunction(getattr(theirs, name))]


def _keywords(function: Any) -> dict[str, Any]:
    return {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
    }


@pytest.mark.parametrize("name", VERBS)
def test_same_keywords(name: str) -> None:
    """Each function of Hutch's SDK is here, takes every keyword of theirs, with its default."""
    expected = _keywords(getattr(theirs, name))
    found = _keywords(getattr(hl, name))
    assert {key: found.get(key, "missing") for key in expected} == expected


@pytest.mark.parametrize("name", VERBS)
def test_only_additions_are_optional(name: str) -> None:
    """What we add to a function can be left out; so far only `genome`."""
    added = _keywords(getattr(hl, name)).keys() - _keywords(getattr(theirs, name)).keys()
    assert added == ({"genome"} if name == "log_individual" else set())


@pytest.mark.parametrize("name", [name for name in VERBS if name.startswith("log_")])
def test_function_and_method_are_one(name: str) -> None:
    """The module function and the method of a run have one signature and one docstring."""
    method = getattr(Run, name)
    function = getattr(hl, name)
    assert function.__func__ is method
    assert "Parameters\n" in function.__doc__


def test_public_names() -> None:
    """Every public name of Hutch's SDK is in ours, and its verbs at the top as well."""
    assert set(theirs.__all__) <= set(ours.__all__)
    assert set(VERBS) | {"SDKConfig", "Population"} <= set(hl.__all__)
    assert set(VERBS) <= set(hutch.__all__)


def test_config_fields() -> None:
    """SDKConfig has every field of theirs; only the mode is another by default."""
    mine, other = hl.SDKConfig(), theirs.SDKConfig()
    fields = [name for name in inspect.signature(theirs.SDKConfig).parameters if name != "mode"]
    assert {name: getattr(mine, name) for name in fields} == {
        name: getattr(other, name) for name in fields
    }


def test_functions_can_be_sent() -> None:
    """A module function can be pickled, as pools of processes need."""
    assert pickle.loads(pickle.dumps(hl.log_operator)) == hl.log_operator  # noqa: S301
