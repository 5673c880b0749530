"""Locks by which processes see each other, and lines that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hutch_lineage.plumbing import append_whole, is_at, is_held, lives, lock

HOLD = """
import os, sys
from hutch_lineage.plumbing import lock
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
print(lock(fd), flush=True)
sys.stdin.read()
"""


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    """While a process lives its file is held, and after kill -9 it is anybody's."""
    path = tmp_path / "owner"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"True\n"
        assert (is_held(path, process.pid), lives(process.pid)) == (True, True)
        with path.open("r+b") as file:
            assert lock(file.fileno()) is False
        process.kill()
    assert (is_held(path, process.pid), lives(process.pid)) == (False, False)


def test_a_file_that_was_renamed_is_elsewhere(tmp_path: Path) -> None:
    """An open file is at its path until somebody moves it, also where another takes its place."""
    path = tmp_path / "lines"
    with path.open("wb") as file:
        assert is_at(file.fileno(), path)
        path.rename(tmp_path / "taken")
        assert not is_at(file.fileno(), path)
        path.touch()
        assert not is_at(file.fileno(), path)


def test_half_a_line_is_taken_back(tmp_path: Path) -> None:
    """Where a disk takes only part of a line, the file is as before, and that is an error."""
    path = tmp_path / "lines"
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    append_whole(fd, b"one\n")
    with pytest.raises(OSError) as caught:  # noqa: PT011 - the number is looked at
        append_whole(fd, b"two\n", lambda fd, text: os.write(fd, text[:2]))
    os.close(fd)
    assert (caught.value.errno, path.read_bytes()) == (errno.ENOSPC, b"one\n")
