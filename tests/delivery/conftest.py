"""Couriers that are closed when the test is over."""

from __future__ import annotations

import pytest

from hutch_lineage.delivery import Backoff, Courier, HttpOptions, open_sender
from hutch_lineage.mapping import parse_endpoint


@pytest.fixture
def courier_for():
    """Make couriers: ``courier_for(url, outbox, **options)``, also those of HTTP."""
    made = []

    def make(url, outbox, *, timeout_s=5.0, batch=1, **options):
        options.setdefault("backoff", Backoff(base_s=0.01, cap_s=0.05))
        sender = open_sender(
            parse_endpoint(url), options=HttpOptions(timeout_s=timeout_s, batch=batch)
        )
        made.append(Courier(outbox, sender, name="the backend", **options))
        return made[-1]

    yield make
    for each in made:
        each.close(0)
