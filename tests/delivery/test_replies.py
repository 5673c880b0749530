"""What an answer means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from hutch_lineage.delivery import reply_of


@pytest.mark.parametrize(
    ("status", "verdict"),
    [(200, "accepted"), (201, "accepted"), (204, "accepted"), (302, "retry"), (400, "rejected"),
     (401, "rejected"), (404, "rejected"), (408, "retry"), (413, "rejected"), (422, "rejected"),
     (425, "retry"), (429, "retry"), (500, "retry"), (503, "retry"), (599, "retry")],
)  # fmt: skip
def test_each_status_has_one_meaning(status, verdict):
    """2xx is accepted, what may pass is retried, any other 4xx rejects the event."""
    assert reply_of(status).verdict == verdict


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [(None, None), ("", None), ("7", 7.0), ("-1", 0.0), ("99999", 300.0), ("soon", None),
     ("nan", None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)],
)  # fmt: skip
def test_retry_after_is_read(header, wait_s):
    """Retry-After in seconds or as a date is honoured up to five minutes; nonsense is ignored."""
    assert reply_of(503, header).wait_s == wait_s


def test_retry_after_as_a_date_ahead():
    """A date ahead is the time until then."""
    header = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 50 < (reply_of(429, header).wait_s or 0) <= 60
