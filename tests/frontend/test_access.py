"""For everybody: axe-core finds nothing serious in any theme; high contrast, forced colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.frontend.view import EXPLORER, View

pytestmark = pytest.mark.browser

Open = Callable[..., View]

AXE = EXPLORER / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
# The page around the view is the test's own: rules about whole pages do not concern it.
RUN = """async (part) => (await axe.run(part, {rules: {region: {enabled: false}}})).violations
  .filter(v => ['serious', 'critical'].includes(v.impact))
  .map(v => [v.id, ...v.nodes.map(n => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ''}`)])"""


def violations(shown: View, part: str = ".hl-explorer") -> list[list[str]]:
    """Return what axe-core finds serious or critical in the view, or in a part of it."""
    if not shown.page.evaluate("'axe' in window"):
        shown.page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    shown.settle()
    found: list[list[str]] = shown.page.evaluate(RUN, part)
    return found


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci in frontend/")
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_axe_finds_nothing_serious(view: Open, theme: str, width: int) -> None:
    """With crumbs, each popover and the sheet of keys open in turn, in every theme and width."""
    shown = view(traits={"theme": theme}, width=width, theme="dark" if theme == "dark" else "light")
    shown.page.evaluate("hl.app.best(); hl.store.setView({colour: 'operator'})")
    assert violations(shown) == []
    path = shown.state()["path"]
    shown.page.evaluate(
        "([a, b]) => { hl.store.setView({compare: a, collapsed: [b], dead_ends: true,"
        " hidden: {operator: ['mutate']}}); hl.store.setGroup([a, b]);"
        " hl.app.focus('steps', b, {steps: 2}) }",
        [path[3], path[5]],
    )
    assert violations(shown) == []
    shown.page.get_by_role("button", name="View", exact=True).click()
    assert violations(shown) == []
    shown.page.keyboard.press("Escape")
    shown.page.locator(".hl-canvas").focus()
    shown.page.keyboard.press("?")
    assert violations(shown) == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci in frontend/")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_panel(view: Open, theme: str) -> None:
    """Each opened in turn, with the best selected and compared with another."""
    shown = view({"individuals": 120, "agents": 20}, {"theme": theme}, theme=theme)
    path = shown.state()["path"]
    shown.page.evaluate(
        "([a, b]) => { hl.store.select(a); hl.store.setView({compare: b}) }", [path[-1], path[1]]
    )
    tabs = shown.page.evaluate("hl.app.panel.tabs.list.map(tab => tab.id)")
    assert len(tabs) > 10
    for tab in tabs:
        shown.page.evaluate("tab => hl.store.setView({ tab })", tab)
        assert violations(shown, ".hl-side") == [], tab


def test_contrast_is_high_when_asked_for_by_theme_system_or_python(view: Open) -> None:
    """JupyterLab's theme name, the system's wish and the trait each turn it on; text is then black
    or white.
    """
    shown = view()
    contrast = "hl.app.root.dataset.contrast"
    ink = "hl.app.theme.colours.mute"
    assert shown.page.evaluate(contrast) == "usual"
    name = "document.body.dataset.jpThemeName"
    shown.page.evaluate(f"{name} = 'JupyterLab Dark High Contrast'")
    shown.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    shown.page.wait_for_function(f"{contrast} === 'more' && {ink} === 'rgb(255, 255, 255)'")
    shown.page.evaluate(f"{name} = 'JupyterLab Light'")
    shown.page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    shown.page.wait_for_function(f"{contrast} === 'usual'")
    shown.page.emulate_media(contrast="more")
    shown.page.wait_for_function(f"{contrast} === 'more' && {ink} === 'rgb(0, 0, 0)'")
    shown.page.emulate_media(contrast="no-preference")
    shown.page.wait_for_function(f"{contrast} === 'usual'")
    shown.page.evaluate("model.change('theme', 'contrast')")
    assert shown.page.evaluate(contrast) == "more"


def test_forced_colours_are_taken_from_the_system(view: Open) -> None:
    """Where the system forces its colours, the canvas wears them, too."""
    shown = view(forced_colors="active")
    assert shown.page.evaluate("hl.app.root.dataset.contrast") == "more"
    wanted = shown.page.evaluate(
        "(() => { const i = document.body.appendChild(document.createElement('i'));"
        " i.style.color = 'CanvasText'; return getComputedStyle(i).color })()"
    )
    assert shown.page.evaluate("hl.app.theme.colours.ink") == wanted
