"""The committed bundle: built from these sources, small, and of no use to anyone who listens."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest

EXPLORER = Path(__file__).resolve().parents[2] / "hutch_lineage" / "explorer"
FRONTEND = EXPLORER / "frontend"
STATIC = EXPLORER / "static"
VIEW = ("explorer.js", "explorer.css")
HANDS = ("hands.js", "hands.css")
PANELS = ("panels.js", "panels.css")
LOADER = "loader.js"
FILES = (LOADER, *VIEW, *HANDS, *PANELS)

MAX_VIEW_BYTES = 120 * 1024
MAX_PANELS_BYTES = 300 * 1024
MAX_VIEW_GZIP_BYTES = 44 * 1024

# Addresses that are names (an XML namespace, an example in a field), never fetched.
NAMES = {"http://www.w3.org/2000/svg", "http://localhost:5000", "http://www.w3.org/1999/xlink"}


@pytest.fixture(scope="module")
def node() -> str:
    """Node, with the front end's packages installed from the lock file."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        pytest.skip("Node and npm are needed to build the front end")
    if not (FRONTEND / "node_modules" / "esbuild").is_dir():
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=FRONTEND, check=True)
    return found


@pytest.mark.node
def test_the_committed_bundle_is_what_the_sources_build(node: str, tmp_path: Path) -> None:
    """Nobody edits the bundle by hand, and nobody forgets to build it."""
    subprocess.run([node, "build.mjs", "--out", str(tmp_path)], cwd=FRONTEND, check=True)
    stale = [n for n in FILES if (tmp_path / n).read_bytes() != (STATIC / n).read_bytes()]
    assert stale == [], "run `make bundle` and commit the result"


@pytest.mark.node
def test_the_modules_keep_their_promises(node: str) -> None:
    """`node --test` passes for the modules that need no browser."""
    tests = sorted(str(path) for path in Path(__file__).parent.glob("*.test.mjs"))
    done = subprocess.run([node, "--test", *tests], capture_output=True, text=True)
    assert (done.returncode, done.stdout if done.returncode else "") == (0, "")


def test_the_view_is_within_its_budget() -> None:
    """A saved notebook carries the view along, so it stays under 120 KB."""
    sizes = [len((STATIC / name).read_bytes()) for name in (LOADER, *VIEW)]
    packed = [len(gzip.compress((STATIC / name).read_bytes())) for name in VIEW]
    assert sum(sizes) <= MAX_VIEW_BYTES, sizes
    assert sum(packed) <= MAX_VIEW_GZIP_BYTES, packed


def test_the_panels_are_within_theirs() -> None:
    """What follows the graph stays under 300 KB."""
    sizes = [len((STATIC / name).read_bytes()) for name in HANDS + PANELS]
    assert min(sizes) > 0, sizes
    assert sum(sizes) <= MAX_PANELS_BYTES, sizes


@pytest.mark.parametrize("bundle", [VIEW, HANDS, PANELS])
def test_the_bundle_fetches_nothing(bundle: tuple[str, str]) -> None:
    """Offline stays offline: no address of the net, no code made from text.

    The one import is of the panels, whose text is here already.
    """
    script, style = ((STATIC / name).read_text(encoding="utf-8") for name in bundle)
    addresses = set(
        re.findall(r"(?:https?:)?//[a-z0-9][\w.-]*\.[\w./:-]+|https?://[\w./:-]+", script)
    )
    assert addresses - NAMES == set()
    forbidden = r"\b(?:fetch|importScripts|eval)\(|XMLHttpRequest|new Function|\.innerHTML"
    assert re.findall(forbidden, script) == []
    # (Grammars of languages hold the word in a pattern: "import(?:".)
    assert len(re.findall(r"\bimport\((?!\?)", script)) == (bundle is VIEW)
    assert re.findall(r"@import|url\(", style) == []


@pytest.mark.parametrize("name", ["explorer.css", "hands.css", "panels.css"])
def test_every_style_is_within_the_view(name: str) -> None:
    """The notebook's own look is left alone: each rule begins at the view's root."""
    style = (STATIC / name).read_text(encoding="utf-8")
    flat = re.sub(r"@(?:media|container)[^{]*\{(.*?\})\}", r"\1", style)
    selectors = [one for rule in re.findall(r"([^{}]+)\{", flat) for one in _split(rule)]
    assert len(selectors) > 20
    assert [s for s in selectors if not s.strip().startswith(".hl-explorer")] == []


def _split(selectors: str) -> list[str]:
    """The selectors of a list; commas within brackets do not part."""
    return re.split(r",(?![^(]*\))", selectors)
