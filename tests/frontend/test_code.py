"""Code as it is read: coloured, folded, compared."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]

HOSTILE = "\u202e" + "<b>" * 70_000 + "\n\x00\x07\x1b[31m\u2028 end"


def test_a_genome_is_coloured_once_the_panels_are_here(view: Open) -> None:
    """Plain at first, coloured when the last bundle runs; the text is the same."""
    shown = view({"individuals": 264, "bare": True})
    shown.call("open", 20, "details")
    shown.settle()
    genome = "root.querySelector('.hl-details pre').textContent"
    plain = shown.page.evaluate(genome)
    assert shown.page.locator("pre .hl-t-k").count() == 0
    assert shown.sent("asset") == []
    shown.call("asset")
    shown.page.locator("pre .hl-t-k").first.wait_for()
    assert shown.page.evaluate(genome) == plain


def test_a_long_genome_opens_at_once_and_is_coloured_where_it_is_seen(view: Open) -> None:
    """200 kB: folded first; opened, only the blocks in sight hold coloured pieces."""
    shown = view()
    text = "".join(f"def f{i}(x):\n    return x * {i}\n\n" for i in range(6000))[:200_000]
    shown.call("give", 20, {"genome": text, "genome_lang": "python"})
    shown.call("open", 20, "details")
    shown.page.locator("pre .hl-t-k").first.wait_for()
    took = shown.page.evaluate(
        "() => { const b = [...root.querySelectorAll('.hl-tally .hl-link')]"
        ".find(e => /more lines/.test(e.textContent)); const t = performance.now(); b.click();"
        "root.querySelector('pre').offsetHeight; return performance.now() - t; }"
    )
    assert took < 2000
    shown.page.evaluate("root.querySelector('.hl-details pre').scrollIntoView()")
    shown.page.locator("pre .hl-t-k").first.wait_for()
    assert shown.page.evaluate("root.querySelector('.hl-details pre').textContent.length") > 199_990
    assert 0 < shown.page.locator("pre .hl-t-k").count() < 2000


@pytest.mark.parametrize("tab", ["details", "diff"])
def test_hostile_texts_stay_text(view: Open, tab: str) -> None:
    """Markup, a line of 200 kB, turned directions and control characters change nothing else."""
    shown = view()
    row = shown.call("crossover")
    shown.call("give", row, {"genome": HOSTILE, "genome_lang": "<script>", "diff": None})
    shown.call("open", row, tab)
    shown.settle()
    assert shown.page.evaluate("root.querySelectorAll('.hl-body b b').length") == 0
    assert "<b><b>" in shown.page.evaluate("root.querySelector('.hl-body').textContent")


def test_a_diff_marks_words_and_opens_its_folds(view: Open) -> None:
    """Numbers on both sides, the changed number within the line, unchanged lines behind a fold."""
    shown = view()
    row = shown.call("crossover")
    shown.call("open", row, "diff")
    shown.page.locator(".hl-changes .hl-t-k").first.wait_for()
    assert all(text.isdigit() for text in shown.page.locator("mark").all_inner_texts())
    lines = shown.page.locator(".hl-changes .hl-line").count()
    shown.page.get_by_text("lines unchanged").first.click()
    assert shown.page.locator(".hl-changes .hl-line").count() > lines
    first = shown.page.locator(".hl-changes .hl-line").first
    assert first.locator(".hl-no").all_inner_texts() == ["1", "1"]


def test_a_diff_stands_side_by_side(view: Open) -> None:
    """The old line left, the new one right, in one row."""
    shown = view()
    shown.call("open", shown.call("crossover"), "diff")
    shown.settle()
    shown.page.get_by_label("side by side").check()
    pair = shown.page.locator(".hl-pair:has(.hl-del):has(.hl-add)").first
    left, right = (pair.locator(f".hl-half.hl-{kind}").bounding_box() for kind in ("del", "add"))
    assert left is not None
    assert right is not None
    assert (left["y"], left["x"] < right["x"]) == (right["y"], True)


def test_white_space_can_be_left_out_of_account(view: Open) -> None:
    """Lines that are only indented otherwise are no change then."""
    shown = view()
    row = shown.call("crossover")
    parent = shown.page.evaluate("row => hl.store.links.parents(row)[0]", row)
    shown.call("give", parent, {"genome": "if x:\n    y\n"})
    shown.call("give", row, {"genome": "if x:\n\ty\n", "diff": None})
    shown.call("open", row, "diff")
    shown.settle()
    assert shown.page.locator(".hl-line.hl-add").count() == 1
    shown.page.get_by_label("white space").uncheck()
    assert "No line differs but for white space" in shown.text(".hl-body")


def test_a_diff_can_be_taken_against_anybody(view: Open) -> None:
    """An id is completed while it is typed; what is chosen is the explorer's other individual."""
    shown = view()
    row = shown.page.evaluate("data.edges.findLast(e => e.order === 1).dst")
    shown.call("open", row, "diff")
    shown.settle()
    other = shown.page.evaluate("hl.store.id(40)")
    field = shown.page.get_by_label("Id of another to compare against")
    field.fill(other[:5])
    offered = shown.page.locator("datalist option").evaluate_all("all => all.map(o => o.value)")
    assert other in offered
    field.fill(other)
    field.press("Enter")
    shown.settle()
    assert shown.page.get_attribute(".hl-who .hl-chip", "data-row") == "40"
    assert shown.sent("view")[-1]["view"]["compare"] == 40
    choices = shown.page.locator("[aria-label='Compare against'] option").all_inner_texts()
    words = ("first parent", "parent 2", "seed of its path", "best", "compared")
    assert [any(f"({word})" in text for text in choices) for word in words] == [True] * 5


def test_the_operators_own_diff_shows_where_no_genome_is_known(view: Open) -> None:
    """It needs nothing else."""
    shown = view()
    row = shown.call("crossover")
    shown.call("give", row, {"genome": None, "diff": "@@ -3,2 +3,2 @@\n a\n-b = 1\n+b = 2"})
    shown.call("open", row, "diff")
    shown.settle()
    assert shown.page.locator("mark").all_inner_texts() == ["1", "2"]
    assert shown.page.locator(".hl-line.hl-del .hl-no").first.inner_text() == "4"
