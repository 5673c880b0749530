"""Which explorer was opened last: what a file is written of when nothing is named."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from hutch_lineage.session import Session

if TYPE_CHECKING:
    from .explorer import Explorer

_opened: list[weakref.ref[Explorer]] = []


def note_opened(explorer: Explorer) -> None:
    """Note that an explorer was made."""
    _opened[:] = [each for each in _opened if each() is not None]
    _opened.append(weakref.ref(explorer))


def newest(session: Session) -> Explorer | None:
    """Return the explorer that was made last and is still open; None without one.

    It may look at `session` or at what was opened; one of a session that is over is passed by.

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
        if explorer is None or explorer.comm is None:
            continue
        if explorer.source is session or not isinstance(explorer.source, Session):
            return explorer
    return None
