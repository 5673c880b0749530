"""Emitters that are closed when the test is over."""

from __future__ import annotations

import pytest

from hutch_lineage.openlineage import OpenLineageEmitter


@pytest.fixture
def emitter():
    """Make emitters: ``emitter(endpoint, **settings)``, in memory without an endpoint."""
    made = []

    def make(endpoint="in-memory", **settings):
        made.append(OpenLineageEmitter(endpoint=endpoint, **settings))
        return made[-1]

    yield make
    for each in made:
        each.close(0)
