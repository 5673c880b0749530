"""The one runtime of this process: found, configured, reset, and told of forks and the exit."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from hutch_lineage.errors import ConfigurationError

from .config import SDKConfig
from .runs import active
from .runtime import Runtime

if TYPE_CHECKING:
    from hutch_lineage.openlineage import OpenLineageEmitter

after_reset: list[Callable[[], object]] = []
"""Called at the end of :func:`reset`; other rooms let go of the former session there."""

_current: Runtime | None = None
_current_lock = threading.Lock()


def runtime() -> Runtime:
    """Return the SDK's state of this process; the first call reads the environment.

    Raises
    ------
    ConfigurationError
        An environment variable has a value that cannot be used.

    Examples
    --------
    >>> runtime() is runtime()
    True
    """
    global _current
    current = _current
    if current is not None:
        return current
    with _current_lock:
        if _current is None:
            _current = Runtime(SDKConfig.from_env())
        return _current


def configure(config: SDKConfig) -> Runtime:
    """Use `config` from now on.

    Events captured so far and open runs stay. The former emitter is closed, which waits for
    events not sent yet, but not longer than ``config.request_timeout_s`` and 5 s. One that an
    explorer or the extension asked for is kept where possible and switched to the new endpoint.

    Raises
    ------
    ConfigurationError
        A setting cannot be used; nothing has changed then.

    Examples
    --------
    >>> _ = configure(SDKConfig(openlineage_endpoint="in-memory"))
    >>> runtime().config.openlineage_endpoint
    'in-memory'
    """
    global _current
    if not isinstance(config, SDKConfig):
        raise ConfigurationError(
            f"configure takes an SDKConfig, not {type(config).__name__}: write "
            "configure(SDKConfig(openlineage_endpoint=...))"
        )
    with _current_lock:
        current = _current
        if current is None:
            _current = current = Runtime(config)
            return current
    current.apply(config)
    return current


def reset() -> None:
    """Forget settings, runs and events; the next verb starts anew from the environment.

    Examples
    --------
    >>> reset()
    >>> runtime().events
    []
    """
    global _current
    with _current_lock:
        former, _current = _current, None
    if former is None:
        return
    former.close()
    run = active.get()
    if run is not None and run.belongs_to(former):
        active.set(None)
    for hook in tuple(after_reset):
        hook()


def emitter() -> OpenLineageEmitter | None:
    """Return the session's OpenLineage emitter.

    None where nothing is configured and neither the extension nor an explorer asked for one.

    Examples
    --------
    >>> reset()
    >>> emitter() is None
    True
    """
    return runtime().emitter


def _after_fork() -> None:
    global _current_lock
    _current_lock = threading.Lock()
    if _current is not None:
        _current.renew_locks()


def _at_exit() -> None:
    if _current is not None:
        _current.transport.close()  # emitters end by themselves, in a bounded time


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
