"""Bringing OpenLineage events to a backend without ever holding up the caller."""

from __future__ import annotations

from .backoff import Backoff
from .courier import Courier
from .credentials import Credentials
from .http_sender import USER_AGENT, HttpSender
from .lifetime import register
from .outbox import MemoryOutbox
from .replies import Reply, reply_of
from .seams import Delivery, DeliveryStats, Outbox, Rejected, Sender

__all__ = [
    "USER_AGENT",
    "Backoff",
    "Courier",
    "Credentials",
    "Delivery",
    "DeliveryStats",
    "HttpSender",
    "MemoryOutbox",
    "Outbox",
    "Rejected",
    "Reply",
    "Sender",
    "register",
    "reply_of",
]
