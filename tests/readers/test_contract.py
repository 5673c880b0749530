"""The contract of a format, held against each of them."""

from __future__ import annotations

import ast
import random
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ReadError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.readers import ReadReport, all_formats, read
from tests.readers.case import Bad, Case, all_cases

CASES = all_cases()
OVER_HTTP = {"marquez", "hutch-server"}  # held against real servers in tests of their own
BAD = [(case, bad) for case in CASES for bad in case.bad]
LARGE = [case for case in CASES if case.large is not None]
RUNS_CODE = {"eval", "exec", "compile", "__import__", "pickle", "marshal", "shelve", "subprocess"}


@pytest.fixture(params=CASES, ids=lambda case: case.kind)
def case(request: pytest.FixtureRequest) -> Case:
    """Each format."""
    found: Case = request.param
    return found


def files(source: Path) -> dict[str, bytes]:
    """What stands in a source, by name."""
    below = source.rglob("*") if source.is_dir() else source.parent.iterdir()
    return {str(path): path.read_bytes() for path in below if path.is_file()}


def test_every_format_is_held_to_it() -> None:
    """A format without a case is a format without a contract."""
    kinds = [each.kind for each in all_formats(ReadReport())]
    assert sorted(kinds) == sorted({case.kind for case in CASES} | OVER_HTTP)
    assert all(each.title for each in all_formats(ReadReport()))


def test_its_kind_is_found_from_the_content(case: Case, tmp_path: Path) -> None:
    """Under a name that says nothing, as the only kind that fits."""
    source = case.write(tmp_path)
    elsewhere = source.rename(source.with_name("renamed.bin"))
    report = ReadReport()
    reading = read(elsewhere)
    list(reading.items(report))
    assert reading.kind == case.kind
    assert "several kinds fit" not in report.counts


def test_it_gives_what_there_is(case: Case, tmp_path: Path) -> None:
    """Nodes and edges are all there, also when the kind is named."""
    source = case.write(tmp_path)
    for graph in (hl.load(source), hl.load(str(source), kind=case.kind)):
        assert (len(graph), graph.edge_count) == (case.nodes, case.edges)


def test_what_is_odd_is_reported(case: Case, tmp_path: Path) -> None:
    """A reader never guesses silently: kind of oddity, how often, and where."""
    report = hl.load(case.odd(tmp_path)).report
    assert report.counts[case.oddity] > 0
    assert report.examples[case.oddity]


@pytest.mark.parametrize(("case", "bad"), BAD, ids=[f"{c.kind}-{b.name}" for c, b in BAD])
def test_a_bad_source_is_one_clear_error(case: Case, bad: Bad, tmp_path: Path) -> None:
    """It names the source, the line where there is one, and the reason."""
    source = bad.write(tmp_path)
    with pytest.raises(ReadError) as caught:
        hl.load(source, kind=case.kind)
    text = str(caught.value)
    assert (bad.message in text, str(source) in text) == (True, True), text
    assert caught.value.line == bad.line


def test_a_file_of_another_kind_is_one_clear_error(case: Case, tmp_path: Path) -> None:
    """Whatever the kind that is asked for, a file of noise is a ReadError."""
    path = tmp_path / "noise"
    path.write_bytes(random.Random(5).randbytes(5_000))
    with pytest.raises(ReadError, match="noise"):
        hl.load(path, kind=case.kind)


def test_the_order_does_not_matter(case: Case, tmp_path: Path) -> None:
    """Records that come in any order, or twice, give the same graph."""
    records = list(read(case.write(tmp_path)).records())
    wanted = LineageGraph()
    wanted.apply(records)
    for seed in range(5):
        random.Random(seed).shuffle(records)
        found = LineageGraph()
        found.apply(records, records[::2])
        assert found.equals(wanted)


def test_reading_twice_gives_the_same(case: Case, tmp_path: Path) -> None:
    """Two graphs of one source are equal, and a graph that takes it twice does not change."""
    reading = read(case.write(tmp_path))
    graph = reading.apply_to(LineageGraph())
    assert hl.load(reading.name).equals(graph)
    assert reading.apply_to(LineageGraph()).equals(reading.apply_to(graph))


def test_the_source_is_left_as_it_was(case: Case, tmp_path: Path) -> None:
    """Reading writes nothing, and leaves no file behind."""
    source = case.write(tmp_path)
    before = files(source)
    hl.load(source)
    assert files(source) == before


def test_following_begins_with_all_of_it(case: Case, tmp_path: Path) -> None:
    """The first poll gives what a reading gives, and the next one nothing."""
    reading = read(case.write(tmp_path))
    wanted = reading.apply_to(LineageGraph())
    graph = LineageGraph()
    feed = reading.follow(graph.report)
    graph.apply(feed.poll())
    assert (graph.equals(wanted), list(feed.poll())) == (True, [])
    feed.close()


@pytest.mark.parametrize("case", LARGE, ids=lambda case: case.kind)
def test_a_large_source_streams(case: Case, tmp_path: Path) -> None:
    """What is held while reading does not grow with the source."""
    assert case.large is not None
    source = case.large(tmp_path)
    size = sum(map(len, files(source).values()))
    assert size > 4_000_000
    records = iter(read(source).records())
    list(islice(records, 10))  # what is loaded once
    tracemalloc.start()
    for _ in records:
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size / 4


def test_no_format_can_run_what_it_reads() -> None:
    """Nothing in this room is able to execute or to unpickle."""
    room = Path(hl.__file__).parent / "readers"
    assert {name for path in room.rglob("*.py") for name in names(path)} & RUNS_CODE == set()


def names(path: Path) -> Iterator[str]:
    """The names that a module uses by themselves, and what it imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
