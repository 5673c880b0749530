"""A Marquez for all tests that need one: the stand-in, and the real one where it can be had."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backends.measuring import Backend
from tests.support.marquez import Marquez, Missing, at_hand, enterable_folder
from tests.support.marquez_standin import StandIn

KINDS = ["stand-in", pytest.param("real", marks=pytest.mark.marquez)]


@pytest.fixture(scope="session", params=KINDS if at_hand() else KINDS[:1])
def marquez(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """A Marquez, once for the session; each test takes a namespace of its own."""
    if request.param == "stand-in":
        with StandIn() as stand_in:
            yield stand_in
        return
    folder = enterable_folder()
    try:
        with Marquez(folder) as real:
            yield real
    except Missing as missing:
        pytest.skip(str(missing))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def journal(tmp_path: Path) -> None:
    """Each test has a journal of its own; its process has one session."""
    os.environ["HUTCH_OPENLINEAGE_JOURNAL"] = str(tmp_path / "journal")
