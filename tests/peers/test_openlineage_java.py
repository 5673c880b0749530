"""The official Java client reads every event of every preset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.peers.runs import BACKENDS, documents, posted, search
from tests.support.java import jars, run_java

CLIENT = "io.openlineage:openlineage-java:1.55.0"
PROGRAM = Path(__file__).with_name("ParseEvents.java")


def understood(bodies, folder):
    """Return what the client made of each event."""
    path = folder / "events.ndjson"
    path.write_bytes(b"".join(body + b"\n" for body in bodies))
    return [json.loads(line) for line in run_java(PROGRAM, jars(CLIENT), str(path)).splitlines()]


def plain(value):
    """Return JSON without what says nothing: nulls and empty objects."""
    if isinstance(value, dict):
        kept = {key: plain(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each not in (None, {})}
    return [plain(each) for each in value] if isinstance(value, list) else value


def facets(event):
    """Return the facets of an event, by holder."""
    holders = [event["run"], event["job"], *event["inputs"], *event["outputs"]]
    return [holder.get("facets", {}) for holder in holders]


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_event_is_read(backend, tmp_path):
    """Ids, names and facets come out as they went in, the custom facets included."""
    events = documents(backend)
    found = understood([json.dumps(each).encode() for each in events], tmp_path)
    assert [each.get("error") for each in found] == [None] * len(events)
    for event, each in zip(events, found, strict=True):
        assert each["runId"] == event["run"]["runId"]
        assert each["job"] == event["job"]["name"]
        for side in ("inputs", "outputs"):
            assert each[side] == [dataset["name"] for dataset in event[side]]
        assert plain(facets(each["again"])) == plain(facets(event))


def test_a_run_id_that_is_no_uuid_needs_a_preset(tmp_path):
    """The client refuses such an id as the specification has it, and reads it under a preset."""
    generic, marquez = (
        [each.get("error") for each in understood(posted(search("run-abc"), backend), tmp_path)]
        for backend in ("generic", "marquez")
    )
    assert all("UUID" in each for each in generic)
    assert set(marquez) == {None}
