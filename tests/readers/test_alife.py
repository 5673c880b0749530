"""Phylogenies in the ALife data standard: every spelling, every column, every oddity."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hutch_lineage as hl
from hutch_lineage.errors import ReadError
from hutch_lineage.graph import LineageGraph
from hutch_lineage.readers import ReadReport, Source, read
from hutch_lineage.readers.formats.alife import ALife
from hutch_lineage.readers.formats.ancestors import ancestors
from hutch_lineage.readers.formats.phylogeny import number_or_text, phylogeny_records
from tests.readers.samples.phylogenies import TREE, text
from tests.readers.shape import roots


def opened(folder: Path, content: str) -> LineageGraph:
    """The graph of a phylogeny."""
    return hl.load(text(folder / "toy.csv", content))


ROOTS = ["[NONE]", '["NONE"]', "[None]", "[none]", "['none']", '["none"]', "[]", "", "none", "[ ]"]


@pytest.mark.parametrize("cell", ROOTS)
def test_a_root_in_each_spelling(tmp_path: Path, cell: str) -> None:
    """It has no parents, and is a seed; what is not the standard's spelling is said."""
    quoted = '"' + cell.replace('"', '""') + '"'
    graph = opened(tmp_path, f"id,ancestor_list\n1,{quoted}\n2,[1]\n")
    assert (roots(graph), graph.edge_count) == (["1"], 1)
    assert graph.node("1")["is_seed"] is True
    told = [kind for kind in graph.report.counts if kind.startswith("roots spelled")]
    assert bool(told) is (cell not in ("['none']", '["none"]'))


@pytest.mark.parametrize(
    ("cell", "named"),
    [
        ("['1','2']", ("1", "2")),
        ('["1", "2"]', ("1", "2")),
        ("[1, 2]", ("1", "2")),
        ("[1,null]", ("1",)),
        ('[1, "NONE"]', ("1",)),
        ("7", ("7",)),
        ("['a b','c']", ("a b", "c")),
        ("['1','1']", ("1",)),
    ],
)
def test_lists_of_ancestors(cell: str, named: tuple[str, ...]) -> None:
    """Quoted or not, with spaces or without; each parent once, in order."""
    assert ancestors(cell) == named


def test_rows_before_their_parents_and_several_parents(tmp_path: Path) -> None:
    """The order of the rows does not matter, that of the parents is kept."""
    graph = opened(tmp_path, TREE)
    assert [key.id for key in graph.parents("3")] == ["1", "2"]
    assert graph.report.counts["rows before their parents"] == 1
    assert [key.id for key in graph] == ["1", "2", "3"]


def test_time_keeps_the_unit_of_the_file(tmp_path: Path) -> None:
    """A number as it stands, below zero or with a fraction; nothing becomes a date."""
    rows = "1,['none'],-1\n2,[1],2.5\n3,[2],200000\n4,[3],soon\n"
    graph = opened(tmp_path, "id,ancestor_list,origin_time\n" + rows)
    times = [graph.node(name).get("origin_time") for name in "1234"]
    assert times == [-1, 2.5, 200_000, None]
    assert "birth_ns" not in graph.node("2")
    assert graph.report.counts == {
        "origin_time in a unit that the file does not state: kept as it is": 1,
        "origin_time below zero": 1,
        "origin_time that is no number": 1,
    }


def test_only_what_a_table_names_is_a_metric(tmp_path: Path) -> None:
    """``fitness`` is one, upwards; a column of numbers is metadata unless somebody says more."""
    path = text(tmp_path / "toy.csv", TREE)
    graph = hl.load(path)
    assert (graph.node("1")["scores"], graph.node("1")["metadata"]) == (
        {"fitness": 1},
        {"merit": 10},
    )
    assert (graph.metric_info("fitness").source, graph.best().id) == ("declared", "3")
    assert graph.report.examples["columns of numbers kept as metadata, not as metrics"] == ["merit"]
    report = ReadReport()
    asked = LineageGraph()
    asked.apply(ALife(metrics={"merit": "lower"}).read(Source(path), report))
    assert asked.best("merit").id == "1"


def test_columns_have_their_meaning(tmp_path: Path) -> None:
    """The genome, attributes by their own names, and metadata; empty cells say nothing."""
    rows = "1,['none'],acgt,north,0,,x7\n2,[1],,south,007,inf,1e3\n"
    graph = opened(tmp_path, "id,ancestor_list,sequence,island_id,a,destruction_time,b\n" + rows)
    first, second = graph.node("1"), graph.node("2")
    assert (first["genome"], first["island_id"], first["metadata"]) == (
        "acgt",
        "north",
        {"a": 0, "b": "x7"},
    )
    assert second["metadata"] == {"a": "007", "destruction_time": "inf", "b": 1000.0}
    assert graph.report.counts["destruction_time inf: it lived to the end"] == 1


def test_the_column_of_one_ancestor(tmp_path: Path) -> None:
    """Alone, its own id means a root; beside a list, the list holds and the report compares."""
    alone = opened(tmp_path, "id,ancestor_id\n1,1\n2,1\n3,2\n")
    assert ([key.id for key in alone.ancestors("3")], alone.edge_count) == (["1", "2"], 2)
    both = opened(tmp_path, "id,ancestor_list,ancestor_id\n1,['none'],1\n2,[1],1\n3,[2],1\n")
    assert [key.id for key in both.ancestors("3")] == ["1", "2"]
    assert both.report.counts["roots whose ancestor_id is their own id: no edge"] == 1
    assert both.report.counts["ancestor_id unlike ancestor_list: the list holds"] == 1


def test_a_list_that_names_itself_is_a_loop(tmp_path: Path) -> None:
    """The edge is kept, and the graph says so."""
    graph = opened(tmp_path, "id,ancestor_list\n1,['none']\n5,[5]\n")
    assert graph.report.counts["its own parent"] == 1


def test_broken_rows_cost_themselves(tmp_path: Path) -> None:
    """Too few cells, too many, a list without quotes, no id, an id twice, a lost ancestor."""
    rows = "1,['none'],a\n2,['1']\n3,['1'],c,d\n4,[1, 2],e\n,[1],f\n4,[1],g\n6,[77],h\n"
    graph = opened(tmp_path, "id,ancestor_list,trait\n" + rows)
    assert [key.id for key in graph.parents("4")] == ["1", "2"]
    counts = graph.report.counts
    assert {kind: count for kind, count in counts.items() if "origin_time" not in kind} == {
        "ghost (named but never introduced)": 1,
        "stated with different parents": 1,
        "rows with too few cells": 1,
        "rows with too many cells: the last ones dropped": 1,
        "ancestor lists without quotes: put together": 1,
        "rows without an id: skipped": 1,
        "ids in several rows": 1,
        "ancestors without a row": 1,
    }


def test_no_root_and_no_rows_are_said(tmp_path: Path) -> None:
    """A file can be a phylogeny and still hold nothing to begin with."""
    assert (
        "no root: every row names ancestors"
        in opened(tmp_path, "id,ancestor_list\n1,[2]\n").report.counts
    )
    assert "no rows" in opened(tmp_path, "id,ancestor_list\n").report.counts


def test_gzipped_with_a_mark_and_other_line_ends(tmp_path: Path) -> None:
    """The content is what counts."""
    plain = opened(tmp_path, TREE)
    packed = tmp_path / "toy.csv.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + TREE.replace("\n", "\r\n").encode()))
    assert hl.load(packed).equals(plain)


def test_a_file_that_breaks_off_says_where(tmp_path: Path) -> None:
    """A gzipped file whose writer was killed."""
    path = tmp_path / "toy.csv.gz"
    path.write_bytes(gzip.compress(b"id,ancestor_list\n" + b"1,[none]\n" * 5_000)[:-12])
    with pytest.raises(ReadError, match="breaks off at line"):
        hl.load(path)


def test_a_genome_of_any_length(tmp_path: Path) -> None:
    """Python's csv gives up at 131,072 characters; the limit of others is left as it was."""
    import csv

    graph = opened(tmp_path, f"id,ancestor_list,genome\n1,['none'],{'a' * 200_000}\n")
    assert (len(graph.node("1")["genome"]), csv.field_size_limit()) == (200_000, 131_072)


def test_a_folder_makes_a_run_of_each_file(tmp_path: Path) -> None:
    """Ids that files share do not meet; other files are left alone; one that breaks is said."""
    for name in ("a", "b"):
        text(tmp_path / f"{name}.csv", TREE)
    text(tmp_path / "other.csv", "name,age\n")
    text(tmp_path / "torn.csv", TREE.encode() + b"\xff")
    graph = hl.load(tmp_path)
    assert (list(graph.runs), len(graph)) == (["a", "b", "torn"], 6)
    assert graph.report.counts["files skipped: cannot be read to their end"] == 1
    assert graph.report.examples["rows before their parents"] == ["a.csv: 3", "b.csv: 3"]


CELLS = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1, max_size=6),
)


@settings(max_examples=40)
@given(CELLS)
def test_a_value_comes_back_as_it_was_written(value: object) -> None:
    """A number is read as itself; a text is, unless it is how a number is written."""
    found = number_or_text(str(value))
    assert str(found) == str(value) or float(str(value)) == found


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(0, 11), max_size=4), max_size=12), st.randoms())
def test_any_parents_in_any_order(parents: list[list[int]], chance) -> None:
    """Rows of any descent, with loops and lost ancestors, give the edges they name, once each."""
    table = [
        (line, [str(child), "['none']" if not named else str(named)])
        for line, (child, named) in enumerate(enumerate(parents), start=2)
    ]
    chance.shuffle(table)
    graph = LineageGraph()
    graph.apply(phylogeny_records(["id", "ancestor_list"], iter(table), "r", ReadReport()))
    edges = {(str(p), str(c)) for c, named in enumerate(parents) for p in named}
    found = {(a.id, b.id) for a, b in graph.nx.edges}
    assert (found, graph.edge_count) == (edges, len(edges))


COUNTS = {  # file: individuals, edges, roots
    "alife-avida": {"asexual_phylogeny_test": (12_059, 12_058, 1)},
    "alife-toys": {
        "example-standard-toy-asexual-lineage": (8, 7, 1),
        "example-standard-toy-asexual-phylogeny": (6, 5, 1),
        "example-standard-toy-asexual-phylogeny-multi-roots": (9, 7, 2),
        "example-standard-toy-asexual-phylogeny-not-pruned": (9, 8, 1),
        "example-standard-toy-sexual-phylogeny": (7, 10, 2),
        "should_fail": (12_059, 12_058, 1),  # with the ancestor that has no row
    },
    "hstrat-nk": {
        "nk_ecoeaselection": (492, 491, 1),
        "nk_lexicaseselection": (233, 232, 1),
        "nk_tournamentselection": (17, 16, 1),
    },
    "phylotrackpy": {
        "consolidated": (13_230, 13_229, 1),
        "extant_root": (1, 0, 1),
        "hang_test": (2_672, 2_671, 1),
        "systematics_snapshot": (10, 9, 1),
    },
}
ODD = {
    "alife-avida": {"rows before their parents": 8_723, "origin_time below zero": 1},
    "alife-toys": {
        "no origin_time: the order is that of descent": 4,
        "ancestors without a row": 1,
        "no root: every row names ancestors": 1,
    },
    "hstrat-nk": {
        "roots spelled [NONE]": 3,
        "destruction_time inf: it lived to the end": 208,
        "origin_time in a unit that the file does not state: kept as it is": 3,
    },
    "phylotrackpy": {
        "roots spelled [None]": 1,
        "roots spelled [none]": 1,
        "roots spelled [NONE]": 1,
        'roots spelled ["NONE"]': 1,
        "roots whose ancestor_id is their own id: no edge": 1,
        "origin_time below zero": 1,
    },
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_real_folders(data_dir: Path, name: str) -> None:
    """Each file has the individuals, edges and roots that it has; what is odd is in the report."""
    reading = read(data_dir / name)
    graph = reading.apply_to(LineageGraph())
    found: dict[str, list[int]] = {run: [0, 0, 0] for run in graph.runs}
    for key in graph.nodes():
        parents = len(graph.parents(key))
        found[key.run_id][0] += 1
        found[key.run_id][1] += parents
        found[key.run_id][2] += not parents
    assert {run: tuple(counts) for run, counts in found.items()} == COUNTS[name]
    counts = graph.report.counts
    assert {kind: counts[kind] for kind in ODD[name]} == ODD[name]
    assert reading.kind == "alife-csv"
