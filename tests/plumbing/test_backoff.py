"""The waits between tries: longer and longer, up to a limit, and not the same for everybody."""

from __future__ import annotations

import random

from hutch_lineage.plumbing import Backoff


def test_waits_double_up_to_the_limit_and_are_scattered() -> None:
    """Drawn from the upper half of each interval; a million failures are no matter."""
    random.seed(1)
    backoff = Backoff(base_s=0.5, cap_s=30.0)
    for failures, longest in ((1, 0.5), (2, 1.0), (4, 4.0), (7, 30.0), (10**6, 30.0)):
        waits = [backoff.wait_s(failures) for _ in range(500)]
        assert longest / 2 <= min(waits) < 0.55 * longest
        assert 0.95 * longest < max(waits) <= longest
        assert len(set(waits)) > 490
