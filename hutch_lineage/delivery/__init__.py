"""Bringing OpenLineage events to a backend without ever holding up the caller."""

from __future__ import annotations

from .backoff import Backoff
from .courier import Courier
from .credentials import Credentials
from .lifetime import register
from .opening import open_sender
from .outbox import MemoryOutbox
from .replies import Reply, reply_of
from .seams import Delivery, DeliveryStats, Outbox, Posting, PostingState, Rejected, Sender

__all__ = [
    "Backoff",
    "Courier",
    "Credentials",
    "Delivery",
    "DeliveryStats",
    "MemoryOutbox",
    "Outbox",
    "Posting",
    "PostingState",
    "Rejected",
    "Reply",
    "Sender",
    "open_sender",
    "register",
    "reply_of",
]
