"""Take the pictures of the documentation.

The explorer of notebook 02 in a real JupyterLab, and the looks, which the tests compare with.

Run with ``make pictures``. Needs Chromium.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.frontend.looks import FOLDER, LOOKS, taken  # noqa: E402
from tests.support.browser import Visit, chromium_path, launched  # noqa: E402 - after the path
from tests.support.lab import JupyterLab  # noqa: E402
from tests.support.notebook import Notebook  # noqa: E402
from tests.support.pictures import small  # noqa: E402

INDIVIDUALS = 369


def main() -> None:
    """Write docs/images/explorer-light.png, explorer-dark.png and looks/*.png."""
    path = chromium_path()
    if path is None:
        raise SystemExit("no Chromium found; name one with CHROMIUM")
    with launched(path) as browser:
        for look in LOOKS:
            with taken(browser, look, Path(tempfile.mkdtemp())) as (_, png):
                (FOLDER / f"{look.name}.png").write_bytes(small(png))
    source = ROOT / "notebooks" / "02_evolution.ipynb"
    with JupyterLab(Path(tempfile.mkdtemp())) as lab, launched(path) as browser:
        for theme in ("light", "dark"):
            lab.set_theme(theme)
            url = lab.add(source, f"{theme}.ipynb")
            visit = Visit.open(browser, url, theme=theme, width=1760, height=1000)
            lab.wait_until_idle(visit.page)
            visit.page.evaluate("void jupyterapp.commands.execute('application:toggle-left-area')")
            notebook = Notebook(visit.page)
            notebook.run_all()
            notebook.wait_for_explorer(total=INDIVIDUALS)
            visit.page.wait_for_timeout(1500)  # the camera comes to rest
            notebook.explorer.screenshot(path=ROOT / "docs" / "images" / f"explorer-{theme}.png")
            visit.close()


if __name__ == "__main__":
    main()
