"""The file in which events stand until they are safe elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from hutch_lineage.transports import ahead
from hutch_lineage.transports.ahead import WriteAhead, left_behind, writers


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """What the events are for."""
    return tmp_path / "runs.duckdb"


def lines_left(beside: Path) -> list[bytes]:
    """Take over what is left, as the next start does."""
    found = []
    for left in left_behind(beside):
        found += left.lines()
        left.remove()
    return found


def test_a_file_in_use_is_nobody_elses(beside: Path) -> None:
    """As long as its process lives, nobody takes a file over, not even that process."""
    mine = WriteAhead(beside)
    mine.append(b"1")
    assert lines_left(beside) == []
    mine.close()
    assert lines_left(beside) == [b"1"]


def test_what_is_stored_is_not_kept(beside: Path, tmp_path: Path) -> None:
    """When all is stored the file is empty, and close removes it."""
    mine = WriteAhead(beside)
    mine.append(b"1")
    mine.append(b"2")
    mine.stored(1, left=1)
    assert mine.path is not None
    assert mine.path.read_bytes() == b"1\n2\n"
    mine.stored(1, left=0)
    assert mine.path.read_bytes() == b""
    mine.close()
    assert list(tmp_path.iterdir()) == []


def test_a_long_run_does_not_grow_it_for_ever(
    beside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is always something left, old files go as soon as all in them is stored."""
    monkeypatch.setattr(ahead, "_LARGEST", 1000)
    mine = WriteAhead(beside)
    taken = stored = 0
    for _ in range(200):
        for _ in range(20):
            mine.append(f"{taken:09}".encode())
            taken += 1
        step = min(20, taken - stored - 3)
        stored += step
        mine.stored(step, left=taken - stored)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 5000
    mine.close()
    found = lines_left(beside)
    assert found[-3:] == [f"{n:09}".encode() for n in range(taken - 3, taken)]


def test_writers_are_named(beside: Path) -> None:
    """The name of a file says whose it is."""
    (beside.parent / f"{beside.name}.lab-7-4711-0123abcd.ahead").touch()
    mine = WriteAhead(beside)
    mine.append(b"1")
    assert writers(beside) == [("lab-7", 4711)]
    mine.close()


def test_owner_only(beside: Path) -> None:
    """Nobody else may read what is in it."""
    mine = WriteAhead(beside)
    mine.append(b"1")
    assert mine.path is not None
    assert mine.path.stat().st_mode & 0o077 == 0
    mine.close()
