"""Names under a preset keep runs apart, join what is shared, and fit the backends."""

from __future__ import annotations

import json
import re

import pytest

from hutch_lineage.mapping import mapper_of, preset_of, records_of
from hutch_lineage.model import NodeKey, NodeRecord, OperatorRecord
from tests.mapping.preset_events import OTHERS, individual, names, self_mod, whats, written
from tests.openlineage.events import end, operator


@pytest.mark.parametrize("backend", OTHERS)
def test_equal_ids_in_two_runs_are_two_datasets(backend):
    """D14, cured: names hold the run, and the edges of the runs do not mix."""
    one, other = (
        {
            dataset["name"]
            for each in written([operator(1, run_id=run)], backend)
            for dataset in each["inputs"] + each["outputs"]
        }
        for run in ("r1", "r2")
    )
    assert not one & other


@pytest.mark.parametrize("kind", ["individual", "agent"])
def test_a_seed_from_another_run_is_joined_to_it(kind):
    """Its seed operator has the original as its input, under the name it has there."""
    origin = {"origin_run_id": "r1", "origin_id": "a2"}
    if kind == "agent":
        there = written([self_mod("a1", "a2", run_id="r1")])[-1]
        here = written([self_mod("b1", "b2", run_id="r2", metadata=origin)])[0]
    else:
        there = written([operator(1, child_id="a2", run_id="r1")])[-1]
        here = written([individual("b1", run_id="r2", metadata=origin), end("r2")])[0]
    assert whats([here]) == ["seed"]
    assert [each["name"] for each in here["inputs"]] == [each["name"] for each in there["outputs"]]
    assert names(here["outputs"]) == ["b1"]
    (read_back,) = (each for each in records_of(here) if isinstance(each, NodeRecord))
    assert (read_back.parents, read_back.attributes) == ((), {"is_seed": True, "metadata": origin})


@pytest.mark.parametrize("backend", OTHERS)
@pytest.mark.parametrize(
    "node_id", ["x" * 300, "a.b/c,(d)%:#", "\0", "", "Ind_A", "é漢🙂", "~7e", "None"]
)
def test_any_id_survives(backend, node_id):
    """Names hold only what every backend takes, are short enough, and give the id back."""
    *_, document = written(
        [operator(1, parent_ids=[node_id], child_id="c", run_id="Run 1")], backend
    )
    (dataset,) = document["inputs"]
    assert re.fullmatch(r"[A-Za-z0-9_~.-]{1,255}", dataset["name"])
    assert dataset["name"].count(".") == 2
    assert len(document["job"]["name"]) <= 255
    (record,) = [each for each in records_of(document) if isinstance(each, OperatorRecord)]
    assert record.parents == (NodeKey("individual", "Run 1", node_id),)


def test_names_for_openmetadata_have_no_capitals():
    """Its connector folds case: ids that differ in case only stay apart."""
    documents = written([operator(1, parent_ids=["A", "a"], child_id="c")], "openmetadata")
    found = [each["name"].lower() for each in documents[0]["inputs"]]
    assert len(set(found)) == 2


def test_a_namespace_that_marquez_refuses_is_written_otherwise():
    """Spaces, colons and letters beyond ASCII become what its pattern allows; a scheme may stay."""
    mapper = mapper_of(preset_of("marquez"), "my lab: é")
    (body, _) = mapper.map(operator(1))[0]
    assert re.fullmatch(r"[a-zA-Z:;=/0-9_.@+-]+", json.loads(body)["job"]["namespace"])
    kept = mapper_of(preset_of("marquez"), "hutch://lab").map(operator(1))[0][0]
    assert json.loads(kept)["job"]["namespace"] == "hutch://lab"
