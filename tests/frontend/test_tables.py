"""Tables, comparisons and raw events, as they are used."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


def shown_rows(view: View) -> int:
    """How many rows the open table has, seen or not."""
    return int(view.page.get_attribute(".hl-scroll", "aria-rowcount") or 0) - 1


def test_the_table_is_filtered_by_words_and_by_comparisons(view: Open) -> None:
    """Both must hold; the count says how many are left."""
    shown = view()
    shown.tab("Table")
    shown.page.get_by_label("Filter individuals").fill("crossover cost>0.02")
    shown.settle()
    wanted = shown.page.evaluate(
        "data.nodes.filter(n => n.kind === 0 && n.op === 3 && n.cost > 0.02).length"
    )
    assert (shown_rows(shown), wanted > 3) == (wanted, True)
    assert f"{wanted} of 264 individuals" in shown.text(".hl-table")


def test_values_stand_under_their_heads(view: Open) -> None:
    """A long id is cut off; it does not push the values of its row away."""
    shown = view()
    shown.call("poison", 5)
    shown.tab("Table")
    edges = "each => [...each.children].map(cell => Math.round(cell.getBoundingClientRect().right))"
    heads = shown.page.locator(".hl-thead").first.evaluate(edges)
    rows = shown.page.locator(".hl-window .hl-row").evaluate_all(f"all => all.map({edges})")
    assert len(rows) > 5
    assert all(row == heads for row in rows)


def test_columns_are_chosen_and_saved_as_csv(view: Open, tmp_path: Path) -> None:
    """The file has the chosen columns and every row in the order that is shown."""
    shown = view()
    shown.call("poison", 5)
    shown.tab("Table")
    shown.page.get_by_role("button", name="Columns").click()
    shown.page.get_by_role("checkbox", name="seconds").check()
    shown.page.keyboard.press("Escape")
    with shown.page.expect_download() as download:
        shown.page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "table.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "table.csv").read_text(encoding="utf-8"))))
    assert "seconds" in rows[0]
    assert len(rows) == shown_rows(shown) + 1
    assert any(cell.startswith("<img") for row in rows for cell in row)


def test_the_table_is_walked_with_keys(view: Open) -> None:
    """End goes to the last row, which is then selected and in sight; Enter opens its details."""
    shown = view({"individuals": 2000})
    shown.tab("Table")
    shown.page.locator(".hl-scroll").focus()
    shown.page.keyboard.press("End")
    shown.settle()
    last = shown.page.locator(".hl-row").last
    assert last.get_attribute("aria-selected") == "true"
    assert last.get_attribute("aria-rowindex") == str(shown_rows(shown) + 1)
    shown.page.keyboard.press("Enter")
    shown.settle()
    assert shown.page.get_by_role("tab", selected=True).inner_text() == "Details"


def test_the_table_shows_what_is_found(view: Open) -> None:
    """A search narrows it; everything can be chosen again."""
    shown = view()
    shown.tab("Table")
    shown.page.evaluate("hl.store.setView({ query: 'crossover' })")
    shown.settle()
    found = shown.page.evaluate("hl.store.scene.hits.length")
    assert shown_rows(shown) == found
    shown.page.select_option("[aria-label='Rows of the table']", "all")
    shown.settle()
    assert shown_rows(shown) == 276


def test_two_are_compared(view: Open) -> None:
    """Where they parted, the lines from there, metrics, costs, and the diff below."""
    shown = view()
    best = shown.state()["best"]
    shown.page.evaluate("a => { hl.store.select(a); hl.store.setView({ tab: 'compare' }) }", best)
    shown.settle()
    assert "Choose the second one" in shown.text(".hl-body")
    field = shown.page.get_by_label("Id of the other one")
    field.fill(shown.page.evaluate("hl.store.id(120)"))
    field.press("Enter")
    shown.settle()
    body = shown.text(".hl-body")
    for part in ("Where they parted", "Metrics", "Cost of each ancestry", "What differs"):
        assert part in body
    assert shown.page.locator(".hl-changes .hl-line").count() > 0
    shown.page.get_by_role("button", name="Swap").click()
    shown.settle()
    assert (shown.state()["selected"], shown.state()["view"]["compare"]) == (120, best)


def test_all_events_are_searched_by_python(view: Open) -> None:
    """A word finds the events that hold it; the answer to an older question is not shown."""
    shown = view()
    shown.tab("Events")
    shown.page.get_by_role("button", name="All events").click()
    shown.page.get_by_text("the first 50 of").wait_for()
    shown.page.get_by_label("Search in all events").fill("op-1007")
    shown.page.wait_for_function("root.querySelectorAll('.hl-json').length === 1")
    assert "1 event of" in shown.text(".hl-body")
    assert shown.sent("events")[-1]["query"] == "op-1007"


def test_a_busy_kernel_is_said_and_the_search_comes_when_it_can(view: Open) -> None:
    """Meanwhile the individual's own events are there."""
    shown = view()
    shown.click(shown.state()["best"])
    shown.tab("Events")
    shown.page.evaluate("window.send = model.send; model.send = m => model.sent.push(m)")
    shown.page.get_by_role("button", name="All events").click()
    shown.page.get_by_text("Waiting for the kernel").wait_for()
    shown.page.get_by_role("button", name="This individual").click()
    assert '"eventType": "RUNNING"' in shown.text(".hl-body")
    shown.page.get_by_role("button", name="All events").click()
    shown.page.evaluate("window.send(hl.store && model.sent.findLast(m => m.op === 'events'))")
    shown.page.get_by_text("the first 50 of").wait_for()


def test_json_is_folded(view: Open) -> None:
    """Deep parts open on a click; what is folded is not in the page."""
    shown = view()
    shown.tab("Events")
    shown.page.get_by_role("button", name="All events").click()
    first = shown.page.locator(".hl-json").first
    first.wait_for()
    before = first.locator(".hl-jrow").count()
    first.get_by_text('"inputs"').click()
    shown.settle()
    assert first.locator(".hl-jrow").count() > before


def test_the_table_of_what_is_shown_holds_all_that_is_known(view: Open, tmp_path: Path) -> None:
    """Parents by id, time, tokens and what is invalid, also where the panel does not show them."""
    shown = view()
    with shown.page.expect_download() as download:
        shown.page.get_by_label("Export", exact=True).select_option("csv")
    download.value.save_as(tmp_path / "shown.csv")
    file = io.StringIO((tmp_path / "shown.csv").read_text(encoding="utf-8"))
    rows = {row["id"]: row for row in csv.DictReader(file)}
    row = shown.state()["best"]
    told = rows[shown.page.evaluate(f"hl.store.id({row})")]
    parents = shown.page.evaluate(f"hl.store.links.parents({row}).map(p => hl.store.id(p))")
    assert told["parent ids"].split("; ") == parents
    assert int(told["tokens in"]) > int(told["tokens out"]) > 0
    assert told["time"].endswith("Z")
    assert told["run name"]
    assert {row["invalid"] for row in rows.values()} == {"", "invalid"}


def test_a_filter_that_finds_nothing_says_what_it_takes(view: Open) -> None:
    """Words or comparisons."""
    shown = view()
    shown.tab("Table")
    shown.page.get_by_label("Filter individuals").fill("no-such-word")
    shown.settle()
    assert "comparisons such as cost>0.01" in shown.text(".hl-table")
