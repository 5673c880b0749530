"""The picture in real Chromium: what is drawn, what is chosen, what the keys do."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


def test_every_individual_is_drawn_in_its_colour(view: Open) -> None:
    """A mark is really on the canvas, where the view says, in the colour of its value."""
    shown = view()
    best = shown.state()["best"]
    assert (shown.data("nodes"), shown.data("total")) == ("276", "276")
    red, green, blue, alpha = shown.call("pixel", best)
    assert (red > 150, green > 150, blue < 110, alpha) == (True, True, True, 255)


def test_a_sharp_screen_gets_a_sharp_picture(view: Open) -> None:
    """The canvas has as many pixels as the screen."""
    shown = view(scale=2)
    assert shown.page.evaluate("hl.app.canvas.width / hl.app.canvas.clientWidth") == 2


def test_the_foot_counts_what_is_shown_and_tells_the_notes(view: Open) -> None:
    """Individuals, edges, what was not seen, completeness; a button opens the report's notes."""
    shown = view()
    wanted = r"264 individuals · \d+ edges · 12 not seen · all drawn · 1 note"
    assert re.fullmatch(wanted, shown.text(".hl-total"))
    shown.page.get_by_role("button", name="1 note").press("Enter")
    notes = shown.page.get_by_role("dialog", name="Notes")
    assert notes.inner_text() == "1 line was not JSON"
    shown.page.keyboard.press("Escape")
    assert not notes.is_visible()


def test_many_individuals_become_density_and_the_foot_says_so(view: Open) -> None:
    """Above 3,000 in view nothing is dropped silently, and closer up all is drawn in full."""
    shown = view({"individuals": 6000, "generations": 40})
    assert (shown.data("nodes"), shown.data("total")) == ("0", "6012")
    assert "all as density" in shown.text(".hl-total")
    assert re.search(r"[\d,]+ of [\d,]+ edges in [\d,]+ strands", shown.text(".hl-total"))
    shown.page.evaluate("hl.app.best()")
    shown.settle()
    assert int(shown.data("nodes") or 0) > 0
    assert "all drawn" in shown.text(".hl-total")


def test_a_metric_where_less_is_better_turns_the_ramp(view: Open) -> None:
    """The menu tells the direction, the best is the least, the legend runs from worst to best."""
    shown = view()
    shown.page.select_option("[aria-label='Colour by']", label="seconds ↓ assumed")
    best = shown.state()["best"]
    seconds = shown.call("column", "m:seconds")
    assert seconds[best] == min(value for value in seconds if not math.isnan(value))
    worst, least = map(float, re.findall(r"\d+\.?\d*", shown.text(".hl-legend")))
    assert worst > least
    assert shown.sent("view")[-1]["view"]["colour"] == "metric:seconds"


def test_the_legend_of_names_has_a_swatch_for_each(view: Open) -> None:
    """Operators are told apart by colour and named in the foot."""
    shown = view()
    shown.page.select_option("[aria-label='Colour by']", "operator")
    shown.settle()
    assert shown.page.locator(".hl-swatch").count() >= 4
    assert "crossover" in shown.text(".hl-legend")


def test_agents_have_a_picture_of_their_own(view: Open) -> None:
    """The switch shows agents, with rejected self-modifications named in the foot."""
    shown = view()
    shown.page.select_option("[aria-label='Kind of nodes']", "agent")
    assert shown.state()["total"] == 14
    assert shown.page.locator(".hl-mark.hl-rejected").count() == 1


def test_cycles_and_loops_are_marked_and_harmless(view: Open) -> None:
    """An individual that is its own ancestor is drawn, named in the foot, and can be focused."""
    shown = view({"individuals": 264, "cycles": True})
    assert shown.page.locator(".hl-mark.hl-cycle").count() == 1
    row = shown.page.evaluate("data.nodes.find(n => n.flags & 8).row")
    shown.page.evaluate("row => hl.app.focus('both', row)", row)
    assert row in shown.state()["focus"]


def test_a_click_selects_and_shows_the_details_in_their_order(view: Open) -> None:
    """How good, how much better, by what, at what cost, from whom, what changed."""
    shown = view()
    best = shown.state()["best"]
    shown.click(best)
    assert shown.data("selected") == str(best)
    assert shown.sent("select") == [{"op": "select", "row": best}]
    said = shown.text(".hl-details")
    wanted = ["best", "on best parent", "operator", "model", "cost", "lineage cost", "parents"]
    wanted += ["children", "Changed against", "Metrics"]
    assert sorted(wanted, key=said.index) == wanted


def test_a_click_beside_everything_clears_the_selection(view: Open) -> None:
    """Nothing under the pointer means nothing selected."""
    shown = view()
    shown.click(shown.state()["best"])
    canvas = shown.page.locator(".hl-canvas").bounding_box()
    assert canvas is not None
    shown.page.mouse.click(canvas["x"] + 200, canvas["y"] + canvas["height"] - 6)
    shown.settle()
    assert shown.data("selected") == "-1"


def test_hovering_shows_a_card_and_selects_nothing(view: Open) -> None:
    """The card has the id, the value with its gain, the operator."""
    shown = view()
    row = shown.state()["path"][5]
    shown.page.mouse.move(*shown.place(row))
    shown.settle()
    card = shown.text(".hl-card")
    assert card.startswith(shown.call("id", row))
    assert re.search(r"sum_radii 2\.\d{4} \+0\.\d{4}", card)
    assert shown.data("selected") == "-1"


def test_ids_lead_to_parents_and_steps_to_the_path(view: Open) -> None:
    """A parent's chip selects the parent; a step of the strip selects the step."""
    shown = view()
    path = shown.state()["path"]
    shown.click(path[-1])
    parent = shown.page.locator(".hl-kv button.hl-id").first
    row = parent.get_attribute("data-row")
    parent.click()
    shown.settle()
    assert shown.data("selected") == row
    shown.page.locator(".hl-step").first.click()
    shown.settle()
    assert shown.data("selected") == str(path[0])


def test_the_story_of_the_best_is_told_in_the_same_digits(view: Open) -> None:
    """The gain of the whole path has the decimals of its steps; agents have a start, too."""
    shown = view({"individuals": 90, "agents": 30})
    gains = shown.page.locator(
        ".hl-story :is(.hl-good, .hl-bad), .hl-step small :is(.hl-good, .hl-bad)"
    )
    decimals = {len(text.split(".")[1]) for text in gains.all_inner_texts()}
    assert len(decimals) == 1
    shown.page.evaluate("hl.store.setView({ kind: 'agent' })")
    shown.settle()
    assert "start" in shown.page.locator(".hl-step").first.inner_text()


def test_each_step_to_the_best_has_its_gain_and_its_price(view: Open) -> None:
    """And the title of the strip their sum; what cost nothing, the seed, has none."""
    shown = view(width=1800)
    path = shown.state()["path"]
    whole = re.search(r"\$(\d+\.\d+)", shown.text(".hl-story"))
    while shown.page.locator(".hl-between").count():
        shown.page.locator(".hl-between").first.click()
        shown.settle()
    texts = shown.page.locator(".hl-step").all_inner_texts()
    prices = [re.findall(r"\$(\d+\.\d+)", text) for text in texts]
    costs = [shown.call("column", "cost")[row] for row in path]
    assert [bool(each) for each in prices] == [not math.isnan(cost) for cost in costs]
    for (price,), cost in zip(prices[1:], costs[1:], strict=True):
        assert float(price) == pytest.approx(cost, abs=0.0006)
    assert all(re.search(r"[+−±]\d", text) for text in texts[1:])  # noqa: RUF001
    assert whole
    assert float(whole[1]) == pytest.approx(sum(costs[1:]), rel=0.05)


def test_a_cell_of_280_pixels_has_room_for_all_its_parts(view: Open) -> None:
    """The bar is no taller than the picture, the strip's title stands over its steps."""
    shown = view({"individuals": 264}, {"height": 640}, width=284, height=900)
    names = ("bar", "stage", "story", "steps", "body")
    boxes = {name: shown.page.locator(f".hl-{name}").bounding_box() for name in names}
    assert boxes["bar"]["height"] < 180
    assert boxes["stage"]["height"] > 180
    assert boxes["body"]["height"] > 110
    assert boxes["story"]["y"] + boxes["story"]["height"] <= boxes["steps"]["y"]
    assert all(box["x"] + box["width"] <= 284 for box in boxes.values())


def test_names_do_not_break_inside_words_where_their_column_scrolls(view: Open) -> None:
    """The names of islands, and the rows of a comparison."""
    shown = view()
    shown.tab("Islands")
    name = shown.page.locator(".hl-spread .hl-wrap").first
    assert name.evaluate("e => getComputedStyle(e).whiteSpace") == "nowrap"
    shown.page.evaluate("hl.store.select(60); hl.store.setView({ tab: 'compare', compare: 90 })")
    shown.settle()
    row = shown.page.locator(".hl-compare .hl-wide th[scope=row]").first
    assert row.evaluate("e => getComputedStyle(e).overflowWrap") == "normal"


def test_steps_without_room_stand_in_their_place_and_a_press_shows_them(view: Open) -> None:
    """All gains along the strip add up to that of the path, before and after."""
    shown = view()
    steps = len(shown.state()["path"])

    def added() -> float:
        texts = shown.page.locator(".hl-steps :is(.hl-good, .hl-bad)").all_inner_texts()
        return sum(float(text.replace("−", "-")) for text in texts)  # noqa: RUF001

    whole = float(shown.page.locator(".hl-story :is(.hl-good, .hl-bad)").inner_text())
    assert added() == pytest.approx(whole, abs=0.01)
    gaps = shown.page.locator(".hl-between")
    while gaps.count():
        title = gaps.first.get_attribute("title")
        assert title
        assert "Show" in title
        gaps.first.click()
        shown.settle()
    assert shown.page.locator(".hl-step").count() == steps
    assert added() == pytest.approx(whole, abs=0.01)
    shown.page.get_by_role("button", name="Show fewer steps").click()
    assert gaps.count()


def test_the_metric_of_the_best_is_named_and_chosen_apart_from_the_colours(view: Open) -> None:
    """The strip and the button of the best say it, with its direction."""
    shown = view()
    shown.page.get_by_role("button", name="View", exact=True).click()
    shown.page.get_by_label("Best by").select_option("seconds")
    shown.page.keyboard.press("Escape")
    shown.settle()
    assert shown.sent("view")[-1]["view"]["best"] == "seconds"
    assert shown.text(".hl-story").startswith("Path to best seconds ↓")
    assert shown.text(".hl-legend").startswith("sum_radii ↑")
    button = shown.page.get_by_role("button", name="Go to the best (b)")
    assert button.get_attribute("title") == "Go to the best by seconds ↓ assumed (b)"
    cut = "[...document.querySelectorAll('.hl-story > *')].some(e => e.scrollWidth > e.clientWidth)"
    assert not shown.page.evaluate(cut)
    shown.page.evaluate("hl.store.setView({ best: '', colour: 'island' })")
    shown.settle()
    assert shown.text(".hl-story").startswith("Path to best sum_radii ↑")
    shown.page.evaluate("hl.store.setView({ hidden: { operator: ['refine'] } })")
    shown.settle()
    assert shown.text(".hl-story").startswith("Path to best shown sum_radii ↑")


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_a_run_that_did_not_finish_is_told(view: Open, status: str) -> None:
    """In its name, in the foot and in the overview; beside others they are counted."""
    shown = view({"individuals": 40})
    assert "run failed" not in shown.text(".hl-total")
    shown.call("ended", [status])
    shown.settle()
    assert f"run {status}" in shown.text(".hl-total")
    assert status in shown.text(".hl-details .hl-who")
    assert shown.page.locator(".hl-explorer option", has_text=f"· {status}").count() == 1
    shown.call("ended", [status, "finished", "failed"])
    shown.settle()
    assert "2 runs did not finish" in shown.text(".hl-total")


def test_python_can_select_and_focus(view: Open) -> None:
    """What Python writes into the traits is what the view shows, and it is not sent back."""
    shown = view()
    shown.page.evaluate("model.change('selected_row', 5)")
    shown.call("view", {"focus": {"mode": "descendants", "row": 5}})
    state = shown.state()
    assert (state["selected"], state["focus"][0]) == (5, 5)
    assert shown.sent("select") + shown.sent("view") == []


def test_a_double_click_focuses_on_ancestors_and_descendants(view: Open) -> None:
    """The others fade, a crumb says what is in focus, and Escape clears it."""
    shown = view()
    row = shown.state()["path"][6]
    shown.page.mouse.dblclick(*shown.place(row))
    state = shown.state()
    assert state["view"]["focus"] == {"mode": "both", "row": row}
    assert set(state["path"][:7]) <= set(state["focus"])
    assert shown.text(".hl-crumb").startswith("Ancestors and descendants of")
    shown.page.keyboard.press("Escape")
    assert shown.state()["focus"] is None


def test_a_search_marks_what_it_finds_and_enter_walks_through_it(view: Open) -> None:
    """/ puts the cursor into the field, Enter selects the next hit, Escape empties it."""
    shown = view()
    shown.page.locator(".hl-canvas").focus()
    shown.page.keyboard.press("/")
    shown.page.keyboard.type("migrate")
    hits = shown.state()["hits"]
    assert shown.text(".hl-found") == str(len(hits))
    for wanted in hits[:2]:
        shown.page.keyboard.press("Enter")
        assert shown.state()["selected"] == wanted
    shown.page.keyboard.press("Escape")
    assert shown.state()["hits"] is None


def test_the_keyboard_walks_the_lineage(view: Open) -> None:
    """Arrows go to the best parent and child, letters focus, a screen reader hears where."""
    shown = view()
    path = shown.state()["path"]
    shown.page.locator(".hl-canvas").focus()
    shown.page.keyboard.press("b")
    assert shown.state()["selected"] == path[-1]
    shown.page.keyboard.press("ArrowLeft")
    assert shown.state()["selected"] == path[-2]
    assert shown.call("id", path[-2]) in shown.page.inner_text(".hl-hidden")
    shown.page.keyboard.press("p")
    assert shown.state()["focus"] == sorted(path[:-1])
    shown.page.keyboard.press("Escape")
    shown.page.keyboard.press("ArrowDown")
    layers = shown.call("column", "x")
    assert layers[shown.state()["selected"]] == layers[path[-2]]
