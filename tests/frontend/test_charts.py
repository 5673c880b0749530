"""The panels with charts: what they show, what a click does, how they follow a run."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]
AT = """name => { const { chart } = hl.app.panel.parts.get(name);
const stop = chart.picture.stops().at(-1); const box = chart.plot.over.getBoundingClientRect();
const at = (key) => chart.plot.valToPos(stop[key], key);
return [box.left + at("x"), box.top + at("y")]; }"""
SPOT = "name => hl.app.panel.parts.get(name).chart.spot.row"


def opened(view: Open, tab: str, run: dict[str, Any] | None = None, **page: Any) -> View:
    """A view with one panel open, its chart drawn."""
    shown = view(run, **page)
    shown.page.evaluate("tab => hl.store.setView({ tab })", tab)
    shown.page.wait_for_function("tab => hl.app.panel.parts.has(tab)", arg=tab)
    shown.settle()
    return shown


def events(count: int, **special: str) -> dict[str, Any]:
    """The newest events of a log, all sent but the `special` ones (position -> state)."""
    told = [
        {
            "position": n,
            "state": special.get(f"_{n}", "sent"),
            "event_type": "RUNNING",
            "event_time": "2026-11-30T10:00:00Z",
            "job": "packing",
            "what": "refine",
            "inputs": [],
            "outputs": [f"individual:x{n}"],
            "status": None,
            "reason": "422: no such job" if special.get(f"_{n}") == "rejected" else "",
        }
        for n in range(count - 5, count)
    ]
    where = {"endpoint": "http://localhost:5000", "backend": "marquez"}
    return {"op": "delivery", **where, "total": count, "events": told}


@pytest.mark.parametrize(
    ("tab", "wanted", "summary"),
    [
        ("progress", "best sum_radii", "sum_radii, higher is better, over evaluations"),
        ("cost", "Spent so far", "Money spent, over time"),
        ("islands", "4 islands", "Best sum_radii so far of 4 islands"),
    ],
)
def test_each_chart_says_in_words_what_it_shows(
    view: Open, tab: str, wanted: str, summary: str
) -> None:
    """A panel has its text, and its chart a sentence for those who do not see it."""
    shown = opened(view, tab)
    assert wanted in shown.text(".hl-body")
    label = shown.page.get_attribute(".hl-body .hl-plot", "aria-label")
    assert (label or "").startswith(summary)


@pytest.mark.parametrize("tab", ["progress", "cost", "islands"])
def test_a_click_on_a_point_selects_its_individual(view: Open, tab: str) -> None:
    """The pointer shows what it is, a click leads to it."""
    shown = opened(view, tab)
    x, y = shown.page.evaluate(AT, tab)
    shown.page.mouse.move(x - 3, y + 1)
    shown.page.locator(".hl-body .hl-tip:not([hidden])").first.wait_for()
    row = shown.page.evaluate(SPOT, tab)
    shown.page.mouse.click(x - 3, y + 1)
    assert shown.state()["selected"] == row >= 0


def test_the_arrow_keys_lead_along_the_lineage_of_the_best(view: Open) -> None:
    """End stands on the best itself, Enter selects it, and each step is announced."""
    shown = opened(view, "progress")
    shown.page.locator(".hl-body .hl-plot").first.focus()
    shown.page.keyboard.press("ArrowRight")
    first = shown.text(".hl-figure [aria-live]")
    shown.page.keyboard.press("End")
    assert shown.text(".hl-figure [aria-live]") != first
    shown.page.keyboard.press("Enter")
    state = shown.state()
    assert state["selected"] == state["best"]


def test_the_axes_can_be_changed(view: Open) -> None:
    """Evaluations, time or generations; a logarithmic scale; the medians."""
    shown = opened(view, "progress")
    for name in ("time", "gen", "log", "median"):
        shown.page.locator(".hl-course").get_by_role("button", name=name, exact=True).click()
        shown.settle()
    label = shown.page.get_attribute(".hl-body .hl-plot", "aria-label")
    assert "over generation" in (label or "")
    scale = shown.page.evaluate("hl.app.panel.parts.get('progress').chart.plot.scales.y.distr")
    assert scale == 3
    assert "median" in shown.text(".hl-course .hl-keys")


def test_the_charts_follow_a_run(view: Open) -> None:
    """What comes later is there within a moment, and a zoom stays."""
    shown = opened(view, "progress", {"individuals": 264})
    shown.call("regrow", 900, 40, 5)
    shown.page.wait_for_function(
        "hl.app.panel.parts.get('progress').chart.picture.summary.includes('Arrow')"
        " && hl.app.panel.parts.get('progress').chart.plot.scales.x.max > 800"
    )


def test_the_charts_wear_the_theme(view: Open) -> None:
    """When it changes they are drawn anew in its colours."""
    shown = opened(view, "progress")
    mark = "getComputedStyle(document.querySelector('.hl-seeds .hl-keys i')).color"
    told = f"[hl.app.panel.parts.get('progress').chart.colours.bg, {mark}]"
    before = shown.page.evaluate(told)
    shown.page.evaluate("model.change('theme', 'dark')")
    shown.page.wait_for_function(
        f"before => {told}.every((colour, i) => colour !== before[i])", arg=before
    )


def test_the_seeds_shares_lead_to_the_seeds(view: Open) -> None:
    """Their names select them; with what descends from parents never seen they are all."""
    shown = opened(view, "progress")
    shown.page.locator(".hl-seeds button.hl-key").first.click()
    assert shown.page.evaluate("hl.store.flag(hl.store.selected, 1)") is True
    assert "unknown" in shown.text(".hl-seeds .hl-keys")


def test_efficacy_is_sorted_searched_and_saved(view: Open) -> None:
    """A head sorts, a name finds what the operator made, the table is a file."""
    shown = opened(view, "efficacy")
    names = shown.page.locator(".hl-efficacy table").first.locator("tbody .hl-maker")
    shown.page.get_by_role("button", name="tries").first.click()
    assert names.first.inner_text() == "mutate"
    names.first.click()
    sent = shown.sent("view")[-1]["view"]
    assert (sent["query"], sent["colour"]) == ("mutate", "operator")
    with shown.page.expect_download() as download:
        shown.page.get_by_role("button", name="CSV").first.click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("name,tries,compared,improvements,improvement_rate")
    assert lines[1].startswith("mutate,")


def test_migrations_are_counted_and_listed(view: Open) -> None:
    """From island to island, and each one leads to who moved."""
    shown = opened(view, "islands")
    total = shown.page.evaluate("hl.store.migrations.count")
    cells = shown.page.locator(".hl-matrix td").all_inner_texts()
    assert sum(int(cell) for cell in cells if cell.isdigit()) == total > 0
    chip = shown.page.locator(".hl-move button").first
    row = chip.get_attribute("data-row")
    chip.click()
    assert str(shown.state()["selected"]) == row


def test_of_many_islands_the_best_are_listed_and_the_others_counted(view: Open) -> None:
    """Sixty rows instead of two hundred, the best first; more of them on demand."""
    shown = opened(view, "islands", {"individuals": 500})
    shown.call("archipelago", 200)
    shown.page.get_by_text("140 islands not listed").wait_for()
    assert "200 islands" in shown.text(".hl-body")
    assert "too many for a table of who moved" in shown.text(".hl-body")
    best = shown.page.locator(".hl-islands table tbody tr button[data-row]")
    assert best.count() == 60
    scores = [float(text) for text in best.all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    assert best.first.get_attribute("data-row") == str(shown.state()["best"])
    shown.page.get_by_role("button", name="140 more").click()
    shown.page.wait_for_function("document.querySelectorAll('.hl-islands tbody tr').length === 200")


def test_nothing_is_rebuilt_while_a_button_is_held(view: Open) -> None:
    """A run that grows meanwhile is drawn after the release, and the click counts."""
    shown = opened(view, "efficacy")
    button = shown.page.get_by_role("button", name="tries").first
    button.hover()
    shown.page.evaluate("window.held = document.querySelector('.hl-efficacy button')")
    shown.page.mouse.down()
    shown.call("regrow", 300, 30, 2)
    shown.page.wait_for_timeout(400)
    assert shown.page.evaluate("held.isConnected") is True
    shown.page.mouse.up()
    shown.page.wait_for_function("!held.isConnected")
    sort = shown.page.locator(".hl-efficacy th").filter(has_text="tries").first
    assert sort.get_attribute("aria-sort") == "descending"


def test_a_table_that_is_cut_has_a_shadow_at_the_edge(view: Open) -> None:
    """At 400 pixels the table scrolls in itself; its end is without one."""
    shown = opened(view, "efficacy", {"individuals": 120}, width=400)
    table = shown.page.locator(".hl-wide").first
    table.scroll_into_view_if_needed()
    assert table.evaluate("e => e.scrollWidth > e.clientWidth") is True

    def edge() -> float:
        """How much darker the right edge of the table is than its middle."""
        box = table.bounding_box()
        assert box is not None
        clip = {**box, "x": box["x"] + box["width"] - 40, "width": 40, "height": 4}
        picture = Image.open(BytesIO(shown.page.screenshot(clip=clip))).convert("L")
        return float(picture.getpixel((2, 1))) - float(picture.getpixel((38, 1)))

    assert edge() > 15
    table.evaluate("e => { e.scrollLeft = 9999; }")
    shown.page.wait_for_timeout(100)
    assert abs(edge()) < 5


def test_agents_stand_in_a_tree_and_lead_to_the_picture(view: Open) -> None:
    """Verdicts and scores are told; a click selects the agent and shows the agents."""
    shown = opened(view, "agents", {"individuals": 40, "agents": 30})
    rejected = shown.page.locator(".hl-agentrow.hl-rejected").first
    assert "rejected" in rejected.inner_text()
    assert "→" in rejected.inner_text()
    row = rejected.get_attribute("data-row")
    rejected.click()
    shown.page.wait_for_function("row => String(hl.store.selected) === row", arg=row)
    assert shown.state()["view"]["kind"] == "agent"
    shown.page.get_by_role("button", name="rejected", exact=True).click()
    assert shown.page.locator(".hl-agentrow:not(.hl-rejected)").count() == 0


def test_a_click_counts_though_its_list_is_drawn_anew_under_the_button(view: Open) -> None:
    """Rows stay while one of them is pressed; what changed meanwhile is drawn right after."""
    shown = opened(view, "agents", {"individuals": 40, "agents": 30})
    row = shown.page.locator(".hl-agentrow").nth(3)
    wanted = row.get_attribute("data-row")
    row.hover()
    shown.page.mouse.down()
    shown.page.locator(".hl-agents").evaluate("e => { e.style.flex = '0 0 160px'; }")
    shown.call("frames", 3)
    shown.page.mouse.up()
    shown.page.wait_for_function("row => String(hl.store.selected) === row", arg=wanted)
    shown.call("frames", 3)
    assert shown.page.locator(".hl-agentrow").count() <= 160 // 42 + 10
    assert shown.page.locator(".hl-agentrow.hl-on").get_attribute("data-row") == wanted


def test_delivery_tells_of_each_event_and_asks_for_older_ones(view: Open) -> None:
    """The newest come unasked; a refusal shows the backend's answer; older ones wait for Python."""
    shown = opened(view, "delivery")
    shown.call("push", {"content": events(300, _298="rejected", _299="queued")})
    shown.page.get_by_role("button", name="rejected", exact=True).click()
    row = shown.page.locator(".hl-sending")
    assert row.count() == 1
    row.click()
    assert "422: no such job" in shown.text(".hl-delivery .hl-reason")
    shown.page.get_by_role("button", name="all", exact=True).click()
    assert "the newest 5 of 300" in shown.text(".hl-sendfoot")
    shown.page.get_by_role("button", name="older").click()
    shown.page.get_by_text("waiting for the kernel").wait_for()
    asked = shown.sent("delivery")[-1]
    assert (asked["offset"], asked["limit"]) == (0, 295)
    answer = {**events(295), "op": "answer", "serial": asked["serial"]}
    shown.call("push", {"content": answer})
    shown.page.get_by_text("the newest 10 of 300").wait_for()


def test_a_journal_that_cannot_be_written_is_told_beside_the_deliveries(view: Open) -> None:
    """In words, though everything goes out."""
    shown = opened(view, "delivery")
    why = "the journal cannot be written: No space left on device"
    shown.call("status", {"last_error": why})
    shown.settle()
    shown.page.get_by_text(f"Last error: {why}").wait_for()
    assert why in (shown.page.get_attribute(".hl-status", "title") or "")


@pytest.mark.parametrize("tab", ["progress", "cost", "efficacy", "islands", "agents", "delivery"])
def test_no_panel_is_wider_than_its_place(view: Open, tab: str) -> None:
    """At 400 pixels nothing sticks out; wide tables scroll in themselves."""
    shown = opened(view, tab, {"individuals": 120, "agents": 30}, width=400)
    shown.call("push", {"content": events(300, _298="rejected")})
    shown.settle()
    body = "document.querySelector('.hl-body')"
    assert shown.page.evaluate(f"{body}.scrollWidth <= {body}.clientWidth") is True
