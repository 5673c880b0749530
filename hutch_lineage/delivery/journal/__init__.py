"""The journal: RunEvents in a file before anybody posts them, so that no crash loses one.

A folder per endpoint, in it a folder per process::

    ~/.hutch/openlineage/localhost-5000-07a876a96b42/      owner-only rights
        myhost-4711-9b1c/
            owner.json                   who writes here; locked while it lives
            events-000000000000.ndjson   RunEvents, as the official file transport writes them
            cursor                       how many lines the backend has accepted
            rejected.ndjson              what it refused, with the reason
"""

from __future__ import annotations

from .adoption import Adopted, Orphans
from .journal import Journal
from .limits import Limits
from .overview import JournalFacts, facts_of, journals_below, newest_lines, refused_in
from .place import JOURNAL_VARIABLE, default_root, endpoint_folder, journal_root

__all__ = [
    "JOURNAL_VARIABLE",
    "Adopted",
    "Journal",
    "JournalFacts",
    "Limits",
    "Orphans",
    "default_root",
    "endpoint_folder",
    "facts_of",
    "journal_root",
    "journals_below",
    "newest_lines",
    "refused_in",
]
