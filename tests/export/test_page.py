"""The standalone page: one file that works offline and cannot be broken by its data."""

from __future__ import annotations

import base64
import json
import re
from itertools import pairwise

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import ExportError
from hutch_lineage.export import to_html, write
from hutch_lineage.graph import LAYOUTS, LineageGraph
from hutch_lineage.model import NodeKey, NodeRecord, Stamp
from hutch_lineage.readers import read
from tests.export.lineages import HOSTILE

DATA = re.compile(r'<script type="application/json" id="hutch-lineage-data">(.*?)</script>', re.S)


def saved(html):
    """Return what the page hands to the front end."""
    return json.loads(DATA.search(html).group(1))


def event(operator="op1"):
    """The RunEvent of the crossover in the small lineage."""
    return {
        "eventType": "RUNNING",
        "run": {"runId": "r1", "facets": {"hutchOperator": {"operator_id": operator}}},
        "job": {"namespace": "hutch", "name": "packing"},
        "inputs": [{"namespace": "hutch", "name": f"individual:{name}"} for name in ("s1", "s2")],
        "outputs": [{"namespace": "hutch", "name": "individual:c"}],
    }


def test_the_page_holds_graph_details_and_events(graph):
    """A whole snapshot, the details of every node, and the events that name it."""
    page = saved(to_html(graph, events=[event()]))
    first, second, *late = page["messages"]
    assert (first["content"]["op"], first["content"]["reset"]) == ("graph", True)
    assert first["content"]["tables"]["nodes"]["count"] == 6
    column = first["content"]["tables"]["nodes"]["columns"]["id"]
    data, offsets = (base64.b64decode(first["buffers"][column[part]]) for part in "bo")
    ids = [data[a:b].decode() for a, b in pairwise(memoryview(offsets).cast("I"))]
    details = second["content"]["details"]
    assert len(details) == 6
    assert details[str(ids.index("c"))]["events"] == [event()]
    assert details[str(ids.index("bad"))]["events_total"] == 0
    assert page["traits"]["status"]["can_go_live"] is False
    assert [message["content"]["name"] for message in late] == ["hands", "panels"]


def test_the_page_holds_the_layouts(graph, monkeypatch):
    """All of them, or for a large graph two, which its notes say."""
    few = saved(to_html(graph))["messages"][0]["content"]
    assert set(few["layouts"]) == set(LAYOUTS)
    monkeypatch.setattr("hutch_lineage.export.page.ALL_LAYOUTS_ROWS", 3)
    many = saved(to_html(graph))["messages"][0]["content"]
    assert set(many["layouts"]) == {"generations", "tree"}
    assert "20,000" in many["summary"]["notes"][-1]


def test_the_page_fetches_nothing(graph):
    """No address of anything outside, and a policy that forbids to fetch."""
    html = to_html(graph)
    assert "default-src 'none'" in html
    assert not re.search(r"""(?:src|href)=["']?(?!data:)[^"'\s>]*//""", html)


def test_hostile_text_cannot_leave_the_data(hostile):
    """Markup in ids, names and genomes is data; the page has its own three scripts and no more."""
    html = to_html(hostile, events=[{**event(), "job": {"name": HOSTILE}}], title=HOSTILE)
    assert len(re.findall(r"<script\b", html)) == 3
    assert len(re.findall(r"</script", html)) == 3
    assert "<img src=x" not in html
    assert saved(html)["messages"][0]["content"]["runs"][0]["name"] == HOSTILE


def test_without_script_there_is_the_picture(graph):
    """A browser without JavaScript shows the static picture."""
    assert "<noscript><img alt=" in to_html(graph)


def test_the_same_graph_gives_the_same_page(graph):
    """No time and no random id stands in it."""
    assert to_html(graph) == to_html(graph)


def test_unknown_theme(graph):
    """One clear error."""
    with pytest.raises(ExportError, match="pink"):
        to_html(graph, theme="pink")


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_opens_from_a_file_in_a_browser(tmp_path, data_dir, visit, theme):
    """From file://, offline: every node is drawn, and a node that is selected shows its events."""
    reading = read(data_dir / "hutch-codeevolve" / "events.jsonl")
    graph = LineageGraph()
    reading.apply_to(graph)
    path = write(graph, tmp_path / "run.html", events=reading.events()).path
    opened = visit(path.as_uri(), theme=theme)
    page = opened.page
    page.wait_for_selector(".hl-explorer canvas")
    page.wait_for_function("document.querySelector('.hl-explorer').__hl.state().drawn.nodes == 469")
    assert page.evaluate(COLOURS) > 20
    page.evaluate(SELECT_ROW_3)
    page.get_by_text("hutchOperator").first.wait_for()
    assert opened.errors == []


@pytest.mark.browser
def test_the_page_opens_with_what_the_explorer_shows(tmp_path, data_dir, visit):
    """Layout, colours, hidden ones, focus, folds and the selection, by node and not by row."""
    reading = read(data_dir / "hutch-codeevolve" / "events.jsonl")
    graph = LineageGraph()
    reading.apply_to(graph)
    late = graph.nodes()[-1]
    explorer = hl.explore(graph)
    graph.apply(NodeRecord(NodeKey("individual", late.run_id, "late"), Stamp(1, "e"), (late,)))
    explorer.arrange("tree")
    explorer.colour_by("operator")
    explorer.focus(late, "ancestors")
    explorer.select(late)
    explorer.collapse(late)
    opened = visit(explorer.export(tmp_path / "run.html").as_uri())
    opened.page.wait_for_selector(".hl-explorer canvas")
    shown = opened.page.evaluate(SHOWN)
    explorer.close()
    assert shown == {
        "layout": "tree",
        "colour": "operator",
        "focus": late.id,
        "selected": late.id,
        "collapsed": [late.id],
    }
    assert opened.errors == []


@pytest.mark.browser
def test_hostile_data_in_a_browser(tmp_path, hostile, visit):
    """No dialog opens and no element comes from the data."""
    path = write(hostile, tmp_path / "run.html").path
    opened = visit()
    dialogs = []
    opened.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    opened.page.goto(path.as_uri())
    opened.page.wait_for_selector(".hl-explorer canvas")
    assert dialogs == []
    assert opened.page.locator("img[src=x]").count() == 0
    assert opened.errors == []


SHOWN = """() => {
  const { store } = document.querySelector('.hl-explorer').__hl;
  const { layout, colour, focus, collapsed } = store.view;
  const id = (row) => store.id(row);
  return {
    layout, colour, focus: id(focus.row), selected: id(store.selected),
    collapsed: collapsed.map(id),
  };
}"""

SELECT_ROW_3 = """() => {
  const { store } = document.querySelector('.hl-explorer').__hl;
  store.select(3);
  store.setView({ tab: "events" });
}"""
# How many different colours the picture has: a blank canvas has one.
COLOURS = """() => {
  const canvas = document.querySelector('.hl-explorer canvas');
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size;
}"""


def test_what_is_no_data_is_less_than_a_megabyte():
    """The whole front end stands in the page."""
    assert len(to_html(LineageGraph()).encode()) < 1_000_000
