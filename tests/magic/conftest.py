"""A kernel with the extension loaded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.kernel import Kernel


@pytest.fixture(scope="module")
def _kernel() -> Iterator[Kernel]:
    with Kernel() as kernel:
        kernel.load()
        yield kernel


@pytest.fixture
def kernel(_kernel: Kernel) -> Kernel:
    """A kernel with the extension loaded, an SDK that has seen nothing, and no explorer open."""
    _kernel.run("from ipywidgets import Widget; Widget.close_all()")
    _kernel.begin_anew()
    return _kernel
