"""What Marquez shows of a run, measured: the true edges and no others, under its preset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backends.cases import Case, cases
from tests.backends.measuring import HEAD, MAPPINGS, Backend, measured, row
from tests.backends.table import MARKER, PAGE
from tests.support import figures
from tests.support.marquez_standin import StandIn

LARGE = [str(case) for case in cases(Path()) if case.is_large]
SMALL = [str(case) for case in cases(Path()) if not case.is_large]


@pytest.fixture
def case(request: pytest.FixtureRequest, data_dir: Path) -> Case:
    """The case of that name."""
    return next(case for case in cases(data_dir) if str(case) == request.param)


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    """A stand-in that holds nothing else."""
    with StandIn() as server:
        yield server


@pytest.mark.parametrize("mapping", MAPPINGS)
@pytest.mark.parametrize("case", SMALL, indirect=True)
def test_what_is_shown_is_what_is_printed(marquez: Backend, case: Case, mapping: str) -> None:
    """Precision and recall are 100 % under the preset; each figure is in docs/backends.md."""
    hold(marquez, case, mapping)


@pytest.mark.parametrize("mapping", MAPPINGS)
@pytest.mark.parametrize("case", LARGE, indirect=True)
def test_real_runs_are_shown_as_printed(stand_in: StandIn, case: Case, mapping: str) -> None:
    """The same of real runs; `make backends` brings them to a real Marquez, which takes minutes."""
    hold(stand_in, case, mapping)


def hold(backend: Backend, case: Case, mapping: str) -> None:
    """Measure a case and compare it with the table, but for the seconds."""
    score, shown = measured(backend, case, mapping)
    if mapping == "marquez":
        assert (score.precision, score.recall) == (1.0, 1.0)
    printed = [line[:-1] for line in figures.taken(PAGE, MARKER)]
    assert row("Marquez", mapping, case, score, shown)[:-1] in printed, HEAD
