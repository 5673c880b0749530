"""Where events go: the switch, the endpoint, what the status says, Stop."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.frontend.view import View

pytestmark = pytest.mark.browser

Open = Callable[..., View]


def test_live_sends_the_endpoint_and_only_python_flips_the_state(view: Open) -> None:
    """A click is a message; the switch waits for the kernel and says so; the status settles it."""
    shown = view()
    endpoint = "http://127.0.0.1:9000"
    shown.page.get_by_label("Endpoint").fill(endpoint)
    shown.page.get_by_role("button", name="Live", exact=True).click()
    sent = {"op": "live", "on": True, "endpoint": endpoint, "backend": None}
    assert shown.sent("live") == [sent]
    assert shown.data("mode") == "memory"
    shown.page.get_by_text("waiting for the kernel").wait_for()
    shown.call("status", {"endpoint": endpoint})
    shown.settle()
    assert (shown.data("mode"), shown.data("state")) == ("live", "ok")
    assert shown.text(".hl-where") == "Marquez · 127.0.0.1:9000"
    assert shown.text(".hl-counts") == "1,204 sent · 3 queued"
    shown.page.get_by_role("button", name="In memory").click()
    assert shown.sent("live")[-1]["on"] is False


def test_enter_in_the_endpoint_field_goes_live(view: Open) -> None:
    """No second control is needed."""
    shown = view()
    shown.page.get_by_label("Endpoint").fill("http://127.0.0.1:9000/api")
    shown.page.get_by_label("Endpoint").press("Enter")
    assert [m["endpoint"] for m in shown.sent("live")] == ["http://127.0.0.1:9000/api"]


def test_the_endpoint_can_be_changed_while_live(view: Open) -> None:
    """A click on the status opens the field; Enter sends the new address."""
    shown = view()
    shown.call("status", {})
    shown.settle()
    shown.page.locator(".hl-status").click()
    shown.page.get_by_label("Endpoint").fill("http://127.0.0.1:9001")
    shown.page.get_by_label("Endpoint").press("Enter")
    assert shown.sent("live")[-1]["endpoint"] == "http://127.0.0.1:9001"


def test_trouble_is_told_in_words_and_not_by_colour_alone(view: Open) -> None:
    """A failing backend is named as such, with the reason on hover."""
    shown = view()
    shown.call("status", {"state": "failing", "rejected": 2, "last_error": "503 from backend"})
    shown.settle()
    assert "failing" in shown.text(".hl-where")
    assert "2 rejected" in shown.text(".hl-counts")
    assert "503 from backend" in (shown.page.get_attribute(".hl-status", "title") or "")


def test_stop_is_there_only_while_something_runs(view: Open) -> None:
    """It sends one message and says that it is stopping."""
    shown = view()
    stop = shown.page.locator(".hl-stop")
    assert not stop.is_visible()
    shown.call("status", {"running": True})
    shown.settle()
    stop.click()
    assert (shown.sent("stop"), stop.inner_text()) == ([{"op": "stop"}], "Stopping…")


def test_an_opened_file_offers_no_switch(view: Open) -> None:
    """What cannot go live says where it is from instead."""
    shown = view()
    shown.call("status", {"mode": "memory", "can_go_live": False, "source": "run.jsonl"})
    shown.settle()
    assert not shown.page.get_by_label("Where events go").is_visible()
    assert shown.text(".hl-counts") == "run.jsonl"


@pytest.mark.parametrize("how", ["restarted", "died", "shut down"])
def test_a_kernel_that_has_gone_is_told(view: Open, how: str) -> None:
    """The picture stays, and the toolbar says what to do; a message takes it back."""
    shown = view()
    shown.call("status", {"mode": "memory", "running": True})
    shown.call("gone", how)
    shown.settle()
    assert shown.text(".hl-counts") == "no kernel: run the cell again"
    shown.page.get_by_role("button", name="Live", exact=True).click()
    shown.settle()
    pressed = shown.page.get_by_role("button", name="In memory").get_attribute("aria-pressed")
    assert (shown.page.locator(".hl-stop").is_visible(), pressed) == (False, "true")
    shown.call("status", {})
    shown.settle()
    assert "1,204 sent" in shown.text(".hl-counts")


def test_events_are_not_taken_for_individuals(view: Open) -> None:
    """What is counted beside the switch are events, of OpenLineage; the foot counts individuals."""
    shown = view({"individuals": 100})
    assert shown.text(".hl-counts").endswith(" events")
    assert "OpenLineage events captured" in (shown.page.get_attribute(".hl-counts", "title") or "")
    assert "100 individuals" in shown.text(".hl-total")


def test_failed_posts_are_not_called_rejected(view: Open) -> None:
    """A post that will be tried again is no refusal, and is forgotten when it has gone through."""
    shown = view()
    shown.call("status", {"state": "waiting", "failed": 3})
    shown.settle()
    assert shown.text(".hl-counts") == "1,204 sent · 3 queued · 3 failed tries"
    shown.call("status", {"state": "ok", "failed": 3})
    shown.settle()
    assert shown.text(".hl-counts") == "1,204 sent · 3 queued"


def test_the_menu_shows_what_a_notebook_has_chosen(view: Open) -> None:
    """Where nobody chose here, the preset in force is the one that a switch goes back to."""
    shown = view()
    shown.call("status", {"mode": "memory", "backend": "marquez"})
    shown.page.get_by_label("Endpoint").dispatch_event("change")
    shown.settle()
    assert shown.page.get_by_label("Written for").input_value() == "marquez"


def test_who_answers_is_looked_up_and_the_person_decides(view: Open) -> None:
    """An address that is typed is asked for; its preset is chosen, and another choice stays."""
    shown = view()
    field, chosen = shown.page.get_by_label("Endpoint"), shown.page.get_by_label("Written for")
    field.fill("http://127.0.0.1:9000")
    field.dispatch_event("change")
    question = shown.sent("detect")[-1]
    assert question["endpoint"] == "http://127.0.0.1:9000"
    answer = {"op": "answer", "serial": question["serial"], "backend": "marquez", "why": "it is"}
    shown.call("push", {"content": answer})
    shown.settle()
    assert (chosen.input_value(), chosen.get_attribute("title")) == ("marquez", "it is")
    field.press("Enter")
    assert shown.sent("live")[-1]["backend"] == "marquez"
    shown.call("status", {})
    shown.settle()
    assert chosen.is_hidden()
    shown.page.locator(".hl-status").click()
    chosen.select_option("datahub")
    assert shown.sent("live")[-1]["backend"] == "datahub"
