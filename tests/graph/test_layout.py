"""The layout: stable under growth, compact, runs kept apart."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.graph.layout import AppendLayout, Placement


@st.composite
def placements(draw):
    """Any nodes: some runs, parents before or after, ghosts, odd generations."""
    count = draw(st.integers(1, 60))
    return [
        Placement(
            draw(st.sampled_from(["individual", "agent"])),
            draw(st.sampled_from(["r1", "r2", "r3"])),
            draw(st.integers(-1, 4)),
            tuple(draw(st.lists(st.integers(0, count - 1), max_size=3))),
            draw(st.integers(0, count - 1)) if draw(st.integers(0, 9)) == 0 else -1,
        )
        for _ in range(count)
    ]


@given(placements(), st.lists(st.integers(0, 60), max_size=6))
def test_batching_changes_nothing(nodes, cuts):
    """The same order in any batches gives the same positions, and no placed node moves."""
    whole, parts = AppendLayout(), AppendLayout()
    whole.place(nodes)
    edges = sorted({0, *(min(cut, len(nodes)) for cut in cuts), len(nodes)})
    for start, stop in pairwise(edges):
        before = parts.positions()
        parts.place(nodes[start:stop])
        after = parts.positions(0, start)
        assert np.array_equal(before, after)
    assert np.array_equal(whole.positions(), parts.positions())


@given(placements())
def test_no_two_nodes_of_a_sheet_coincide_and_runs_do_not_overlap(nodes):
    """Within a sheet every position is taken once; the bands of two runs have no common y."""
    layout = AppendLayout()
    layout.place(nodes)
    x, y = layout.positions()
    places = {(n.sheet, a, b) for n, a, b in zip(nodes, x.tolist(), y.tolist(), strict=True)}
    assert len(places) == len(nodes)
    for sheet in ("individual", "agent"):
        spans = []
        for run in ("r1", "r2", "r3"):
            rows = [i for i, n in enumerate(nodes) if (n.sheet, n.band) == (sheet, run)]
            if rows:
                spans.append((y[rows].min(), y[rows].max()))
        assert all(a[1] < b[0] for a, b in pairwise(sorted(spans)))


@given(placements())
def test_children_stand_right_of_their_placed_parents(nodes):
    """The layer is beyond every parent placed before, and not before the generation."""
    layout = AppendLayout()
    layout.place(nodes)
    for row, node in enumerate(nodes):
        if not 0 <= node.ghost_of < row:
            before = [p for p in node.parents if p < row]
            expected = max([0, node.generation, *(layout.layer(p) + 1 for p in before)])
            assert layout.layer(row) == expected


def test_children_of_one_parent_spread_around_it():
    """Five children of one seed take five neighbouring slots centred on it."""
    layout = AppendLayout()
    layout.place([Placement("individual", "r")])
    layout.place([Placement("individual", "r", -1, (0,)) for _ in range(5)])
    y = np.sort(layout.y[1:])
    assert np.allclose(np.diff(y), 1.0)
    assert abs(y.mean() - layout.y[0]) < 0.6


def test_ghosts_stand_at_the_bottom_one_layer_before_their_child():
    """A parent not seen goes below the run's lowest node and does not pull its child down."""
    layout = AppendLayout()
    layout.place([Placement("individual", "r", 0) for _ in range(4)])
    layout.place([Placement("individual", "r", 3), Placement("individual", "r", -1, (), 4)])
    assert layout.layer(5) == 2
    assert layout.y[5] > layout.y[:5].max() + 1
    layout.place([Placement("individual", "r", -1, (5,))])
    assert abs(layout.y[6]) < 1


def test_a_squeezed_run_packs_closer_and_stays_in_its_band():
    """A run that grows after another began below it never crosses into it."""
    layout = AppendLayout()
    layout.place([Placement("i", "r1"), Placement("i", "r2"), Placement("i", "r3")])
    layout.place([Placement("i", "r2", 0) for _ in range(500)])
    low, high = layout.y[0], layout.y[2]
    middle = layout.y[3:]
    assert low < middle.min()
    assert middle.max() < high
    assert len(np.unique(middle)) == 500


def test_a_chain_of_100_000_is_placed_without_recursion():
    """Depth is no limit: one node a layer, all on one line."""
    layout = AppendLayout()
    layout.place(Placement("i", "r", -1, (row - 1,) if row else ()) for row in range(100_000))
    assert layout.layer(99_999) == 99_999
    assert np.abs(layout.y).max() < 1


def test_a_star_of_10_000_takes_neighbouring_slots():
    """Many children of one parent are compact and each has a slot of its own."""
    layout = AppendLayout()
    layout.place([Placement("i", "r")])
    layout.place(Placement("i", "r", -1, (0,)) for _ in range(10_000))
    y = np.sort(layout.y[1:])
    assert np.allclose(np.diff(y), 1.0)
