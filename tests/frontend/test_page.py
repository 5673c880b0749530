"""Living in somebody's page: widths, themes, styles, several views, saved pages, the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]

BUSY = {
    "mode": "live",
    "state": "ok",
    "endpoint": "http://backend.example.org:5000",
    "backend": "openmetadata",
    "sent": 123_456,
    "queued": 7_890,
    "running": True,
    "can_go_live": True,
}
RUDE = """button, input, select { font-size: 30px; padding: 20px; border: 5px solid red;
  text-transform: uppercase; background: red } label { display: block }
  .common dl { margin: 9px } .common dt { float: left; width: 20% } .common kbd { padding: 9px }
  .common h4 { font-size: 30px; margin: 9px }"""


@pytest.mark.parametrize("width", [360, 400, 460, 640, 702, 900, 1042, 1280, 1600])
def test_nothing_overflows_at_any_width(view: Open, width: int) -> None:
    """From a phone to a wide screen no control is cut off; below 700 px the panel goes under."""
    shown = view(traits={"status": BUSY}, width=width)
    shown.page.evaluate("hl.app.best()")
    shown.settle()
    assert shown.call("cut") == []
    assert shown.call("arrangement") == [width < 700, False]


def test_the_theme_follows_jupyterlab_and_then_the_system(view: Open) -> None:
    """JupyterLab's word counts and may change while the view is open; else the system's."""
    shown = view(theme="dark")
    assert shown.state()["theme"] == "dark"
    shown.page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    shown.page.wait_for_function("hl.state().theme === 'light'")
    shown.page.evaluate("model.change('theme', 'dark')")
    assert shown.state()["theme"] == "dark"


def test_jupyterlab_colours_are_taken_where_the_themes_agree(view: Open) -> None:
    """The canvas wears the host's paper, and not when the view is told to be of the other theme."""
    shown = view(theme="light")
    shown.call("host", "light", "rgb(250, 240, 230)")
    shown.page.wait_for_function("hl.app.theme.colours.bg === 'rgb(250, 240, 230)'")
    shown.page.evaluate("model.change('theme', 'dark')")
    assert shown.page.evaluate("hl.app.theme.colours.bg") == "rgb(17, 20, 24)"


def test_a_rude_host_style_does_not_reach_the_controls(view: Open) -> None:
    """Borders, sizes and capitals that the host gives to bare buttons and fields stay outside."""
    shown = view()
    before = shown.call("styles")
    shown.page.evaluate("document.body.classList.add('common')")
    shown.page.add_style_tag(content=RUDE)
    assert shown.call("styles") == before


def test_the_height_is_the_one_python_sets(view: Open) -> None:
    """And it may change while the view is open."""
    shown = view(traits={"height": 520})
    measure = "root.getBoundingClientRect().height"
    assert shown.page.evaluate(measure) == 520
    shown.page.evaluate("model.change('height', 700)")
    assert shown.page.evaluate(measure) == 700


def test_views_of_one_model_share_what_is_known_and_chosen(view: Open) -> None:
    """A second view has the graph without asking, and both follow one selection."""
    shown = view()
    shown.call("second")
    shown.click(shown.state()["best"])
    both = shown.page.evaluate("[other.dataset.total, other.dataset.selected]")
    assert both == ["276", shown.data("selected")]
    assert len(shown.sent("ready")) == 1


def test_a_view_rendered_outside_the_page_finds_its_colours_when_it_enters(view: Open) -> None:
    """Hosts build the element first; nothing may be remembered from before it was styled."""
    assert view().call("detached") == ["rgb(255, 255, 255)", 276]


def test_a_render_without_initialize_makes_its_own_store(view: Open) -> None:
    """Hosts that never call initialize get a working view all the same."""
    assert view().call("bare") == ["ready", "276"]


def test_closing_leaves_nothing_behind(view: Open) -> None:
    """A closed view is out of the page, and the model hears nobody any more."""
    shown = view(traits={"static_class": "hl-static-7"})
    shown.page.evaluate("endView(); endModel()")
    assert shown.call("leftovers") == [0, 0, 0]


def test_the_static_picture_is_hidden_while_the_view_is_there(view: Open) -> None:
    """Two pictures of one run are one too many; when the view goes, the static one is back."""
    shown = view(traits={"static_class": "hl-static-7"})
    still = "<p class=hl-static-7>still</p>"
    shown.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", still)
    assert not shown.page.locator("p.hl-static-7").is_visible()
    shown.page.evaluate("endView()")
    assert shown.page.locator("p.hl-static-7").is_visible()


def test_a_view_without_kernel_and_graph_leaves_the_place(view: Open) -> None:
    """A notebook executed without a browser saves the view's state but no graph: the picture shows.

    When a graph comes after all, the view takes its place.
    """
    shown = view()
    shown.page.evaluate("endView(); endModel()")
    shown.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p class=still>still</p>')")
    shown.call("saved", {"static_class": "still"})
    root, still = shown.page.locator(".hl-explorer"), shown.page.locator(".still")
    assert (root.is_visible(), still.is_visible()) == (False, True)
    shown.call("graph")
    shown.settle()
    assert (root.is_visible(), still.is_visible()) == (True, False)
    assert shown.state()["drawn"]["nodes"] > 0


def test_a_saved_page_shows_the_run_without_python(view: Open) -> None:
    """Buffers may be base64 text; there is no switch, and nobody is asked for details."""
    shown = view()
    shown.call("standalone", 9)
    state = shown.state()
    assert (state["total"], state["selected"]) == (276, 9)
    assert not shown.page.get_by_label("Where events go").is_visible()
    assert shown.text(".hl-counts") == "run.ndjson"
    assert "Genome" in shown.text(".hl-details")


def test_an_empty_run_says_what_will_come(view: Open) -> None:
    """Before the first event the picture is not a blank."""
    shown = view()
    shown.call("empty")
    shown.settle()
    assert "as they are logged" in shown.text(".hl-empty")
    assert shown.text(".hl-total") == "0 individuals · 0 edges · all drawn"
