"""The command line on what waits for a Hutch server or a DuckDB file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hutch_lineage.cli.main import cli
from hutch_lineage.transports import DaemonTransport
from tests.receivers import Answer, Receiver, unused_port
from tests.transports.searches import children, search, waiting_search
from tests.transports.test_daemon import TAKEN, names, send


def call(*words: str) -> Result:
    """Run the command with these words."""
    return CliRunner().invoke(cli, words)


def leave(queue: Path, count: int) -> None:
    """Leave events in the queue, as a process does that ends while its server is away."""
    transport = DaemonTransport(f"http://127.0.0.1:{unused_port()}", fallback=queue)
    send(transport, names(count))
    transport.close()


def test_status_lists_the_queue_and_flush_sends_it(
    queue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file, the number, and what sends it; without a server that is said, and exit code 1."""
    leave(queue, 700)
    assert f"{queue}\n  700 events for a Hutch server\n  sent by" in call("status").output
    asked = call("flush")
    assert (asked.exit_code, "name it with --daemon URL" in asked.output) == (1, True)
    with Receiver(then=TAKEN) as receiver:
        monkeypatch.setenv("HUTCH_DAEMON_URL", receiver.url)
        assert f"`hutch-lineage flush` (to {receiver.url})" in call("status").output
        done = call("flush")
        posted = [child for body in receiver.events for child in children(body)]
    assert (done.exit_code, "sent 700 events to the Hutch server" in done.output) == (0, True)
    assert list(dict.fromkeys(posted)) == names(700)
    assert call("status").output.startswith("nothing waits")
    assert call("flush").output == "nothing to send\n"


def test_flush_to_a_server_that_is_away(queue: Path) -> None:
    """It says why, and what is left where; nothing is lost."""
    leave(queue, 3)
    done = call("flush", "--daemon", f"http://127.0.0.1:{unused_port()}", "--timeout", "0.5")
    assert done.exit_code == 1
    assert "does not take events: Connection refused" in done.output
    assert (
        f"; 3 left in {queue} (Connection refused). Run `hutch-lineage flush` again" in done.output
    )
    assert len(queue.read_bytes().splitlines()) == 3


def test_flush_of_a_server_that_becomes_slow_keeps_the_rest(queue: Path) -> None:
    """What was taken is counted and gone; the rest is there for the next time."""
    leave(queue, 1200)
    with Receiver(TAKEN, TAKEN, then=Answer(503)) as receiver:
        done = call("flush", "--daemon", receiver.url, "--timeout", "1.5")
    assert (done.exit_code, "; 700 left in" in done.output) == (1, True)
    assert "700 events for a Hutch server" in call("status").output


def test_what_a_killed_search_had_noted_is_sent(queue: Path) -> None:
    """The file of a process that was killed, before anything was posted or put into the queue."""
    with Receiver(then="hang") as receiver:
        search("r", 5, "kill", {"HUTCH_DAEMON_URL": receiver.url, "HUTCH_FALLBACK_PATH": queue})
        assert "6 events noted for a Hutch server" in call("status").output
        receiver.script(then=TAKEN)
        done = call("flush", "--daemon", receiver.url)
    assert (done.exit_code, "sent 6 events" in done.output) == (0, True)
    assert call("status").output.startswith("nothing waits")


def test_status_lists_what_waits_beside_the_duckdb_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its number, and that the next start takes it in."""
    db = tmp_path / "runs.duckdb"
    with waiting_search("first", {"HUTCH_DB_PATH": db}):
        search("second", 2, "end", {"HUTCH_DB_PATH": db})
        monkeypatch.setenv("HUTCH_DB_PATH", str(db))
        said = call("status").output
    assert f"  4 events not in {db} yet\n  stored by the next start with this file" in said
