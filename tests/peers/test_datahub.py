"""DataHub's own names, folded as its server folds aspects: the edges are there.

Its converter for OpenLineage is published for Spark only and cannot be had from here; what it does
with names is done by DataHub's code in Python, and what it does with jobs follows its source.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from hutch_lineage.mapping import named_node
from tests.peers.runs import BACKENDS, TRUE, documents
from tests.support.venvs import environment

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def graphs(tmp_path_factory):
    """By preset: job -> (inputs, outputs) as names, the last event of each job having won."""
    python = environment(HERE / "datahub.txt")
    asked = {backend: [json.dumps(each) for each in documents(backend)] for backend in BACKENDS}
    path = tmp_path_factory.mktemp("datahub") / "events.ndjson"
    path.write_text("\n".join(line for lines in asked.values() for line in lines), "utf-8")
    done = subprocess.run(
        [str(python), str(HERE / "datahub_names.py"), str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=path.parent,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = iter(map(json.loads, done.stdout.splitlines()))
    found = {}
    for backend, lines in asked.items():
        aspects = {}
        for _ in lines:
            aspect = next(said)
            aspects[aspect["urn"]] = aspect  # an UPSERT of the whole aspect
        found[backend] = {
            urn: tuple([name_of(each) for each in aspect[side]] for side in SIDES)
            for urn, aspect in aspects.items()
        }
    return found


SIDES = ("inputDatasets", "outputDatasets")


def name_of(urn):
    """Return the name in the URN of a dataset."""
    return urn.removeprefix("urn:li:dataset:(urn:li:dataPlatform:hutch,").removesuffix(",PROD)")


def run_and_id(name):
    """Return the run and the id behind a name, or a name without a run as it is."""
    node = named_node(name)
    return name if node is None else (node.run_id, node.id)


def shown(graph):
    """Return the edges through jobs."""
    return {
        tuple(
            (node.run_id, node.id) if (node := named_node(each)) else each for each in (one, other)
        )
        for inputs, outputs in graph.values()
        for one in inputs
        for other in outputs
    }


@pytest.mark.parametrize("backend", [each for each in BACKENDS if each != "generic"])
def test_the_edges_are_there(graphs, backend):
    """All true edges of two runs with equal ids, and nothing else: under any preset."""
    found = shown(graphs[backend])
    assert found == TRUE


def test_all_jobs_of_a_search_are_in_one_flow(graphs):
    """Runs, operators and parents have one orchestrator and one flow."""
    flows = {urn.partition("urn:li:dataFlow:")[2].partition(")")[0] for urn in graphs["datahub"]}
    assert flows == {"(hutch,circle~20packing~2c~20v1~2e2,hutch"}
    (parent,) = {
        each["run"]["facets"]["parent"]["_producer"].rpartition("/")[2]
        for each in documents("datahub")
        if "parent" in each["run"]["facets"]
    }
    assert parent == "hutch"


def test_the_default_mapping_shows_none(graphs):
    """One job, whose last event has neither inputs nor outputs."""
    assert list(graphs["generic"].values()) == [([], [])]
