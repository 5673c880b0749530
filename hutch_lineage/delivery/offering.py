"""Offering once more what was refused from the journals of processes that are gone."""

from __future__ import annotations

from pathlib import Path

import orjson

from .journal.journal import remove
from .journal.owner import Lock
from .journal.progress import RejectedFile
from .journal.segments import PATTERN
from .seams import Sender


def offer_rejected(folder: Path, sender: Sender) -> int:
    """Offer once more what was refused from one journal; what is accepted leaves its file.

    Returns
    -------
    int
        How many events were accepted; 0 where the journal is in use.

    Examples
    --------
    >>> from hutch_lineage.delivery import open_sender
    >>> from hutch_lineage.mapping import parse_endpoint
    >>> offer_rejected(Path("nowhere"), open_sender(parse_endpoint("http://localhost:5000")))
    0
    """
    lock = Lock.take(folder)
    if lock is None:
        return 0
    try:
        rejected = RejectedFile(folder)
        accepted = [
            int(record.get("line", -1))
            for record in rejected.records()
            if sender.send(orjson.dumps(record["event"])).verdict == "accepted"
        ]
        if accepted:
            rejected.without(accepted)
        if not rejected and next(folder.glob(PATTERN), None) is None:
            remove(folder, rejected)
        return len(accepted)
    finally:
        lock.release()
