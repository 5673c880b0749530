"""Files that are not what they seem, and names that SQL takes for something else."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ConfigurationError, ReadError, UnknownNodeError
from hutch_lineage.export import write

NAMES = ["'; DROP TABLE nodes; --", "a\nb", "x" * 10_000, "$1", "null", "", " ", "☃"]


def lines(names: list[str]) -> str:
    """One individual a line, each a child of the one before."""
    return "".join(
        json.dumps(
            {
                "event_kind": "individual",
                "run_id": "r",
                "timestamp_ns": place,
                "payload": {
                    "id": name,
                    "kind": "program",
                    "parent_ids": names[:place][-1:],
                    "is_seed": not place,
                },
            }
        )
        + "\n"
        for place, name in enumerate(names)
    )


def test_ids_that_sql_takes_for_something_else(tmp_path: Path) -> None:
    """They are texts like any other."""
    path = tmp_path / "it's.jsonl"
    path.write_text(lines(NAMES))
    with hl.query(path) as asked:
        for place, name in enumerate(NAMES):
            found = asked.ancestors(("individual", "r", name))
            assert [key.id for key in found] == NAMES[:place]
        with pytest.raises(UnknownNodeError):
            asked.ancestors("\ud800")


def test_a_folder_whose_name_is_a_pattern(tmp_path: Path) -> None:
    """Its frames are read, and not those of folders that fit the pattern."""
    for folder, names in (("a*b.parquet", ["a"]), ("axb.parquet", ["x", "y"])):
        path = tmp_path / "run.jsonl"
        path.write_text(lines(names))
        write(hl.load(path), tmp_path / folder)
    with hl.query(tmp_path / "a*b.parquet") as asked:
        assert (asked.individuals, asked.edges) == (1, 0)


def test_a_packed_file_that_breaks_off(tmp_path: Path) -> None:
    """The error names the file, no temporary one, and what reads the rest of it."""
    path = tmp_path / "run.jsonl.gz"
    path.write_bytes(gzip.compress(lines(NAMES).encode())[:-20])
    with pytest.raises(ReadError, match=r"load\(\.\.\.\) reads what stands before") as caught:
        hl.query(path)
    assert "events.json" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """It could be read once only."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ReadError, match="is no regular file"):
        hl.query(tmp_path / "pipe")


@pytest.mark.parametrize("memory", ["1GB'; DROP TABLE nodes; --", "", 5])
def test_what_is_no_amount_of_memory(tmp_path: Path, memory: str) -> None:
    """One clear error."""
    path = tmp_path / "run.jsonl"
    path.write_text(lines(["a"]))
    with pytest.raises(ConfigurationError, match="is no amount of memory"):
        hl.query(path, memory=memory)
