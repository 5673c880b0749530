"""How large journals may grow, and for how long they stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one journal.

    Attributes
    ----------
    max_bytes : int
        The most that a journal takes on disk. Beyond it, segments that were delivered go first;
        where all is still owed, further events stay in memory.
    segment_bytes : int
        The size at which the next segment file is begun.
    keep_s : float
        How long a journal stays after all of it was delivered, in seconds.

    Examples
    --------
    >>> Limits(keep_s=7 * 24 * 3600).max_bytes // MIB
    1024
    """

    max_bytes: int = 1024 * MIB
    segment_bytes: int = 32 * MIB
    keep_s: float = 0.0
