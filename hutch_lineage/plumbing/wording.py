"""Numbers as one says them."""

from __future__ import annotations


def counted(count: int, noun: str = "event") -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> counted(1), counted(1859, "individual"), counted(2, "ancestry")
    ('1 event', '1,859 individuals', '2 ancestries')
    """
    if count == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {plural}"
