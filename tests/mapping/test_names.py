"""Names of jobs and datasets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.mapping import JobNames, dataset_name, node_key
from hutch_lineage.model import NodeKey
from tests.mapping.histories import ids


def test_the_name_of_a_run_stays_after_its_end():
    """The first name of a run is its job for good; a later start does not rename it."""
    names = JobNames()
    names.started("r", "packing")
    names.started("r", None)
    names.started("r", "other")
    assert names.of("r") == "packing"


def test_without_a_name_the_run_id_serves_and_without_that_the_default():
    """Job names fall back to the run id, then to the default."""
    names = JobNames("research-loop")
    assert [names.started("r", None), names.of("unknown"), names.of("")] == [
        "r",
        "unknown",
        "research-loop",
    ]


@given(st.sampled_from(["individual", "agent"]), ids)
def test_dataset_names_read_back(kind, node_id):
    """Any id, colons included, comes back from its dataset name."""
    assert node_key(dataset_name(kind, node_id), "r") == NodeKey(kind, "r", node_id)
