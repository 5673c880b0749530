"""The last bundle: when it comes, what is said until then, and the strip of tabs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


def test_the_panels_run_only_when_one_of_them_is_opened(view: Open) -> None:
    """Their text waits in the store; Details does without them."""
    shown = view()
    assert shown.page.evaluate("[hl.store.assets.has('panels'), !!hl.app.panel.bundle.module]") == [
        True,
        False,
    ]
    shown.tab("Table")
    assert shown.page.evaluate("!!hl.app.panel.bundle.module") is True
    assert shown.sent("asset") == []


def test_panels_that_have_not_come_are_asked_for(view: Open) -> None:
    """With a busy kernel the panel says what it waits for; when the text comes, it opens."""
    shown = view({"individuals": 264, "bare": True})
    shown.tab("Table")
    assert shown.sent("asset") == [{"op": "asset", "name": "panels"}]
    shown.page.get_by_text("Waiting for the kernel").wait_for()
    shown.page.get_by_role("button", name="Ask again").click()
    assert len(shown.sent("asset")) == 2
    shown.call("asset")
    shown.page.locator(".hl-row").first.wait_for()
    shown.settle()
    assert "264 individuals" in shown.text(".hl-body")


def test_panels_that_cannot_run_say_so(view: Open) -> None:
    """A broken or forbidden script leaves a word and a way to try again."""
    shown = view({"individuals": 264, "bare": True})
    shown.call("asset", {"js": "throw new Error('not allowed here')"})
    shown.tab("Table")
    shown.page.get_by_text("not allowed here").wait_for()
    shown.page.get_by_role("button", name="Try again").click()
    shown.call("asset")
    shown.page.locator(".hl-row").first.wait_for()
    assert shown.visit.errors == []


def test_two_explorers_run_one_copy(view: Open) -> None:
    """A page never frees a module, so the text of each bundle is imported once."""
    shown = view()
    shown.tab("Table")
    shown.call("second")
    shown.page.wait_for_function("other.querySelectorAll('.hl-row').length > 0")
    assert shown.page.evaluate("hutchLineage.modules.size") == 2


@pytest.mark.parametrize("width", [260, 300, 348, 600])
def test_tabs_that_do_not_fit_are_in_a_menu(view: Open, width: int) -> None:
    """No tab is cut off; the open one is always in the strip; the menu holds the others."""
    shown = view()
    shown.page.evaluate("w => root.style.setProperty('--hl-side', `${w}px`)", width)
    every = shown.page.evaluate("hl.app.panel.tabs.list.map(t => t.title)")
    for name in every:
        shown.tab(name)
        assert shown.page.get_by_role("tab", selected=True).inner_text() == name
        strip = shown.page.evaluate(
            "(r => [...root.querySelectorAll('.hl-tab')].filter(e => e.checkVisibility())"
            ".every(e => e.getBoundingClientRect().right <= r + 0.5))"
            "(root.querySelector('.hl-tabs').getBoundingClientRect().right)"
        )
        assert strip is True
        in_strip = [t for t in every if shown.page.get_by_role("tab", name=t).is_visible()]
        in_menu = shown.page.locator(".hl-menulist button").all_inner_texts()
        in_menu = in_menu if len(in_strip) < len(every) else []
        assert sorted([*in_strip, *in_menu]) == sorted(every)


def test_the_menu_of_tabs_works_with_keys_alone(view: Open) -> None:
    """Down opens it, arrows walk, Escape closes, Enter opens the panel and goes to its tab."""
    shown = view(width=400)
    shown.page.evaluate("root.style.width = '240px'")
    shown.settle()
    more = shown.page.get_by_role("button", name="More", exact=True)
    more.focus()
    shown.page.keyboard.press("ArrowDown")
    shown.page.keyboard.press("Escape")
    assert more.get_attribute("aria-expanded") == "false"
    assert shown.page.evaluate("document.activeElement.textContent") == "More"
    shown.page.keyboard.press("Enter")
    shown.page.keyboard.press("End")
    name = shown.page.evaluate("document.activeElement.textContent")
    shown.page.keyboard.press("Enter")
    shown.settle()
    assert shown.page.evaluate("document.activeElement.textContent") == name
    assert shown.page.get_by_role("tab", selected=True).inner_text() == name


def test_arrows_walk_through_every_tab(view: Open) -> None:
    """Also through those that the menu holds: they come into the strip."""
    shown = view()
    shown.page.evaluate("root.style.setProperty('--hl-side', '260px')")
    shown.page.get_by_role("tab", name="Details").focus()
    seen = []
    for _ in range(shown.page.evaluate("hl.app.panel.tabs.list.length")):
        shown.page.keyboard.press("ArrowRight")
        shown.settle()
        seen.append(shown.page.evaluate("document.activeElement.dataset.tab"))
    assert sorted(seen) == sorted(shown.page.evaluate("hl.app.panel.tabs.list.map(t => t.id)"))
    assert seen[-1] == "details"


@pytest.mark.parametrize("width", [400, 1280])
def test_the_panel_can_lie_over_the_picture(view: Open, width: int) -> None:
    """Its button makes it as wide as the explorer, Escape gives the picture back."""
    shown = view(width=width)
    shown.page.get_by_label("Panel over the picture").click()
    shown.settle()
    wide = "root.querySelector('.hl-side').clientWidth / root.clientWidth"
    assert shown.page.evaluate(wide) > 0.99
    shown.page.keyboard.press("Escape")
    shown.settle()
    assert shown.page.evaluate("root.hasAttribute('data-large')") is False
