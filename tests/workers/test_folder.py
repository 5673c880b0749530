"""The session folder by itself: one writer per file, each line taken once, nothing torn."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hutch_lineage.plumbing import this_host
from hutch_lineage.workers import (
    Inbox,
    Outbox,
    RunFacts,
    SessionFacts,
    SessionFolder,
    left_sessions,
    parent_folder,
    session_roots,
    sweep,
)

FACTS = SessionFacts("host", 1, runs=(RunFacts("r", "name", None),))


def write_and_die(folder: Path, *bodies: bytes, torn: bytes = b"") -> None:
    """Have a process write lines, and half a line, and be killed."""
    code = (
        "import os, sys, signal\n"
        "from pathlib import Path\n"
        "from hutch_lineage.workers import Outbox\n"
        "outbox = Outbox(Path(sys.argv[1]))\n"
        f"for body in {bodies!r}: outbox.append(body)\n"
        f"os.write(outbox._fd, {torn!r})\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], check=False)
    assert done.returncode == -9


@pytest.fixture
def folder() -> SessionFolder:
    """A session folder of this process."""
    made = SessionFolder.make(FACTS)
    assert made is not None
    return made


def test_each_line_once(tmp_path: Path) -> None:
    """A line is taken once, in order, however often the folder is looked at."""
    outbox, inbox = Outbox(tmp_path), Inbox(tmp_path)
    outbox.append(b"1")
    outbox.append(b"2")
    assert list(inbox) == [b"1", b"2"]
    assert list(inbox) == []
    outbox.append(b"3")
    assert list(inbox) == [b"3"]


def test_a_reader_that_stops_goes_on_there(tmp_path: Path) -> None:
    """Whoever stops in the middle, or starts anew, misses nothing and gets nothing twice."""
    outbox = Outbox(tmp_path)
    for number in range(5):
        outbox.append(b"%d" % number)
    first = Inbox(tmp_path)
    lines = iter(first)
    assert (next(lines), next(lines)) == (b"0", b"1")
    lines.close()  # type: ignore[attr-defined]
    assert list(first)[:1] == [b"2"]
    assert list(Inbox(tmp_path)) == []


def test_long_lines(tmp_path: Path) -> None:
    """A line longer than what is read at once is whole."""
    bodies = [b"a" * 700_000, b"b", b"c" * 300_000]
    outbox = Outbox(tmp_path)
    for body in bodies:
        outbox.append(body)
    assert list(Inbox(tmp_path)) == bodies


def test_the_file_of_a_dead_worker_goes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Once all of it was taken; a half line at its end is told and left out."""
    write_and_die(tmp_path, b"1", b"2", torn=b'{"half')
    assert list(Inbox(tmp_path)) == [b"1", b"2"]
    assert list(tmp_path.iterdir()) == []
    assert "its last, half event (6 bytes) is left out" in caplog.text


def test_the_file_of_a_living_worker_stays(tmp_path: Path) -> None:
    """It may write to it again."""
    Outbox(tmp_path).append(b"1")
    keep = Outbox(tmp_path)
    keep.append(b"2")
    inbox = Inbox(tmp_path)
    assert sorted(inbox) == [b"1", b"2"]
    assert inbox.has_workers()


def test_a_long_life_in_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker goes on in another file now and then, and those before are removed, in order."""
    monkeypatch.setattr("hutch_lineage.workers.outbox.FILE_BYTES", 50)
    outbox, inbox, seen = Outbox(tmp_path), Inbox(tmp_path), []
    for number in range(200):
        outbox.append(b"%d" % number)
        if number % 60 == 0:
            seen += list(inbox)
    seen += list(inbox)
    assert seen == [b"%d" % number for number in range(200)]
    assert len(list(tmp_path.glob("*.ndjson"))) == 1


def test_owner_only(folder: SessionFolder) -> None:
    """Nobody else can read what is in it."""
    Outbox(folder.path).append(b"1")
    list(folder.inbox)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.path.iterdir()}
    assert modes == {0o600}
    for path in (folder.path, folder.path.parent):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert len(list(folder.path.iterdir())) == 4


def test_removed_when_nobody_is_left(folder: SessionFolder) -> None:
    """It goes once every worker has ended and everything was taken."""
    write_and_die(folder.path, b"1")
    assert not folder.remove()
    assert list(folder.inbox) == [b"1"]
    assert folder.remove()
    assert list(session_roots()[0].iterdir()) == []
    with pytest.raises(FileNotFoundError):
        Outbox(folder.path).append(b"late")


def test_what_cannot_be_written_waits(tmp_path: Path) -> None:
    """A full disk: the lines before stay whole, and the event is written with the next one."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    outbox, inbox = Outbox(tmp_path), Inbox(tmp_path)
    outbox.append(b"a" * 60)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
    try:
        for body in (b"b" * 60, b"c" * 60):
            with pytest.raises(OSError, match=r"File too large|No space left"):
                outbox.append(body)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert list(inbox) == [b"a" * 60]
    outbox.append(b"d")
    assert list(inbox) == [b"b" * 60, b"c" * 60, b"d"]


def test_left_behind_and_swept(folder: SessionFolder) -> None:
    """A folder whose session is gone is told as long as something is in it, then removed."""
    write_and_die(folder.path, b"1", b"2")
    assert left_sessions() == []
    SessionFacts(os.uname().nodename, 2**22 + 1).write(folder.path)
    folder.let_go()
    (left,) = left_sessions()
    assert (left.events, left.growing, list(left.lines())) == (2, False, [b"1", b"2"])
    assert [each.events for each in sweep()] == [2]
    assert list(Inbox(folder.path)) == [b"1", b"2"]
    assert sweep() == []
    assert not folder.path.exists()


def test_of_another_host(folder: SessionFolder) -> None:
    """A home may be shared: what another host has there is left alone."""
    SessionFacts("elsewhere", 1).write(folder.path)
    folder.let_go()
    assert sweep() == []
    assert folder.path.exists()


def test_a_home_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Then the folder is among the temporary files, where workers look for it, too."""
    (tmp_path / "home").write_text("no folder")
    monkeypatch.delenv("HUTCH_LINEAGE_SESSIONS")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = SessionFolder.make(FACTS)
    assert folder is not None
    assert folder.path.parent == tmp_path / f"hutch-sessions-{os.getuid()}"
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(parent_folder) == folder.path
    folder.remove()


def test_somebody_elses_folder_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A link that lies where the folder belongs is not followed."""
    (tmp_path / "trap").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "trap")
    monkeypatch.setenv("HUTCH_LINEAGE_SESSIONS", str(tmp_path / "link"))
    with pytest.raises(PermissionError, match="is not a folder of this user"):
        SessionFolder.make(FACTS)


def test_a_folder_that_was_removed(folder: SessionFolder, caplog: pytest.LogCaptureFixture) -> None:
    """It is made anew in the same place at the next news, and workers that live go on there."""
    outbox = Outbox(folder.path)
    outbox.append(b"1")
    shutil.rmtree(folder.path)
    with pytest.raises(FileNotFoundError):
        outbox.append(b"2")
    assert outbox.take_back() == [b"2\n"]
    folder.tell(FACTS)
    outbox.append(b"3")
    assert list(folder.inbox) == [b"3"]
    assert "made anew" in caplog.text
    folder.tell(FACTS)
    assert len(caplog.records) == 1
    assert left_sessions() == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can plant what is another user's")
def test_what_another_user_planted_is_left_alone(folder: SessionFolder) -> None:
    """Neither told nor sent nor removed: it says itself where its events would go."""
    write_and_die(folder.path, b"{}")
    folder.let_go()
    planted = folder.path.with_name("planted")
    folder.path.rename(planted)
    SessionFacts(this_host(), 1).write(planted)
    [left] = left_sessions()
    assert left.folder == planted
    os.chown(planted, 12345, -1)
    assert left_sessions() == sweep() == []
    os.chown(planted, os.getuid(), -1)
    planted.with_name("link").symlink_to(planted)
    assert [left.folder for left in left_sessions()] == [planted]


def test_facts_that_are_no_unicode(tmp_path: Path) -> None:
    """A path may hold any bytes; it comes back as it is."""
    facts = SessionFacts("host", 1, journal=os.fsdecode(b"/tmp/\xff"))
    facts.write(tmp_path)
    assert SessionFacts.read(tmp_path) == facts
