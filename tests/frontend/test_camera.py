"""Moving about: wheel, hand, fingers, minimap; and what growth does to the picture."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


FOCUS = "hl.app.camera.canvas.focus()"


def test_wheel_and_drag_move_the_picture_and_fit_brings_it_back(view: Open) -> None:
    """The place under the pointer stays; dragging moves by as much as the hand does."""
    shown = view()
    before = shown.state()
    row = before["path"][8]
    x, y = shown.place(row)
    shown.page.evaluate(FOCUS)
    shown.page.mouse.move(x, y)
    shown.page.mouse.wheel(0, -400)
    shown.settle()
    assert shown.state()["camera"]["ax"] > before["camera"]["ax"] * 1.3
    assert shown.place(row) == pytest.approx((x, y), abs=1.5)
    shown.page.mouse.move(x, y + 60)
    shown.page.mouse.down()
    shown.page.mouse.move(x - 50, y + 90, steps=4)
    shown.page.mouse.up()
    shown.settle()
    assert shown.place(row) == pytest.approx((x - 50, y + 30), abs=1.5)
    shown.page.get_by_label("Show everything").click()
    assert shown.state()["camera"] == pytest.approx(before["camera"])


def test_the_wheel_scrolls_the_page_until_the_picture_is_clicked(view: Open) -> None:
    """Scrolling past an explorer never gets stuck in it: a click, or Ctrl, makes the wheel zoom."""
    shown = view()
    before = shown.state()["camera"]
    shown.page.mouse.move(400, 300)
    shown.page.mouse.wheel(0, -400)
    shown.settle()
    assert shown.state()["camera"] == before
    shown.page.mouse.click(400, 300)
    shown.page.mouse.wheel(0, -400)
    shown.settle()
    assert shown.state()["camera"]["ax"] > before["ax"] * 1.3


def test_two_fingers_zoom(view: Open) -> None:
    """Touch works as on a map."""
    shown = view(has_touch=True)
    before = shown.state()["camera"]["ax"]
    session = shown.page.context.new_cdp_session(shown.page)
    for kind, reach in (("touchStart", 40), ("touchMove", 80), ("touchMove", 120)):
        points = [{"x": 460 - reach, "y": 300, "id": 0}, {"x": 460 + reach, "y": 300, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert shown.state()["camera"]["ax"] > before * 2


def test_the_minimap_moves_the_view(view: Open) -> None:
    """A click at its left end brings the seeds into view."""
    shown = view()
    shown.page.evaluate("hl.app.best()")
    shown.settle()
    box = shown.page.locator(".hl-minimap").bounding_box()
    assert box is not None
    shown.page.mouse.click(box["x"] + 8, box["y"] + box["height"] / 2)
    shown.settle()
    assert 0 < shown.place(shown.state()["path"][0])[0] < 930


def test_keys_zoom_and_show_everything(view: Open) -> None:
    """Plus and minus undo each other; zero is the fitted picture."""
    shown = view()
    fitted = shown.state()["camera"]
    shown.page.locator(".hl-canvas").focus()
    for key, wider in (("+", 1.5), ("+", 2.25), ("-", 1.5), ("0", 1)):
        shown.page.keyboard.press(key)
        assert shown.state()["camera"]["ax"] == pytest.approx(fitted["ax"] * wider)


def test_growth_is_followed_until_a_hand_moves_the_picture(view: Open) -> None:
    """New individuals never move the camera of someone who has chosen a place."""
    shown = view()
    before = shown.state()["camera"]
    shown.call("regrow", 400, 30, 2)
    assert shown.state()["camera"]["ax"] < before["ax"]
    shown.page.evaluate(FOCUS)
    shown.page.mouse.move(400, 300)
    shown.page.mouse.wheel(0, -200)
    shown.settle()
    chosen = shown.state()["camera"]
    shown.call("regrow", 500, 36, 3)
    assert shown.state()["camera"] == chosen
    assert shown.data("version") == "3"


def test_growing_in_pieces_ends_in_the_same_picture(view: Open) -> None:
    """Forty appends later the view is the one that a single message gives."""
    shown = view()
    whole = shown.state()
    shown.call("inPieces", 40)
    pieces = shown.state()
    same = ("total", "best", "path", "camera")
    assert [pieces[name] for name in same] == [whole[name] for name in same]


def test_nothing_is_drawn_while_nothing_changes(view: Open) -> None:
    """An idle view asks for no frame."""
    assert view().call("paints", 20) == 0
