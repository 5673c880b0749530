"""The official Python client's classes take every event of every preset."""

from __future__ import annotations

import json
from importlib import import_module
from pkgutil import iter_modules

import pytest
from openlineage.client import generated
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.serde import Serde

from tests.peers.runs import BACKENDS, documents

CLASSES = {
    name: value
    for module in iter_modules(generated.__path__)
    for name, value in vars(import_module(f"{generated.__name__}.{module.name}")).items()
}


def official(value, cls=None):
    """Return JSON as an object of the client's, so far as it has a class for it."""
    if cls is None or not isinstance(value, dict):
        return value
    named = {key: each for key, each in value.items() if not key.startswith("_")}
    return cls(**named)


def facets(holder):
    """Return the facets of a holder, the standard's as objects of the client's classes."""
    made = {}
    for name, facet in holder.get("facets", {}).items():
        cls = CLASSES.get(facet["_schemaURL"].rpartition("/")[2])
        made[name] = facet if cls is None else official(facet, cls)
    return made


def plain(value):
    """Return JSON without what the client adds, or leaves out as saying nothing."""
    if isinstance(value, dict):
        kept = {key: plain(each) for key, each in value.items() if not key.startswith("_")}
        return {key: each for key, each in kept.items() if each not in (None, {})}
    return [plain(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_event_is_taken_and_written_alike(backend):
    """Each event, with every standard facet, is built from the classes and comes out the same."""
    for document in documents(backend):
        theirs = RunEvent(
            eventType=RunState[document["eventType"]],
            eventTime=document["eventTime"],
            run=Run(document["run"]["runId"], facets(document["run"])),
            job=Job(document["job"]["namespace"], document["job"]["name"], facets(document["job"])),
            inputs=[
                InputDataset(each["namespace"], each["name"], facets=facets(each))
                for each in document["inputs"]
            ],
            outputs=[
                OutputDataset(each["namespace"], each["name"], facets=facets(each))
                for each in document["outputs"]
            ],
            producer=document["producer"],
        )
        written = json.loads(Serde.to_json(theirs))
        del written["schemaURL"], document["schemaURL"]
        assert plain(written) == plain(document)
