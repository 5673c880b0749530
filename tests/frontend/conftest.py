"""The fixture that opens views."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.frontend.view import View
from tests.support.browser import Visit


@pytest.fixture
def view(visit: Callable[..., Visit]) -> Iterator[Callable[..., View]]:
    """Open a view, ``view({"individuals": 90}, {"theme": "dark"}, width=400)``.

    An error that a script does not catch fails the test in the end.
    """
    opened: list[View] = []

    def open_view(
        run: dict[str, Any] | None = None, traits: dict[str, Any] | None = None, **page: Any
    ) -> View:
        made = View(visit(**page))
        opened.append(made)
        return made.start(run or {"individuals": 264}, traits or {})

    yield open_view
    assert [error for each in opened for error in each.visit.errors] == []
