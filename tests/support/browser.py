"""Headless Chromium through Playwright, with Debian's browser instead of a downloaded one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--no-sandbox",  # Chromium refuses to run as root with it
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
]
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def chromium_path() -> str | None:
    """The browser to use: CHROMIUM, or the first one on PATH."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def launched(path: str) -> Iterator[Browser]:
    """A running headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """One page in a context of its own, with what went wrong on it."""

    context: BrowserContext
    page: Page
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @classmethod
    def open(
        cls,
        browser: Browser,
        url: str,
        *,
        theme: str = "light",
        width: int = 1280,
        height: int = 760,
        scale: float = 1,
        **context_options: Any,
    ) -> Visit:
        """Open `url` in a fresh context; `errors` collects uncaught errors of its scripts."""
        context = browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=scale,
            color_scheme="dark" if theme == "dark" else "light",
            **context_options,
        )
        made = cls(context, context.new_page())
        context.route("**/*", made._guard)
        made.page.on("pageerror", lambda error: made.errors.append(str(error)))
        if url != "about:blank":
            made.page.goto(url)
        return made

    def _guard(self, route: Route) -> None:
        parts = urlsplit(route.request.url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in LOOPBACK:
            self.outside.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    def screenshot(self, path: Path) -> None:
        """Save what the viewport shows."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)

    def close(self) -> None:
        """Close the page and its context."""
        self.context.close()
