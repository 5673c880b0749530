"""Offering once more what was refused from the journals of processes that are gone."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import orjson

from .journal.journal import remove
from .journal.owner import Lock
from .journal.progress import RejectedFile
from .journal.segments import PATTERN
from .seams import Sender


class Offered(NamedTuple):
    """What became of events that were offered once more.

    Attributes
    ----------
    accepted, refused : int
        How many.
    why : str
        The reason of the first that was not accepted; empty where all were.
    """

    accepted: int = 0
    refused: int = 0
    why: str = ""


def offer_rejected(folder: Path, sender: Sender) -> Offered:
    """Offer once more what was refused from one journal; what is accepted leaves its file.

    Returns
    -------
    Offered
        How many events were accepted, and how many not; none where the journal is in use.

    Examples
    --------
    >>> from hutch_lineage.delivery import open_sender
    >>> from hutch_lineage.mapping import parse_endpoint
    >>> offer_rejected(Path("nowhere"), open_sender(parse_endpoint("http://localhost:5000")))
    Offered(accepted=0, refused=0, why='')
    """
    lock = Lock.take(folder)
    if lock is None:
        return Offered()
    try:
        rejected = RejectedFile(folder)
        accepted, reasons = [], []
        for record in rejected.records():
            reply = sender.send(orjson.dumps(record["event"]))
            if reply.verdict == "accepted":
                accepted.append(int(record.get("line", -1)))
            else:
                reasons.append(reply.reason)
        if accepted:
            rejected.without(accepted)
        if not rejected and next(folder.glob(PATTERN), None) is None:
            remove(folder, rejected)
        return Offered(len(accepted), len(reasons), next(iter(reasons), ""))
    finally:
        lock.release()
