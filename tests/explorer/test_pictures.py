"""Pictures from Python show what the view shows, and say what they cannot."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import hutch_lineage as hl
from hutch_lineage.export import ExportWarning
from hutch_lineage.graph import LineageGraph
from hutch_lineage.session import load
from tests.graph.lineages import born, graph_of, made, scored

SVG = "{http://www.w3.org/2000/svg}"


def graph() -> LineageGraph:
    """Two islands, two models, a cost each."""
    records = [born("a", 1, island_id="0"), scored("a", 1, x=1.0, y=9.0)]
    for number, (name, parent) in enumerate([("b", "a"), ("c", "a"), ("d", "b"), ("e", "d")], 2):
        model = f"m{number % 2}"
        records += [
            born(name, number, parent, island_id=str(number % 2), generation_index=number),
            made(name, number, parent, llm_id=model, cost_usd=number / 10),
            scored(name, number, x=float(number), y=-float(number)),
        ]
    return graph_of(records)


@pytest.fixture
def explorer():
    """An explorer of it."""
    made_one = hl.explore(graph())
    yield made_one
    made_one.close()


def marks(explorer, tmp_path, **options):
    """Return the marks of the picture by node, the texts, and the notes."""
    written = explorer.write(tmp_path / "view.svg", **options)
    root = ET.fromstring(written.path.read_text())  # noqa: S314 - our own text
    found = {each.get("data-node"): each for each in root.iter() if each.get("data-node")}
    return found, [each.text for each in root.iter(f"{SVG}text")], written.notes


def places(found):
    """Return where the marks are."""
    return {name: (mark.get("cx"), mark.get("cy")) for name, mark in found.items()}


@pytest.mark.parametrize("layout", ["tree", "radial", "time", "islands", "layered"])
def test_the_layout(explorer, tmp_path, layout):
    """Marks stand elsewhere in another layout, and all of them are there."""
    plain, _, notes = marks(explorer, tmp_path)
    explorer.arrange(layout)
    found, _, lacking = marks(explorer, tmp_path)
    assert set(found) == set(plain) == set("abcde")
    assert layout == "layered" or places(found) != places(plain)
    assert notes == ()
    assert bool(lacking) == (layout in ("time", "islands"))


def test_what_is_left_out(explorer, tmp_path):
    """Names that are hidden, and numbers outside a range; the best is that of the others."""
    explorer.view = {**explorer.view, "hidden": {"model": ["m0"]}}
    assert set(marks(explorer, tmp_path)[0]) == {"a", "c", "e"}
    explorer.view = {
        **explorer.view,
        "hidden": {},
        "ranges": {"metric:x": {"low": 2, "high": 3, "missing": False}},
    }
    found, texts, _ = marks(explorer, tmp_path)
    assert set(found) == {"b", "c"}
    assert any(text.startswith("best c") for text in texts)


def test_the_metric_and_the_colours(explorer, tmp_path):
    """By a metric, by names as in the legend, by plain numbers."""
    explorer.view = {**explorer.view, "best": "metric:y"}
    assert any(text.startswith("best a") for text in marks(explorer, tmp_path)[1])
    explorer.view = {**explorer.view, "best": "", "colour": "model"}
    found, texts, _ = marks(explorer, tmp_path)
    assert {"m0", "m1"} <= set(texts)
    assert found["b"].get("fill") != found["c"].get("fill") == found["e"].get("fill")
    explorer.view = {**explorer.view, "colour": "cost"}
    assert "0.2 to 0.5" in marks(explorer, tmp_path)[1]


@pytest.mark.parametrize(
    ("focus", "bright"),
    [
        ({"mode": "ancestors"}, "abd"),
        ({"mode": "descendants"}, "de"),
        ({"mode": "both"}, "abde"),
        ({"mode": "path"}, "abd"),
        ({"mode": "steps", "steps": 1}, "bde"),
        ({"mode": "between", "other": "c"}, "abcd"),
    ],
)
def test_the_focus_leaves_the_rest_pale(explorer, tmp_path, focus, bright):
    """As the view does, for each kind of focus."""
    row = explorer._row_of
    wanted = {**focus, "row": row("d")}
    if "other" in focus:
        wanted["other"] = row(focus["other"])
    explorer.view = {**explorer.view, "focus": wanted}
    found, _, _ = marks(explorer, tmp_path)
    pale = {name for name, mark in found.items() if mark.get("fill") == "#e3e6ea"}
    assert set(found) == set("abcde")
    assert pale == set("abcde") - set(bright)


def test_what_cannot_be_shown_is_said(explorer, tmp_path):
    """A note for each, and a warning where the file is written by `export`."""
    explorer.view = {**explorer.view, "size": "cost", "chains": True, "query": "a", "scale": "log"}
    _, _, notes = marks(explorer, tmp_path)
    assert notes == (
        "what was searched is not marked",
        "all marks have one size",
        "chains are drawn in full",
        "colours are linear, not by log",
    )
    with pytest.warns(ExportWarning, match=r"view\.svg: what was searched is not marked; all"):
        explorer.export(tmp_path / "view.svg")


def test_a_png_shows_the_same(explorer, tmp_path):
    """Both are drawn by the same lines."""
    plain = explorer.write(tmp_path / "a.png").path.read_bytes()
    explorer.arrange("radial")
    assert explorer.write(tmp_path / "b.png").path.read_bytes() != plain


def test_options_stand_above_the_view(explorer, tmp_path):
    """What is asked for in words holds."""
    explorer.view = {**explorer.view, "best": "metric:y"}
    texts = marks(explorer, tmp_path, metric="x", theme="dark")[1]
    assert any(text.startswith("best e") for text in texts)


def test_a_theme_that_was_chosen_is_taken(tmp_path):
    """Of pictures and pages; ``auto`` is light, since a file follows nobody."""
    dark = hl.explore(graph(), theme="dark")
    assert 'fill="#111418"' in dark.write(tmp_path / "dark.svg").path.read_text()
    assert 'fill="#ffffff"' in dark.write(tmp_path / "light.svg", theme="light").path.read_text()
    assert '"theme":"dark"' in dark.write(tmp_path / "dark.html").path.read_text()
    dark.close()


@pytest.mark.parametrize("folder", ["hutch-codeevolve"])
def test_a_real_run_by_island_and_radial(data_dir, tmp_path, folder):
    """Every individual of it, in the colour of its island."""
    shown = hl.explore(load(data_dir / folder / "events.jsonl"))
    shown.view = {**shown.view, "layout": "radial", "colour": "island"}
    found, _, notes = marks(shown, tmp_path)
    assert (len(found), notes) == (469, ())
    assert len({mark.get("fill") for mark in found.values()}) > 3
    shown.close()
