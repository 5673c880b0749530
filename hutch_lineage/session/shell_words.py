"""What errors and notes advise, in the words of a shell: they are written for Python."""

from __future__ import annotations

import re
from typing import Final

_OPTIONS: Final = {
    "kind": "--kind",
    "run": "--run",
    "metric": "--metric",
    "directions": "--direction",
    "first_parent": "-o first_parent=true",
    "license": "-o license=NAME",
}
# a word that stands for itself, `run=`, and not one with a value of somebody's data, `run=a`
_WORD: Final = re.compile(rf"(?<![\w.\-'\"])({'|'.join(_OPTIONS)})=(True)?(?![^\s,;:.)`])")
_KEYS: Final = (
    ("pass api_key=, or set ", "set "),
    (
        "pass api_key=, the server's HUTCH_TOKEN",
        "set HUTCH_DAEMON_URL to it and HUTCH_TOKEN to its token",
    ),
)


def in_shell_words(text: str) -> str:
    """Return `text` with the options of ``hutch-lineage`` and ``%hutch_lineage`` for arguments.

    Examples
    --------
    >>> in_shell_words("it has several runs: name one with run=, one of: a, b")
    'it has several runs: name one with --run, one of: a, b'
    >>> in_shell_words("first_parent=True keeps the first of each; run=7 is not there")
    '-o first_parent=true keeps the first of each; run=7 is not there'
    """
    for python, shell in _KEYS:
        text = text.replace(python, shell)
    return _WORD.sub(lambda match: _OPTIONS[match[1]], text)
