"""When to tell of a trouble that lasts: once where it begins, once where it ends."""

from __future__ import annotations


class Spell:
    """A trouble that comes and goes. Not locked: two threads that see it begin may both tell of it.

    Attributes
    ----------
    lasts : bool
        Whether it has begun and not ended.

    Examples
    --------
    >>> outage = Spell()
    >>> outage.begins(), outage.begins(), outage.ends(), outage.ends()
    (True, False, True, False)
    """

    __slots__ = ("lasts",)

    def __init__(self) -> None:
        self.lasts = False

    def begins(self) -> bool:
        """Note that there is trouble; return whether that is news."""
        before, self.lasts = self.lasts, True
        return not before

    def ends(self) -> bool:
        """Note that there is none; return whether that is news."""
        before, self.lasts = self.lasts, False
        return before
