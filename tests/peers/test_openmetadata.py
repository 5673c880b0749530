"""OpenMetadata's own request model takes every event, and its own connector finds the edges."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from hutch_lineage.mapping import named_node
from tests.peers.runs import BACKENDS, TRUE, documents, posted, search
from tests.support.venvs import environment

HERE = Path(__file__).parent


ODD = "run-abc"


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """What OpenMetadata says of each event, by preset; of ``odd`` ones, those of an odd run id."""
    python = environment(HERE / "openmetadata.txt")
    asked = {backend: [json.dumps(each) for each in documents(backend)] for backend in BACKENDS}
    for backend in ("generic", "openmetadata"):
        asked[f"odd {backend}"] = [body.decode() for body in posted(search(ODD), backend)]
    path = tmp_path_factory.mktemp("openmetadata") / "events.ndjson"
    path.write_text("\n".join(line for lines in asked.values() for line in lines), "utf-8")
    done = subprocess.run(
        [str(python), str(HERE / "openmetadata_connector.py"), str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=path.parent,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = iter(map(json.loads, done.stdout.splitlines()))
    return {name: [next(said) for _ in lines] for name, lines in asked.items()}


def shown(judgements):
    """Return the edges as pairs of (run, id)."""
    return {
        tuple((node.run_id, node.id) for node in map(named_node, edge))
        for each in judgements
        for edge in each["edges"]
        if all(edge) and all(map(named_node, edge))
    }


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_event_is_accepted(backend, judged):
    """The request model of the HTTP API refuses none, and the connector finds none malformed."""
    for each in judged[backend]:
        assert (each["refused"], each["malformed"]) == (None, None)


def test_the_edges_are_there(judged):
    """Under the preset all true edges of two runs with equal ids, and nothing else."""
    found = judged["openmetadata"]
    assert shown(found) == TRUE
    assert sum(len(each["edges"]) for each in found) == len(TRUE)
    assert len({each["pipeline"] for each in found}) == 1


def test_the_default_mapping_shows_none(judged):
    """Names without a dot are no tables, and RUNNING is not read: no edge of the same runs."""
    assert shown(judged["generic"]) == set()


def test_a_run_id_that_is_no_uuid_needs_the_preset(judged):
    """Refused as the specification has it, taken under the preset."""
    assert all("uuid" in each["refused"] for each in judged["odd generic"])
    assert {each["refused"] for each in judged["odd openmetadata"]} == {None}
