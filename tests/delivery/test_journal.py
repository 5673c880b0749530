"""The journal: what is on disk, and what happens where the disk is not as it should be."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import stat
import time
from pathlib import Path

import pytest

from hutch_lineage.delivery import Journal, JournaledOutbox, Limits, Orphans, facts_of
from hutch_lineage.delivery.journal import journal
from hutch_lineage.delivery.journal.owner import FOREIGN_AFTER_S, OWNER, Lock

# a file system of our own is needed to be full; root is never refused by rights
FULL = Path("/dev/full")


@pytest.fixture
def begin(tmp_path):
    """Begin journals for one endpoint; all are let go of in the end."""
    begun = []

    def make(first=0, **limits):
        made = Journal(tmp_path / "j" / "e", "http://e/?key=***", first, Limits(**limits))
        begun.append(made)
        return made

    yield make
    for each in begun:
        each.finish()


def body(number):
    """Return a small event."""
    return json.dumps({"n": number}).encode()


def lines_of(folder):
    """Return every line of a journal, parsed."""
    text = b"".join(path.read_bytes() for path in sorted(folder.glob("events-*.ndjson")))
    return [json.loads(line) for line in text.splitlines()]


def orphans(tmp_path, **limits):
    """Return what looks for journals that were left behind."""
    return Orphans(tmp_path / "j" / "e", Limits(**limits))


def die(left):
    """Let go of a journal as the kernel does when a process dies: nothing is tidied up."""
    left.after_fork()
    return left.folder


# -- writing -------------------------------------------------------------------------------------


def test_an_event_is_a_line_of_json_in_a_file(begin):
    """What was appended is in the file at once: NDJSON, as the official file transport writes."""
    one = begin()
    assert [one.append(body(number)) for number in range(3)] == [True] * 3
    assert lines_of(one.folder) == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert (one.end, one.read(1)) == (3, body(1))


def test_only_the_owner_may_look(begin, tmp_path):
    """Folders are 0700 and files 0600, whatever the umask."""
    before = os.umask(0)
    try:
        one = begin()
        one.append(body(0))
        one.done(1)
        one.set_aside(0, body(0), 422, "no")
    finally:
        os.umask(before)
    folders = [tmp_path / "j", tmp_path / "j" / "e", one.folder]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in [*folders, *one.folder.iterdir()]}
    assert modes == {0o700, 0o600}


def test_long_journals_are_in_several_files(begin):
    """A segment that is full is followed by another; every line stays readable."""
    one = begin(segment_bytes=100)
    for number in range(100):
        one.append(body(number))
    assert len(list(one.folder.glob("events-*.ndjson"))) > 5
    assert [one.read(number) for number in range(100)] == [body(number) for number in range(100)]


def test_a_delivered_journal_is_removed(begin, tmp_path):
    """When all of it was accepted nothing is left on disk, and it can still be read here."""
    one = begin()
    one.append(body(0))
    one.done(1)
    assert one.finish()
    assert not (tmp_path / "j" / "e").exists()
    assert one.read(0) == body(0)


def test_a_delivered_journal_is_kept_where_that_is_set(begin, tmp_path):
    """With a retention it stays, and is removed by a later start when its time is over."""
    one = begin(keep_s=3600)
    one.append(body(0))
    one.done(1)
    assert one.finish()
    assert orphans(tmp_path, keep_s=3600).take() is None
    assert one.folder.exists()
    assert orphans(tmp_path).take() is None
    assert not one.folder.exists()


def test_the_limit_makes_room_and_never_drops_what_is_owed(begin, caplog):
    """At the limit delivered segments go; where all is owed, events wait in memory."""
    one = begin(segment_bytes=100, max_bytes=1000)
    taken = [one.append(body(number)) for number in range(200)]
    owed = taken.index(False)
    assert all(taken[:owed])
    assert not any(taken[owed:])
    assert "its limit of" in caplog.text
    assert len(caplog.records) == 1
    one.done(owed)
    one._retry_at = 0.0  # the time after which it is tried again
    assert one.append(body(200))
    assert one.trouble is None
    with pytest.raises(LookupError):
        one.read(0)
    assert one.read(owed) == body(200)


def test_a_read_only_folder_is_one_warning(tmp_path, caplog):
    """Where no journal can be made, events wait in memory: one WARNING, and it is told."""
    (tmp_path / "j").write_text("a file where the folder should be")
    one = Journal(tmp_path / "j" / "e", "http://e", 0)
    assert [one.append(body(number)) for number in range(3)] == [False] * 3
    assert one.trouble is not None
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is full")
def test_a_full_disk_degrades_to_memory_and_recovers(begin, caplog, monkeypatch):
    """When the disk is full events wait in memory; when there is room they are written."""
    monkeypatch.setattr(journal, "RETRY_S", 0.0)
    one = begin()
    outbox = JournaledOutbox()
    outbox.write_to(one)
    outbox.append(body(0))
    segment = one._segments._all[-1]
    kept = os.dup(segment._fd)
    with FULL.open("wb") as full:
        os.dup2(full.fileno(), segment._fd)
    monkeypatch.setattr(os, "ftruncate", lambda *_: None)  # a device has no length
    for number in range(1, 4):
        outbox.append(body(number))
    assert one.trouble == "No space left on device"
    assert len(caplog.records) == 1
    monkeypatch.undo()
    os.dup2(kept, segment._fd)
    os.close(kept)
    one._retry_at = 0.0
    outbox.append(body(4))
    assert one.trouble is None
    assert [outbox.read(number) for number in range(5)] == [body(number) for number in range(5)]
    assert lines_of(one.folder) == [{"n": number} for number in range(5)]


def test_a_journal_that_somebody_removed_can_be_read_on(begin):
    """Removing the files under a living process loses nothing of what it still has to send."""
    one = begin()
    one.append(body(0))
    for path in one.folder.iterdir():
        path.unlink()
    assert one.append(body(1))
    assert [one.read(0), one.read(1)] == [body(0), body(1)]


# -- left behind ---------------------------------------------------------------------------------


def test_what_a_process_left_is_taken_over_from_its_cursor(begin, tmp_path):
    """The next one gets the events that were not accepted, and nothing remains afterwards."""
    one = begin()
    for number in range(3):
        one.append(body(number))
    one.done(1)
    folder = die(one)
    found = orphans(tmp_path).take()
    assert [found.read(i) for i in range(found.start, len(found))] == [body(1), body(2)]
    found.done(3)
    assert found.finish()
    assert not folder.exists()


def test_a_torn_last_line_is_cut_off(begin, tmp_path):
    """A process that died while it wrote leaves half a line: it is cut, the rest is whole."""
    one = begin()
    one.append(body(0))
    path = next(die(one).glob("events-*.ndjson"))
    with path.open("ab") as file:
        file.write(b'{"n": 1')
    found = orphans(tmp_path).take()
    assert (len(found), found.read(0)) == (1, body(0))
    assert path.read_bytes() == body(0) + b"\n"
    found.finish()


def test_damage_in_the_middle_costs_that_line_only(begin, tmp_path, caplog):
    """A line that is no JSON is named and passed over."""
    one = begin()
    for number in range(3):
        one.append(body(number))
    path = next(die(one).glob("events-*.ndjson"))
    path.write_bytes(path.read_bytes().replace(b'{"n": 1}', b"\0\0\0\0\0\0\0\0"))
    found = orphans(tmp_path).take()
    with pytest.raises(LookupError):
        found.read(1)
    assert found.read(2) == body(2)
    assert "line 2" in caplog.text
    found.finish()


def test_a_journal_of_garbage_is_one_warning_and_takes_no_time(begin, tmp_path, caplog):
    """A megabyte of short lines and 100 of none: each is passed over, and told once."""
    one = begin()
    one.append(body(0))
    path = next(die(one).glob("events-*.ndjson"))
    with path.open("ab") as file:
        file.write(b"\n\xff" * 10_000 + b"\n")
        file.write(body(1) + b"\n")
        file.write(b"\0" * 100_000_000)
    start = time.monotonic()
    found = orphans(tmp_path).take()
    assert time.monotonic() - start < 5
    whole = []
    for index in range(found.start, len(found)):
        with contextlib.suppress(LookupError):
            whole.append(found.read(index))
    assert whole == [body(0), body(1)]
    assert len(caplog.records) == 1
    found.finish()


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_file_that_is_gone_costs_its_lines_only(begin, tmp_path, caplog, gone):
    """One of three segments was removed by hand: the others are sent, and it is told once."""
    one = begin(segment_bytes=25)
    for number in range(9):
        one.append(body(number))
    paths = sorted(die(one).glob("events-*.ndjson"))
    lost = paths[gone].read_bytes().splitlines()
    assert (len(paths), len(lost)) == (3, 3)
    paths[gone].unlink()
    found = orphans(tmp_path).take()
    read = []
    while len(read) < len(found):
        read += found.read_from(len(read), 4)
    assert [each for each in read if each] == [
        body(n) for n in range(9) if body(n) not in lost
    ]  # fmt: skip
    assert len(caplog.records) == (gone < 2)  # of the last one nobody knows
    found.finish()


def test_what_somebody_writes_into_a_journal_in_use_moves_no_other_line(begin):
    """Line breaks in the middle of a line, or the end cut off: the others stay where they are."""
    one = begin()
    for number in range(4):
        one.append(body(number))
    path = next(one.folder.glob("events-*.ndjson"))
    with path.open("r+b") as file:
        file.seek(len(body(0)) + 3)
        file.write(b"\n\n\n")
    assert [one.read_from(0, 4)[n] for n in (0, 2, 3)] == [body(0), body(2), body(3)]
    assert len(one.read_from(0, 4)) == 4
    os.truncate(path, len(body(0)) + 1)
    assert one.read_from(0, 4) == [body(0), b"", b"", b""]


def test_a_cursor_that_cannot_be_read_sends_all_again(begin, tmp_path):
    """At least once: rather twice than never."""
    one = begin()
    one.append(body(0))
    one.done(1)
    (die(one) / "cursor").write_bytes(b"\0\0\0")
    found = orphans(tmp_path).take()
    assert found.start == 0
    found.finish()


def test_a_journal_in_use_is_left_alone(begin, tmp_path):
    """Nobody takes the journal of a living process, nor of another part of this one."""
    one = begin()
    one.append(body(0))
    assert orphans(tmp_path).take() is None
    assert facts_of(one.folder).state == "in use"
    die(one)
    assert facts_of(one.folder).state == "left behind"


def test_two_cannot_take_the_same(begin, tmp_path):
    """What one has taken over, another does not find."""
    one = begin()
    one.append(body(0))
    die(one)
    found = orphans(tmp_path).take()
    assert orphans(tmp_path).take() is None
    found.finish()
    assert orphans(tmp_path).take() is not None


def test_another_host_counts_as_living_for_a_day(begin, tmp_path):
    """Locks may not reach over a network: another host's journal is taken only when it is old."""
    one = begin()
    one.append(body(0))
    owner = die(one) / OWNER
    owner.write_text(owner.read_text().replace('"host":"', '"host":"elsewhere-'))
    assert Lock.take(one.folder) is None
    assert facts_of(one.folder).state == "other host"
    old = owner.stat().st_mtime - FOREIGN_AFTER_S - 1
    os.utime(owner, (old, old))
    found = orphans(tmp_path).take()
    assert found is not None
    found.finish()


def test_the_oldest_comes_first(begin, tmp_path):
    """Several journals are taken over in the order in which they were begun."""
    for number in range(3):
        one = begin()
        one.append(body(number))
        os.utime(die(one) / OWNER, (number, number))
    found = []
    while (each := orphans(tmp_path).take()) is not None:
        found.append(each.read(0))
        each.done(1)
        each.finish()
    assert found == [body(0), body(1), body(2)]


def test_what_was_refused_stays_with_its_reason(begin, tmp_path):
    """A journal that is delivered but for a refused event keeps that event, and its owner."""
    one = begin()
    one.append(body(0))
    one.set_aside(0, body(0), 422, "bad run id")
    one.done(1)
    assert one.finish()
    (record,) = map(json.loads, (one.folder / "rejected.ndjson").read_text().splitlines())
    assert record == {"line": 0, "status": 422, "reason": "bad run id", "event": {"n": 0}}
    assert sorted(path.name for path in one.folder.iterdir()) == [OWNER, "rejected.ndjson"]
    assert facts_of(one.folder).rejected == 1


def test_what_was_accepted_after_all_is_no_longer_refused(begin):
    """A refused event that was offered again leaves the file of refused ones."""
    one = begin()
    for number in range(2):
        one.append(body(number))
        one.set_aside(number, body(number), 401, "no")
    one.taken_back([0])
    assert [r["line"] for r in one._rejected.records()] == [1]
    one.taken_back([1])
    assert not (one.folder / "rejected.ndjson").exists()
