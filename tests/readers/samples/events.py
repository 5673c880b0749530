"""Sources of Hutch and OpenLineage events."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hutch_lineage.model import parse_event
from hutch_lineage.transports import EmbeddedTransport
from tests.readers.case import Bad, Case


def hutch(number: int, event_kind: str, **payload: Any) -> dict[str, Any]:
    """A canonical event as JSON."""
    return {
        "event_id": f"00000000-0000-4000-8000-{number:012}",
        "event_kind": event_kind,
        "run_id": "r1",
        "timestamp_ns": 1_000 + number,
        "payload": payload,
    }


def openlineage(parent: str, child: str, number: int = 1) -> dict[str, Any]:
    """An event as Hutch emits it."""
    facet = {"operator_id": f"op-{number}", "operator_kind": "refine"}
    return {
        "eventType": "RUNNING",
        "eventTime": f"2026-05-05T12:34:{number % 60:02}.123456Z",
        "run": {"runId": "run-1", "facets": {"hutchOperator": facet}},
        "job": {"namespace": "hutch", "name": "packing"},
        "inputs": [{"namespace": "hutch", "name": f"individual:{parent}"}],
        "outputs": [{"namespace": "hutch", "name": f"individual:{child}"}],
        "producer": "https://github.com/xyin-anl/hutch/v0.1.0",
    }


HUTCH = [
    hutch(1, "run_start", name="demo", score_directions={"score": "higher"}),
    hutch(2, "individual", id="a", kind="program", is_seed=True),
    hutch(3, "individual", id="b", kind="program", parent_ids=["a"]),
    hutch(4, "operator", id="o", kind="mutate", parent_ids=["a"], child_id="b", cost_usd=0.5),
    hutch(5, "fitness", individual_id="b", scores={"score": 2.0}, evaluator_kind="benchmark"),
]
OPENLINEAGE = [openlineage("a", "b"), openlineage("b", "c", 2)]


def lines(path: Path, values: Iterable[Any]) -> Path:
    """Write values, one a line; a text stands as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    said = (value if isinstance(value, str) else json.dumps(value) for value in values)
    path.write_text("".join(f"{line}\n" for line in said))
    return path


def database(path: Path) -> Path:
    """A DuckDB file with the log of the Hutch events."""
    transport = EmbeddedTransport(path)
    for event in HUTCH:
        transport.send(parse_event(event))
    transport.close()
    return path


def odd_database(path: Path) -> Path:
    """The same, with an event in it that breaks the schema."""
    import duckdb

    database(path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("""UPDATE events SET payload = '{}' WHERE event_kind = 'operator'""")
    return path


def empty_database(path: Path) -> Path:
    """A DuckDB file of something else."""
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE other (a INTEGER)")
    return path


def workers(folder: Path) -> Path:
    """What two workers wrote of one run, below folders of their own."""
    lines(folder / "w1" / "part-0", HUTCH[:2])
    lines(folder / "w2" / "part-0", HUTCH[2:])
    return folder


def odd_workers(folder: Path) -> Path:
    """With a file of another kind beside them."""
    workers(folder)
    (folder / "notes").write_text("to do")
    (folder / "README.md").write_text("nothing to tell of")
    return folder


def journal(folder: Path) -> Path:
    """A journal: two segments, and what was refused beside them."""
    place = folder / "endpoint" / "123-abc"
    lines(place / "owner.json", [{"pid": 123}])
    lines(place / "events-000000000000.ndjson", OPENLINEAGE[:1])
    lines(place / "events-000000000001.ndjson", OPENLINEAGE[1:])
    lines(place / "rejected.ndjson", [openlineage("x", "y", 9)])
    return folder


def odd_journal(folder: Path) -> Path:
    """A journal whose last line is torn."""
    journal(folder)
    with next(folder.rglob("events-*1.ndjson")).open("a") as file:
        file.write('{"eventType": "RUNN')
    return folder


def empty_folder(folder: Path) -> Path:
    """A folder without any event."""
    return lines(folder / "notes.txt", ["nothing here"]).parent


def many_individuals(path: Path) -> Path:
    """A file of more than 4 MB."""
    said = (
        hutch(n, "individual", id=f"i{n % 50}", kind="program", is_seed=True) for n in range(25_000)
    )
    return lines(path, said)


def many_edges(path: Path) -> Path:
    """A file of more than 4 MB."""
    return lines(path, (openlineage("a", f"c{n % 50}", n) for n in range(10_000)))


def nothing_in_it(path: Path) -> Path:
    """A file whose third line is the first with something, and that is no event."""
    return lines(path, ["", "", '{"x": 1}'])


CASES = [
    Case(
        "hutch-jsonl",
        lambda folder: lines(folder / "some.thing", HUTCH),
        nodes=2,
        edges=1,
        odd=lambda folder: lines(folder / "some.thing", [*HUTCH, "{torn"]),
        oddity="lines skipped: not JSON",
        bad=(
            Bad("no event", lambda folder: nothing_in_it(folder / "x"), "an object with 'x'", 3),
            Bad(
                "broken event",
                lambda folder: lines(folder / "x", ['{"event_kind": "operator"}']),
                "run_id: Field required",
                1,
            ),
        ),
        large=lambda folder: many_individuals(folder / "large"),
    ),
    Case(
        "openlineage-ndjson",
        lambda folder: lines(folder / "some.thing", OPENLINEAGE),
        nodes=3,
        edges=2,
        odd=lambda folder: lines(folder / "some.thing", [*OPENLINEAGE, {"x": 1}]),
        oddity="values skipped: not an event",
        bad=(Bad("no event", lambda folder: nothing_in_it(folder / "x"), "an object with 'x'", 3),),
        large=lambda folder: many_edges(folder / "large"),
    ),
    Case(
        "hutch-duckdb",
        lambda folder: database(folder / "some.thing"),
        nodes=2,
        edges=1,
        odd=lambda folder: odd_database(folder / "some.thing"),
        oddity="Hutch events skipped",
        bad=(
            Bad("no log", lambda folder: empty_database(folder / "x"), "without Hutch's event log"),
        ),
    ),
    Case(
        "event-folder",
        lambda folder: workers(folder / "thing"),
        nodes=2,
        edges=1,
        odd=lambda folder: odd_workers(folder / "thing"),
        oddity="files without events",
        bad=(Bad("nothing", lambda folder: empty_folder(folder / "x"), "no event in any file"),),
        large=lambda folder: many_individuals(folder / "thing" / "large").parent,
    ),
    Case(
        "journal",
        lambda folder: journal(folder / "thing"),
        nodes=3,
        edges=2,
        odd=lambda folder: odd_journal(folder / "thing"),
        oddity="lines skipped: not JSON",
        bad=(Bad("nothing", lambda folder: empty_folder(folder / "x"), "no event in any file"),),
    ),
]
