"""The SDK with a backend: what the loop logs arrives, and the loop never notices the backend."""

from __future__ import annotations

import math

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import DeliveryError
from hutch_lineage.sdk import SDKConfig, runtime
from tests.receivers import Receiver


def _types(events: list[dict[str, object]]) -> list[object]:
    return [event["eventType"] for event in events]


def _search(steps: int = 3) -> None:
    with hl.run("packing"):
        for number in range(steps):
            hl.log_operator(kind="mutate", parent_ids=["seed"], child_id=f"c{number}")


def test_configured_endpoint() -> None:
    """With an endpoint configured, every lineage event is posted, in order."""
    with Receiver() as backend:
        hl.configure(SDKConfig(openlineage_endpoint=backend.url, openlineage_api_key="k"))
        _search()
        assert _types(backend.wait_for(5)) == ["START", *["RUNNING"] * 3, "COMPLETE"]
        assert backend.requests[0].headers["Authorization"] == "Bearer k"
        assert {event["job"]["name"] for event in backend.events} == {"packing"}


def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """HUTCH_OPENLINEAGE_ENDPOINT and _NAMESPACE alone are enough."""
    with Receiver() as backend:
        monkeypatch.setenv("HUTCH_OPENLINEAGE_ENDPOINT", backend.url)
        monkeypatch.setenv("HUTCH_OPENLINEAGE_NAMESPACE", "my-org")
        _search(0)
        assert {event["job"]["namespace"] for event in backend.wait_for(2)} == {"my-org"}


def test_hung_backend() -> None:
    """A backend that accepts and hangs does not hold up the loop."""
    with Receiver(then="hang") as backend:
        hl.configure(SDKConfig(openlineage_endpoint=backend.url, request_timeout_s=0.5))
        _search(100)
        backend.wait_for_requests(1)
        assert len(backend.requests) < 10
        assert len(runtime().events) == 102


def test_strict() -> None:
    """HUTCH_STRICT=1: the verb raises what the backend answered, after posting."""
    with Receiver(201, 503) as backend:
        hl.configure(SDKConfig(openlineage_endpoint=backend.url, strict=True))
        run = hl.start_run(name="r")
        with pytest.raises(DeliveryError, match="503"):
            hl.log_operator(kind="mutate", child_id="c")
        assert [request.answered for request in backend.requests] == [201, 503]
        assert len(runtime().events) == 2
        run.end()


def test_infinite_cost_arrives() -> None:
    """An operator with an infinite cost is posted all the same."""
    with Receiver() as backend:
        hl.configure(SDKConfig(openlineage_endpoint=backend.url))
        with hl.run("r"):
            hl.log_operator(kind="mutate", child_id="c", cost_usd=math.inf)
        assert len(backend.wait_for(3)) == 3


def test_configured_during_a_run() -> None:
    """A backend that is configured while a run is open learns of its start, and its name."""
    with Receiver() as backend, hl.run("packing"):
        hl.log_operator(kind="mutate", child_id="before")
        hl.configure(SDKConfig(openlineage_endpoint=backend.url))
        hl.log_operator(kind="mutate", child_id="after")
        events = backend.wait_for(2)
        assert _types(events) == ["START", "RUNNING"]
        assert events[1]["job"]["name"] == "packing"


def test_configured_anew_sends_nothing_twice() -> None:
    """Running the same configuration again, with an explorer open, sends nothing twice."""
    with Receiver() as backend:
        config = SDKConfig(openlineage_endpoint=backend.url)
        runtime().ensure_emitter()
        _search(1)
        for _ in range(2):
            hl.configure(config)
            backend.wait_for(3)
        _search(1)
        events = backend.wait_for(6)
        assert _types(events) == ["START", "RUNNING", "COMPLETE"] * 2


def test_late_event_keeps_its_job() -> None:
    """An event logged after the end of its run goes to the job of that run."""
    with Receiver() as backend:
        hl.configure(SDKConfig(openlineage_endpoint=backend.url))
        with hl.run("packing") as run:
            pass
        run.log_operator(kind="mutate", child_id="late")
        assert [event["job"]["name"] for event in backend.wait_for(3)] == ["packing"] * 3
