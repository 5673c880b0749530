"""The static picture and the explorer have the same colours, each in its own language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hutch_lineage.errors import ExportError
from hutch_lineage.export.palette import THEMES, VIRIDIS, theme_of


@pytest.fixture
def front_end(project_root: Path) -> Path:
    """The sources of the explorer's view."""
    return project_root / "hutch_lineage" / "explorer" / "frontend" / "src"


def test_the_ramp_is_that_of_the_explorer(front_end):
    """Steps and ends of the ramp are equal, number by number."""
    code = (front_end / "picture" / "colour.js").read_text()
    steps = re.search(r"const VIRIDIS = (\[.*?\]),?;", code, re.S).group(1)
    light, dark = re.search(r"const SPAN = { light: (\[.*?\]), dark: (\[.*?\]) };", code).groups()
    assert json.loads(re.sub(r",\s*\]$", "]", steps)) == [list(step) for step in VIRIDIS]
    assert json.loads(light) == list(THEMES["light"].ramp_ends)
    assert json.loads(dark) == list(THEMES["dark"].ramp_ends)


@pytest.mark.parametrize(("theme", "place"), [("light", 0), ("dark", 1)])
@pytest.mark.parametrize(("name", "ours"), [("bg", "background"), ("ink", "ink"), ("warm", "warm")])
def test_ground_ink_and_path_are_those_of_the_explorer(front_end, theme, place, name, ours):
    """A saved picture beside the view does not look like another program's."""
    style = (front_end / "styles" / "theme.css").read_text()
    found = re.findall(rf"--hl-{name}: (#\w+);", style)[place]
    full = found if len(found) == 7 else "#" + "".join(2 * digit for digit in found[1:])
    assert getattr(THEMES[theme], ours) == full


@pytest.mark.parametrize(
    ("share", "colour"), [(0.0, "#440154"), (-1.0, "#440154"), (1.0, "#dee328")]
)
def test_the_ends_of_the_light_ramp(share, colour):
    """Dark violet is the worst; the best stops short of the yellow that white swallows."""
    assert theme_of("light").ramp(share) == colour


def test_an_unknown_theme_is_refused_with_the_known_ones():
    """The message says which there are."""
    with pytest.raises(ExportError, match="light, dark"):
        theme_of("pink")
