"""The facets: a schema, valid and invalid examples, a row in the documentation, and no way back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator, FormatChecker

from hutch_lineage.mapping import FACET_NAMES, OPENLINEAGE_PRODUCER, facet_schema, to_run_event
from tests.mapping.histories import events

EXAMPLES = Path(__file__).parent / "facets"


def read(name):
    """Return one file of examples."""
    return json.loads((EXAMPLES / name).read_text(encoding="utf-8"))


def validator(name):
    """Return a validator of one facet, with format checks."""
    return Draft202012Validator(facet_schema(name), format_checker=FormatChecker())


def properties(name):
    """Return the fields that the schema of a facet lists."""
    return facet_schema(name)["$defs"][name]["properties"]


def as_set(types):
    """Return the JSON types of a field, which may stand alone or in a list."""
    return {types} if isinstance(types, str) else set(types)


def is_additive(frozen, now):
    """Return whether every frozen field is still there, with at least the types it had."""
    return all(
        field in now and as_set(types) <= as_set(now[field]["type"])
        for field, types in frozen.items()
    )


@pytest.mark.parametrize("name", FACET_NAMES)
def test_each_schema_is_a_schema_with_an_id_and_the_promise(name):
    """A facet schema is valid draft 2020-12, names itself, and says that it only grows."""
    schema = facet_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"{OPENLINEAGE_PRODUCER}/facets/{name}.json"
    assert "Additive only" in schema["$comment"]


@pytest.mark.parametrize("name", FACET_NAMES)
def test_valid_examples_are_valid(name):
    """Every valid example passes, among them one with all optional values null."""
    assert [list(validator(name).iter_errors(facet)) for facet in read(f"{name}.valid.json")] == [
        [],
        [],
    ]


@pytest.mark.parametrize("name", FACET_NAMES)
def test_invalid_examples_are_not(name):
    """Every invalid example fails, for one reason."""
    cases = read(f"{name}.invalid.json")
    found = {case["why"]: len(list(validator(name).iter_errors(case["facet"]))) for case in cases}
    assert found == {case["why"]: 1 for case in cases}


def test_stability_no_field_is_removed_or_renamed():
    """Specification, "Stability": fields may be added to a facet, none goes or changes its name."""
    frozen = read("frozen.json")
    assert set(frozen) <= set(FACET_NAMES)
    assert [name for name in frozen if not is_additive(frozen[name], properties(name))] == []


def test_stability_the_freeze_sees_a_removal_and_lets_an_addition_pass():
    """The check above fails for a renamed field and passes for a new one."""
    frozen, now = read("frozen.json")["hutchRun"], properties("hutchRun")
    renamed = {field.replace("project", "campaign"): types for field, types in now.items()}
    assert [
        is_additive(frozen, now | {"new": {"type": "string"}}),
        is_additive(frozen, renamed),
    ] == [
        True,
        False,
    ]


@pytest.mark.parametrize("name", FACET_NAMES)
def test_each_field_has_a_row_in_the_documentation(name, project_root):
    """docs/facets.md has a section per facet and in it one row per field, no more and no less."""
    text = (project_root / "docs" / "facets.md").read_text(encoding="utf-8")
    section = re.split(r"^## ", text, flags=re.MULTILINE)[FACET_NAMES.index(name) + 1]
    rows = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert section.startswith(name)
    assert rows == [field for field in properties(name) if not field.startswith("_")]


@given(events)
def test_every_facet_that_is_written_is_valid_and_complete(event):
    """Whatever the event, its facet passes the schema and has exactly the documented fields."""
    document = to_run_event(event, namespace="hutch", job_name="j")
    for name, facet in document["run"]["facets"].items() if document else ():
        assert list(validator(name).iter_errors(facet)) == []
        assert list(facet) == list(properties(name))
