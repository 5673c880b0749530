"""One view in a page: opened, looked at, acted on. No server: the files are handed to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.browser import Visit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Route

EXPLORER = Path(__file__).resolve().parents[2] / "hutch_lineage" / "explorer"
FILES = {
    "/explorer.js": EXPLORER / "static" / "explorer.js",
    "/explorer.css": EXPLORER / "static" / "explorer.css",
    "/hands.js": EXPLORER / "static" / "hands.js",
    "/hands.css": EXPLORER / "static" / "hands.css",
    "/panels.js": EXPLORER / "static" / "panels.js",
    "/panels.css": EXPLORER / "static" / "panels.css",
    "/synth.mjs": EXPLORER / "frontend" / "dev" / "synth.mjs",
    "/many.mjs": EXPLORER / "frontend" / "dev" / "many.mjs",
    "/page.mjs": Path(__file__).with_name("page.mjs"),
}
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css"}
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>view</title>
<link rel="stylesheet" href="/explorer.css"><script type="module" src="/page.mjs"></script>
<body style="margin:0"><div id="app"></div></body></html>"""
STILL = (
    "hl.app.camera.flight === 0 && hl.app.frame === 0 && hl.store.changes.size === 0"
    " && !hl.app.panel.bundle.loading && !hl.app.panel.hands.loading"
)


class View:
    """A page that shows one made-up run; `call` runs a function of ``page.mjs``."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.page: Page = visit.page
        self.page.on("console", self._hear)

    def start(self, run: dict[str, Any], traits: dict[str, Any]) -> View:
        """Open the page and render the view of `run`."""
        self.page.context.route(re.compile(r"^http://localhost/"), _serve)
        self.page.goto("http://localhost/")
        self.page.wait_for_function("window.t !== undefined")
        self.call("start", run, traits)
        self.settle()
        return self

    def _hear(self, message: ConsoleMessage) -> None:
        """A part that fails is caught by the store, which says so: here that counts as an error."""
        if message.type == "error" and "[hutch_lineage]" in message.text:
            self.visit.errors.append(message.text)

    def call(self, name: str, *given: Any) -> Any:
        """Run ``t.<name>(...given)`` in the page."""
        return self.page.evaluate("([name, given]) => t[name](...given)", [name, list(given)])

    def settle(self) -> None:
        """Wait until the view has drawn what it knows and stands still."""
        self.call("frames", 3)
        self.page.wait_for_function(STILL)

    def state(self) -> dict[str, Any]:
        """Return what the view says of itself, once it stands still."""
        self.settle()
        found: dict[str, Any] = self.page.evaluate("hl.state()")
        return found

    def sent(self, op: str) -> list[dict[str, Any]]:
        """Return the messages of one kind that went to Python."""
        sent: list[dict[str, Any]] = self.page.evaluate("model.sent")
        return [message for message in sent if message["op"] == op]

    def place(self, row: int) -> tuple[float, float]:
        """Return where a row stands on the page."""
        at = self.page.evaluate("row => hl.screenOf(row)", row)
        return at["x"], at["y"]

    def click(self, row: int) -> None:
        """Click on a row's mark."""
        self.page.mouse.click(*self.place(row))
        self.settle()

    def tab(self, name: str) -> None:
        """Open a panel, from the strip or from the menu behind it."""
        tab = self.page.get_by_role("tab", name=name, exact=True)
        if not tab.is_visible():
            self.page.get_by_role("button", name="More", exact=True).click()
            tab = self.page.get_by_role("menuitem", name=name, exact=True)
        tab.click()
        self.settle()

    def data(self, name: str) -> str | None:
        """Return the root's attribute ``data-<name>``."""
        return self.page.get_attribute(".hl-explorer", f"data-{name}")

    def text(self, selector: str) -> str:
        """Return the text of an element, its spaces joined."""
        return " ".join(self.page.inner_text(f".hl-explorer {selector}").split())

    def crumbs(self) -> list[str]:
        """Return the texts of the chips that say what narrows the picture."""
        self.settle()
        chips = self.page.locator(".hl-crumb").all_inner_texts()
        return [" ".join(text.split()) for text in chips]


def _serve(route: Route) -> None:
    file = FILES.get(re.sub(r"^http://localhost", "", route.request.url))
    if file is None:
        route.fulfill(body=PAGE, content_type="text/html")
    else:
        route.fulfill(body=file.read_text(encoding="utf-8"), content_type=TYPES[file.suffix])
