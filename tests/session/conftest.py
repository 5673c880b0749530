"""Hutch beside the session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hutch_lineage as hl
from tests.session.hutch_alone import embedded, fresh_hutch


@pytest.fixture
def hutch(tmp_path: Path) -> Iterator[Any]:
    """The real SDK; it stores to a file of this test."""
    with fresh_hutch() as sdk:
        sdk.configure(embedded(tmp_path / "hutch.duckdb"))
        yield sdk
        hl.detach()
