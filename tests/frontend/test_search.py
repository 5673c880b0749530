"""The search: what is found, what of it is not shown, and the way there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


def test_matches_that_are_not_shown_are_counted_and_can_be_shown(view: Open) -> None:
    """Each reason has its way out; with the last of them the count is gone."""
    shown = view(width=1400)
    shown.page.locator("input.hl-search").fill("refine")
    shown.settle()
    everyone = int(shown.text(".hl-found"))
    more = shown.page.locator(".hl-beyond")
    assert not more.is_visible()
    shown.page.evaluate(
        "hl.store.setView({ hidden: { operator: ['refine', 'mutate'] }, dead_ends: true })"
    )
    shown.settle()
    assert (shown.text(".hl-found"), more.inner_text()) == ("none", f"+{everyone} hidden")
    assert (more.get_attribute("aria-label") or "").startswith(f"{everyone} matches not shown")
    more.click()
    sheet = shown.page.get_by_role("dialog", name="Found, but not shown")
    sheet.get_by_role("button", name="Show their names").click()
    state = shown.state()
    assert state["view"]["hidden"] == {"operator": ["mutate"]}
    assert int(shown.text(".hl-found")) + int(more.inner_text().split()[0]) == everyone
    sheet.get_by_role("button", name="Show dead ends").click()
    shown.settle()
    assert int(shown.text(".hl-found")) == everyone
    assert not more.is_visible()
    assert not sheet.is_visible()


def test_the_other_kind_is_found_too(view: Open) -> None:
    """An agent's id leads to the agents."""
    shown = view()
    shown.page.locator("input.hl-search").fill("agent-v")
    shown.settle()
    assert shown.text(".hl-found") == "none"
    shown.page.locator(".hl-beyond").click()
    shown.page.get_by_role("button", name="Show agents").click()
    assert shown.state()["view"]["kind"] == "agent"
    assert shown.text(".hl-found") == "14"
    shown.page.keyboard.press("Escape")
    assert shown.state()["view"]["query"] == ""
