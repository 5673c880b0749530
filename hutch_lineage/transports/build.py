"""Choose the transport that the settings ask for."""

from __future__ import annotations

import logging

from hutch_lineage.errors import ConfigurationError

from .base import Transport, TransportSettings
from .memory import MemoryTransport

logger = logging.getLogger("hutch_lineage.transports")


def build_transport(config: TransportSettings) -> Transport:
    """Return the primary transport for `config`.

    Modes ``embedded`` and ``daemon`` are not available in this version: events are kept in memory
    and one WARNING says so.

    Raises
    ------
    ConfigurationError
        In strict mode, when the mode is not available.

    Examples
    --------
    >>> from hutch_lineage.sdk import SDKConfig
    >>> build_transport(SDKConfig())
    MemoryTransport(0 events)
    """
    if config.mode == "memory":
        return MemoryTransport()
    problem = (
        f"mode {config.mode!r} is not available in this version of hutch_lineage: "
        "use mode='memory' (unset HUTCH_DAEMON_URL and HUTCH_DB_PATH)"
    )
    if config.strict:
        raise ConfigurationError(problem, "mode")
    logger.warning("%s; events are kept in memory", problem)
    return MemoryTransport()
