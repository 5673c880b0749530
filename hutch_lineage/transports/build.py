"""Choose the transport that the settings ask for."""

from __future__ import annotations

from .base import Transport, TransportSettings
from .memory import MemoryTransport


def build_transport(config: TransportSettings, *, forgiving: bool = False) -> Transport:
    """Return the primary transport for `config`.

    Parameters
    ----------
    config : SDKConfig
        The settings.
    forgiving : bool
        Outside strict mode, do not raise where a store cannot be opened: events wait for it.

    Raises
    ------
    StoreError
        The DuckDB file cannot be used; ``StoreBusyError`` where another process has it open.
    ConfigurationError
        The token cannot stand in an HTTP request.

    Examples
    --------
    >>> from hutch_lineage.sdk import SDKConfig
    >>> build_transport(SDKConfig())
    MemoryTransport(0 events)
    """
    if config.mode == "embedded":
        from .embedded import EmbeddedTransport

        return EmbeddedTransport(config.db_path, strict=config.strict, forgiving=forgiving)
    if config.mode == "daemon":
        from .daemon import DaemonTransport

        return DaemonTransport(
            config.daemon_url,
            token=config.auth_token,
            timeout_s=config.request_timeout_s,
            fallback=config.fallback_path if config.auto_fallback else None,
            strict=config.strict,
        )
    return MemoryTransport()
