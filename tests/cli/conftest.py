"""No command looks at what waits in the home of whoever runs the tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The fallback queue of the test."""
    path = tmp_path / "hutch" / "fallback-events.jsonl"
    monkeypatch.setenv("HUTCH_FALLBACK_PATH", str(path))
    return path
