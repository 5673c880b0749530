"""The side panel: details, diff, cost, events, table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


@pytest.mark.parametrize(
    ("tab", "wanted"),
    [
        ("Diff", "lines changed"),
        ("Cost", "By operator"),
        ("Events", '"eventType": "RUNNING"'),
        ("Table", "264 individuals and 12 not seen"),
    ],
)
def test_each_tab_shows_its_panel(view: Open, tab: str, wanted: str) -> None:
    """With the best selected, every panel has something to say."""
    shown = view()
    shown.click(shown.state()["best"])
    shown.tab(tab)
    assert wanted in shown.text(".hl-body")
    assert shown.sent("view")[-1]["view"]["tab"] == tab.lower()


def test_the_diff_can_be_taken_against_the_second_parent(view: Open) -> None:
    """Genomes are compared in the browser, against whichever parent is chosen."""
    shown = view()
    row = shown.call("crossover")
    shown.call("open", row, "diff")
    shown.settle()
    second = shown.page.evaluate("row => String(hl.store.links.parents(row)[1])", row)
    shown.page.select_option("[aria-label='Compare against']", second)
    shown.settle()
    assert shown.page.get_attribute(".hl-who .hl-chip", "data-row") == second
    assert shown.page.locator(".hl-line.hl-add").count() > 0


def test_costs_count_each_operator_once(view: Open) -> None:
    """The total of the run is the sum over its operators, crossovers included."""
    shown = view()
    shown.tab("Cost")
    assert shown.text(".hl-big b") == f"${shown.call('spent'):.2f}"


def test_costs_are_told_by_operator_by_model_and_per_improvement(view: Open) -> None:
    """Each table adds up to the whole; an improvement costs the whole divided by their number."""
    shown = view()
    shown.page.evaluate("hl.store.setView({ kind: 'individual' })")
    shown.tab("Cost")
    total = shown.call("spent")
    for name in ("By operator", "By model"):
        table = shown.page.locator(f".hl-body h4:has-text('{name}') + table")
        prices = table.locator("tbody tr td:last-of-type").all_inner_texts()
        assert len(prices) > 2
        spent = sum(float(text.strip().lstrip("$").replace(",", "")) for text in prices)
        assert spent == pytest.approx(total, abs=0.01 * len(prices))
    improved = shown.page.evaluate(
        """() => {
          const { nodes, edges, operators } = data;
          const value = (row) => nodes[row].sum_radii;
          return operators.filter((made, o) => {
            if (made.kind === 6) return made.score_after > made.score_before;
            const values = edges.filter((e) => e.op === o).map((e) => value(e.src));
            return value(made.child) > Math.max(...values.filter((v) => !Number.isNaN(v)));
          }).length;
        }"""
    )
    told = re.search(r"\$([\d.]+) per improvement", shown.text(".hl-body"))
    assert told
    assert float(told[1]) == pytest.approx(total / improved, rel=0.1)


def test_a_prompt_stands_in_the_details_as_text(view: Open) -> None:
    """It is folded, and no markup."""
    shown = view()
    lines = "".join(f"<b>rule {number}</b>\n" for number in range(40))
    made = [{"id": "o", "kind": "refine", "llm_id": "m", "cost_usd": 0.5, "prompt": lines}]
    shown.call("give", 20, {"operators": made})
    shown.call("open", 20, "details")
    shown.settle()
    prompt = shown.page.get_by_role("region", name="Prompt")
    assert prompt.inner_text().startswith("<b>rule 0</b>")
    assert "rule 39" not in prompt.inner_text()
    shown.page.get_by_role("button", name="more lines").last.click()
    assert "rule 39" in prompt.inner_text()


def test_the_table_sorts_and_selects_and_holds_only_the_rows_in_view(view: Open) -> None:
    """Best first, by two clicks the cheapest; a row leads to its individual."""
    shown = view({"individuals": 2000})
    shown.tab("Table")
    rows = shown.page.locator(".hl-row")
    assert rows.first.get_attribute("data-row") == str(shown.state()["best"])
    assert rows.count() < 60
    for _ in range(2):
        shown.page.get_by_role("columnheader", name="cost").click()
    shown.settle()
    cheapest = shown.call("cheapest")
    assert rows.first.get_attribute("data-row") == str(cheapest)
    rows.first.click()
    assert shown.state()["selected"] == cheapest


def test_the_panel_can_be_made_wider(view: Open) -> None:
    """Its edge is dragged, and the picture gives way."""
    shown = view()
    before = shown.page.evaluate("hl.app.canvas.clientWidth")
    edge = shown.page.locator(".hl-resizer").bounding_box()
    assert edge is not None
    shown.page.mouse.move(edge["x"] + 4, 400)
    shown.page.mouse.down()
    shown.page.mouse.move(edge["x"] - 96, 400, steps=3)
    shown.page.mouse.up()
    shown.settle()
    assert shown.page.evaluate("hl.app.canvas.clientWidth") == pytest.approx(before - 100, abs=2)


def test_text_from_events_is_never_markup(view: Open) -> None:
    """An id, an operator, a metric or a genome that looks like HTML is shown as it is."""
    shown = view()
    shown.call("poison", 5)
    for tab in ("Details", "Diff", "Cost", "Events", "Table"):
        shown.tab(tab)
    shown.page.mouse.move(*shown.place(5))
    shown.settle()
    assert shown.call("hacked") == [0, None]
    assert shown.call("id", 5).startswith("<img")


def test_a_long_text_is_cut_with_a_way_to_all_of_it(view: Open) -> None:
    """An id, a genome in one line, a reason: the beginning is shown, the rest on demand."""
    shown = view({"individuals": 40})
    shown.call("lengthen", 30, 20_000)
    shown.settle()
    body = shown.page.locator(".hl-details")
    assert len(body.inner_text()) < 5_000
    all_of_it = body.locator(".hl-who").get_by_role("button", name="Show all 20,001 characters")
    all_of_it.click()
    assert len(body.locator(".hl-who").inner_text()) > 20_000
    body.locator(".hl-who").get_by_role("button", name="Show less").click()
    body.get_by_role("button", name="19,000 more characters").click()
    assert len(body.get_by_role("region", name="Genome").inner_text()) == 20_000


def test_the_overview_leads_to_all_keys(view: Open) -> None:
    """Some keys stand in it, the sheet has the others; all three say the same of Esc."""
    shown = view({"individuals": 40})
    told = "clear the search, the focus, the marks, the selection: one at a time"
    assert told in shown.text(".hl-details")
    shown.page.get_by_role("button", name="All keys").click()
    assert told in shown.text(".hl-sheet")
    docs = Path(__file__).parents[2] / "docs" / "explorer.md"
    assert f"| `Esc` | {told} |" in docs.read_text(encoding="utf-8")


def test_details_that_are_not_here_are_asked_for_and_waited_for(view: Open) -> None:
    """A busy kernel leaves a word instead of an empty panel; the answer replaces it."""
    shown = view()
    shown.call("busy")
    best = shown.state()["best"]
    shown.click(best)
    shown.page.get_by_text("Waiting for the kernel").wait_for()
    assert {"op": "details", "rows": [best]} in shown.sent("details")
    shown.call("answer", best)
    shown.settle()
    assert "Genome" in shown.text(".hl-details")


def test_a_growing_run_does_not_rebuild_what_is_being_read(view: Open) -> None:
    """The details of the selected one stay the same elements while the graph goes on."""
    shown = view({"individuals": 264})
    shown.call("open", 5, "details")
    shown.settle()
    shown.page.evaluate("window.held = root.querySelector('.hl-details dl')")
    shown.call("repeat")
    shown.settle()
    assert shown.page.evaluate("root.contains(held)") is True


def test_the_overview_tells_the_run_whatever_is_shown(view: Open) -> None:
    """A filter changes none of its sums; how many are shown is said."""
    shown = view()
    facts = """() => Object.fromEntries([...root.querySelectorAll('.hl-details dt')].map(
        term => [term.innerText, term.nextElementSibling.innerText]))"""
    before = shown.page.evaluate(facts)
    shown.page.evaluate("hl.store.setView({ hidden: { operator: ['refine'] } })")
    shown.settle()
    after = shown.page.evaluate(facts)
    counts = "hl.store.scene.index.counts.total"
    assert before["individuals"] == "264"
    assert after == {**before, "individuals": f"{shown.page.evaluate(counts)} of 264 shown"}
    shown.page.evaluate("hl.store.setView({ hidden: {}, dead_ends: true })")
    shown.settle()
    assert (
        shown.page.evaluate(facts)["individuals"] == f"{shown.page.evaluate(counts)} of 264 shown"
    )
