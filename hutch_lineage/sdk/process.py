"""The one runtime of this process: found, configured, reset, and told of forks and the exit."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hutch_lineage.errors import CaptureError, ConfigurationError, RunError

from .config import SDKConfig
from .joining import may_be_worker, may_have_left
from .runs import active
from .runtime import Runtime, before_verb

if TYPE_CHECKING:
    from hutch_lineage.openlineage import OpenLineageEmitter

logger = logging.getLogger("hutch_lineage.sdk")

after_reset: list[Callable[[], object]] = []
"""Called at the end of :func:`reset`; other rooms let go of the former session there."""

_current: Runtime | None = None
_guests: dict[Path, Runtime] = {}  # sessions that handles were sent from, beside one of our own
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
            _current = _new()
        return _current


def _new(config: SDKConfig | None = None) -> Runtime:
    """Return a new runtime. A worker's takes no settings: those of its session hold."""
    if may_be_worker():
        from hutch_lineage.workers import parent_folder

        folder = parent_folder()
        if folder is not None:
            return _joined(folder)
    elif may_have_left():
        from .following import tell_of_left

        tell_of_left()
    if config is None:
        return Runtime(SDKConfig.from_env(), forgiving=True)
    return Runtime(config)


def _joined(folder: Path) -> Runtime:
    from hutch_lineage.workers import SessionFacts

    facts = SessionFacts.read(folder)
    if facts is None:
        raise RunError(f"the session of {folder} has ended, or is not to be reached from here")
    sdk = Runtime(SDKConfig(strict=facts.strict))
    sdk.ties.join(folder)
    return sdk


def runtime_for(folder: Path) -> Runtime:
    """Return the runtime that logs to the session of a folder: ours, or one joined to it.

    Raises
    ------
    RunError
        That session has ended, or its folder is not to be reached from here.
    """
    from hutch_lineage.workers import is_session

    global _current
    with _current_lock:
        current = _current
        if current is not None:
            if current.ties.folder == folder:
                return current
            if current.ties.membership is None and not current.runs and is_session(folder):
                current.ties.join(folder)  # it has nothing of its own
                return current
        if folder in _guests:
            return _guests[folder]
        sdk = _joined(folder)
        if current is None:
            _current = sdk
        else:
            _guests[folder] = sdk
        return sdk


def configure(config: SDKConfig) -> Runtime:
    """Use `config` from now on.

    Events captured so far and open runs stay. The former emitter is closed, which waits for
    events not sent yet, but not longer than ``config.request_timeout_s`` and 5 s. One that an
    explorer or the extension asked for is kept where possible and switched to the new endpoint.
    In a worker process the settings of its session hold, and these are only checked.

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
            _current = current = _new(config.copy())
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
    try:
        former.close()
    finally:
        run = active.get()
        if run is not None and run.belongs_to(former):
            active.set(None)
        for hook in tuple(after_reset):
            hook()


def emitter() -> OpenLineageEmitter | None:
    """Return the session's OpenLineage emitter.

    None where nothing is configured and neither the extension nor an explorer asked for one, and
    in a worker process.

    Examples
    --------
    >>> reset()
    >>> emitter() is None
    True
    """
    return runtime().emitter


def _runtimes() -> list[Runtime]:
    current = [] if _current is None else [_current]
    return [*current, *_guests.values()]


def _before_fork() -> None:
    for sdk in _runtimes():
        sdk.ties.before_fork()


def _after_fork_in_parent() -> None:
    for sdk in _runtimes():
        sdk.ties.after_fork_in_parent()


def _after_fork() -> None:
    global _current_lock
    _current_lock = threading.Lock()
    before_verb.clear()  # what is done there is the parent's: the sockets of a kernel, for one
    for sdk in _runtimes():
        sdk.after_fork()
    following = sys.modules.get(f"{__package__}.following")
    if following is not None:
        following.after_fork()


def _at_exit() -> None:
    for sdk in _runtimes():
        for end in (
            sdk.ties.before_exit,
            sdk.transport.close,  # the OpenLineage emitter ends by itself, in a bounded time
            *((sdk.spans.close,) if sdk.spans is not None else ()),
        ):
            try:
                end()
            except CaptureError as error:  # strict: there is no caller any more
                logger.error("%s", error)
            except KeyboardInterrupt:
                pass  # it ends a wait; what is left was told


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork,
    )
atexit.register(_at_exit)
