"""Events that another SDK of this process logs and stores: heard, mended and handed on."""

from __future__ import annotations

from typing import Any, Final

from hutch_lineage.errors import InvalidEventError
from hutch_lineage.model import EVENT_CLASSES, Event

from .events import make_event
from .runtime import Runtime, before_verb

_CLASS_OF: Final = {each.model_fields["event_kind"].default: each for each in EVENT_CLASSES}
_ENVELOPE: Final = (
    *("event_id", "timestamp_ns"),
    *("stream_id", "worker_id", "span_id", "trace_id"),
)


def hear(sdk: Runtime, event: Any) -> None:
    """Keep a copy of a Hutch event, mended as what a verb is given, and hand it on.

    It goes to the emitter and to the session, but not to the transport nor to the spans: who
    logged it has stored it. In a worker process it goes to the session that it works for.

    Parameters
    ----------
    sdk : Runtime
        The session.
    event : object
        An event of the Hutch SDK; only read.

    Raises
    ------
    InvalidEventError
        It breaks the schema.
    CaptureError
        In strict mode, when mending lost something or anybody failed.

    Examples
    --------
    >>> from hutch_lineage.model import RunEndEvent
    >>> from hutch_lineage.sdk import runtime
    >>> hear(runtime(), RunEndEvent(run_id="r", payload={"status": "finished"}))
    >>> runtime().events[-1].run_id
    'r'
    """
    if before_verb:
        sdk.call_hooks()
    sdk.take(own_event(sdk, event))


def own_event(sdk: Runtime, event: Any) -> Event:
    """Return a Hutch event as one of this package; what had to be mended is reported to `sdk`."""
    kind = event.event_kind
    event_class = _CLASS_OF.get(kind)
    if event_class is None:
        raise InvalidEventError(f"hutch: events of the kind {kind!r} are not known here")
    envelope = {name: getattr(event, name, None) for name in _ENVELOPE}
    return make_event(
        sdk, f"hutch, {kind}", event_class, event.run_id, dict(event.payload), envelope
    )
