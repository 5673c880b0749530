"""The newest events and what became of them, as the view gets them."""

from __future__ import annotations

import pytest

from hutch_lineage.explorer.delivery_feed import NEWEST, DeliveryFeed
from hutch_lineage.openlineage import DeliveryLog, EventDelivery


class Events:
    """A source whose events are told by hand."""

    def __init__(self) -> None:
        self.states: list[str] = []

    def deliveries(self, offset=0, limit=200, *, state=None, query=""):
        """As the session does."""
        told = [
            EventDelivery(n, each, "RUNNING", "t", "job", "refine", (), (), None, query)
            for n, each in enumerate(self.states)
            if state in (None, each)
        ]
        return DeliveryLog("http://x", "generic", len(told), told[offset:][:limit])


@pytest.fixture
def events():
    return Events()


@pytest.fixture
def feed(events, monkeypatch):
    monkeypatch.setattr("hutch_lineage.explorer.delivery_feed.PERIOD_S", 0.0)
    return DeliveryFeed(events)


def places(message):
    return [event["position"] for event in message["events"]]


def test_only_what_changed_is_sent(events, feed):
    """New events, and those in another state; nothing where nothing changed."""
    events.states = ["sent", "queued"]
    first = feed.due()
    assert (first["op"], first["total"], places(first)) == ("delivery", 2, [0, 1])
    assert feed.due() is None
    events.states = ["sent", "sent", "queued"]
    assert places(feed.due()) == [1, 2]
    feed.restart()
    assert places(feed.due()) == [0, 1, 2]


def test_the_newest_are_enough(events, feed):
    """Of many only the last 200 come unasked."""
    events.states = ["sent"] * (NEWEST + 50)
    message = feed.due()
    assert (message["total"], len(message["events"])) == (NEWEST + 50, NEWEST)


def test_at_most_one_a_second(events):
    """What is too early stays pending."""
    feed = DeliveryFeed(events)
    assert feed.due() is not None
    events.states = ["sent"]
    assert (feed.due(), feed.pending) == (None, True)


def test_questions_are_answered_and_nonsense_is_harmless(events, feed):
    """Offset, limit and filters; what is no number or no state counts as not given."""
    events.states = ["sent", "rejected", "sent"]
    assert places(feed.answer({"offset": 1, "limit": 1})) == [1]
    assert places(feed.answer({"offset": "x", "limit": None, "state": "lost", "query": 3})) == [
        0,
        1,
        2,
    ]
    assert feed.answer({"state": "rejected", "query": "q"})["events"][0]["reason"] == "q"
