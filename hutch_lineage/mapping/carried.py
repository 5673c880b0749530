"""Lineage records inside the metadata of a Hutch event, where its own fields cannot say them.

A graph from another source has what the Hutch schema has no place for: an operator of a kind of its
own, a time in updates, parents in another run. Written as Hutch events it would come back changed.
Such an event therefore carries its records as JSON, which this package reads in place of the other
fields; for Hutch itself it is metadata like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast, get_args

from hutch_lineage.model import (
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    Stamp,
)

from .sound import fault_of

CARRIED: Final = "hutch_lineage_records"
"""The name in the metadata of an event."""

_CLASSES: Final[dict[str, Any]] = {each.__name__: each for each in get_args(Record)}
_KEYS: Final = {
    NodeRecord: ("parents",),
    OperatorRecord: ("parents",),
    MigrationRecord: ("keys",),
}
_KEY: Final = frozenset({"key", "parent", "child"})
_MAPS: Final = frozenset({"attributes", "scores"})
_TEXTS: Final = frozenset({"run_id", "id", "relation", "from_island", "to_island"})


def carried(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Return records as JSON has them.

    Examples
    --------
    >>> from hutch_lineage.model import RunRecord
    >>> carried([RunRecord("r", Stamp(1, "e"), {"name": "x"})])[0]["stamp"]
    [1, 'e']
    """
    return [{"record": type(record).__name__, **_plain(record)} for record in records]


def records_carried(value: Any) -> list[Record] | None:
    """Return the records in `value`, or None where it is not what :func:`carried` returns.

    Examples
    --------
    >>> from hutch_lineage.model import RunRecord
    >>> record = RunRecord("r", Stamp(1, "e"), {"name": "x"})
    >>> records_carried(carried([record])) == [record], records_carried([1])
    (True, None)
    """
    if not isinstance(value, list) or not value:
        return None
    try:
        records = [_record(each) for each in value]
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return None
    return None if any(map(fault_of, records)) else records


def _plain(record: Record) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, value in record._asdict().items():
        if isinstance(value, Mapping):
            plain[name] = dict(value)
        elif isinstance(value, tuple):
            plain[name] = [list(each) if isinstance(each, tuple) else each for each in value]
        else:
            plain[name] = value
    return plain


def _record(value: Any) -> Record:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    fields = dict(value)
    cls = _CLASSES[fields.pop("record")]
    known = cls._fields
    if not set(fields) <= set(known):
        raise ValueError("unknown fields")
    read = {name: _field(cls, name, given) for name, given in fields.items()}
    if cls is FitnessRecord:
        read["scores"] = {name: float(score) for name, score in read.get("scores", {}).items()}
    return cast("Record", cls(**read))


def _field(cls: type, name: str, value: Any) -> Any:
    if name == "stamp":
        moment, event_id = value
        if type(moment) is not int or not isinstance(event_id, str):
            raise TypeError("no stamp")
        return Stamp(moment, event_id)
    if name in _KEYS.get(cls, ()):
        return tuple(map(_key, value))
    if name in _KEY:
        return _key(value)
    wanted: Any = dict if name in _MAPS else str if name in _TEXTS else int
    if not isinstance(value, wanted):
        raise TypeError(f"{name} is of another type")
    return value


def _key(value: Any) -> NodeKey:
    kind, run_id, node_id = value
    if kind not in ("individual", "agent") or not isinstance(run_id + node_id, str):
        raise ValueError("no key")
    return NodeKey(kind, run_id, node_id)
