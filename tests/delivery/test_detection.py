"""Which backend answers: found by reading, within a short time, and never an exception."""

from __future__ import annotations

import time

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import EndpointError, ReadError
from tests.receivers import Answer, Receiver, unused_port

MARQUEZ = Answer(200, body=b'{"namespaces":[{"name":"default","ownerName":"anonymous"}]}')
OPENMETADATA = Answer(200, body=b'{"version":"1.12.0","revision":"abc","timestamp":1}')
DATAHUB = Answer(
    200, body=b'{"noCode":"true","versions":{"acryldata/datahub":{"version":"v1.6.0"}}}'
)


@pytest.mark.parametrize(
    ("script", "backend", "why"),
    [
        ([MARQUEZ], "marquez", "a Marquez"),
        ([404, OPENMETADATA], "openmetadata", "an OpenMetadata: version 1.12.0"),
        ([404, 404, DATAHUB], "datahub", "a DataHub: version v1.6.0"),
        ([200, 200, 200], "generic", "none of Marquez, OpenMetadata, DataHub"),
        ([401, 401, 401], "generic", "wants to know who asks (401)"),
        ([Answer(200, body=b"<html>"), 500, "reset"], "generic", "it answered 200, then: "),
        ([Answer(200, body=b'{"namespaces":[3]}'), 404, 404], "generic", "none of"),
        (["close"], None, "no answer: the connection was closed without an answer"),
    ],
)
def test_each_is_known_by_what_only_it_says(script, backend, why) -> None:
    """By GET alone; what is odd is generic, and what does not answer is nothing."""
    with Receiver(*script) as receiver:
        found = hl.detect_backend(f"{receiver.url}/api/v1/lineage?token=t0ken")
        assert (found.backend, found.url) == (backend, receiver.url)
        assert why in found.why
        assert "t0ken" not in str(found)
        assert {request.method for request in receiver.requests} == {"GET"}


@pytest.mark.parametrize(
    ("url", "backend"),
    [
        ("https://data-obs-intake.datadoghq.com", "datadog"),
        ("https://astro-acme.datakin.com", "astro"),
    ],
)
def test_closed_services_are_known_by_their_hosts(url: str, backend: str) -> None:
    """They are not asked."""
    assert hl.detect_backend(url).backend == backend


def test_the_path_of_a_preset_is_no_part_of_the_root() -> None:
    """The lineage URL of DataHub leads to its root, too."""
    with Receiver(404, 404, DATAHUB) as receiver:
        found = hl.detect_backend(f"{receiver.url}/openapi/openlineage/api/v1/lineage")
        assert found.backend == "datahub"
        assert [request.path for request in receiver.requests][-1] == "/config"


def test_nothing_there_is_no_exception_unless_asked_for() -> None:
    """The result says why; strict raises it."""
    url = f"http://127.0.0.1:{unused_port()}"
    assert hl.detect_backend(url).why == "no answer: Connection refused"
    with pytest.raises(ReadError, match="no answer: Connection refused"):
        hl.detect_backend(url, strict=True)
    for malformed in ("localhost:5000", "http://[::1"):
        with pytest.raises(EndpointError):
            hl.detect_backend(malformed)


def test_one_that_hangs_costs_the_time_limit_once() -> None:
    """All questions share it."""
    with Receiver(404, then="hang") as receiver:
        began = time.monotonic()
        found = hl.detect_backend(receiver.url, timeout_s=0.5)
        assert time.monotonic() - began < 3
        assert found.backend == "generic"


def test_a_key_is_sent_and_never_told() -> None:
    """A backend behind a key is asked with it."""
    with Receiver(then=Answer(403)) as receiver:
        found = hl.detect_backend(receiver.url, api_key="s3cret-key")
        assert {each.headers["Authorization"] for each in receiver.requests} == {
            "Bearer s3cret-key"
        }
        assert "s3cret" not in repr(found)


def test_the_query_of_the_address_goes_with_each_question() -> None:
    """A proxy may want a token there; it is not told."""
    with Receiver(404, OPENMETADATA) as receiver:
        found = hl.detect_backend(f"{receiver.url}/?token=t0ken")
        assert found.backend == "openmetadata"
        assert [request.path for request in receiver.requests] == [
            "/api/v1/namespaces?limit=1&token=t0ken",
            "/api/v1/system/version?token=t0ken",
        ]
        assert "t0ken" not in repr(found)


def test_one_that_redirects_says_where_to() -> None:
    """It is none of the known ones at this address, and may be one at that."""
    moved = Answer(301, headers={"Location": "https://me:hush@other/marquez?key=hush"})
    with Receiver(then=moved) as receiver:
        found = hl.detect_backend(receiver.url)
    assert found.backend == "generic"
    assert found.why == "it points to https://***@other/marquez?key=***, use that address"


def test_auto_says_so_where_nobody_answers(caplog: pytest.LogCaptureFixture) -> None:
    """The mapping of the specification is used then, and the warning names the address."""
    url = f"http://127.0.0.1:{unused_port()}"
    emitter = hl.openlineage.OpenLineageEmitter(endpoint=url, backend="auto")
    assert emitter.stats()["backend"] == "generic"
    (told,) = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    assert f"{url}: no answer: Connection refused" in told
    emitter.close(0)


def test_auto_takes_what_is_found() -> None:
    """`auto` is opt-in: then the events are written for whoever answers."""
    with Receiver(MARQUEZ, then=201) as receiver:
        emitter = hl.openlineage.OpenLineageEmitter(endpoint=receiver.url, backend="auto")
        assert emitter.stats()["backend"] == "marquez"
        emitter.close(5)
