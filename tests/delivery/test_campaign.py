"""The fault campaign, 200 schedules; `make soak` runs thousands."""

from __future__ import annotations

import os

import pytest

from tests.delivery.campaign import Nursery, run_schedule

SCHEDULES = 200
PARTS = 8


@pytest.mark.timeout(300)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_happens_nothing_is_lost(part):
    """Up, down, slow, refusing, restarting; kill -9, fork, exit, full disk, a clock that goes back.

    After recovery the backend has every event at least once, each run in its order, and no other.
    """
    with Nursery() as nursery:
        for seed in range(part, SCHEDULES, PARTS):
            run_schedule(seed, nursery)
