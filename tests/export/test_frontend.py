"""The files of the front end, and the message that carries one."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import ExportError
from hutch_lineage.export import asset, late_asset


def test_it_is_a_script_and_a_style_and_nothing_else_has_a_name():
    """Only bundles that are meant to come later can be asked for."""
    message = late_asset("panels")
    assert message is not None
    assert (message["op"], min(len(message["js"]), len(message["css"])) > 1000) == ("asset", True)
    assert [late_asset(name) for name in ("explorer", "", "../../__init__")] == [None] * 3


def test_what_is_missing_says_how_to_get_it():
    """An installation without the built front end is told apart from a bug."""
    with pytest.raises(ExportError, match="install the wheel"):
        asset("nothing.js")
