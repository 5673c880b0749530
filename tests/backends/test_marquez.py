"""What Marquez shows of a run, measured: the true edges and no others, under its preset."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backends.cases import Case, cases
from tests.backends.measuring import HEAD, MAPPINGS, Backend, measured, row
from tests.backends.table import MARKER, PAGE
from tests.support import figures

ALL = cases(Path("nowhere"))


@pytest.fixture(params=range(len(ALL)), ids=[str(case) for case in ALL])
def case(request: pytest.FixtureRequest, data_dir: Path, marquez: Backend) -> Case:
    """Each case; the large ones are for the stand-in, and for `make backends`."""
    found = cases(data_dir)[request.param]
    if found.is_large and not hasattr(marquez, "is_stand_in"):
        pytest.xfail("measured by `make backends`: a real Marquez takes minutes for it")
    return found


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_the_table_holds(marquez: Backend, case: Case, mapping: str) -> None:
    """Precision and recall are 100 % under the preset; each figure is the one that is printed."""
    score, shown = measured(marquez, case, mapping)
    if mapping == "marquez":
        assert (score.precision, score.recall) == (1.0, 1.0)
    printed = [line[:-1] for line in figures.taken(PAGE, MARKER)]  # but for the seconds
    assert row("Marquez", mapping, case, score, shown)[:-1] in printed, HEAD
