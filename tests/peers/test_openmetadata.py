"""OpenMetadata's own request model takes every event, and its own connector finds the edges."""

from __future__ import annotations

import json

import pytest

from tests.peers.judging import edges_at_openmetadata, judged
from tests.peers.runs import BACKENDS, TRUE, documents, posted, search


@pytest.fixture(scope="module")
def said():
    """What OpenMetadata says of each event, by preset; of ``odd`` ones, those of an odd run id."""
    asked = {name: [json.dumps(each).encode() for each in documents(name)] for name in BACKENDS}
    for name in ("generic", "openmetadata"):
        asked[f"odd {name}"] = posted(search("run-abc"), name)
    return judged("openmetadata", asked)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_event_is_accepted(backend, said):
    """The request model of the HTTP API refuses none, and the connector finds none malformed."""
    for each in said[backend]:
        assert (each["refused"], each["malformed"]) == (None, None)


def test_the_edges_are_there(said):
    """Under the preset all true edges of two runs with equal ids, and nothing else."""
    found = said["openmetadata"]
    assert edges_at_openmetadata(found) == TRUE
    assert sum(len(each["edges"]) for each in found) == len(TRUE)
    assert len({each["pipeline"] for each in found}) == 1


def test_the_default_mapping_shows_none(said):
    """Names without a dot are no tables, and RUNNING is not read: no edge of the same runs."""
    assert edges_at_openmetadata(said["generic"]) == set()


def test_a_run_id_that_is_no_uuid_needs_the_preset(said):
    """Refused as the specification has it, taken under the preset."""
    assert all("uuid" in each["refused"] for each in said["odd generic"])
    assert {each["refused"] for each in said["odd openmetadata"]} == {None}
