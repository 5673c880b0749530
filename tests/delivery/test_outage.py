"""What is said about outages."""

from __future__ import annotations

import logging

from hutch_lineage.delivery.outage import PATIENCE_S, QUIET_S, Outage


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self):
        """Return the time."""
        return self.now


def levels(said):
    """Return the levels of what was said."""
    return [each[0] for each in said if each is not None]


def test_a_backend_that_comes_and_goes_is_one_warning():
    """Flapping: the first outage is told, and its end; those soon after it are not."""
    clock = Clock()
    outage = Outage("it", clock)
    said = []
    for _ in range(100):
        said += [outage.failed("503"), outage.answered(0)]
        clock.now += 1
    assert [level for level in levels(said) if level > logging.DEBUG] == [
        logging.WARNING,
        logging.INFO,
    ]


def test_an_outage_that_lasts_is_told_even_soon_after_another():
    """Silence is for short ones only."""
    clock = Clock()
    outage = Outage("it", clock)
    outage.failed("503")
    outage.answered(0)
    clock.now += 1
    assert levels([outage.failed("503")]) == [logging.DEBUG]
    clock.now += PATIENCE_S + 1
    assert levels([outage.failed("503")]) == [logging.WARNING]
    assert levels([outage.answered(0)]) == [logging.INFO]


def test_after_a_quiet_time_the_next_one_is_new():
    """Another day, another warning."""
    clock = Clock()
    outage = Outage("it", clock)
    outage.failed("503")
    outage.answered(0)
    clock.now += QUIET_S + 1
    assert levels([outage.failed("503")]) == [logging.WARNING]
