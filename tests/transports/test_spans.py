"""Spans reach an OTLP receiver as Hutch makes them, and trouble there disturbs nobody."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections import Counter
from typing import Any

import pytest
from hutch.otel import OTelEmitter
from hutch.schema import EVENT_ADAPTER as THEIRS
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

import hutch_lineage as hl
from hutch_lineage.errors import CaptureError, ConfigurationError
from hutch_lineage.sdk import SDKConfig, runtime
from hutch_lineage.transports import SpanEmitter
from tests.receivers import Answer, Receiver, unused_port
from tests.support.search import island_search

OK = Answer(200)


def received(receiver: Receiver) -> list[Any]:
    """The spans that a receiver has accepted, as the official classes decode them."""
    spans = []
    for request in list(receiver.requests):
        if request.answered == 200:
            document = ExportTraceServiceRequest.FromString(request.body)
            for resource in document.resource_spans:
                for scope in resource.scope_spans:
                    spans += scope.spans
    return spans


def attributes(span: Any) -> dict[str, Any]:
    """The attributes of a decoded span."""
    found = {}
    for pair in span.attributes:
        kind = pair.value.WhichOneof("value")
        value = getattr(pair.value, kind)
        found[pair.key] = [v.string_value for v in value.values] if kind == "array_value" else value
    return found


def log_some(count: int = 3) -> str:
    """Run a small search; return its run id."""
    with hl.run("search", project="packing") as run:
        for number in range(count):
            run.log_operator(kind="refine", parent_ids=["p"], child_id=f"c{number}", cost_usd=0.5)
    return run.id


def flush() -> bool:
    """Wait until the spans are out."""
    spans = runtime().spans
    assert spans is not None
    return spans.flush(30)


# -- what arrives ----------------------------------------------------------------------------


def test_spans_arrive_at_an_otlp_receiver() -> None:
    """A run is one span, its events are points in time under it; resource and scope are set."""
    with Receiver(then=OK) as receiver:
        hl.configure(SDKConfig(otel_endpoint=receiver.url, otel_service_name="my-loop"))
        run_id = log_some()
        assert flush()
    spans = received(receiver)
    assert Counter(span.name for span in spans) == {"hutch.operator": 3, f"hutch.run:{run_id}": 1}
    [run] = [span for span in spans if span.name.startswith("hutch.run:")]
    operators = [span for span in spans if span is not run]
    assert {span.parent_span_id for span in operators} == {run.span_id}
    assert {span.trace_id for span in spans} == {run.trace_id}
    assert [attributes(span)["research.operator.child_id"] for span in operators] == [
        "c0",
        "c1",
        "c2",
    ]
    assert attributes(run)["research.run.status"] == "finished"
    assert {request.path for request in receiver.requests} == {"/v1/traces"}
    body = ExportTraceServiceRequest.FromString(receiver.requests[0].body)
    resource = {p.key: p.value.string_value for p in body.resource_spans[0].resource.attributes}
    assert resource["service.name"] == "my-loop"
    assert body.resource_spans[0].scope_spans[0].scope.name == "hutch_lineage"


def test_spans_equal_hutchs() -> None:
    """Names, kinds, times, attributes and parents are those of Hutch's own emitter."""
    theirs = OTelEmitter(endpoint="in-memory", service_name="hutch")
    ours = SpanEmitter("in-memory", "hutch")
    for event in island_search(generations=3):
        theirs.emit(THEIRS.validate_json(event.model_dump_json()))
        ours.accept(event)
    found = []
    for spans in (ours.in_memory_spans, theirs.in_memory_spans):
        names = {span.context.span_id: span.name for span in spans}
        found.append(
            [
                (
                    span.name,
                    span.kind,
                    span.start_time,
                    span.end_time,
                    dict(span.attributes or {}),
                    names[span.parent.span_id] if span.parent else None,
                )
                for span in spans
            ]
        )
    ours.close()
    theirs.shutdown()
    assert found[0] == found[1]
    assert len(found[0]) > 50


@pytest.mark.parametrize(
    ("given", "path"),
    [("", "/v1/traces"), ("/", "/v1/traces"), ("/v1/traces", "/v1/traces"),
     ("/otlp/", "/otlp/v1/traces")],
)  # fmt: skip
def test_the_path_is_completed(given: str, path: str) -> None:
    """`/v1/traces` is added where it is missing, as Hutch adds it."""
    with Receiver(then=OK) as receiver:
        hl.configure(SDKConfig(otel_endpoint=receiver.url + given))
        log_some(1)
        assert flush()
    assert receiver.requests[0].path == path


def test_the_environment_switches_it_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """HUTCH_OTEL_ENDPOINT and HUTCH_OTEL_SERVICE_NAME are read at the first verb."""
    monkeypatch.setenv("HUTCH_OTEL_ENDPOINT", "in-memory")
    monkeypatch.setenv("HUTCH_OTEL_SERVICE_NAME", "my-loop")
    log_some(2)
    spans = runtime().spans
    assert spans is not None
    found = spans.in_memory_spans
    assert len(found) == 3
    assert found[0].resource.attributes["service.name"] == "my-loop"


def test_an_open_run_is_known_to_a_late_emitter() -> None:
    """Configured in the middle of a run, spans still stand under its span."""
    run = hl.start_run(name="search")
    hl.configure(SDKConfig(otel_endpoint="in-memory"))
    run.log_operator(kind="refine", child_id="c")
    run.end()
    spans = runtime().spans
    assert spans is not None
    assert [span.parent is None for span in spans.in_memory_spans] == [False, True]


# -- trouble ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [503, "hang", "reset", "close", Answer(500)])
def test_trouble_here_does_not_disturb_openlineage(
    fault: int | str | Answer, caplog: pytest.LogCaptureFixture
) -> None:
    """OpenLineage events arrive, no verb waits, one WARNING says so; later the spans arrive."""
    with Receiver() as lineage, Receiver(fault, then=OK) as spans:
        hl.configure(
            SDKConfig(
                openlineage_endpoint=lineage.url, otel_endpoint=spans.url, request_timeout_s=1.5
            )
        )
        start = time.perf_counter()
        log_some(20)
        assert time.perf_counter() - start < 1.5  # less than one of them would have waited
        lineage.wait_for(22)
        assert flush()
        assert len(received(spans)) == 21
    assert len({span.span_id for span in received(spans)}) == 21
    told = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert len(told) <= 1
    assert all("retrying" not in r.message and ".." not in r.message for r in told)
    assert all(r.name == "hutch_lineage.transports" for r in told)


def test_trouble_of_openlineage_does_not_disturb_spans() -> None:
    """Spans arrive while the OpenLineage backend hangs."""
    with Receiver(then="hang") as lineage, Receiver(then=OK) as spans:
        hl.configure(
            SDKConfig(
                openlineage_endpoint=lineage.url,
                otel_endpoint=spans.url,
                request_timeout_s=0.5,
                openlineage_exit_timeout_s=0,
            )
        )
        log_some(20)
        assert flush()
        assert len(received(spans)) == 21


def test_what_a_collector_refuses_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    """A 400 is no outage: what follows still arrives."""
    with Receiver(400, then=OK) as receiver:
        hl.configure(SDKConfig(otel_endpoint=receiver.url))
        log_some(1)
        assert flush()
        run_id = log_some(1)
        assert flush()
        assert f"hutch.run:{run_id}" in [span.name for span in received(receiver)]
    assert caplog.text.count("refused") == 1
    assert "does not take spans" not in caplog.text


@pytest.mark.parametrize("state", ["down", "hang"])
def test_the_end_of_the_interpreter_is_bounded(state: str) -> None:
    """A script ends within seconds though its spans cannot be sent, and says what it cost."""
    with Receiver(then="hang") as receiver:
        url = receiver.url if state == "hang" else f"http://127.0.0.1:{unused_port()}"
        code = f"""
import logging, time
logging.basicConfig()
import hutch_lineage as hl
hl.configure(hl.SDKConfig(otel_endpoint={url!r}, request_timeout_s=30.0))
with hl.run("r") as run:
    run.log_operator(kind="refine", child_id="c")
time.sleep(1)
print(time.monotonic())
"""
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
        )
        lasted_s = time.monotonic() - float(done.stdout)
    assert lasted_s < 9
    assert "they are lost" in done.stderr
    assert "retrying" not in done.stderr
    # on a slow machine the first try has not come to its end either
    refused = "does not take spans: Connection refused. Capture" in done.stderr
    assert refused or "there was no time left" in done.stderr
    assert not (refused and state == "hang")
    assert "Traceback" not in done.stderr


def test_secrets_in_the_endpoint_are_masked(caplog: pytest.LogCaptureFixture) -> None:
    """A password or a key in the URL stands in no repr and no log line."""
    caplog.set_level(logging.DEBUG)
    url = f"http://me:hush-hush@127.0.0.1:{unused_port()}/?key=quiet-key"
    hl.configure(SDKConfig(otel_endpoint=url, request_timeout_s=0.3))
    log_some(1)
    shown = repr(runtime().spans)
    hl.reset()
    assert "does not take spans" in caplog.text
    assert all("hush-hush" not in text and "quiet-key" not in text for text in (shown, caplog.text))


# -- strict, and without the packages --------------------------------------------------------


def test_strict_raises_where_a_span_is_not_taken() -> None:
    """In strict mode a verb exports its span itself, and raises where that fails."""
    with Receiver(then=OK) as receiver:
        hl.configure(SDKConfig(otel_endpoint=receiver.url, strict=True))
        run = hl.start_run(name="r")
        run.log_operator(kind="refine", child_id="c")
        assert [span.name for span in received(receiver)] == ["hutch.operator"]
        receiver.script(then=400)
        with pytest.raises(CaptureError, match="did not take a span"):
            run.log_operator(kind="refine", child_id="d")
        receiver.script(then=OK)
        hl.reset()


def test_strict_tries_once_and_raises_at_the_end_of_a_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nobody waits for the exporter's own tries; the span of a run fails when it ends."""
    hl.configure(SDKConfig(otel_endpoint=f"http://127.0.0.1:{unused_port()}", strict=True))
    run = hl.start_run(name="r")
    start = time.monotonic()
    for fail in (lambda: run.log_operator(kind="refine", child_id="c"), run.end):
        with pytest.raises(CaptureError, match=r"did not take a span: Connection refused$"):
            fail()
    assert time.monotonic() - start < 1
    hl.start_run(name="open")
    with pytest.raises(CaptureError, match="spans of 1 event were not taken"):
        hl.reset()
    assert runtime().events == []
    assert caplog.text == ""


@pytest.fixture
def _without_opentelemetry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("opentelemetry")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)


@pytest.mark.usefixtures("_without_opentelemetry")
def test_without_the_packages(caplog: pytest.LogCaptureFixture) -> None:
    """Without OpenTelemetry one WARNING names the extra, capture goes on, and strict raises."""
    hl.configure(SDKConfig(otel_endpoint="http://127.0.0.1:4318"))
    log_some()
    [record] = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert 'pip install "hutch-lineage[otel]"' in record.message
    assert runtime().spans is None
    assert len(runtime().events) == 5
    with pytest.raises(ConfigurationError, match="otel") as caught:
        hl.configure(SDKConfig(otel_endpoint="http://127.0.0.1:4318", strict=True))
    assert caught.value.setting == "otel_endpoint"


def test_variables_that_the_packages_refuse() -> None:
    """OpenTelemetry's own variables with nonsense in them cost the spans and nothing else."""
    code = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
import hutch_lineage as hl
from hutch_lineage.sdk import runtime
with hl.run("search") as run:
    run.log_operator(kind="refine", child_id="c")
print(len(runtime().events), runtime().spans)
"""
    env = {
        **os.environ,
        "HUTCH_OTEL_ENDPOINT": "in-memory",
        "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "many",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
    )
    warning, result = done.stdout.splitlines()
    assert "no spans are sent: OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT must be" in warning
    assert result == "3 None"
