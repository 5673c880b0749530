"""Emitters that are closed when the test is over, and programs that have one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


@pytest.fixture
def root():
    """The folder of the journals of this test."""
    return Path(os.environ["HUTCH_OPENLINEAGE_JOURNAL"])


@pytest.fixture
def producer(project_root):
    """Run a program to its end: ``producer(code, url)``, the URL being its argument.

    `look_s` is how often it looks whether its journal's folder is still there.
    """

    def run(code, url, look_s=1.0):
        often = f"from hutch_lineage.delivery.journal import journal; journal.LOOK_S = {look_s}\n"
        return subprocess.run(
            [sys.executable, "-c", often + code, url],
            cwd=project_root, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    return run
