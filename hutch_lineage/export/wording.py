"""Numbers and counts as the pictures and summaries write them."""

from __future__ import annotations

import math
import re

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def number(value: float) -> str:
    """Return a number with five significant digits, without needless zeros.

    Examples
    --------
    >>> number(2.63581), number(3.0), number(1234567.0), number(0.000012345)
    ('2.6358', '3', '1,234,567', '1.2345e-05')
    """
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    if 1e5 <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.5g}"


def dollars(value: float) -> str:
    """Return an amount of US dollars: cents from ten dollars on, tenths of a cent below.

    Examples
    --------
    >>> dollars(0.0123), dollars(1234.5)
    ('$0.012', '$1,234.50')
    """
    return f"${value:,.2f}" if abs(value) >= 10 else f"${value:.3f}"


def short_id(text: str) -> str:
    """Return the first block of a UUID, and any other id as it is.

    Examples
    --------
    >>> short_id("27022875-7b6e-4476-bc7b-100d4291d4ba"), short_id("ind-42")
    ('27022875', 'ind-42')
    """
    return text[:8] if UUID.fullmatch(text) else text


def xml_text(text: str) -> str:
    r"""Return `text` with U+FFFD for each character that XML cannot hold.

    Examples
    --------
    >>> xml_text("a\x00b") == "a\ufffdb"
    True
    """
    return FORBIDDEN.sub("\ufffd", text)


def one_line(text: str) -> str:
    r"""Return `text` with U+FFFD for each character that would steer a terminal or end the line.

    Examples
    --------
    >>> one_line("a\x1b[2J\nb") == "a\ufffd[2J\ufffdb"
    True
    """
    return CONTROL.sub("\ufffd", text)
