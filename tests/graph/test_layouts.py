"""Every layout: stable under growth, nothing on top of anything, whatever the lineage is like."""

from __future__ import annotations

import math
from array import array
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hutch_lineage.graph.layouts import LAYOUTS, Family, Newcomers
from hutch_lineage.graph.layouts.lane import Lane

NAN = math.nan
each_layout = pytest.mark.parametrize("name", LAYOUTS)


def newcomers(nodes, start=0):
    """Return nodes (kind, run, generation, time, island, parents, ghost_of) as columns."""
    columns = [list(column) for column in zip(*nodes, strict=True)] or [[] for _ in range(7)]
    ghosts = {row: child for row, child in enumerate(columns.pop(), start) if child >= 0}
    return Newcomers(*columns, ghosts)


def family(nodes):
    """Return the same as a family, every parent that exists as an edge."""
    edges = [
        (parent, row)
        for row, node in enumerate(nodes)
        for parent in dict.fromkeys(node[5])
        if 0 <= parent < len(nodes)
    ]
    src, dst = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    columns = [np.array([n[i] for n in nodes]) for i in (0, 1, 2, 3, 4, 6)]
    kind, run, generation, time, island, ghost_of = columns
    return Family(kind, run, generation, time.astype(float), island, ghost_of, src, dst)


def placed(name, nodes, *, arranged=False):
    """Return a layout with these nodes."""
    layout = LAYOUTS[name]()
    layout.extend(newcomers(nodes))
    if arranged:
        layout.arrange(family(nodes))
    return layout


def node(*parents, kind=0, run=0, generation=-1, time=NAN, island=-1, ghost_of=-1):
    return (kind, run, generation, time, island, parents, ghost_of)


@st.composite
def lineages(draw):
    """Any nodes: runs, sheets, islands, parents before, after and cyclic, ghosts, odd times."""
    count = draw(st.integers(1, 40))
    nodes = [
        node(
            *draw(st.lists(st.integers(0, count - 1), max_size=3)),
            kind=draw(st.integers(0, 1)),
            run=draw(st.integers(0, 2)),
            generation=draw(st.integers(-1, 4)),
            time=draw(st.sampled_from([NAN, 0.0, 1.7e9, 1.7e9 + 5, 1.8e9, 1e12])),
            island=draw(st.integers(-1, 2)),
        )
        for _ in range(count)
    ]
    for row in range(1, count):
        if draw(st.integers(0, 9)) == 0:
            child = draw(st.integers(0, row - 1))
            kind, run, *_ = nodes[child]
            if nodes[child][6] < 0:
                nodes[row] = node(kind=kind, run=run, ghost_of=child)
                nodes[child] = (*nodes[child][:5], (*nodes[child][5], row), -1)
    return nodes


def apart(layout, nodes):
    """Whether no two nodes of a sheet stand on one place."""
    return len({(n[0], *at) for n, *at in zip(nodes, layout.x, layout.y, strict=True)}) == len(
        nodes
    )


@each_layout
@given(nodes=lineages(), cuts=st.lists(st.integers(0, 40), max_size=4))
def test_batching_changes_nothing(name, nodes, cuts):
    """The same order in any batches gives the same positions, and no placed node moves."""
    nodes = [(*n[:3], 1.7e9, *n[4:]) for n in nodes]  # a unit of time is chosen from what is known
    whole, parts = placed(name, nodes), LAYOUTS[name]()
    for start, stop in pairwise(sorted({0, *(min(c, len(nodes)) for c in cuts), len(nodes)})):
        before = list(zip(parts.x, parts.y, strict=True))
        parts.extend(newcomers(nodes[start:stop], start))
        assert list(zip(parts.x, parts.y, strict=True))[:start] == before
    assert (whole.x, whole.y) == (parts.x, parts.y)


@each_layout
@given(nodes=lineages(), arranged=st.integers(0, 40))
def test_nothing_overlaps_and_nothing_moves(name, nodes, arranged):
    """Arranged at any moment and appended after it: each place is taken once, for good."""
    arranged = min(arranged, len(nodes))
    layout = LAYOUTS[name]()
    layout.extend(newcomers(nodes[:arranged]))
    if arranged:
        known = [(*n[:6], n[6] if n[6] < arranged else -1) for n in nodes[:arranged]]
        layout.arrange(family(known))
        assert apart(layout, nodes[:arranged])
    before = layout.x[:], layout.y[:]
    layout.extend(newcomers(nodes[arranged:], arranged))
    assert (layout.x[:arranged], layout.y[:arranged]) == before
    assert apart(layout, nodes)
    assert np.isfinite(layout.x).all()
    assert np.isfinite(layout.y).all()


@pytest.mark.parametrize("name", sorted(LAYOUTS.keys() - {"radial"}))
@pytest.mark.parametrize("arranged", [False, True])
@given(nodes=lineages())
def test_runs_do_not_overlap(name, arranged, nodes):
    """The bands of two runs of a sheet have no common y."""
    layout = placed(name, nodes, arranged=arranged)
    for sheet in (0, 1):
        spans = []
        for run in range(3):
            y = [layout.y[i] for i, n in enumerate(nodes) if n[:2] == (sheet, run)]
            if y:
                spans.append((min(y), max(y)))
        if name != "islands":
            assert all(a[1] < b[0] for a, b in pairwise(sorted(spans)))


@pytest.mark.parametrize("name", ["generations", "layered", "islands"])
@pytest.mark.parametrize("arranged", [False, True])
@given(nodes=lineages())
def test_children_stand_right_of_parents_placed_before(name, arranged, nodes):
    """The layer is beyond every earlier parent, and not before the generation."""
    nodes = [(*n[:5], tuple(p for p in n[5] if p < row), -1) for row, n in enumerate(nodes)]
    layout = placed(name, nodes, arranged=arranged)
    for row, (_, _, generation, _, _, parents, _) in enumerate(nodes):
        assert layout.x[row] == max([0, generation, *(layout.x[p] + 1 for p in parents)])


@each_layout
@pytest.mark.parametrize("arranged", [False, True])
def test_a_chain_of_20_000(name, arranged):
    """Depth is no limit, and nothing recurses."""
    nodes = [node(row - 1, time=1.7e9 + row) if row else node(time=1.7e9) for row in range(20_000)]
    layout = placed(name, nodes, arranged=arranged)
    assert apart(layout, nodes)
    if name == "radial":
        ring = layout.describe()["ring"]
        assert math.hypot(layout.x[-1], layout.y[-1]) == pytest.approx(20_000 * ring)
    elif name != "time":
        assert layout.x[-1] == 19_999


@each_layout
@pytest.mark.parametrize("arranged", [False, True])
def test_a_star_of_10_000(name, arranged):
    """Many children of one parent stand apart, each on a place of its own."""
    nodes = [node(), *(node(0) for _ in range(10_000))]
    assert apart(placed(name, nodes, arranged=arranged), nodes)


def test_no_nodes():
    """An empty graph has a layout of each kind."""
    for name in LAYOUTS:
        layout = LAYOUTS[name]()
        nothing = np.zeros(0, dtype=np.int64)
        layout.arrange(Family(*[nothing] * 3, np.zeros(0), *[nothing] * 4))
        assert layout.x == array("f")
        layout.extend(newcomers([node()]))
        assert len(layout.x) == 1


def test_appended_children_spread_around_their_parent():
    """Five children of one seed take five neighbouring slots centred on it."""
    layout = placed("generations", [node(), *(node(0) for _ in range(5))])
    y = np.sort(layout.y[1:])
    assert np.allclose(np.diff(y), 1.0)
    assert abs(y.mean() - layout.y[0]) < 0.6


@pytest.mark.parametrize("arranged", [False, True])
def test_ghosts_stand_at_the_bottom_one_layer_before_their_child(arranged):
    """A parent not seen goes below the run's lowest node and does not pull its child down."""
    nodes = [*(node(generation=0) for _ in range(4)), node(5, generation=3), node(ghost_of=4)]
    layout = placed("generations", nodes, arranged=arranged)
    assert layout.x[5] == 2
    assert layout.y[5] > max(layout.y[:5]) + 1


def test_a_squeezed_run_packs_closer_and_stays_in_its_band():
    """A run that grows after another began below it never crosses into it."""
    nodes = [node(run=run) for run in range(3)] + [node(run=1, generation=0) for _ in range(500)]
    layout = placed("generations", nodes)
    middle = np.array(layout.y[3:])
    assert layout.y[0] < middle.min()
    assert middle.max() < layout.y[2]
    assert len(np.unique(middle)) == 500


def test_layered_has_fewer_crossings_than_appended():
    """Two families whose members come mixed are drawn apart."""
    nodes = [node(), node()]
    nodes += [node((row - 2) if row > 3 else row % 2) for row in range(2, 200)]
    nodes += [node(1 - row % 2) for row in range(40)]
    counts = [crossings(placed("layered", nodes, arranged=a), nodes) for a in (False, True)]
    assert counts[1] <= counts[0]


def crossings(layout, nodes):
    """Count pairs of edges between two neighbouring layers that cross."""
    edges = [(p, row) for row, n in enumerate(nodes) for p in n[5]]
    edges = [(a, b) for a, b in edges if layout.x[b] == layout.x[a] + 1]
    y, x = layout.y, layout.x
    return sum(
        x[a] == x[c] and (y[a] - y[c]) * (y[b] - y[d]) < 0 for a, b in edges for c, d in edges
    )


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=60))
def test_the_tree_is_tidy(parents):
    """Parents over the middle of their children, children side by side, no crossing."""
    nodes = [node(), *(node(min(p, row)) for row, p in enumerate(parents))]
    layout = placed("tree", nodes, arranged=True)
    children = {}
    for row, above in enumerate(n[5] for n in nodes):
        for parent in above:
            children.setdefault(parent, []).append(row)
    for parent, own in children.items():
        assert own == sorted(own, key=lambda row: -layout.y[row]) or own == sorted(
            own, key=lambda row: layout.y[row]
        )
        middle = (layout.y[own[0]] + layout.y[own[-1]]) / 2
        assert layout.y[parent] == pytest.approx(middle, abs=1e-3)
        low, high = sorted((layout.y[own[0]], layout.y[own[-1]]))
        between = [
            r for r, y in enumerate(layout.y) if low < y < high and layout.x[r] == layout.x[own[0]]
        ]
        assert set(between) <= set(own)
    assert crossings(layout, nodes) == 0


def test_time_has_round_units_and_an_outlier_does_not_squeeze_the_rest():
    """An hour of a run, one clock of 1970 and one of 2200: the hour still fills the picture."""
    nodes = [node(time=1.7e9 + 6 * row) for row in range(600)]
    layout = placed("time", [*nodes, node(time=5.0), node(time=7.3e9)], arranged=True)
    about = layout.describe()
    assert about["unit_s"] in (30.0, 60.0)
    assert about["clipped"] == 2
    assert max(layout.x) == 20_000
    assert 50 < layout.x[599] < 200
    assert layout.x[300] == (1.7e9 + 1800 - about["t0"]) // about["unit_s"]


def test_time_that_runs_backward_is_drawn_backward():
    """A child whose time is before its parent's stands left of it."""
    nodes = [node(time=1.7e9 + 100), node(0, time=1.7e9), node(1)]
    layout = placed("time", nodes, arranged=True)
    assert layout.x[1] < layout.x[0]
    assert layout.x[2] == layout.x[1] + 1


@pytest.mark.parametrize("arranged", [False, True])
def test_each_island_has_a_lane(arranged):
    """Nodes stand within the lane of their island, and lanes are apart."""
    nodes = [node(*((row - 3,) if row > 2 else ()), island=row % 3 - 1) for row in range(90)]
    layout = placed("islands", nodes, arranged=arranged)
    lanes = {lane["island"]: (lane["y0"], lane["y1"]) for lane in layout.describe()["lanes"]}
    for y, each in zip(layout.y, nodes, strict=True):
        assert lanes[each[4]][0] <= y <= lanes[each[4]][1]
    assert all(a[1] < b[0] for a, b in pairwise(sorted(lanes.values())))


def test_rings():
    """Every node stands on the ring of its depth, with room to its neighbours."""
    nodes = [node(), *(node(max(0, row // 4)) for row in range(400))]
    layout = placed("radial", nodes, arranged=True)
    about, x, y = layout.describe(), np.array(layout.x), np.array(layout.y)
    rings = np.hypot(x, y) / about["ring"]
    assert np.allclose(rings, np.round(rings), atol=1e-3)
    assert rings.max() == pytest.approx(about["rings"])
    distances = np.hypot(x[:, None] - x, y[:, None] - y) + 9 * np.eye(len(x))
    assert distances.min() > 0.8


def test_a_crowded_ring_takes_no_longer_than_an_empty_one():
    """Thousands of children on a ring for few: what is full is not searched again."""
    lane = Lane()
    slots = [lane.take(3.0, 0, 36) for _ in range(20_000)]
    assert len(set(slots)) == len(slots)
    assert min(slots) >= 0
    assert max(slots) <= 36
    assert lane._full == len(lane._lattices) - 1
