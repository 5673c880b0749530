"""What MkDocs does beside its plugins: cross-reference roles in docstrings become plain code."""

from __future__ import annotations

import re

ROLE = re.compile(r":(?:attr|class|data|exc|func|meth|mod|py:\w+):(?=<code>)")


def on_page_content(html: str, **_: object) -> str:
    """Drop ``:class:`` and the like where they stand before code."""
    return ROLE.sub("", html)
