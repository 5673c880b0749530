"""The command line on journals: what waits is told, sent, and shown."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hutch_lineage.cli.main import cli
from hutch_lineage.openlineage import OpenLineageEmitter, left_in, send_left
from tests.openlineage.events import operator, operator_ids
from tests.receivers import Answer, Receiver, unused_port
from tests.support.waiting import wait_until


def call(*words: str) -> Result:
    """Run the command with these words."""
    return CliRunner().invoke(cli, words)


def leave(url: str, count: int, **settings: str) -> None:
    """Leave events for an endpoint that is away, as a process that ends does."""
    emitter = OpenLineageEmitter(endpoint=url, **settings)
    for number in range(count):
        emitter.emit(operator(number))
    wait_until(lambda: emitter.stats()["state"] == "failing")  # no post is under way any more
    emitter.close(0)


def test_nothing_waits() -> None:
    """Without journals each command says so and succeeds."""
    said = [call(word) for word in ("status", "flush", "tail")]
    assert [each.exit_code for each in said] == [0, 0, 0]
    assert said[0].output.startswith("nothing waits in ")
    assert said[1].output == "nothing to send\n"


def test_flush_sends_what_was_left() -> None:
    """What a process left is sent in order; afterwards nothing waits."""
    port = unused_port()
    leave(f"http://127.0.0.1:{port}", 5)
    assert "left behind" in call("status").output
    assert "5 of 5 events not sent" in call("status").output
    with Receiver(port=port) as receiver:
        done = call("flush")
        assert operator_ids(receiver.events) == [f"op-{number}" for number in range(5)]
    assert done.exit_code == 0
    assert "sent 5 events to http://127.0.0.1:" in done.output
    assert call("status").output.startswith("nothing waits")


def test_flush_of_a_backend_that_is_away_ends_in_time() -> None:
    """What cannot be sent stays, and the exit code says so."""
    leave(f"http://127.0.0.1:{unused_port()}", 2)
    done = call("flush", "--timeout", "0.5")
    assert (done.exit_code, "; 2 left in " in done.output) == (1, True)
    assert "does not take events: Connection refused. They stay on disk until it" in done.output
    assert "(Connection refused). Run `hutch-lineage flush` again when it is back" in done.output
    assert "emitter.stats" not in done.output
    assert "2 of 2 events not sent" in call("status").output


def test_what_hangs_is_tried_for_a_short_time(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing at all is taken, it ends long before its time limit."""
    with Receiver(then="hang") as receiver:
        leave(receiver.url, 2)
        (left,) = left_in(Path(os.environ["HUTCH_OPENLINEAGE_JOURNAL"]))
        target = left.target()
        assert target is not None
        start = time.monotonic()
        assert not send_left(left, target, timeout_s=60, patience_s=0.5)
        assert time.monotonic() - start < 5
    assert capsys.readouterr().err == ""


def test_a_secret_in_the_url_has_to_be_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal does not hold it, so flush asks for the URL; the key goes to that host."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}/?key=hush"
    leave(url, 1)
    with Receiver(port=port) as receiver:
        asked = call("flush")
        assert (asked.exit_code, "give the URL" in asked.output) == (1, True)
        monkeypatch.setenv("HUTCH_OPENLINEAGE_API_KEY", "bearer")
        assert call("flush", url).exit_code == 0
        (request,) = receiver.requests
    assert request.path == "/api/v1/lineage?key=hush"
    assert request.headers["Authorization"] == "Bearer bearer"


def test_refused_events_are_offered_again_on_request() -> None:
    """`flush --rejected` sends what was refused; what is accepted waits no more."""
    with Receiver(422, then=201) as receiver:
        emitter = OpenLineageEmitter(endpoint=receiver.url)
        for number in range(2):
            emitter.emit(operator(number))
        emitter.close(20)
        assert "1 refused" in call("status").output
        assert call("flush").output == "nothing to send\n"
        assert call("flush", "--rejected").exit_code == 0
        assert operator_ids(receiver.events) == ["op-1", "op-0"]
    assert call("status").output.startswith("nothing waits")


@pytest.mark.parametrize("again", [False, True])
def test_what_is_refused_is_told_with_its_first_reason(
    again: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """How many, why, and what can be done, in the words of the shell; the exit code is 1."""
    port = unused_port()
    leave(f"http://127.0.0.1:{port}", 3)
    refusal = Answer(422, body=b"no such run")
    with Receiver(201, port=port, then=refusal) as receiver:
        done = call("flush")
        if again:
            done = call("flush", receiver.url, "--rejected")
        endpoint = f"{receiver.url}/api/v1/lineage"
    assert done.exit_code == 1
    assert (
        f"sent {'0 events' if again else '1 event'} to {endpoint}, 2 refused: "
        f"422 Unprocessable Entity: no such run; `hutch-lineage flush {endpoint} --rejected` "
        "offers them again\n"
    ) in done.output
    assert "send_rejected" not in done.output + caplog.text


def test_an_endpoint_is_named_with_the_path_of_its_preset_or_without() -> None:
    """OpenMetadata's is another one than the specification's, and events go to it."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    path = "/api/v1/openlineage/lineage"
    for named in ([], [url], [url + path]):
        leave(url, 1, backend="openmetadata")
        with Receiver(port=port) as receiver:
            done = call("flush", *named)
            assert done.exit_code == 0, done.output
            assert {request.path for request in receiver.requests} == {path}


def test_what_openmetadata_made_no_edge_of_is_refused_by_flush_too() -> None:
    """A journal says what counts as accepted: its writer knew the backend, flush does not."""
    port = unused_port()
    leave(f"http://127.0.0.1:{port}", 1, backend="openmetadata")
    none = b'{"lineageEdgesCreated": 0, "unresolvedDatasets": [{"name": "a"}]}'
    with Receiver(port=port, then=Answer(200, body=none)):
        done = [call("flush"), call("flush", "--rejected")]
    assert [each.exit_code for each in done] == [1, 1]
    assert all("1 refused: no edge made; not found: a" in each.output for each in done)
    (waits,) = left_in(Path(os.environ["HUTCH_OPENLINEAGE_JOURNAL"]))
    assert (waits.owed, waits.rejected, waits.accepted_by) == (0, 1, "edges")


def test_what_may_have_been_taken_is_told_so() -> None:
    """On disk nothing says what went out ahead of its turn, so the number is a bound."""
    leave(f"http://127.0.0.1:{unused_port()}", 2)
    assert ": at most 2 of 2 events not sent" in call("status").output


def test_a_journal_in_use_is_told_and_left_alone() -> None:
    """The journal of a living process is not sent by anybody else."""
    emitter = OpenLineageEmitter(endpoint=f"http://127.0.0.1:{unused_port()}")
    emitter.emit(operator(1))
    assert "in use" in call("status").output
    assert call("flush").output == "nothing to send\n"
    emitter.close(0)


def test_tail_shows_the_newest() -> None:
    """The last events of a journal, a line each, or as they are."""
    leave(f"http://127.0.0.1:{unused_port()}", 20)
    lines = call("tail", "-n", "2").output.splitlines()
    assert [line.rpartition("  ")[2] for line in lines] == [
        "individual:a -> individual:c18",
        "individual:a -> individual:c19",
    ]
    raw = call("tail", "-n", "1", "--json").output
    assert operator_ids([json.loads(raw)]) == ["op-19"]


def test_switched_off_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where journals are off there is nothing to look at, unless a folder is named."""
    monkeypatch.setenv("HUTCH_OPENLINEAGE_JOURNAL", "off")
    assert call("status").exit_code == 1
    assert call("status", "--journal", str(tmp_path)).exit_code == 0
