"""Who said what last: attributes of many rows, each the newest of the statements about it.

A ledger keeps for every row a dict of attributes and, compactly, the stamp of each attribute: as a
rule all attributes of a row come from one event, so a row has one base stamp and only the
attributes that another event stated carry a stamp of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from hutch_lineage.model import Stamp

__all__ = ["Ledger", "pack_stamp", "stated", "unpack_stamp"]

_intern = sys.intern
_OFFSET = 1 << 71
_LIMIT = (1 << 72) - 1
_PLAIN = frozenset({str, int, float, bool})
_SHARED = frozenset(
    {
        "kind",
        "llm_id",
        "island_id",
        "population_id",
        "genome_lang",
        "evaluator_id",
        "evaluator_kind",
        "verdict",
        "benchmark",
        "overseer_id",
        "relation",
        "target_path",
        "prompt_template",
    }
)


def pack_stamp(stamp: Stamp) -> bytes:
    """Return `stamp` as bytes that sort as ``(timestamp_ns, event_id)`` does.

    Bytes take less than half the memory of the tuple and compare faster.
    """
    shifted = stamp[0] + _OFFSET
    if not 0 <= shifted <= _LIMIT:
        shifted = 0 if shifted < 0 else _LIMIT
    said_by = stamp[1]
    text = said_by.encode() if said_by.isascii() else said_by.encode("utf-8", "surrogatepass")
    return shifted.to_bytes(9, "big") + text


def unpack_stamp(packed: bytes) -> Stamp:
    """Return the stamp that :func:`pack_stamp` packed."""
    return Stamp(
        int.from_bytes(packed[:9], "big") - _OFFSET, packed[9:].decode("utf-8", "surrogatepass")
    )


def _says_nothing(value: Any) -> bool:
    return not value and (value is None or isinstance(value, dict | list | tuple))


def _text(value: Any) -> bytes:
    """Return a text of `value` that does not depend on the order of dict keys."""
    try:
        return type(value).__name__.encode() + orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return (type(value).__name__ + repr(value)).encode("utf-8", "surrogatepass")


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind in _PLAIN and a:
        return bool(a == b)
    return _text(a) == _text(b)


def stated(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes that say something; texts that many rows share are one object."""
    return {
        _intern(name): _intern(value) if name in _SHARED and type(value) is str else value
        for name, value in said.items()
        if value or not _says_nothing(value)
    }


class Ledger:
    """The newest statement per row and attribute.

    The result does not depend on the order of the statements: the newest stamp wins; a value of
    None, or an empty container, says nothing. Two values under one and the same stamp (a faulty
    source) are settled by their text.

    Attributes
    ----------
    values : list of dict or None
        Per row its attributes; None where nothing was said.
    """

    __slots__ = ("_base", "_later", "values")

    def __init__(self) -> None:
        self.values: list[dict[str, Any] | None] = []
        self._base: list[bytes | None] = []
        self._later: dict[int, dict[str, bytes]] = {}

    def add_row(self) -> None:
        """Append a row about which nothing is said."""
        self.values.append(None)
        self._base.append(None)

    def add_rows(self, count: int) -> None:
        """Append rows about which nothing is said."""
        nothing = [None] * count
        self.values.extend(nothing)
        self._base.extend(nothing)

    def extend(self, stamps: Sequence[bytes], values: Sequence[dict[str, Any]]) -> None:
        """Append rows of which each was :func:`stated` by one event."""
        self.values.extend([each or None for each in values])
        self._base.extend(
            [stamp if each else None for stamp, each in zip(stamps, values, strict=True)]
        )

    def state(self, row: int, stamp: bytes, said: Mapping[str, Any]) -> bool:
        """Take in what one event says about `row`; return whether a visible value changed."""
        values = self.values[row]
        if values is None:
            values = stated(said)
            if not values:
                return False
            self.values[row] = values
            self._base[row] = stamp
            return True
        return self._restate(row, values, stamp, said)

    def _restate(
        self, row: int, values: dict[str, Any], stamp: bytes, said: Mapping[str, Any]
    ) -> bool:
        base = self._base[row] or b""
        later = self._later.get(row, {})
        changed = False
        for name, value in said.items():
            if not value and _says_nothing(value):
                continue
            if name not in values:
                changed = True
            else:
                held = later.get(name, base)
                if stamp < held:
                    continue
                differs = not _same(values[name], value)
                if stamp == held and not (differs and _text(value) > _text(values[name])):
                    continue
                changed |= differs
            shared = name in _SHARED and type(value) is str
            values[_intern(name)] = _intern(value) if shared else value
            later[name] = stamp
        self._settle(row, values, base, stamp, later)
        return changed

    def _settle(
        self, row: int, values: dict[str, Any], base: bytes, stamp: bytes, later: dict[str, bytes]
    ) -> None:
        """Keep stamps of their own only for attributes that need one."""
        if len(later) == len(values):
            self._base[row] = base = stamp
        later = {name: own for name, own in later.items() if own != base}
        if later:
            self._later[row] = later
        else:
            self._later.pop(row, None)

    def stamp_of(self, row: int, name: str) -> bytes | None:
        """Return the stamp of an attribute, or None where it was never stated."""
        values = self.values[row]
        if values is None or name not in values:
            return None
        return self._later.get(row, {}).get(name, self._base[row])

    def newest(self, row: int) -> bytes:
        """Return the newest stamp among the attributes of `row`; empty where nothing was said."""
        values = self.values[row]
        if values is None:
            return b""
        later = self._later.get(row)
        base = self._base[row] or b""
        if not later:
            return base
        return max(later.values()) if len(later) == len(values) else max(base, *later.values())
