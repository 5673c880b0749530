"""What is on the canvas: density and its words, layouts with their axes, what is told apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]
MANY = {"individuals": 6000, "generations": 40}
# How many pixels of the picture differ from its paper.
INKED = """() => {
  const { canvas, context } = hl.app;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let n = 0;
  for (let i = 3; i < data.length; i += 4) n += data[i] > 0;
  return n / (data.length / 4);
}"""
# Whether a row's place shows something near to it, by colour alone.
NEAR = """row => {
  const { left, top } = hl.screenOf(row);
  const { data } = hl.app.context.getImageData(left - 2, top - 2, 5, 5);
  return data.some((value, i) => i % 4 === 3 && value > 100);
}"""


def test_density_has_a_mark_wherever_someone_stands(view: Open) -> None:
    """No individual is dropped: also in the overview each has ink where it stands."""
    shown = view(MANY)
    drawn = shown.state()["drawn"]
    assert (drawn["inView"], drawn["total"], drawn["full"]) == (6012, 6012, False)
    assert [row for row in range(0, 6000, 37) if not shown.page.evaluate(NEAR, row)] == []


def test_the_words_follow_the_picture_when_it_is_magnified(view: Open) -> None:
    """Closer up the foot counts what is in view, and then individuals are drawn one by one."""
    shown = view(MANY)
    assert "all as density" in shown.text(".hl-total")
    assert "mean of a spot" in shown.text(".hl-foot")
    shown.page.evaluate("hl.app.camera.magnify(1.3, 450, 250)")
    shown.settle()
    assert re.search(r"[\d,]+ of 6,012 as density", shown.text(".hl-total"))
    shown.page.evaluate("hl.app.camera.magnify(8, 450, 250)")
    shown.settle()
    assert re.search(r"\d+ of 6,012 in view, all drawn", shown.text(".hl-total"))
    assert "mean of a spot" not in shown.text(".hl-foot")


def test_what_is_in_focus_stands_out_of_a_density(view: Open) -> None:
    """The others fade and the few in focus are drawn one by one."""
    shown = view(MANY)
    before = shown.page.evaluate(INKED)
    shown.call("view", {"focus": {"mode": "path", "row": shown.state()["best"]}})
    drawn = shown.state()["drawn"]
    assert drawn["nodes"] == len(shown.state()["focus"])
    assert "one by one" in shown.text(".hl-total")
    assert shown.page.evaluate(INKED) == pytest.approx(before, rel=0.2)


@pytest.mark.parametrize("layout", ["time", "tree", "radial", "islands"])
def test_a_layout_takes_effect_when_its_places_come(view: Open, layout: str) -> None:
    """Until then the generations stay; then all is fitted anew and can be clicked."""
    shown = view({"individuals": 200, "generations": 12})
    shown.page.evaluate(
        """async layout => {
          const many = await import("/many.mjs");
          window.rows = many.manyRows({ individuals: 300, generations: 10 });
          const { content, buffers } = many.manyMessage(rows);
          model.push(content, buffers);
        }""",
        layout,
    )
    shown.call("view", {"layout": layout})
    shown.settle()
    scene: Any = shown.page.evaluate("[hl.store.scene.layout, hl.store.scene.waitingFor]")
    assert scene == ["generations", layout]
    shown.page.evaluate(
        """async layout => {
          const many = await import("/many.mjs");
          const { content, buffers } = many.layoutMessage(rows, layout);
          model.push(content, buffers);
        }""",
        layout,
    )
    shown.settle()
    assert shown.page.evaluate("hl.store.scene.layout") == layout
    assert shown.page.evaluate("hl.app.camera.showsAll(hl.store.scene.index.bounds)")
    if layout == "radial":
        camera = shown.state()["camera"]
        assert camera["ax"] == pytest.approx(camera["ay"])
    best = shown.state()["best"]
    shown.click(best)
    assert shown.data("selected") == str(best)


def test_growth_at_the_edge_moves_no_one(view: Open) -> None:
    """Appending to many leaves the places of those that were there as they are."""
    shown = view({"individuals": 200, "generations": 12})
    moved = shown.page.evaluate(
        """async () => {
          const many = await import("/many.mjs");
          const rows = many.manyRows({ individuals: 5000, generations: 20 });
          const push = (message) => model.push(message.content, message.buffers);
          push(many.manyMessage(rows, { to: 4900 }));
          await t.frames(3);
          const { x, y } = hl.store.scene;
          const before = [x.slice(0, 4900), y.slice(0, 4900)].map((v) => v.join());
          push(many.manyMessage(rows, { from: 4900 }));
          await t.frames(3);
          const now = hl.store.scene;
          const after = [now.x.slice(0, 4900), now.y.slice(0, 4900)].map((v) => v.join());
          return [before[0] === after[0] && before[1] === after[1], hl.state().drawn.total];
        }"""
    )
    assert moved == [True, 5000]


def test_a_graph_message_is_drawn_in_the_frame_that_hears_it(view: Open) -> None:
    """What has come is seen one frame later, not two."""
    shown = view()
    frames = shown.page.evaluate(
        """async () => {
          t.repeat();
          let n = 0;
          while (hl.app.root.dataset.version !== "2") {
            await new Promise(requestAnimationFrame);
            n++;
          }
          return n;
        }"""
    )
    assert frames <= 1


def test_folded_subtrees_and_bridges_are_drawn(view: Open) -> None:
    """A badge at the folded root says how many it hides."""
    shown = view({"individuals": 120, "generations": 10})
    root = shown.state()["path"][1]
    texts = """() => {
      const said = [];
      const fill = hl.app.context.fillText;
      hl.app.context.fillText = function (text, ...rest) {
        said.push(text);
        return fill.call(this, text, ...rest);
      };
      hl.app.paint();
      delete hl.app.context.fillText;
      return said;
    }"""
    shown.call("view", {"collapsed": [root]})
    shown.settle()
    hidden = shown.page.evaluate("row => hl.store.scene.shown.folded.get(row)", root)
    assert f"+{hidden}" in shown.page.evaluate(texts)


def test_sizes_and_edges_by_operator_are_explained(view: Open) -> None:
    """The foot says what areas and edge colours mean."""
    shown = view()
    shown.call("view", {"size": "cost", "edges": "operator", "scale": "rank"})
    shown.settle()
    foot = shown.text(".hl-foot")
    assert "area: cost, up to $" in foot
    assert "refine" in foot


# What is drawn around a row, in the red, green, blue and opacity of each pixel.
PATCH = """row => {
  const { left, top } = hl.screenOf(row);
  return [...hl.app.context.getImageData(Math.round(left) - 12, Math.round(top) - 12, 24, 24).data];
}"""
# Have a row be a ghost, invalid, ...: the flags of the wire.
FLAG = """([row, flags, version]) => {
  const part = (t, b) => ({ t, b });
  const patch = { rows: part("u4", 0), columns: { flags: part("u2", 1) } };
  const content = { op: "graph", reset: false, version, tables: {}, patches: { nodes: [patch] } };
  const buffers = [Uint32Array.of(row), Uint16Array.of(flags)];
  model.push(content, buffers.map((each) => new DataView(each.buffer)));
}"""


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_ghosts_cycles_invalid_and_rejected_ones_look_different(view: Open, theme: str) -> None:
    """Each from every other and from the usual mark, also to whoever sees no colours."""
    shown = view({"individuals": 40, "generations": 5, "ghosts": 0}, {"theme": theme})
    path = shown.state()["path"]
    row = next(row for row in range(10, 40) if row not in path)
    shown.page.evaluate(
        "row => { hl.app.camera.magnify(4, hl.screenOf(row).left, hl.screenOf(row).top) }", row
    )
    grey = {}
    for version, flags in enumerate((0, 2, 4, 8, 16), start=2):
        shown.page.evaluate(FLAG, [row, flags, version])
        shown.settle()
        patch = shown.page.evaluate(PATCH, row)
        pixels = zip(*(patch[channel::4] for channel in range(4)), strict=True)
        grey[flags] = [(0.3 * r + 0.6 * g + 0.1 * b) * a / 255 for r, g, b, a in pixels]
    for one, other in combinations(grey, 2):
        differing = sum(abs(a - b) > 24 for a, b in zip(grey[one], grey[other], strict=True))
        assert differing >= 12, (one, other, differing)


def test_edges_to_further_parents_are_dashed(view: Open) -> None:
    """Told that each edge is to a second parent, the way to the best has gaps."""
    warm = """() => {
      const { canvas, context } = hl.app;
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      let n = 0;
      for (let i = 0; i < data.length; i += 4)
        n += data[i] > 200 && data[i + 1] < 120 && data[i + 3] > 200;
      return n;
    }"""
    shown = view({"individuals": 60, "generations": 6, "ghosts": 0})
    shown.page.evaluate("hl.store.setView({ colour: 'island' })")
    counts = []
    for order in (0, 1):
        shown.page.evaluate(
            """order => {
              const edges = data.edges.map((edge) => ({ ...edge, order }));
              t.push(synth.graphMessage({ ...data, edges }, { version: 2 + order }));
            }""",
            order,
        )
        shown.settle()
        shown.page.evaluate("hl.app.camera.magnify(3, 450, 250)")
        shown.settle()
        counts.append(shown.page.evaluate(warm))
        shown.page.get_by_label("Show everything").click()
    assert 100 < counts[1] < 0.85 * counts[0], counts


def test_the_ridge_over_a_density_ends_at_the_best(view: Open) -> None:
    """It is a warm line above the picture that says the best so far in words; fewer need none."""
    said = """() => {
      const [texts, lines] = [[], []];
      const { context: c } = hl.app;
      const [text, stroke] = [c.fillText, c.stroke];
      c.fillText = (...given) => (texts.push(given[0]), text.apply(c, given));
      c.stroke = (...given) => (lines.push([c.strokeStyle, c.lineWidth]), stroke.apply(c, given));
      hl.app.paint();
      delete c.fillText;
      delete c.stroke;
      const probe = document.createElement("canvas").getContext("2d");
      probe.strokeStyle = hl.app.theme.colours.warm;
      const warm = lines.filter(([colour]) => colour === probe.strokeStyle);
      return [texts, warm.some(([, wide]) => Math.abs(wide - 1.6) < 0.01)];
    }"""
    shown = view(MANY)
    best = shown.page.evaluate("hl.store.scene.score[hl.store.scene.path.best]")
    texts, ridge = shown.page.evaluate(said)
    assert ridge
    assert any(re.fullmatch(r"2\.\d+", text) and abs(float(text) - best) < 0.01 for text in texts)
    assert not view({"individuals": 100}).page.evaluate(said)[1]


def test_a_hovered_ones_family_is_darker(view: Open) -> None:
    """Its line stands out, and goes back when the pointer leaves."""
    shown = view()
    row = shown.state()["path"][6]
    before = shown.page.evaluate(INKED)
    shown.page.mouse.move(*shown.place(row))
    shown.settle()
    assert shown.page.evaluate(INKED) > before
    shown.page.mouse.move(2, 2)
    shown.settle()
    assert shown.page.evaluate(INKED) == pytest.approx(before)


def test_no_motion_where_none_is_wanted(view: Open) -> None:
    """With reduced motion the camera jumps; else it flies."""
    for wish, flies in (("reduce", False), ("no-preference", True)):
        shown = view(reduced_motion=wish)
        shown.page.evaluate("hl.app.camera.magnify(8, 10, 10)")
        assert shown.page.evaluate("hl.app.best(), hl.app.camera.flight !== 0") is flies
