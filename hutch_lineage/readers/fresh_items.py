"""What is new in a source that was read anew."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

import orjson

from .conversion import is_event
from .format import Item
from .report import ReadReport, Report


class FreshItems:
    """Tells the events that were not there before, and what was not reported before.

    Lineage records pass: a graph takes a statement twice without harm.

    Examples
    --------
    >>> fresh = FreshItems()
    >>> event = {"run": {"runId": "r"}}
    >>> list(fresh.among([event])), list(fresh.among([event]))
    ([{'run': {'runId': 'r'}}], [])
    """

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        self._told: Counter[str] = Counter()

    def among(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items that are new."""
        for item in items:
            if is_event(item):
                mark = _mark(item)
                if mark in self._seen:
                    continue
                self._seen.add(mark)
            yield item

    def tell(self, found: ReadReport, report: Report) -> None:
        """Put into `report` what was found more often than before."""
        found.tell(report, self._told)
        self._told |= Counter(found.counts)


def _mark(event: object) -> bytes:
    if isinstance(event, dict):
        text = orjson.dumps(event, option=orjson.OPT_SORT_KEYS, default=str)
        return hashlib.blake2b(text, digest_size=16).digest()
    return str(getattr(event, "event_id", id(event))).encode()
