"""Settings choose the transport, and mean what they mean in Hutch."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hutch.sdk import SDKConfig as Theirs

from hutch_lineage.sdk import SDKConfig
from hutch_lineage.transports import (
    DaemonTransport,
    EmbeddedTransport,
    MemoryTransport,
    build_transport,
)


def test_default(caplog: pytest.LogCaptureFixture) -> None:
    """By default events are kept in memory, and nothing is said about it."""
    assert isinstance(build_transport(SDKConfig()), MemoryTransport)
    assert caplog.messages == []


def test_embedded(tmp_path: Path) -> None:
    """`mode="embedded"` opens the DuckDB file of `db_path`, and makes its folder."""
    db = tmp_path / "new" / "runs.duckdb"
    transport = build_transport(SDKConfig(mode="embedded", db_path=db))
    assert isinstance(transport, EmbeddedTransport)
    assert transport.path == db
    transport.close()
    assert db.exists()


def test_daemon(tmp_path: Path) -> None:
    """`mode="daemon"` posts to `daemon_url`; nothing is connected or written before an event."""
    queue = tmp_path / "new" / "queue.jsonl"
    config = SDKConfig(mode="daemon", daemon_url="http://127.0.0.1:9", fallback_path=queue)
    transport = build_transport(config)
    assert isinstance(transport, DaemonTransport)
    transport.close()
    assert not queue.parent.exists()


@pytest.mark.parametrize(
    "environ",
    [
        {"HUTCH_DAEMON_URL": "http://h:1"},
        {"HUTCH_DAEMON_URL": "https://h/base", "HUTCH_TIMEOUT_S": "0.5", "HUTCH_TOKEN": "t"},
        {"HUTCH_DB_PATH": "/d/x.duckdb", "HUTCH_STRICT": "1"},
        {"HUTCH_DAEMON_URL": "http://h:1", "HUTCH_FALLBACK_PATH": "/d/queue.jsonl"},
        {"HUTCH_DB_PATH": "/d/x.duckdb", "HUTCH_OTEL_ENDPOINT": "http://o:4318"},
        {"HUTCH_DB_PATH": "/d/x.duckdb", "HUTCH_OTEL_ENDPOINT": "in-memory",
         "HUTCH_OTEL_SERVICE_NAME": "loop", "HUTCH_STRICT": "no"},
    ],
)  # fmt: skip
def test_the_environment_means_what_it_means_in_hutch(environ: dict[str, str]) -> None:
    """Hutch's own settings, read from the same variables, are equal; so are their defaults."""
    ours = SDKConfig.from_env(environ)
    theirs = Theirs.from_env(environ)
    shared = [field.name for field in dataclasses.fields(Theirs)]
    assert {name: getattr(ours, name) for name in shared} == dataclasses.asdict(theirs)
