"""Hutch's event log in a DuckDB file is read back, whoever wrote it, and is left as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from hutch.schema import EVENT_ADAPTER
from hutch.store import insert_events, open_and_migrate

import hutch_lineage as hl
from hutch_lineage.cli.main import cli
from hutch_lineage.errors import ReadError
from hutch_lineage.readers import read
from hutch_lineage.transports import EmbeddedTransport
from tests.support.search import island_search
from tests.transports.searches import waiting_search


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Where the log is."""
    return tmp_path / "runs.duckdb"


def as_json(events: list[object]) -> list[str]:
    """Events as their own JSON."""
    return [event.model_dump_json() for event in events]  # type: ignore[attr-defined]


def by_time(events: list[object]) -> list[object]:
    """Events in the order of their time; those of one time as they came."""
    return sorted(events, key=lambda event: event.timestamp_ns)  # type: ignore[attr-defined]


def test_what_embedded_kept_is_explored_again(db: Path) -> None:
    """All events come back, in order; the graph, the explorer and the shell have them."""
    events = island_search(generations=4)
    transport = EmbeddedTransport(db)
    for event in events:
        transport.send(event)
    transport.close()
    before = db.read_bytes()
    reading = read(db)
    assert reading.kind == "hutch-duckdb"
    assert as_json(reading.events()) == as_json(by_time(list(events)))
    count = repr(hl.load(db)).removeprefix("LineageGraph(").partition(" ")[0]
    assert int(count) > 10
    assert f"{count} individuals" in repr(hl.explore(db))
    done = CliRunner().invoke(cli, ["stats", str(db)])
    assert (done.exit_code, f"{count} individuals" in done.output) == (0, True)
    assert db.read_bytes() == before
    assert [path.name for path in db.parent.iterdir()] == [db.name]


def test_what_hutch_wrote_is_read(db: Path) -> None:
    """A file of Hutch's own, with all its tables."""
    events = island_search(generations=3)
    store = open_and_migrate(db)
    insert_events(store, [EVENT_ADAPTER.validate_json(e.model_dump_json()) for e in events])
    store.close()
    assert as_json(read(db).events()) == as_json(by_time(list(events)))


def test_a_file_that_is_in_use(db: Path) -> None:
    """The process that has it is named, and the way out; this process itself may read it."""
    with (
        waiting_search("r", {"HUTCH_DB_PATH": db}) as pid,
        pytest.raises(ReadError, match=f"process {pid} .* has it open.* end that process"),
    ):
        hl.load(db)
    hl.configure(hl.SDKConfig(mode="embedded", db_path=db))
    assert hl.load(db).nx.number_of_nodes() > 0
    hl.reset()


def test_a_file_without_the_log(db: Path) -> None:
    """Another DuckDB file, a log without events, a damaged file: each is one clear error."""
    with duckdb.connect(str(db)) as connection:
        connection.execute("CREATE TABLE other (a INTEGER)")
    with pytest.raises(ReadError, match="without Hutch's event log"):
        hl.load(db)
    db.unlink()
    EmbeddedTransport(db).close()
    with pytest.raises(ReadError, match="no event in it"):
        hl.load(db)
    db.write_bytes(db.read_bytes()[:100])
    with pytest.raises(ReadError, match="cannot be opened"):
        hl.load(db)


@pytest.mark.parametrize(
    ("made", "what"),
    [
        ("VIEW events AS SELECT content FROM read_text('{secret}')", "view `events`"),
        (
            "MACRO json_transform(a, b) AS (SELECT content FROM read_text('{secret}'))",
            "macro `json_transform`",
        ),
        (
            "MACRO duckdb_functions() AS TABLE SELECT 1 AS x WHERE false",
            "macro `duckdb_functions`",
        ),
    ],
)
@pytest.mark.parametrize("open_it", [hl.load, hl.query], ids=["load", "query"])
def test_nothing_in_a_file_is_run(db: Path, made: str, what: str, open_it: Any) -> None:
    """A view or a macro in place of the log could read any other file: it is refused by name."""
    secret = db.with_name("secret")
    secret.write_text("s3cret")
    with duckdb.connect(str(db)) as connection:
        if "VIEW" not in made:
            connection.execute("CREATE TABLE events (payload VARCHAR)")
        connection.execute("CREATE " + made.format(secret=secret))
    with pytest.raises(ReadError, match=f"holds the {what}") as caught:
        open_it(db)
    assert "s3cret" not in str(caught.value)


def test_a_payload_that_is_no_json_costs_itself(db: Path) -> None:
    """The other events are read, and it is in the report."""
    seed = '{"id": "a", "kind": "program", "is_seed": true}'
    with duckdb.connect(str(db)) as connection:
        connection.execute(
            "CREATE TABLE events (event_id UUID, event_kind VARCHAR, run_id VARCHAR, "
            "timestamp_ns BIGINT, stream_id VARCHAR, worker_id VARCHAR, span_id VARCHAR, "
            "trace_id VARCHAR, payload VARCHAR)"
        )
        for payload in ("{torn", seed, None):
            connection.execute(
                "INSERT INTO events (event_id, event_kind, run_id, timestamp_ns, payload) "
                "VALUES (uuid(), 'individual', 'r', 1, ?)",
                [payload],
            )
    graph = hl.load(db)
    assert ([key.id for key in graph], graph.report.counts) == (["a"], {"Hutch events skipped": 2})
