"""Settings choose the transport; what cannot be had is said."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.sdk import SDKConfig
from hutch_lineage.transports import MemoryTransport, build_transport


def test_default(caplog: pytest.LogCaptureFixture) -> None:
    """By default events are kept in memory, and nothing is said about it."""
    assert isinstance(build_transport(SDKConfig()), MemoryTransport)
    assert caplog.messages == []


@pytest.mark.parametrize("mode", ["daemon", "embedded"])
def test_not_available_yet(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    """A mode that is not available falls back to memory with one WARNING that names it."""
    assert isinstance(build_transport(SDKConfig(mode=mode)), MemoryTransport)
    [record] = caplog.records
    assert record.levelname == "WARNING"
    assert f"mode '{mode}'" in record.message
    assert "kept in memory" in record.message


@pytest.mark.parametrize("mode", ["daemon", "embedded"])
def test_strict(mode: str) -> None:
    """In strict mode it is an error."""
    with pytest.raises(ConfigurationError, match=f"mode '{mode}' is not available") as caught:
        build_transport(SDKConfig(mode=mode, strict=True))
    assert caught.value.setting == "mode"
