"""The explorer looks as it did when somebody last looked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.frontend.looks import FOLDER, LOOKS, Look, taken
from tests.support.pictures import difference

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
TOLERANCE = 0.04
"""Share of the picture: fonts and their smoothing differ between machines."""


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_it_looks_as_approved(look: Look, chromium: Browser, tmp_path: Path) -> None:
    """What the documentation shows is what the view draws."""
    with taken(chromium, look, tmp_path) as (page, png):
        share, why = difference(page, png, FOLDER / f"{look.name}.png")
        if share > TOLERANCE:
            kept = Path("build") / "looks"
            kept.mkdir(parents=True, exist_ok=True)
            (kept / f"{look.name}.png").write_bytes(png)
        assert share <= TOLERANCE, f"{share:.1%} differs {why}: see build/looks, or make pictures"


def test_every_picture_is_of_a_look() -> None:
    """No picture is left over."""
    assert {path.stem for path in FOLDER.glob("*.png")} == {look.name for look in LOOKS}
