"""What a preset writes is valid OpenLineage, and the default mapping is untouched."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator, FormatChecker

from hutch_lineage.mapping import (
    STANDARD_FACETS,
    JobNames,
    encode,
    facet_schema,
    mapper_of,
    preset_of,
    to_run_event,
)
from tests.mapping.histories import histories, lineages
from tests.mapping.preset_events import FULL, OTHERS, written
from tests.support.official import Official, standard_facets


@given(histories)
def test_generic_is_the_mapping_of_the_specification(history):
    """The preset ``generic`` writes what the default mapping writes, byte for byte."""
    jobs = JobNames()
    expected = []
    for each in history:
        if each.event_kind == "run_start":
            jobs.started(each.run_id, each.payload.name)
        document = to_run_event(each, namespace="hutch", job_name=jobs.of(each.run_id))
        expected += [] if document is None else [encode(document)[0]]
    mapper = mapper_of(preset_of("generic"), "hutch")
    assert [body for each in history for body, _ in mapper.map(each)] == expected
    assert mapper.rest() == []


@pytest.fixture(scope="module")
def official(spec_dir):
    """The official schemas."""
    return Official(spec_dir)


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_every_event_and_every_facet_is_valid(official, backend, history):
    """Events pass OpenLineage.json, run ids of any form included; facets pass their schemas."""
    for document in written(history, backend, rest=True):
        assert official.errors(document) == []
        assert official.facet_errors(document) == []
        for name in ("hutchLineage", "hutchOperator", "hutchSelfMod", "hutchRun"):
            facet = document["run"]["facets"].get(name)
            checker = Draft202012Validator(facet_schema(name), format_checker=FormatChecker())
            assert facet is None or list(checker.iter_errors(facet)) == []


def test_a_full_run_has_every_facet_that_the_preset_asks_for(official):
    """The run above leaves no standard facet of the table unwritten, and all are valid."""
    documents = written(FULL, "datahub")
    assert [official.facet_errors(each) for each in documents] == [[]] * len(documents)
    found = {name for each in documents for name, _ in standard_facets(each)}
    assert found == set(STANDARD_FACETS)


@pytest.mark.parametrize("name", STANDARD_FACETS)
def test_a_facet_that_is_not_asked_for_is_not_there(name):
    """Each facet can be left out by itself."""
    kept = [each for each in STANDARD_FACETS if each != name]
    documents = written(FULL, "datahub", facets=kept)
    assert {found for each in documents for found, _ in standard_facets(each)} == set(kept)
