"""Files for the person at the browser, handed over in parts."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import hutch_lineage as hl
from hutch_lineage.explorer import file_feed
from hutch_lineage.explorer.file_feed import FileFeed
from hutch_lineage.export import FORMS, Written
from hutch_lineage.graph import LineageGraph
from hutch_lineage.model import NodeKey, NodeRecord, Stamp
from hutch_lineage.session import OpenedSource, current_session, write_source
from tests.support.waiting import wait_until


class Browser:
    """Asks one question after the other, as the view does."""

    def __init__(self, write: Callable[[Path], Written]) -> None:
        self.answers: dict[int, tuple[dict[str, Any], list[bytes]]] = {}
        self.feed = FileFeed(write, self.hear)
        self.serial = 0

    def hear(self, content: dict[str, Any], buffers: list[bytes]) -> None:
        assert content.pop("op") == "answer"
        self.answers[content.pop("serial")] = (content, buffers)

    def ask(self, **asked: Any) -> tuple[dict[str, Any], list[bytes]]:
        self.serial += 1
        self.feed.answer(asked, self.serial)
        wait_until(lambda: self.serial in self.answers)
        return self.answers[self.serial]

    def save(self, form: str) -> bytes:
        token = self.ask(form=form)[0]["token"]
        parts: list[bytes] = []
        while True:
            content, buffers = self.ask(token=token, offset=sum(map(len, parts)))
            parts += buffers
            if sum(map(len, parts)) == content["size"]:
                return b"".join(parts)


@pytest.fixture
def browser():
    """A browser beside a session with one run."""
    hl.reset()
    with hl.run("search") as run:
        seed = run.log_individual(kind="program", individual_id="<b>s</b>")
        run.log_fitness(individual=seed, scores={"score": 1.0})
    made = Browser(partial(write_source, current_session()))
    yield made
    made.feed.close()
    hl.reset()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where temporary files go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("form", file_feed.endings())
def test_a_file_is_the_one_that_export_writes(browser, tmp_path, form, monkeypatch):
    """Byte for byte, however many parts it takes."""
    monkeypatch.setattr(file_feed, "PART_BYTES", 7 if form == "jsonl" else 1 << 16)
    explorer = hl.explore()
    browser.feed = FileFeed(explorer.write, browser.hear)
    wanted = explorer.write(tmp_path / f"run.{form}").path.read_bytes()
    assert browser.save(form) == wanted
    explorer.close()


def test_the_menu_lists_what_there_is(browser):
    """How a file ends, and what it is; what the page makes itself is not in it."""
    forms = browser.ask(forms=1)[0]["forms"]
    assert forms["html"] == "Page that works offline (HTML)"
    assert "frames.zip" in forms
    assert not {"svg", "png", "csv"} & set(forms)


def test_nothing_is_left_behind(browser, folder):
    """The last part, another file and the end each remove it."""
    browser.save("graphml")
    assert list(folder.iterdir()) == []
    for _ in range(2):
        token = browser.ask(form="html")[0]["token"]
        wait_until(lambda: not browser.feed._made.is_open)
    assert len(list(folder.iterdir())) == 1
    browser.feed.close()
    assert list(folder.iterdir()) == []
    assert "no longer there" in browser.ask(token=token, offset=0)[0]["error"]


def test_what_cannot_be_made_is_told_in_words(browser, monkeypatch, folder):
    """No tree, too large, or a disk that is full."""
    loop = LineageGraph()
    key = NodeKey("individual", "r", "a")
    loop.apply(NodeRecord(key, Stamp(1, "e"), (key,)))
    opened = Browser(partial(write_source, OpenedSource(loop, "a graph")))
    token = opened.ask(form="nwk")[0]["token"]
    assert "descends from itself" in opened.ask(token=token, offset=0)[0]["error"]
    monkeypatch.setattr(file_feed, "MAX_BYTES", 10)
    token = browser.ask(form="graphml")[0]["token"]
    assert "explorer.export(" in browser.ask(token=token, offset=0)[0]["error"]
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "gone"))
    token = browser.ask(form="graphml")[0]["token"]
    assert "FileNotFoundError" in browser.ask(token=token, offset=0)[0]["error"]


def test_one_file_is_made_at_a_time(browser):
    """The second is refused; a part of the first that is asked for early comes when it is there."""
    go = threading.Event()

    def slow(path: Path) -> Written:
        go.wait(10)
        path.write_bytes(b"done")
        return Written(path, FORMS["html"], ("one", "two"))

    browser.feed = FileFeed(slow, browser.hear)
    token = browser.ask(form="html")[0]["token"]
    assert browser.ask(form="jsonl")[0] == {"error": "another file is being made"}
    browser.feed.answer({"token": token, "offset": 0}, 99)
    assert 99 not in browser.answers
    go.set()
    wait_until(lambda: 99 in browser.answers)
    assert browser.answers[99] == ({"size": 4, "offset": 0, "notes": "one; two"}, [b"done"])


@pytest.mark.parametrize(
    "asked",
    [{}, {"form": "../secrets"}, {"form": ["html"]}, {"token": 3, "offset": 0}, {"offset": "x"}],
)
def test_a_question_that_makes_no_sense_harms_nothing(browser, asked):
    """It gets an answer in words."""
    assert "no longer there" in browser.ask(**asked)[0]["error"]


@pytest.mark.parametrize("offset", [-(10**30), 10**30])
def test_a_place_outside_the_file_is_answered(browser, offset):
    """Before it the file begins, behind it there is nothing."""
    token = browser.ask(form="jsonl")[0]["token"]
    content, buffers = browser.ask(token=token, offset=offset)
    assert "error" not in content
    assert bool(buffers[0]) == (offset < 0)
