"""Keys and headers."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.plumbing import Credentials


def test_nothing_secret_is_shown():
    """The repr names headers but shows neither their values nor the key."""
    shown = repr(Credentials("hush", {"X-Token": "hush"}))
    assert shown == "Credentials(api_key=***, headers=[X-Token])"


def test_secrets_are_masked_in_the_words_of_others():
    """A backend that echoes the key does not get it into a log."""
    assert Credentials("hush", {"X": "quiet"}).masked("bad key hush, quiet") == "bad key ***, ***"


@pytest.mark.parametrize(
    ("key", "headers"),
    [("a\nb", {}), ("☃", {}), (None, {"X\n": "a"}), (None, {"": "a"}), (None, {"X": "a\r\nY: b"})],
)
def test_what_no_header_can_carry_is_refused_without_showing_it(key, headers):
    """A key or header that HTTP cannot carry is a setting's error, told at once."""
    with pytest.raises(ConfigurationError) as caught:
        Credentials(key, headers)
    assert "☃" not in str(caught.value)
