"""A range of numbers picked on the ramp of the legend: what lies outside is not shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]
METRIC = "metric:sum_radii"


def drag(shown: View, start: float, *stops: float, drop: bool = True) -> None:
    """Take hold of the ramp at a share of its width and go on to others."""
    box = shown.page.locator(".hl-ramp").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    shown.page.mouse.move(box["x"] + start * box["width"], y)
    shown.page.mouse.down()
    for stop in stops:
        shown.page.mouse.move(box["x"] + stop * box["width"], y, steps=3)
        shown.call("frames", 2)
    if drop:
        shown.page.mouse.up()
        shown.settle()


def press(shown: View, side: str, *keys: str) -> None:
    """Press keys on a handle."""
    shown.page.locator(f"[data-name=range-{side}]").focus()
    for key in keys:
        shown.page.keyboard.press(key)
        shown.settle()


def ranges(shown: View) -> dict[str, Any]:
    found: dict[str, Any] = shown.state()["view"]["ranges"]
    return found


def test_a_drag_on_the_ramp_hides_what_is_outside(view: Open) -> None:
    """The picture follows the hand, Python hears of the end; foot and chip count the hidden."""
    shown = view()
    total = shown.state()["total"]
    drag(shown, 0.02, 0.2, 0.4, drop=False)
    early = shown.page.evaluate("hl.store.scene.index.rows.length")
    assert early < total
    assert shown.sent("view") == []
    shown.page.mouse.up()
    state = shown.state()
    low = state["view"]["ranges"][METRIC]["low"]
    assert state["view"]["ranges"] == {METRIC: {"low": low, "high": None, "missing": False}}
    assert [m["view"]["ranges"] for m in shown.sent("view")] == [state["view"]["ranges"]]
    values = shown.page.evaluate(
        "[...hl.store.scene.index.rows].map(row => hl.store.scene.score[row])"
    )
    assert min(values) >= low
    hidden = total - state["total"]
    assert f"{hidden} hidden" in shown.text(".hl-total")
    told = shown.page.get_attribute(".hl-total", "title") or ""
    outside, without = (
        int(next(line for line in told.splitlines() if word in line).split()[0])
        for word in ("outside a range", "without a value")
    )
    assert outside + without == hidden
    assert shown.crumbs() == [f"sum_radii ≥ {low:g} · {without} without a value show"]
    shown.page.get_by_role("button", name="show", exact=True).click()
    assert shown.state()["total"] == total - outside
    shown.page.get_by_label("Show every sum_radii").click()
    assert shown.state()["total"] == total


def test_an_end_of_the_ramp_is_no_bound(view: Open) -> None:
    """Back at the end nothing is hidden; a double click ends a range, too."""
    shown = view()
    drag(shown, 0.98, 0.5)
    assert ranges(shown)[METRIC]["low"] is None
    drag(shown, 0.5, 0.8, 1.2)
    assert ranges(shown) == {}
    drag(shown, 0.02, 0.5)
    shown.page.locator(".hl-ramp").dblclick()
    assert ranges(shown) == {}
    assert shown.sent("view")[-1]["view"]["ranges"] == {}


def test_the_handles_are_sliders_for_the_keyboard(view: Open) -> None:
    """Arrows, pages and ends; each says what it bounds; neither passes the other."""
    shown = view()
    shown.page.select_option("[aria-label='Colour by']", "generation")
    shown.settle()
    low = shown.page.get_by_role("slider", name="Lowest generation shown")
    high = shown.page.get_by_role("slider", name="Highest generation shown")
    assert [each.get_attribute("aria-valuetext") for each in (low, high)] == ["no bound"] * 2
    assert [low.get_attribute(f"aria-value{n}") for n in ("min", "now", "max")] == ["0", "0", "25"]
    press(shown, "left", "ArrowRight", "ArrowRight")
    assert ranges(shown) == {"generation": {"low": 2, "high": None, "missing": False}}
    press(shown, "right", "PageDown")
    assert ranges(shown)["generation"]["high"] == 17
    press(shown, "left", "End")
    assert ranges(shown)["generation"]["low"] == 17
    assert (low.get_attribute("aria-valuenow"), low.get_attribute("aria-valuetext")) == ("17", "17")
    assert shown.page.evaluate("document.activeElement.dataset.name") == "range-left"
    press(shown, "left", "Home")
    press(shown, "right", "End")
    assert ranges(shown) == {}


@pytest.mark.parametrize("scale", ["linear", "log", "rank"])
def test_a_range_holds_on_every_scale(view: Open, scale: str) -> None:
    """Where lower is better the ramp is turned: its left end is the highest."""
    shown = view()
    shown.page.evaluate("scale => hl.store.setView({ colour: 'metric:seconds', scale })", scale)
    shown.settle()
    press(shown, "left", "PageUp")
    press(shown, "right", "PageDown", "ArrowLeft")
    held = ranges(shown)["metric:seconds"]
    values = shown.page.evaluate(
        "[...hl.store.scene.index.rows].map(row => hl.store.nodes.get('m:seconds')[row])"
    )
    assert held["low"] <= min(values) < max(values) <= held["high"]
    label = shown.page.get_attribute("[data-name=range-left]", "aria-label")
    assert label == "Highest seconds shown"


def test_ranges_hold_together_and_back_leads_out(view: Open) -> None:
    """One of the metric stays while another is picked by cost; a walk of keys is one step back."""
    shown = view()
    drag(shown, 0.02, 0.3)
    shown.page.select_option("[aria-label='Colour by']", "cost")
    shown.settle()
    press(shown, "right", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    assert list(ranges(shown)) == [METRIC, "cost"]
    assert len(shown.crumbs()) == 2
    shown.page.get_by_label("Back", exact=True).click()
    assert list(ranges(shown)) == [METRIC]
    shown.call("view", {"ranges": {"cost": {"low": 0.01, "high": None, "missing": True}}})
    assert list(ranges(shown)) == ["cost"]
    assert shown.crumbs()[0].startswith("cost ≥ $0.010")


def test_a_picture_in_which_all_are_hidden_says_so(view: Open) -> None:
    """It is not taken for a run without individuals."""
    shown = view()
    total = shown.state()["total"]
    shown.call("view", {"ranges": {METRIC: {"low": 99, "high": None, "missing": False}}})
    shown.settle()
    assert shown.text(".hl-empty") == f"All {total} are hidden"
    assert "All are hidden" in shown.text(".hl-details")


def test_names_have_no_handles(view: Open) -> None:
    """Only a ramp has them: they are back with the next one."""
    shown = view()
    shown.page.select_option("[aria-label='Colour by']", "operator")
    shown.settle()
    assert shown.page.get_by_role("slider").count() == 0
    shown.page.select_option("[aria-label='Colour by']", "cost")
    shown.settle()
    assert shown.page.get_by_role("slider").count() == 2
