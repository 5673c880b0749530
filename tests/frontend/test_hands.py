"""What a person does with a picture: legend, folds, marks, comparing, the way back, the menu."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


def keys(shown: View, *pressed: str) -> None:
    """Press keys on the picture, each once the one before has been drawn."""
    shown.page.locator(".hl-canvas").focus()
    for key in pressed:
        shown.page.keyboard.press(key)
        shown.settle()


def test_a_click_on_a_name_of_the_legend_hides_it_and_nothing_is_dropped_silently(
    view: Open,
) -> None:
    """The foot counts the hidden ones, a crumb says which and brings them back."""
    shown = view()
    shown.page.select_option("[aria-label='Colour by']", "operator")
    before = shown.state()["total"]
    name = shown.page.locator("button.hl-name", has_text="mutate")
    assert name.get_attribute("aria-pressed") == "true"
    name.click()
    state = shown.state()
    assert state["view"]["hidden"] == {"operator": ["mutate"]}
    assert f"{before - state['total']} hidden" in shown.text(".hl-total")
    assert shown.page.locator(".hl-name[aria-pressed=false]").count() == 1
    assert shown.crumbs() == ["operator: without mutate"]
    shown.page.get_by_label("Show every operator").click()
    assert shown.state()["total"] == before


@pytest.mark.parametrize("how", ["alt", "double"])
def test_one_name_can_be_left_alone(view: Open, how: str) -> None:
    """Alt and a click, or a double click, hide all the others; again, and all are back."""
    shown = view()
    shown.page.select_option("[aria-label='Colour by']", "operator")
    name = shown.page.locator("button.hl-name", has_text="refine")

    def act() -> None:
        if how == "alt":
            name.click(modifiers=["Alt"])
            return
        for count in (1, 2):  # as the browser counts the clicks of a double click
            name.dispatch_event("click", {"detail": count})

    act()
    assert shown.crumbs() == ["operator: only refine"]
    act()
    assert shown.crumbs() == []


def test_a_name_stays_under_the_pointer_while_the_counts_grow(view: Open) -> None:
    """At a width where one more word would break the foot; it breaks once the hand has gone."""
    shown = view(width=1280)
    shown.page.select_option("[aria-label='Colour by']", "operator")
    shown.settle()
    shown.page.evaluate(
        """async () => {
          const foot = root.querySelector('.hl-foot');
          const one = foot.offsetHeight;
          for (let width = 1279; foot.offsetHeight === one && width > 400; width -= 4) {
            document.querySelector('#app').style.width = `${width}px`;
            await t.frames(2);
          }
          document.querySelector('#app').style.width = `${root.offsetWidth + 8}px`;
          await t.frames(4);
        }"""
    )
    shown.settle()
    name = shown.page.locator("button.hl-name", has_text="refine")
    box = name.bounding_box()
    assert box is not None
    shown.page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2)
    for count in (1, 2):
        shown.page.mouse.down(click_count=count)
        shown.page.mouse.up(click_count=count)
        shown.call("frames", 4)
        assert name.bounding_box() == box
    assert shown.crumbs() == ["operator: only refine"]
    shown.page.mouse.move(300, 300)
    shown.page.wait_for_function("root.querySelector('.hl-total').getAttribute('style') === null")
    moved = name.bounding_box()
    assert moved is not None
    assert moved["y"] < box["y"]


def test_the_legend_is_reached_by_keyboard_and_keeps_the_key_focus(view: Open) -> None:
    """A name that was switched with Space is still the one that has the focus."""
    shown = view()
    shown.page.select_option("[aria-label='Colour by']", "operator")
    shown.page.locator("button.hl-name", has_text="crossover").focus()
    shown.page.keyboard.press("Space")
    shown.settle()
    assert shown.page.evaluate("document.activeElement.dataset.name") == "crossover"
    shown.page.keyboard.press("Space")
    assert shown.state()["view"]["hidden"] == {"operator": []}


def test_a_frame_marks_what_lies_in_it(view: Open) -> None:
    """Shift and a drag: a crumb counts, Python hears, and the camera stays where it is."""
    shown = view()
    camera = shown.state()["camera"]
    box = shown.page.locator(".hl-canvas").bounding_box()
    assert box is not None
    shown.page.keyboard.down("Shift")
    shown.page.mouse.move(box["x"] + 200, box["y"] + 40)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + 420, box["y"] + box["height"] - 20, steps=4)
    shown.page.mouse.up()
    shown.page.keyboard.up("Shift")
    shown.settle()
    rows = shown.sent("group")[-1]["rows"]
    assert len(rows) > 10
    assert shown.crumbs()[0].startswith(f"{len(rows)} marked")
    assert shown.state()["camera"] == camera
    assert shown.data("selected") == "-1"
    shown.page.get_by_role("button", name="focus on").click()
    assert shown.state()["focus"] == rows
    shown.page.get_by_role("button", name="zoom to").click()
    assert shown.state()["camera"]["ax"] > camera["ax"]
    keys(shown, "Escape", "Escape")
    assert shown.crumbs() == []


def test_a_focus_counts_what_details_count(view: Open) -> None:
    """The one it names is not among its own ancestors; those that are hidden are told apart."""
    shown = view()
    keys(shown, "b", "a")
    said = shown.text(".hl-details dl").split(" ancestors")[0].split()[-1]
    best = shown.call("id", shown.state()["best"])
    assert shown.crumbs() == [f"Ancestors of {best} · {said}"]
    assert len(shown.state()["focus"]) == int(said) + 1
    shown.page.evaluate("hl.store.setView({ dead_ends: true, hidden: { operator: ['seed'] } })")
    left = sum(
        shown.page.evaluate(
            "[...hl.store.scene.focus.map((m, i) => m & hl.store.scene.shown.mask[i])]"
        )
    )
    assert shown.crumbs()[0] == f"Ancestors of {best} · {left - 1} of {said}"


def test_an_individual_is_compared_with_by_key_or_click(view: Open) -> None:
    """Alt and a click make it the other one; w focuses on all that lies between."""
    shown = view()
    path = shown.state()["path"]
    shown.click(path[-1])
    shown.page.keyboard.down("Alt")
    shown.page.mouse.click(*shown.place(path[3]))
    shown.page.keyboard.up("Alt")
    state = shown.state()
    assert (state["view"]["compare"], state["selected"]) == (path[3], path[-1])
    assert shown.crumbs()[0].startswith("Compared with")
    keys(shown, "w")
    state = shown.state()
    assert state["view"]["focus"] == {"mode": "between", "row": path[-1], "other": path[3]}
    assert set(path[3:]) <= set(state["focus"])


def test_back_and_forward_walk_through_the_pictures(view: Open) -> None:
    """Buttons and keys; what was undone by going back is there again."""
    shown = view()
    keys(shown, "b", "a")
    shown.page.select_option("[aria-label='Colour by']", "operator")
    keys(shown, "i", "[")
    assert shown.state()["view"]["focus"]["mode"] == "ancestors"
    keys(shown, "Alt+ArrowLeft")
    assert shown.state()["view"]["colour"] != "operator"
    shown.page.get_by_label("Back", exact=True).click()
    assert shown.state()["view"]["focus"] is None
    keys(shown, "]", "Alt+ArrowRight", "]")
    assert shown.state()["view"]["focus"]["mode"] == "improvements"
    assert shown.page.get_by_label("Forward", exact=True).is_disabled()


def test_steps_around_grow_and_shrink(view: Open) -> None:
    """The same key once more takes in one more step; the crumb's buttons do it, too."""
    shown = view()
    keys(shown, "b", "s", "s")
    assert shown.state()["view"]["focus"]["steps"] == 2
    wide = len(shown.state()["focus"])
    assert shown.crumbs()[0].startswith("2 steps around")
    shown.page.get_by_label("One step less").click()
    assert len(shown.state()["focus"]) < wide
    keys(shown, "Shift+S")
    assert shown.state()["focus"] is None


def test_a_subtree_is_folded_and_a_double_click_unfolds_it(view: Open) -> None:
    """The hidden ones are counted; showing one of them unfolds what hides it."""
    shown = view()
    total = shown.state()["total"]
    root = shown.state()["path"][2]
    shown.click(root)
    keys(shown, "x")
    state = shown.state()
    hidden = total - state["total"]
    assert hidden > 0
    assert f"{hidden} hidden" in shown.text(".hl-total")
    assert shown.crumbs() == [f"1 folded subtree · {hidden}"]
    shown.page.mouse.dblclick(*shown.place(root))
    assert shown.state()["total"] == total
    keys(shown, "x")
    gone = shown.page.evaluate("hl.store.scene.shown.why.indexOf(4)")
    shown.page.evaluate("row => hl.app.show(row)", gone)
    state = shown.state()
    assert (state["view"]["collapsed"], state["selected"]) == ([], gone)


def test_the_view_menu_sets_scale_size_edges_and_folds(view: Open) -> None:
    """It stays open while one tries, and Escape closes it."""
    shown = view()
    button = shown.page.get_by_role("button", name="View", exact=True)
    button.click()
    menu = shown.page.get_by_role("dialog", name="View")
    menu.get_by_role("button", name="Rank").click()
    menu.get_by_role("button", name="tokens").click()
    menu.get_by_label("Hide dead ends").check()
    menu.get_by_label("Only improvements").check()
    view_state = shown.state()["view"]
    assert (view_state["scale"], view_state["size"]) == ("rank", "tokens")
    assert view_state["dead_ends"]
    assert view_state["focus"] == {"mode": "improvements", "row": -1}
    menu.get_by_text("Tidy up").click()
    assert shown.sent("relayout") == [{"op": "relayout", "layout": "generations"}]
    shown.page.keyboard.press("Escape")
    assert not menu.is_visible()
    assert button.get_attribute("aria-expanded") == "false"
    assert [text.split(" ·")[0] for text in shown.crumbs()] == ["Improvements", "Without dead ends"]


def test_the_sheet_of_keys_opens_and_closes(view: Open) -> None:
    """A question mark opens it, Escape closes it and the picture has the keys again."""
    shown = view()
    keys(shown, "?")
    sheet = shown.page.get_by_role("dialog", name="Keys")
    assert "only improvements" in sheet.inner_text()
    shown.page.keyboard.press("Escape")
    shown.settle()
    assert not sheet.is_visible()
    assert shown.page.evaluate("document.activeElement.className") == "hl-canvas"


def test_the_picture_is_there_in_words(view: Open) -> None:
    """A screen reader finds counts, the best and the way to it; the selection has a name."""
    shown = view()
    said = shown.page.locator("section[aria-label='The picture in words']")
    best = shown.call("id", shown.state()["best"])
    assert f"The best is {best}" in said.inner_text()
    assert said.locator("tbody tr").count() == len(shown.state()["path"])
    keys(shown, "b")
    active = shown.page.get_attribute(".hl-canvas", "aria-activedescendant")
    assert (shown.page.get_attribute(f"#{active}", "aria-label") or "").startswith(best)


def test_python_hears_of_the_camera_and_may_move_it(view: Open) -> None:
    """A window in layers and slots; None while the whole is followed."""
    shown = view()
    keys(shown, "+")
    shown.page.wait_for_function("model.sent.some(m => m.op === 'camera')")
    window = shown.sent("camera")[-1]["window"]
    assert len(window) == 4
    camera = shown.state()["camera"]
    shown.call("push", {"content": {"op": "camera", "window": None}})
    assert shown.state()["camera"]["follow"]
    shown.call("push", {"content": {"op": "camera", "window": window}})
    assert shown.state()["camera"] == pytest.approx(camera)


def test_python_may_mark(view: Open) -> None:
    """What a notebook marks is told by the crumb and not sent back."""
    shown = view()
    shown.call("push", {"content": {"op": "group", "rows": [3, 5, 5, 9999]}})
    assert shown.crumbs()[0].startswith("2 marked")
    assert shown.sent("group") == []


def test_a_layout_that_has_not_come_is_waited_for(view: Open) -> None:
    """The picture stays as it is until the kernel has sent the places."""
    shown = view()
    shown.page.select_option("[aria-label='Layout']", "radial")
    shown.settle()
    assert shown.sent("view")[-1]["view"]["layout"] == "radial"
    assert shown.page.locator("[aria-label='Layout'] option:checked").inner_text() == "Radial …"
    assert shown.state()["drawn"]["nodes"] > 0


def test_letters_act_wherever_the_focus_is_but_in_fields(view: Open) -> None:
    """After Escape it is on the button of a menu; a question mark still opens the sheet of keys."""
    shown = view()
    shown.page.get_by_role("button", name="View", exact=True).click()
    shown.page.keyboard.press("Escape")
    assert shown.page.evaluate("document.activeElement.tagName") == "BUTTON"
    shown.page.keyboard.press("?")
    sheet = shown.page.get_by_role("dialog", name="Keys")
    assert sheet.is_visible()
    shown.page.keyboard.press("Escape")
    shown.page.locator("input.hl-search").press("b")
    state = shown.state()
    assert (state["selected"], state["view"]["query"], sheet.is_visible()) == (-1, "b", False)


def test_the_picture_is_reached_between_the_chips(view: Open) -> None:
    """What lies under a chip cannot be pressed; what lies beside it in its row can."""
    shown = view()
    shown.page.evaluate("hl.store.setView({ dead_ends: true, hidden: { operator: ['refine'] } })")
    shown.settle()
    boxes = [chip.bounding_box() for chip in shown.page.locator(".hl-crumb").all()]
    first, second = (box for box in boxes if box)
    at = "([x, y]) => document.elementFromPoint(x, y).className"
    y = first["y"] + first["height"] / 2
    assert shown.page.evaluate(at, [first["x"] + first["width"] + 2, y]) == "hl-canvas"
    assert shown.page.evaluate(at, [second["x"] + second["width"] + 9, y]) == "hl-canvas"
    assert shown.page.evaluate(at, [second["x"] + 4, y]) != "hl-canvas"
