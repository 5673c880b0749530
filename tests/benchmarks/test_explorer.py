"""The benchmark of the explorer runs; how fast it finds things is not asked here."""

from __future__ import annotations

import pytest

from benchmarks.explorer import Plan, lines, page, run
from tests.support.browser import chromium_path

TINY = Plan(
    sizes=(200,),
    avida=False,
    million=0,
    peers=(),
    rounds=1,
    seconds=0.2,
    layouts=(200,),
    widgets=(),
    notebook=(),
    shown=(),
)


@pytest.mark.browser
def test_it_prints_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny sizes and no peers: each figure of ours is there, and the page is made of the same."""
    monkeypatch.setattr("benchmarks.explorer.layouts.LAYOUTS", _ours())
    if chromium_path() is None:
        pytest.skip("no Chromium found; name one with CHROMIUM")
    results = run(TINY)
    table = lines(results)
    for figure in ("first paint", "pan and zoom", "append 100", "page memory", "layout", "live"):
        (line, *_) = [each for each in table if each.startswith(f"| {figure}")]
        assert "200" in line
        assert line.split("|")[3].strip() not in {"", "-"}
    written = page(results, TINY.rounds, TINY.seconds)
    assert all(line in written for line in table if line.startswith("|"))


def _ours() -> object:
    from benchmarks.explorer.layouts import LAYOUTS

    return {name: make for name, make in LAYOUTS.items() if name.startswith("ours")}
