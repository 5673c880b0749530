"""DataHub's own names, folded as its server folds aspects: the edges are there.

Its converter for OpenLineage is published for Spark only and cannot be had from everywhere; what it
does with names is done by DataHub's code in Python, and what it does with jobs follows its source.
"""

from __future__ import annotations

import json

import pytest

from tests.peers.judging import edges_at_datahub, judged
from tests.peers.runs import BACKENDS, TRUE, documents


@pytest.fixture(scope="module")
def said():
    """The aspects that DataHub writes for each event, by preset."""
    asked = {name: [json.dumps(each).encode() for each in documents(name)] for name in BACKENDS}
    return judged("datahub", asked)


@pytest.mark.parametrize("backend", [each for each in BACKENDS if each != "generic"])
def test_the_edges_are_there(said, backend):
    """All true edges of two runs with equal ids, and nothing else: under any preset."""
    assert edges_at_datahub(said[backend]) == TRUE


def test_all_jobs_of_a_search_are_in_one_flow(said):
    """Runs, operators and parents have one orchestrator and one flow."""
    flows = {each["urn"].partition("dataFlow:")[2].partition(")")[0] for each in said["datahub"]}
    assert flows == {"(hutch,circle~20packing~2c~20v1~2e2,hutch"}
    (parent,) = {
        each["run"]["facets"]["parent"]["_producer"].rpartition("/")[2]
        for each in documents("datahub")
        if "parent" in each["run"]["facets"]
    }
    assert parent == "hutch"


def test_the_default_mapping_shows_none(said):
    """One job, whose last event has neither inputs nor outputs."""
    assert len({each["urn"] for each in said["generic"]}) == 1
    assert edges_at_datahub(said["generic"]) == set()
