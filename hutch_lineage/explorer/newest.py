"""Which explorer of a source was opened last: whose view a file takes when none is named."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hutch_lineage.session import Source

    from .explorer import Explorer

_opened: list[weakref.ref[Explorer]] = []


def note_opened(explorer: Explorer) -> None:
    """Note that an explorer was made."""
    _opened[:] = [each for each in _opened if each() is not None]
    _opened.append(weakref.ref(explorer))


def newest(source: Source) -> Explorer | None:
    """Return the explorer of `source` that was made last and is still open; None without one.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> from hutch_lineage.session import current_session
    >>> explorer = hl.explore()
    >>> newest(current_session()) is explorer
    True
    >>> explorer.close()
    """
    for each in reversed(_opened):
        explorer = each()
        if explorer is not None and explorer.comm is not None and explorer.shows(source):
            return explorer
    return None
