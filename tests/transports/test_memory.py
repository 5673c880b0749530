"""The memory transport keeps everything, in order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hutch_lineage.model import Event, StreamEventEvent, StreamEventPayload
from hutch_lineage.transports import MemoryTransport, Transport


def _event(label: str) -> Event:
    return StreamEventEvent(run_id="r", payload=StreamEventPayload(label=label))


def test_order() -> None:
    """Events are kept in the order in which they were sent."""
    transport: Transport = MemoryTransport()
    events = [_event(str(number)) for number in range(5)]
    for event in events:
        transport.send(event)
    assert transport.events == events


def test_threads() -> None:
    """No event is lost when several threads send."""
    transport = MemoryTransport()
    events = [_event(str(number)) for number in range(2000)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(transport.send, events))
    assert sorted(e.event_id for e in transport.events) == sorted(e.event_id for e in events)


def test_closed() -> None:
    """What was kept can be read after close, which may be called twice."""
    transport = MemoryTransport()
    transport.send(_event("a"))
    transport.close()
    transport.close()
    assert len(transport.events) == 1
    assert repr(transport) == "MemoryTransport(1 events)"
