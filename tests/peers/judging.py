"""OpenMetadata's and DataHub's own code, asked what they make of RunEvents."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from hutch_lineage.mapping import named_node
from tests.support.venvs import environment

HERE = Path(__file__).parent
Edge = tuple[Any, Any]
"""Parent and child: each run and id, or a name that says no run."""

KeyT = TypeVar("KeyT")

_PROGRAMS = {"openmetadata": "openmetadata_connector.py", "datahub": "datahub_names.py"}
_TABLE = ("urn:li:dataset:(urn:li:dataPlatform:hutch,", ",PROD)")


def judged(peer: str, asked: Mapping[KeyT, Iterable[bytes]]) -> dict[KeyT, list[dict[str, Any]]]:
    """Return what a peer says of each event, by the keys of what it was asked; else skip."""
    python = environment(HERE / f"{peer}.txt")
    batches = {key: list(bodies) for key, bodies in asked.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.ndjson"
        path.write_bytes(b"\n".join(body for bodies in batches.values() for body in bodies))
        done = subprocess.run(
            [str(python), str(HERE / _PROGRAMS[peer]), str(path)],
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
            cwd=folder,
        )
    assert done.returncode == 0, done.stderr[-2000:]
    said = iter(map(json.loads, done.stdout.splitlines()))
    return {key: [next(said) for _ in bodies] for key, bodies in batches.items()}


def edges_at_openmetadata(said: Iterable[Mapping[str, Any]]) -> set[Edge]:
    """Return the edges of the events that it did not refuse."""
    return {
        (_node(edge[0]), _node(edge[1]))
        for each in said
        if each["refused"] is None and each["malformed"] is None
        for edge in each["edges"]
        if all(edge)
    }


def edges_at_datahub(said: Iterable[Mapping[str, Any]]) -> set[Edge]:
    """Return the edges through jobs, of each of which the last event has won: an UPSERT."""
    jobs = {each["urn"]: each for each in said}
    return {
        (_node(_name(one)), _node(_name(other)))
        for each in jobs.values()
        for one in each["inputDatasets"]
        for other in each["outputDatasets"]
    }


def _name(urn: str) -> str:
    return urn.removeprefix(_TABLE[0]).removesuffix(_TABLE[1])


def _node(name: str) -> Any:
    node = named_node(name)
    return name if node is None else (node.run_id, node.id)
