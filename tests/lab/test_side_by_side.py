"""Two explorers of one session in two cells, while a third cell runs and after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import Visit
from tests.support.lab import JupyterLab
from tests.support.notebook import Notebook, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.lab, pytest.mark.browser]

# The pictures under the views are brought up to date more often than every 20 s.
LEFT = """import time
import hutch_lineage as hl
from hutch_lineage.explorer import static_picture
static_picture.REFRESH_S, static_picture.SHARE = 0.4, 1
left = hl.explore(height=480)
left"""
RIGHT = "right = hl.explore(height=480)\nright"
GROW = """with hl.run("search", score_directions={"score": "higher"}) as run:
    ids = []
    for number in range(80):
        parents = [ids[number // 2]] if number else []
        made = run.log_individual(kind="program", parent_ids=parents)
        run.log_fitness(individual=made, scores={"score": number})
        ids.append(made.id)
        time.sleep(0.08)
"""
ADDED = 80
ASK = "print(left.graph is right.graph, left.selected.id, right.selected.id)"
# From now on note each view that appears, and what each picture under them says.
WATCH = """() => {
  const note = () => {
    for (const view of document.querySelectorAll('.hl-explorer')) watched.views.add(view);
    for (const image of document.querySelectorAll("img[src^='data:image/svg+xml']"))
      watched.pictures.add(image.closest('[class^=hl-static]').className + image.alt);
  };
  globalThis.watched = { views: new Set(), pictures: new Set() };
  note();
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
}"""
SEEN = "() => [watched.views.size, watched.pictures.size]"
BOTH_ARE_FINAL = """count => [...document.querySelectorAll("img[src^='data:image/svg+xml']")]
  .filter(({ alt }) => alt.startsWith(count) && !alt.includes("running")).length === 2"""
Pair = tuple[Notebook, Notebook]


@pytest.fixture(scope="module")
def pair(lab: JupyterLab, chromium: Browser) -> Iterator[Pair]:
    """The two explorers of one page, which is high enough for both."""
    lab.set_theme("light")
    path = write(lab.notebooks / "pair.ipynb", LEFT, RIGHT, GROW, ASK)
    visit = Visit.open(chromium, lab.url(path.name), width=1400, height=1900)
    lab.wait_until_idle(visit.page)
    left, right = Notebook(visit.page), Notebook(visit.page, which=1)
    for cell in (0, 1):
        left.run(cell)
        left.wait_done(cell)
    yield left, right
    visit.close()
    assert (visit.outside, visit.errors) == ([], [])


def total(notebook: Notebook) -> int:
    """How many nodes an explorer shows."""
    return int(notebook.explorer.get_attribute("data-total") or 0)


def test_they_stay_in_step_and_each_has_its_own_selection(pair: Pair) -> None:
    """While the cell runs both grow; a click in one selects nothing in the other."""
    left, right = pair
    before = total(left)
    left.run(2)
    for more in (10, 30):
        right.wait_for_explorer(more_than=before + more)
        left.wait_for_explorer(more_than=before + more)
        assert abs(total(left) - total(right)) < ADDED / 4
    left.click_node(5)
    right.click_node(3)
    assert left.is_busy(2)
    left.wait_done(2)
    for each in pair:
        each.wait_for_explorer(total=before + ADDED)
    left.wait_for_fact("selected", "5")
    right.wait_for_fact("selected", "3")
    names = [each.node_id(row) for each in pair for row in (5, 3)]
    assert names[:2] == names[2:]
    left.run(3)
    left.wait_done(3)
    assert left.output(3) == f"True {names[0]} {names[1]}"


def test_a_new_picture_makes_no_new_view(pair: Pair) -> None:
    """Refreshed several times in the cell and after it: the same two elements, no third one."""
    left, right = pair
    before = total(left)
    left.page.evaluate(WATCH)
    left.run(2)
    right.wait_for_explorer(more_than=before + ADDED // 2)
    views, pictures = left.page.evaluate(SEEN)
    assert left.is_busy(2)
    assert views == 2
    assert pictures >= 2 + 2  # those that were there, and a newer one of each
    left.wait_done(2)
    right.wait_for_explorer(total=before + ADDED)
    left.page.wait_for_function(BOTH_ARE_FINAL, arg=f"{before + ADDED} individuals")
    assert left.page.evaluate(SEEN)[0] == 2
    assert left.page.locator(".hl-explorer").count() == 2
    assert not left.page.locator("img[src^='data:image/svg+xml']").first.is_visible()
