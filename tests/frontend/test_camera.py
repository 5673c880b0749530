"""Moving about: wheel, hand, fingers, minimap; and what growth does to the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


FOCUS = "hl.app.camera.canvas.focus()"
# A pinch as a trackpad sends it; whether the page was kept from acting on it.
PINCH = """([clientX, clientY, deltaY]) => !hl.app.canvas.dispatchEvent(new WheelEvent("wheel",
  { clientX, clientY, deltaY, ctrlKey: true, bubbles: true, cancelable: true }))"""
# Where a row stands in the view's own pixels.
LOCAL = (
    "row => { const { left, top } = hl.screenOf(row); return [left, top + hl.app.stage.offsetTop] }"
)
# How far two fingers are from their centre, and how far that has gone.
PINCHED = ((40, 0), (80, 10), (120, 30))


def press(shown: View, start: Sequence[float], end: Sequence[float]) -> int:
    """Press the mouse here and let it go there; return what is selected then."""
    shown.page.mouse.move(*start)
    shown.page.mouse.down()
    shown.page.mouse.move(*end, steps=3)
    shown.page.mouse.up()
    selected: int = shown.state()["selected"]
    return selected


def touch(shown: View, *steps: list[tuple[float, float]]) -> None:
    """Put fingers down, move them step by step, and lift them."""
    session = shown.page.context.new_cdp_session(shown.page)
    kind = "touchStart"
    for step in steps:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(step)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        kind = "touchMove"
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shown.settle()


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


def test_a_trackpads_pinch_zooms_at_the_pointer(view: Open) -> None:
    """It comes as a wheel with Ctrl held, and needs no click before; it undoes itself, too."""
    shown = view()
    before = shown.state()["camera"]
    row = shown.state()["path"][8]
    x, y = shown.place(row)
    for pinch in (-3, 3):
        for _ in range(10):
            taken = shown.page.evaluate(PINCH, [x, y, pinch])
            assert taken
        shown.settle()
        assert shown.place(row) == pytest.approx((x, y), abs=0.5)
        wider = 2**0.6 if pinch < 0 else 1
        assert shown.state()["camera"]["ax"] == pytest.approx(before["ax"] * wider)


@pytest.mark.parametrize("scale", [1, 0.5])
def test_a_drag_moves_as_far_as_the_mouse_and_is_not_a_click(view: Open, scale: float) -> None:
    """Also where the page is scaled, and out of the picture; a slip of the mouse is a click."""
    shown = view()
    shown.page.add_style_tag(content=f"#app {{ transform: scale({scale}); transform-origin: 0 0 }}")
    row = shown.state()["path"][8]
    x, y = (at * scale for at in shown.page.evaluate(LOCAL, row))
    assert press(shown, (x, y), (x + 2, y + 1)) == row
    x, y = (at * scale for at in shown.page.evaluate(LOCAL, row))
    shown.page.keyboard.press("Escape")
    assert press(shown, (x, y), (x - 120, y + 70)) == -1
    moved = [at * scale for at in shown.page.evaluate(LOCAL, row)]
    assert moved == pytest.approx((x - 120, y + 70), abs=1)
    assert press(shown, moved, (x + 40, -30)) == -1
    moved = [at * scale for at in shown.page.evaluate(LOCAL, row)]
    assert moved == pytest.approx((x + 40, -30), abs=1)


def test_one_finger_drags(view: Open) -> None:
    """What lies under it stays there, and the scale is as it was; taps select and do not zoom."""
    shown = view(has_touch=True)
    before = shown.state()["camera"]
    row = shown.state()["path"][8]
    x, y = shown.place(row)
    touch(shown, [(x, y)], [(x - 20, y + 10)], [(x - 90, y + 40)])
    assert shown.place(row) == pytest.approx((x - 90, y + 40), abs=1)
    camera = shown.state()["camera"]
    assert (camera["ax"], camera["ay"]) == (before["ax"], before["ay"])
    assert shown.data("selected") == "-1"
    for _ in range(2):
        shown.page.touchscreen.tap(x - 90, y + 40)
    assert shown.state()["selected"] == row
    assert shown.state()["camera"] == camera


def test_two_fingers_zoom_at_their_centre(view: Open) -> None:
    """Touch works as on a map: what lies between the fingers stays there, wherever they go."""
    shown = view(has_touch=True)
    before = shown.state()["camera"]["ax"]
    row = shown.state()["path"][8]
    x, y = shown.place(row)
    fingers = [[(x - reach + go, y), (x + reach + go, y)] for reach, go in PINCHED]
    touch(shown, *fingers)
    assert shown.state()["camera"]["ax"] == pytest.approx(before * 3)
    assert shown.place(row) == pytest.approx((x + 30, y), abs=1)


def test_no_gesture_builds_upon_the_one_before(view: Open) -> None:
    """Rolling on and on at the limit moves nothing, and what comes next is as ever."""
    shown = view()
    row = shown.state()["path"][8]
    fitted, (x, y) = shown.state()["camera"], shown.place(row)
    for _ in range(60):
        shown.page.evaluate(PINCH, [x, y, -100])
    furthest = shown.state()["camera"]
    # (A mouse is at whole pixels, and what is beside it moves away from it.)
    wider = furthest["ax"] / fitted["ax"]
    there = (x // 1 + x % 1 * wider, y // 1 + y % 1 * wider)
    assert shown.place(row) == pytest.approx(there, abs=0.1)
    shown.page.evaluate(PINCH, [x, y, 5])
    assert shown.state()["camera"]["ax"] == pytest.approx(furthest["ax"] / 2**0.1)
    shown.page.wait_for_function("hl.app.hands.gestures.before.k === 1")
    x, y = shown.place(row)
    press(shown, (x, y), (x + 30, y))
    assert shown.place(row) == pytest.approx((x + 30, y), abs=1)


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


def test_another_kind_of_nodes_is_shown_whole(view: Open) -> None:
    """The place that was looked at is elsewhere in another picture."""
    shown = view()
    for _ in range(6):
        shown.page.get_by_label("Zoom in").click()
    assert not shown.state()["camera"]["follow"]
    shown.page.select_option("[aria-label='Kind of nodes']", "agent")
    state = shown.state()
    assert state["drawn"]["inView"] == state["total"] > 0


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
