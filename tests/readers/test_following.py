"""Files and folders that grow: only what is new is read, and nothing half written."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ReadError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.readers import Feed, read
from hutch_lineage.readers.formats import tailing
from hutch_lineage.session import GrowingSource
from tests.readers.samples.events import HUTCH, OPENLINEAGE, hutch, journal, lines
from tests.readers.samples.shinka import ROWS, database
from tests.support.waiting import wait_until


class Followed:
    """A source, its feed, and the graph of what has come."""

    def __init__(self, path: Path, kind: str | None = None) -> None:
        self.graph = LineageGraph()
        self.report = self.graph.report
        self.feed: Feed = read(path, kind=kind).follow(self.report)
        self.poll()

    def poll(self) -> int:
        """Take what is new; return how many items that is."""
        items = self.feed.poll()
        self.graph.apply(items)
        return len(items)


def append(path: Path, text: str) -> None:
    """Write behind what is there."""
    with path.open("a") as file:
        file.write(text)


def seed(number: int) -> str:
    """An event of an individual, as a line without its end."""
    return json.dumps(hutch(number, "individual", id=f"i{number}", kind="program", is_seed=True))


def test_only_what_was_added_is_read(tmp_path: Path) -> None:
    """A line counts once it is whole, wherever the writer paused."""
    path = lines(tmp_path / "run", HUTCH[:2])
    followed = Followed(path)
    assert (len(followed.graph), followed.poll()) == (1, 0)
    line = seed(7) + "\n"
    append(path, line[:30])
    assert followed.poll() == 0
    append(path, line[30:] + seed(8))  # the second without its end, and yet whole
    assert followed.poll() == 2
    append(path, "\n{torn\n" + seed(9) + "\n")
    assert followed.poll() == 1
    assert followed.graph.equals(hl.load(path))
    assert followed.report.examples["lines skipped: not JSON"][0].startswith("line 5: ")


def test_only_new_bytes_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A poll of a large file that has grown a little costs little."""
    path = lines(tmp_path / "run", [seed(n) for n in range(5_000)])
    followed = Followed(path)
    asked: list[int] = []
    event_in = tailing.event_in
    monkeypatch.setattr(
        tailing, "event_in", lambda *said: (asked.append(said[0].line), event_in(*said))[1]
    )
    append(path, seed(5_000) + "\n")
    assert (followed.poll(), asked) == (1, [5_001])


def test_data_that_is_still_on_its_way(tmp_path: Path) -> None:
    """A network file system may show NUL bytes first: they are read when they are text."""
    path = lines(tmp_path / "run", HUTCH[:2])
    followed = Followed(path)
    line = (seed(7) + "\n").encode()
    place = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"\x00" * (len(line) - 1) + b"\n")
    assert followed.poll() == 0
    with path.open("r+b") as file:
        file.seek(place)
        file.write(line)
    assert (followed.poll(), bool(followed.report)) == (1, False)


def test_a_file_that_is_replaced(tmp_path: Path) -> None:
    """It is read from its start, and that is said."""
    path = lines(tmp_path / "run", HUTCH)
    followed = Followed(path)
    lines(tmp_path / "other", [seed(7)]).replace(path)
    assert followed.poll() == 1
    assert followed.report.counts["files that were replaced: read anew"] == 1
    path.unlink()
    with pytest.raises(ReadError, match="is gone"):
        followed.feed.poll()
    lines(path, [seed(8)])
    assert followed.poll() == 1


@pytest.mark.parametrize(
    "write",
    [
        lambda path, events: path.write_text(json.dumps(events, indent=1)),
        lambda path, events: path.write_text(json.dumps({"events": events}) + "\n"),
        lambda path, events: path.write_bytes(
            gzip.compress("\n".join(map(json.dumps, events)).encode())
        ),
    ],
    ids=["array", "wrapped", "gz"],
)
def test_other_layouts_are_read_anew(
    tmp_path: Path, write: Callable[[Path, list[dict[str, object]]], object]
) -> None:
    """Each event comes once nevertheless."""
    path = tmp_path / "run"
    write(path, OPENLINEAGE[:1])
    followed = Followed(path)
    write(path, OPENLINEAGE)
    assert (followed.poll(), followed.poll()) == (1, 0)
    assert followed.graph.equals(hl.load(path))


def test_many_workers_in_one_folder(tmp_path: Path) -> None:
    """Files that are new, folders that are new, and a folder that is empty at first."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    followed = Followed(folder, kind="event-folder")
    for number in range(5):
        lines(folder / f"node-{number}" / "events", [seed(number)])
    (folder / "half").write_text(seed(9)[:20])
    assert (followed.poll(), bool(followed.report)) == (5, False)
    append(folder / "half", seed(9)[20:] + "\n")
    append(folder / "node-3" / "events", seed(8) + "\n")
    assert followed.poll() == 2
    assert followed.graph.equals(hl.load(folder))


def test_a_file_that_stays_without_events_is_reported(tmp_path: Path) -> None:
    """After a while it is no longer taken for one that is being written; and only once."""
    lines(tmp_path / "run" / "events", HUTCH)
    (tmp_path / "run" / "notes").write_text("to do")
    followed = Followed(tmp_path / "run")
    assert not followed.report
    assert isinstance(followed.feed, tailing.EventFeed)
    followed.feed.patience.wait_s = 0
    assert followed.poll() + followed.poll() == 0
    assert followed.report.counts == {"files without events": 1}


def test_a_journal_grows(tmp_path: Path) -> None:
    """Its next segment is found."""
    folder = journal(tmp_path / "journal")
    followed = Followed(folder)
    last = next(folder.rglob("events-*1.ndjson"))
    again = {**OPENLINEAGE[1], "outputs": [{"namespace": "hutch", "name": "individual:d"}]}
    lines(last.with_name("events-000000000002.ndjson"), [again])
    assert followed.poll() == 1
    assert followed.graph.equals(hl.load(folder))


def test_any_format_can_be_followed(tmp_path: Path) -> None:
    """One that knows no better is read anew when its files change; the report does not repeat."""
    path = tmp_path / "toy.csv"
    path.write_text("id,ancestor_list\n1,['none']\n")
    followed = Followed(path)
    append(path, "2,['1']\n")
    assert followed.poll() > 0
    assert (followed.graph.edge_count, followed.poll()) == (1, 0)
    once = dict(followed.report.counts)
    append(path, "3,['1']\n")
    followed.poll()
    assert followed.report.counts == once


def test_the_explorer_follows_a_folder(tmp_path: Path) -> None:
    """The picture grows as the files do; the raw events come once each."""
    path = lines(tmp_path / "run" / "w1", HUTCH)
    explorer = hl.explore(tmp_path / "run", follow=True)
    source = explorer._source
    assert isinstance(source, GrowingSource)
    append(path, seed(7) + "\n")
    wait_until(lambda: (source.sync(), len(source.graph) == 3)[1], 20)
    assert len(source.hutch_events()) == len(HUTCH) + 1
    explorer.close()
    source.close()


def test_the_explorer_shows_what_holds_no_events(tmp_path: Path) -> None:
    """A database of programs is a graph like any other."""
    explorer = hl.explore(database(tmp_path / "programs.sqlite", *ROWS), follow=True)
    assert (len(explorer.graph), explorer._source.all_run_events()) == (3, [])
    explorer.close()
