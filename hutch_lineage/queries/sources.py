"""Where the events of a query come from: a DuckDB log, lines of JSON, or frames as Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import duckdb_log, is_file, is_folder

from .database import Database, quoted

FIELDS: Final = {
    **dict.fromkeys(("id", "kind", "child_id", "parent_id", "individual_id"), "VARCHAR"),
    **dict.fromkeys(("llm_id", "benchmark", "invalid_reason"), "VARCHAR"),
    **dict.fromkeys(("parent_agent_id", "child_agent_id"), "VARCHAR"),
    **dict.fromkeys(("parent_ids", "individual_ids"), "VARCHAR[]"),
    **dict.fromkeys(("cost_usd", "tokens_in", "tokens_out", "composite"), "DOUBLE"),
    **dict.fromkeys(("score_before", "score_after"), "DOUBLE"),
    "scores": "MAP(VARCHAR, DOUBLE)",
    "score_directions": "MAP(VARCHAR, VARCHAR)",
}
"""What is read of a payload; the rest of it stays where it is."""

_EVENTS: Final = "CREATE TABLE events AS SELECT * EXCLUDE (payload), unnest(payload) FROM"
_EDGES: Final = "edges.parquet"
_GZIP: Final = b"\x1f\x8b"
_LARGEST: Final = 1 << 25  # bytes of one event; DuckDB keeps some of that size per thread


def is_frames(path: Path) -> bool:
    """Whether it is a folder of frames as Parquet.

    Examples
    --------
    >>> is_frames(Path("nowhere"))
    False
    """
    return is_file(path / _EDGES)


def bring_events(database: Database, path: Path) -> int:
    """Make the table ``events`` of a log; return how many entries of it are no Hutch events.

    Raises
    ------
    ReadError
        There is no such file, it holds no Hutch events, or another process has it open.
    """
    if not path.exists():
        raise ReadError(f"{path}: no such file", str(path))
    if is_folder(path):
        raise ReadError(
            f"{path}: is a folder without {_EDGES}; name a file of Hutch events in it", str(path)
        )
    if not is_file(path):
        raise ReadError(
            f"{path}: is no regular file, and it is read more than once: write it to one", str(path)
        )
    if _is_duckdb(path):
        _bring_duckdb(database, path)
    else:
        _bring_json(database, path)
    ((events, entries),) = database.rows(
        "SELECT count(*) FILTER (event_kind IS NOT NULL AND run_id IS NOT NULL), count(*) "
        "FROM events"
    )
    if not events:
        raise ReadError(
            f"{path}: holds no Hutch events, which have event_kind and run_id. "
            "hutch_lineage.load(...) opens other kinds of files",
            str(path),
        )
    if entries > events:
        database.run("DELETE FROM events WHERE event_kind IS NULL OR run_id IS NULL")
    return int(entries - events)


def _is_duckdb(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(12)[8:] == b"DUCK"
    except OSError as error:
        raise ReadError(f"{path}: cannot be opened: {error.strerror}", str(path)) from error


def _bring_duckdb(database: Database, path: Path) -> None:
    """Copy what is needed out of a log, over a connection that only reads."""
    part = database.folder / "log.parquet"
    shape = ", ".join(f"{quoted(name)}: {_json_shape(kind)}" for name, kind in FIELDS.items())
    with duckdb_log(path) as log:
        log.execute(
            "COPY (SELECT event_kind, run_id, timestamp_ns, event_id::VARCHAR AS event_id, "
            f"json_transform(payload, {quoted('{' + shape.replace(chr(39), chr(34)) + '}')}) "
            f"AS payload FROM events) TO {quoted(str(part))} (FORMAT parquet)"
        )
    database.run(f"{_EVENTS} read_parquet({quoted(str(part))})")
    part.unlink()


def _json_shape(kind: str) -> str:
    return '["VARCHAR"]' if kind == "VARCHAR[]" else f'"{kind}"'


def _bring_json(database: Database, path: Path) -> None:
    link = database.folder / "events.json"
    link.symlink_to(path.absolute())  # DuckDB takes brackets in a name for a pattern
    payload = ", ".join(f"{name} {kind}" for name, kind in FIELDS.items())
    columns = (
        "{event_kind: 'VARCHAR', run_id: 'VARCHAR', timestamp_ns: 'BIGINT', "
        f"event_id: 'VARCHAR', payload: 'STRUCT({payload})'}}"
    )
    form, packed = _form(path)
    lines = "'newline_delimited', ignore_errors = true" if form == "lines" else "'array'"
    try:
        database.run(
            f"{_EVENTS} read_json({quoted(str(link))}, format = {lines}, "
            f"columns = {columns}, maximum_object_size = {_LARGEST}, "
            f"compression = '{'gzip' if packed else 'uncompressed'}')"
        )
    except ReadError as error:
        if str(link) not in str(error):
            raise
        told = str(error).replace(str(link), path.name).rstrip(".")
        raise ReadError(
            f"{told}. hutch_lineage.load(...) reads what stands before that", str(path)
        ) from error


def _form(path: Path) -> tuple[str, bool]:
    """Return whether a file has lines of JSON or an array, and whether it is packed."""
    import gzip

    try:
        with path.open("rb") as file:
            packed = file.read(2) == _GZIP
        with gzip.open(path) if packed else path.open("rb") as stream:
            head = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    except (OSError, EOFError) as error:
        raise ReadError(f"{path}: cannot be opened: {error}", str(path)) from error
    if not head:
        raise ReadError(f"{path}: is empty", str(path))
    if head[:1] not in b"[{":
        raise ReadError(
            f"{path}: is neither JSON nor a DuckDB file; a folder of frames has {_EDGES}", str(path)
        )
    return ("array" if head[:1] == b"[" else "lines"), packed
