"""A database with the schema of ShinkaEvolve's `programs`."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from tests.readers.case import Bad, Case

SCHEMA = """
CREATE TABLE programs (
    id TEXT PRIMARY KEY, code TEXT NOT NULL, language TEXT NOT NULL, parent_id TEXT,
    archive_inspiration_ids TEXT, top_k_inspiration_ids TEXT, generation INTEGER NOT NULL,
    timestamp REAL NOT NULL, code_diff TEXT, combined_score REAL, public_metrics TEXT,
    private_metrics TEXT, text_feedback TEXT, complexity REAL, embedding TEXT,
    embedding_pca_2d TEXT, embedding_pca_3d TEXT, embedding_cluster_id INTEGER,
    correct BOOLEAN DEFAULT 0,
    children_count INTEGER NOT NULL DEFAULT 0, metadata TEXT, migration_history TEXT,
    island_idx INTEGER, system_prompt_id TEXT
);
CREATE TABLE archive (program_id TEXT PRIMARY KEY);
CREATE TABLE metadata_store (key TEXT PRIMARY KEY, value TEXT);
"""
MADE = {
    "patch_type": "diff",
    "patch_name": "faster",
    "api_costs": 0.25,
    "embed_cost": 0.5,
    "model_name": "model-x",
    "llm_result": {"input_tokens": 1000, "output_tokens": 50, "thinking_tokens": 10},
}
MOVE = {"generation": 4, "from": 0, "to": 1, "timestamp": 1_755_000_300.0}


def row(id_: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """A program; what is no text or number is written as JSON."""
    values = {
        "id": id_,
        "code": f"print({id_!r})",
        "language": "python",
        "parent_id": parent,
        "archive_inspiration_ids": [],
        "top_k_inspiration_ids": [],
        "generation": 1,
        "timestamp": 1_755_000_000.5,
        "code_diff": "-a\n+b" if parent else None,
        "combined_score": 1.5,
        "public_metrics": {"speed": 2},
        "private_metrics": {},
        "text_feedback": "",
        "correct": 1,
        "metadata": MADE if parent else {"patch_type": "init"},
        "migration_history": [],
        "island_idx": 0,
        **more,
    }
    return {k: json.dumps(v) if isinstance(v, (dict, list)) else v for k, v in values.items()}


ROWS = [
    row("a"),
    row("b", "a", timestamp=1_755_000_001.0, migration_history=[MOVE], island_idx=1),
    row(
        "c",
        "a",
        timestamp=1_755_000_002.0,
        top_k_inspiration_ids=["b", "a"],
        correct=0,
        text_feedback="boom\nat line 1",
    ),
]


def add(connection: sqlite3.Connection, *rows: dict[str, Any]) -> None:
    """Insert rows, and commit."""
    for each in rows:
        names = ", ".join(each)
        marks = ", ".join("?" * len(each))
        connection.execute(f"INSERT INTO programs ({names}) VALUES ({marks})", [*each.values()])
    connection.execute(
        "INSERT OR REPLACE INTO metadata_store VALUES ('best_program_id', ?)", [rows[-1]["id"]]
    )
    connection.commit()


def created(path: Path) -> sqlite3.Connection:
    """An empty database that is written as ShinkaEvolve writes it: with a log beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(SCHEMA)
    return connection


def database(path: Path, *rows: dict[str, Any]) -> Path:
    """A database that nobody has open."""
    connection = created(path)
    if rows:
        add(connection, *rows)
    connection.close()
    return path


def many(path: Path) -> Path:
    """A database of more than 4 MB."""
    rows = (row(f"p{n}", "a", code=f"{n}" + "x" * 4_000) for n in range(1_100))
    return database(path, row("a"), *rows)


CASES = [
    Case(
        "shinka",
        lambda folder: database(folder / "some.thing", *ROWS),
        nodes=3,
        edges=3,
        odd=lambda folder: database(folder / "x", row("a", metadata="{torn"), *ROWS[1:]),
        oddity="columns that hold no JSON",
        bad=(
            Bad("no program", lambda folder: database(folder / "x"), "no program in it yet"),
            Bad(
                "no table",
                lambda folder: other(folder / "x"),
                "an SQLite file without ShinkaEvolve's table",
            ),
        ),
        large=lambda folder: many(folder / "large"),
    )
]


def other(path: Path) -> Path:
    """An SQLite file of somebody else."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE programs (name TEXT)")
    connection.close()
    return path
