"""The real Hutch SDK of this process, heard: its transports tell the session of each event."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import sys
import threading
import weakref
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from hutch_lineage.errors import AttachError, ConfigurationError
from hutch_lineage.sdk import after_reset, hear, runtime

from .hutch_kept import Kept, kept_by
from .session import current_session

if TYPE_CHECKING:
    from uuid import UUID

logger = logging.getLogger("hutch_lineage.session")

_STATE: Final = "hutch.sdk._state"
_NEEDED: Final = ("_state", "_lock", "build_transport")
_lock = threading.RLock()
_current: Attachment | None = None


class Attachment:
    """How this process's Hutch SDK is listened to; returned by :func:`attach`, ended by `detach`.

    Attributes
    ----------
    version : str
        Of the Hutch SDK.
    active : bool
        False after :func:`detach`.
    taken_over : int
        Events that Hutch had captured before, and that were taken over.
    missing : str
        What Hutch had captured before and was not to be had, with the way to it; empty if nothing.

    Usable in a ``with`` statement, which detaches in the end.
    """

    def __init__(self, module: Any, version: str) -> None:
        self._module = module
        self.version = version
        self.active = True
        self.taken_over = 0
        self.missing = ""
        self._gate: threading.RLock | None = threading.RLock()
        self._taken: frozenset[UUID] = frozenset()
        self._patched: list[tuple[weakref.ref[Any], Any, Any]] = []
        self._built = module.build_transport
        self._builder = self._following(module.build_transport)

    # -- joining and leaving -----------------------------------------------------------------

    def join(self) -> None:
        """Hear what is sent from now on, after what was captured before.

        Whoever sends meanwhile waits until that is taken over.
        """
        gate = self._gate
        assert gate is not None  # noqa: S101 - it is there until this method ends
        with gate:
            with self._module._lock:  # no transport is being built or closed meanwhile
                self._module.build_transport = self._builder
                state = self._module._state
                if state is not None:
                    self._join(state.transport)
            try:
                if state is not None:
                    self._say_of_second_emitter(state.config)
                    self._take_over(kept_by(state))
            finally:
                self._gate = None

    def leave(self) -> None:
        """Put everything back as it was."""
        self.active = False
        with self._module._lock:
            if self._module.build_transport is self._builder:
                self._module.build_transport = self._built
            for reference, former, ours in self._patched:
                transport = reference()
                if transport is None or vars(transport).get("send") is not ours:
                    continue  # gone, or somebody else has it now; ours does nothing more
                if former is None:
                    del transport.send
                else:
                    transport.send = former
            self._patched.clear()

    def _following(self, build: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return `build` for transports that are listened to, as `configure` makes them later."""

        def build_transport(config: Any) -> Any:
            transport = build(config)
            if self.active:
                try:
                    self._listen_to(transport)
                    self._say_of_second_emitter(config)
                except Exception as error:  # Hutch's `configure` goes on as without us
                    logger.warning("Hutch was configured, and is not heard any more: %s", error)
            return transport

        return build_transport

    def _join(self, transport: Any) -> None:
        try:
            self._listen_to(transport)
        except (AttributeError, TypeError) as error:
            raise AttachError(
                f"Hutch {self.version} cannot be attached to: its {type(transport).__name__} "
                f"cannot be listened to ({error})"
            ) from error

    def _listen_to(self, transport: Any) -> None:
        """Have `transport` tell of each event that it has sent, whoever holds it."""
        if any(each() is transport for each, *_ in self._patched):
            return  # it was built once, and is given out again
        send = transport.send

        def send_and_tell(event: Any) -> None:
            send(event)
            if self.active:
                self.hear(event)

        former, held = vars(transport).get("send"), weakref.ref(transport)
        transport.send = send_and_tell
        self._patched = [each for each in self._patched if each[0]() is not None]
        self._patched.append((held, former, send_and_tell))

    def _say_of_second_emitter(self, config: Any) -> None:
        theirs = getattr(config, "openlineage_endpoint", None)
        ours = runtime().config.openlineage_endpoint
        if theirs and theirs != "in-memory" and theirs == ours:
            runtime().say_once(
                "two emitters",
                "Hutch's emitter and that of hutch_lineage both post to the same backend, where "
                "each run now appears twice: set openlineage_endpoint for one of them only",
            )

    # -- events ------------------------------------------------------------------------------

    def hear(self, event: Any) -> None:
        """Hand on an event that Hutch has sent. Nothing that fails here reaches Hutch's caller.

        Except in strict mode, where it raises as it does from a verb.
        """
        gate = self._gate
        if gate is not None:
            with gate:  # it comes after what was captured before
                pass
        if self._taken and event.event_id in self._taken:
            return
        try:
            sdk = runtime()
        except ConfigurationError as error:  # the environment was changed since
            logger.warning("an event of Hutch was not captured: %s", error)
            return
        try:
            hear(sdk, event)
        except Exception as error:
            if sdk.config.strict:
                raise
            sdk.say_once(f"heard {type(error).__name__}", f"an event of Hutch was lost: {error}")

    def _take_over(self, kept: Kept) -> None:
        sdk = runtime()
        known = {each.event_id for each in sdk.events}
        fresh = [each for each in kept.events if each.event_id not in known]
        for event in fresh:
            sdk.take(event)
        self._taken = frozenset(each.event_id for each in kept.events)
        self.taken_over = len(fresh)
        self.missing = kept.missing
        if kept.missing:
            logger.warning("attached to Hutch, but %s", kept.missing)
        if kept.skipped:
            logger.warning("%s of Hutch could not be read: %s", kept.skipped, kept.example)

    # -- for people --------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if _current is self:
            detach()

    def __str__(self) -> str:
        if not self.active:
            return f"detached from Hutch {self.version}"
        text = f"attached to Hutch {self.version}: what it logs is seen here"
        if self.taken_over:
            text += f"; {self.taken_over:,} events that it had logged before were taken over"
        return f"{text}; {self.missing}" if self.missing else text

    def __repr__(self) -> str:
        return f"<{self}>"


def attach() -> Attachment:
    """See live what this process logs with the real Hutch SDK (``import hutch``).

    From now on each event that Hutch has sent, mended where it has to be, also comes to the graph,
    to the explorer and to the OpenLineage emitter of this session. Hutch goes on as before: it
    stores what it stores, and nothing that fails here reaches its caller, except in strict mode.
    It does not matter whether `hutch` was imported or configured before. Runs that are open are
    taken over as far as Hutch has kept them. Attaching twice is the same as once; :func:`detach`
    and :func:`hutch_lineage.reset` restore Hutch as it was. A forked process stays attached, and
    its events come to this session.

    Returns
    -------
    Attachment
        What was taken over, and what was not to be had.

    Raises
    ------
    AttachError
        The Hutch SDK is not installed, or is not one that this package knows.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> with hl.attach() as attachment:
    ...     attachment.active
    True
    >>> attachment.active
    False
    """
    global _current
    module, version = _hutch()
    with _lock:
        if _current is not None:
            if _current._module is module:
                return _current
            _current.leave()  # hutch was imported anew
        sdk = runtime()
        if sdk.ties.membership is None:  # a worker process has no graph: its session has it
            current_session()
        _current = Attachment(module, version)
        try:
            _current.join()
        except BaseException:
            _current.leave()
            _current = None
            raise
        return _current


def detach() -> None:
    """Stop listening to the Hutch SDK, and restore it as it was; without :func:`attach`, nothing.

    What was captured stays in the session.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> hl.detach()
    """
    global _current
    with _lock:
        former, _current = _current, None
        if former is not None:
            former.leave()


def _hutch() -> tuple[Any, str]:
    """Return the module that holds Hutch's state, and Hutch's version."""
    advice = "Runs that it has stored are opened with hutch_lineage.load(file)"
    if "hutch" not in sys.modules and importlib.util.find_spec("hutch") is None:
        raise AttachError(
            "the Hutch SDK is not installed, so there is nothing to attach to: "
            f"`pip install thehutch`. {advice}"
        )
    try:
        package = importlib.import_module("hutch")
        module = importlib.import_module(_STATE)
    except ImportError as error:
        raise AttachError(
            f"the package `hutch` that is installed cannot be attached to ({error}): it is not "
            f"the Hutch SDK, or not complete. `pip install thehutch` installs that. {advice}"
        ) from error
    version = str(getattr(package, "__version__", "of an unknown version"))
    if missing := [name for name in _NEEDED if not hasattr(module, name)]:
        raise AttachError(
            f"Hutch {version} cannot be attached to: {_STATE} has no {missing[0]}, as version "
            f"0.1.1 has. {advice}"
        )
    return module, version


def _after_fork() -> None:
    global _lock
    _lock = threading.RLock()
    if _current is not None:
        _current._gate = None  # who held it is not in this process


after_reset.append(detach)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
