"""The static picture: what it shows, that it is safe, and that it says what it leaves out."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from hutch_lineage.errors import ExportError
from hutch_lineage.export import to_svg
from hutch_lineage.graph import LineageGraph, Scene
from hutch_lineage.model import FitnessRecord, NodeRecord, OperatorRecord, RunRecord, Stamp
from hutch_lineage.session import load
from tests.export.lineages import HOSTILE, key, many

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314  (our own text)


def marks(svg):
    """Return the elements with data-node, by node."""
    root = parsed(svg)
    return {e.get("data-node"): e for e in root.iter() if e.get("data-node") is not None}


def texts(svg):
    return [e.text for e in parsed(svg).iter(f"{SVG}text")]


def test_every_node_is_a_mark(graph):
    """Each node has one mark that carries its id, also a parent that was never seen."""
    assert set(marks(to_svg(graph))) == {"s1", "s2", "c", "bad", "best", "lost"}


def test_marks_tell_kinds_apart_without_colour(graph):
    """Seeds are larger, the invalid is a cross, the ghost a dashed ring."""
    found = marks(to_svg(graph))
    assert float(found["s1"].get("r")) > float(found["c"].get("r"))
    assert found["bad"].tag == f"{SVG}path"
    assert (found["lost"].get("fill"), found["lost"].get("stroke-dasharray")) == ("none", "2 2")


def test_the_path_to_the_best_is_warm(graph):
    """Nodes on the path have the warm ring; the rest has not."""
    found = marks(to_svg(graph))
    warm = {node for node, mark in found.items() if mark.get("stroke") == "#d9480f"}
    assert warm == {"s1", "c", "best"}


def test_second_parents_are_dashed(graph):
    """First parents that are not on the path are solid, further ones dashed."""
    paths = parsed(to_svg(graph)).iter(f"{SVG}path")
    drawn = {
        path.get("stroke-dasharray"): path.get("d").count("M")
        for path in paths
        if path.get("fill") == "none" and path.get("stroke") == "#5a6473"
    }
    assert drawn == {None: 1, "3 3": 2}


def test_the_words_around_the_picture(graph):
    """Run, best, its score, steps and cost above; scale, key and counts below."""
    words = " | ".join(texts(to_svg(graph)))
    assert "packing | best best · sum 2.75 · 2 steps · $0.250 of lineage" in words
    assert "gen 0" in words
    assert "sum ↑ | 1 to 2.75 | seed | parent not seen | invalid | second parent" in words
    assert "5 individuals · 5 edges · 1 not seen · all drawn" in words


def test_lower_is_better_turns_the_ramp():
    """The best end of the ramp is the low one where low is good."""
    fills = {}
    for direction in ("higher", "lower"):
        made = LineageGraph()
        made.apply(RunRecord("r1", Stamp(0, "r"), {"score_directions": {"m": direction}}))
        made.apply(FitnessRecord(key("a"), Stamp(1, "a"), {"m": 1.0}))
        made.apply(FitnessRecord(key("b"), Stamp(2, "b"), {"m": 3.0}))
        svg = to_svg(made)
        fills[direction] = {node: mark.get("fill") for node, mark in marks(svg).items()}
        assert ("1 to 3" if direction == "higher" else "3 to 1") in texts(svg)
    assert fills["higher"]["a"] == fills["lower"]["b"]
    assert fills["higher"]["b"] == fills["lower"]["a"]


def test_a_direction_that_nobody_declared_is_assumed():
    """The arrow stands there as for the others, with a word."""
    made = LineageGraph()
    made.apply(FitnessRecord(key("a"), Stamp(1, "a"), {"m": 1.0}))
    assert "m ↑ assumed" in texts(to_svg(made))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_same_graph_gives_the_same_text(graph, theme):
    """No ids, times or addresses of the process stand in it."""
    assert to_svg(graph, theme=theme) == to_svg(graph, theme=theme)
    assert "0x" not in to_svg(graph, theme=theme)


def test_nothing_but_shapes_and_text(hostile, graph):
    """No script, style sheet, link, event handler or outside reference, whatever the data says."""
    allowed = {f"{SVG}{name}" for name in ("svg", "rect", "circle", "path", "text", "title", "g")}
    for svg in (to_svg(hostile), to_svg(graph)):
        root = parsed(svg)
        assert {element.tag for element in root.iter()} <= allowed
        names = {name for element in root.iter() for name in element.attrib}
        assert not {name for name in names if name.startswith("on") or "href" in name}
        assert "url(" not in svg


def test_hostile_ids_survive_as_text(hostile):
    """An id comes back as it is, but for characters that XML has no form for."""
    assert list(marks(to_svg(hostile))) == [HOSTILE + "\ufffd\ufffd\ufffd"]


def test_too_many_nodes_become_cells_and_it_says_so():
    """Above max_marks: cells, the path as single marks, and the foot names both."""
    svg = to_svg(many(3_000), max_marks=500)
    root = parsed(svg)
    cells = [e for e in root.iter(f"{SVG}rect") if e.get("fill-opacity")]
    assert 50 < len(cells) <= 500
    assert len(cells) + len(marks(svg)) <= 500
    foot = texts(svg)
    said = next(text for text in foot if "3,000 individuals" in text)
    assert f"{len(cells):,} cells, each in the colour of its best" in said
    assert f"single marks: {len(marks(svg))}, the path to the best" in said
    assert said.endswith("2,871 edges not drawn")


def test_too_many_edges_are_said():
    """What is not drawn is counted, first parents are drawn before further ones."""
    dense = LineageGraph()
    parents = tuple(key(f"p{n}") for n in range(70))
    dense.apply(NodeRecord(parent, Stamp(0, parent.id)) for parent in parents)
    dense.apply(NodeRecord(key(f"c{n}"), Stamp(1, f"c{n}"), parents) for n in range(100))
    assert "170 individuals · 7,000 edges · 1,000 edges not drawn" in texts(to_svg(dense))


@pytest.mark.parametrize("size", [{"width": 300}, {"width": 1400, "height": 333}])
def test_size_is_what_was_asked_for(graph, size):
    """Width and height hold, and no mark is outside."""
    root = parsed(to_svg(graph, **size))
    width, height = int(root.get("width")), int(root.get("height"))
    assert width == size["width"]
    assert height == size.get("height", height)
    for mark in marks(to_svg(graph, **size)).values():
        if mark.get("cx"):
            assert 0 < float(mark.get("cx")) < width
            assert 0 < float(mark.get("cy")) < height - 30


def test_one_run_and_one_kind(graph):
    """A picture can be of one run, or of the agents alone."""
    graph.apply(NodeRecord(key("other", run="r2"), Stamp(1, "x")))
    graph.apply(NodeRecord(key("a1", "agent"), Stamp(1, "y")))
    assert list(marks(to_svg(graph, run="r2"))) == ["other"]
    assert list(marks(to_svg(graph, kind="agent"))) == ["a1"]
    assert "1 agent · 0 edges · all drawn" in texts(to_svg(graph, kind="agent"))
    assert not marks(to_svg(graph, run="no such run"))


def test_agents_are_drawn_where_there_is_nothing_else():
    """A self-improving run shows its agents without being asked; rejected ones are hollow."""
    agents = LineageGraph()
    one, two = key("a1", "agent"), key("a2", "agent")
    agents.apply(
        NodeRecord(one, Stamp(0, "n")),
        OperatorRecord("r1", "s", Stamp(1, "o"), (one,), two, {"verdict": "rejected"}),
    )
    svg = to_svg(agents)
    assert marks(svg)["a2"].get("fill") == "#ffffff"
    assert "rejected" in texts(svg)


def test_a_scene_keeps_its_positions(graph):
    """With a given scene the picture grows as the explorer's does: no mark changes its order."""
    scene = Scene(graph)
    to_svg(graph, scene=scene)
    before = [scene.key(row) for row in range(len(scene))]
    graph.apply(NodeRecord(key("new"), Stamp(20, "z"), (key("best"),)))
    to_svg(graph, scene=scene)
    assert [scene.key(row) for row in range(len(before))] == before
    assert scene.row(key("new")) == len(before)


def test_empty_and_scoreless_graphs_are_pictures_too():
    """Nothing to draw, or nothing to colour by, is no error."""
    assert "0 individuals · 0 edges" in texts(to_svg(LineageGraph()))
    plain = LineageGraph()
    plain.apply(NodeRecord(key("a"), Stamp(1, "e"), (key("a"),)))
    assert set(marks(to_svg(plain))) == {"a"}


@pytest.mark.parametrize("bad", [{"theme": "pink"}, {"width": 10}, {"max_marks": 0}])
def test_arguments_that_cannot_be_used(graph, bad):
    """One clear error of this package."""
    with pytest.raises(ExportError):
        to_svg(graph, **bad)


@pytest.mark.parametrize(
    ("folder", "count"), [("hutch-openevolve", 121), ("hutch-codeevolve", 469)]
)
def test_real_runs(data_dir, folder, count):
    """Every individual of the published runs is drawn, within a modest size."""
    svg = to_svg(load(data_dir / folder / "events.jsonl"))
    assert len(marks(svg)) == count
    assert len(svg) < 200_000
    assert re.search(r"all drawn</text>", svg)


def test_scores_at_both_ends_of_the_floats():
    """Scores further apart than a float can say still have their place on the ramp."""
    graph = LineageGraph()
    for name, score in (("low", -1.7e308), ("middle", 0.0), ("high", 1.7e308)):
        graph.apply(
            NodeRecord(key(name), Stamp(1, name), attributes={"is_seed": True}),
            FitnessRecord(key(name), Stamp(2, name), {"score": score}),
        )
    drawn = marks(to_svg(graph))
    assert len({drawn[name].get("fill") for name in ("low", "middle", "high")}) == 3
