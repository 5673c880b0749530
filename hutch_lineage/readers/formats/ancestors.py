"""The ancestors that a row of a phylogeny names, however its list is spelled."""

from __future__ import annotations

import re
from typing import Final

import orjson

STANDARD_ROOTS: Final = frozenset({"['none']", '["none"]'})
"""How the standard spells that there is no ancestor."""

_NOBODY: Final = frozenset({"", "none", "null", "nan"})
_PUNCTUATION: Final = str.maketrans("", "", "[]'\"")
_TOKEN: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"|([^,\s\[\]'\"][^,\[\]'\"]*)")


def ancestors(cell: str) -> tuple[str, ...]:
    """Return the ids in an ``ancestor_list``; empty for a root, in any of its spellings.

    Parameters
    ----------
    cell : str
        ``['1','2']``, ``["1", "2"]``, ``[1,2]``, ``1``; or ``[NONE]``, ``["none"]``, ``[]``,
        ``None`` or nothing at all.

    Returns
    -------
    tuple of str
        In the order of the list, each once.

    Examples
    --------
    >>> ancestors("['1', '2']"), ancestors("[7]"), ancestors('["NONE"]'), ancestors("[]")
    (('1', '2'), ('7',), (), ())
    """
    if "," not in cell and '"' not in cell:  # one at most, as nearly everywhere
        only = cell.translate(_PUNCTUATION)
        if only.isdigit():
            return (only,)
        only = only.strip()
        return () if only.lower() in _NOBODY else (only,)
    named = _listed(cell)
    return tuple(dict.fromkeys(each for each in named if each.lower() not in _NOBODY))


def _listed(cell: str) -> list[str]:
    if '"' in cell:
        try:
            value = orjson.loads(cell)
        except orjson.JSONDecodeError:
            pass
        else:
            values = value if isinstance(value, list) else [value]
            return ["none" if each is None else str(each).strip() for each in values]
    return [next(filter(None, groups), "").strip() for groups in _TOKEN.findall(cell)]
