"""How long to wait before something that failed is tried again."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with jitter.

    Attributes
    ----------
    base_s : float
        The longest first wait, in seconds.
    cap_s : float
        The longest wait at all, in seconds.

    Examples
    --------
    >>> 0.25 <= Backoff(base_s=0.5).wait_s(1) <= 0.5
    True
    """

    base_s: float = 0.5
    cap_s: float = 30.0

    def wait_s(self, failures: int) -> float:
        """Return the wait in seconds after so many failures in a row (from 1).

        Drawn from the upper half of the interval, so that many producers do not return at once.
        """
        longest = min(self.cap_s, self.base_s * 2.0 ** min(failures - 1, 30))
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 - jitter, not a secret
