"""Bringing OpenLineage events to a backend without ever holding up the caller."""

from __future__ import annotations

from hutch_lineage.plumbing import Backoff, Credentials

from .courier import Courier
from .detection import Detected, detect_backend
from .journal import (
    JOURNAL_VARIABLE,
    Journal,
    JournalFacts,
    Limits,
    Orphans,
    endpoint_folder,
    facts_of,
    journal_root,
    journals_below,
    newest_lines,
    refused_in,
)
from .offering import offer_rejected
from .opening import open_sender
from .options import DeliveryOptions, HttpOptions
from .outbox import JournaledOutbox, MemoryOutbox
from .replies import Reply, reply_of
from .seams import Delivery, DeliveryStats, Outbox, Posting, PostingState, Record, Rejected, Sender

__all__ = [
    "JOURNAL_VARIABLE",
    "Backoff",
    "Courier",
    "Credentials",
    "Delivery",
    "DeliveryOptions",
    "DeliveryStats",
    "Detected",
    "HttpOptions",
    "Journal",
    "JournalFacts",
    "JournaledOutbox",
    "Limits",
    "MemoryOutbox",
    "Orphans",
    "Outbox",
    "Posting",
    "PostingState",
    "Record",
    "Rejected",
    "Reply",
    "Sender",
    "detect_backend",
    "endpoint_folder",
    "facts_of",
    "journal_root",
    "journals_below",
    "newest_lines",
    "offer_rejected",
    "open_sender",
    "refused_in",
    "reply_of",
]
