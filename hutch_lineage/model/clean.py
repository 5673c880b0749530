"""Clean what a caller hands over, before it becomes a payload.

Search loops hand over numpy scalars, ``nan`` scores, model output with broken Unicode, paths and
arbitrary objects. :func:`clean` turns them into what the canonical JSON can hold and says what it
had to change; it raises nothing and keeps no state. Whether a change is worth a warning or an
exception is for the caller to decide.

Lossless and silent: numpy (and torch, jax, pandas) scalars and arrays become Python numbers and
lists, tuples become lists, subclasses of ``str``, ``int`` and ``float`` become the plain type.
Everything else that changes is reported as a :class:`Repair`.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, TypeAlias
from uuid import UUID

from pydantic import BaseModel

__all__ = ["MAX_DEPTH", "Repair", "RepairKind", "clean", "clean_json", "clean_text"]

RepairKind: TypeAlias = Literal["non_finite", "surrogate", "converted", "not_json", "too_deep"]

MAX_DEPTH = 100
"""Containers nested deeper than this are cut; readers of JSON commonly stop at about 200."""

MAX_CONTAINERS = 1_000_000
"""A value with more containers than this is cut: objects that share others unfold without end."""

FREE_FIELDS = frozenset({"metadata", "config", "watcher", "params"})
"""Payload fields that take any JSON; the others are left to the schema to judge."""

_SHOWN = 60  # characters of a value that a report shows
_LONGEST_REPR = 2000  # characters of an object that is stored as its repr


class Repair(NamedTuple):
    """One change made by :func:`clean`.

    Attributes
    ----------
    kind : str
        ``non_finite`` (a ``nan`` or ``inf``), ``surrogate`` (text that is not valid Unicode),
        ``converted`` (a value stored in another form: a path, a date, a set, a whole number
        beyond 64 bits, a key that is not text), ``not_json`` (an object stored as its ``repr``),
        ``too_deep`` (nesting cut, a structure that contains itself, or one that unfolds into too
        many containers).
    where : str
        The field, with the way into it: ``metadata.history[3]``.
    what : str
        The value as it was, shortened.
    """

    kind: RepairKind
    where: str
    what: str

    @property
    def lossy(self) -> bool:
        """Whether something was lost: everything but ``converted``."""
        return self.kind != "converted"


def clean(fields: dict[str, Any]) -> tuple[dict[str, Any], list[Repair]]:
    """Clean the arguments of a payload.

    - A score (in ``scores``) that is not finite moves, as text, to
      ``metadata["non_finite_scores"]``; where no score is left and the payload has an
      ``invalid_reason`` that is unset, it is set.
    - ``coordinates`` with a number that is not finite move, as they were and with that number as
      text, to ``metadata["non_finite_coordinates"]``, since a position needs all of them.
    - A ``coverage`` of ``nan``, the share of an empty archive, becomes 0.0 with
      ``metadata["non_finite_coverage"]``.
    - Any other number that is ``nan`` or infinite becomes None.
    - A lone surrogate, in any text or key, becomes U+FFFD; a pair is joined.
    - ``metadata``, ``config``, ``watcher`` and ``params`` become plain JSON data, a copy that
      later changes of the caller's objects do not reach.

    Parameters
    ----------
    fields : dict
        Argument name -> value. Not changed.

    Returns
    -------
    tuple of (dict, list of Repair)
        The cleaned fields (the same dict when nothing had to change) and what was changed.

    Examples
    --------
    >>> fields, repairs = clean({"individual_id": "a", "scores": {"loss": float("nan")},
    ...                          "invalid_reason": None, "metadata": {}})
    >>> fields["scores"], fields["metadata"], fields["invalid_reason"]
    ({}, {'non_finite_scores': {'loss': 'nan'}}, 'no finite score: loss=nan')
    >>> repairs
    [Repair(kind='non_finite', where='scores.loss', what='nan')]
    """
    changed: dict[str, Any] | None = None
    repairs: list[Repair] = []
    for name, value in fields.items():
        if value is None:
            continue
        kind = type(value)
        if kind is str:
            if value.isascii():
                continue
        elif kind is float:
            if value - value == 0.0:  # false for nan and for infinities
                continue
        elif kind is list:
            for item in value:  # as a loop, since ids in a list are the common case
                if type(item) is not str or not item.isascii():
                    break
            else:
                continue
        elif kind is dict:
            if not value:
                continue
        elif kind is int or kind is bool:
            continue
        cleaned = _field(name, value, repairs)
        if cleaned is not value:
            if changed is None:
                changed = dict(fields)
            changed[name] = cleaned
    if changed is None:
        return fields, repairs
    if repairs:
        _keep_non_finite(fields, changed, repairs)
    return changed, repairs


def clean_text(text: str) -> str:
    r"""Return `text` as valid Unicode: surrogate pairs joined, lone surrogates as U+FFFD.

    Examples
    --------
    >>> clean_text("a\ud800b") == "a\ufffdb"
    True
    """
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def clean_json(value: Any, where: str = "value") -> tuple[Any, list[Repair]]:
    """Return `value` as plain JSON data, and what had to change.

    Non-finite numbers become the text ``nan``, ``inf`` or ``-inf``.

    Examples
    --------
    >>> clean_json({"out": {1: (2.5, float("inf"))}})[0]
    {'out': {'1': [2.5, 'inf']}}
    """
    walk = _Walk([])
    return _json(value, where, walk, 0, ()), walk.repairs


@dataclasses.dataclass(slots=True)
class _Walk:
    """One pass through a value: what was changed, and how many containers it has copied."""

    repairs: list[Repair]
    containers: int = 0


def _field(name: str, value: Any, repairs: list[Repair]) -> Any:
    """Clean one argument; what is no business of this module comes back as it is."""
    if name in FREE_FIELDS:
        return _json(value, name, _Walk(repairs), 0, ())
    value = _plain(value, name, repairs)
    if type(value) is float and not math.isfinite(value):
        repairs.append(Repair("non_finite", name, str(value)))
        if name == "coverage":
            return 0.0 if math.isnan(value) else value
        return None
    if isinstance(value, Mapping):
        return _mapping(name, value, repairs)
    if isinstance(value, list | tuple):
        return _sequence(name, value, repairs)
    return value


def _mapping(name: str, value: Mapping[Any, Any], repairs: list[Repair]) -> dict[Any, Any]:
    """Clean keys and values of a typed mapping; drop non-finite numbers."""
    result: dict[Any, Any] = {}
    for key, item in list(value.items()):  # another thread may add to it meanwhile
        key = _plain(key, name, repairs)
        item = _plain(item, f"{name}.{key}", repairs)
        if type(item) is float and not math.isfinite(item):
            repairs.append(Repair("non_finite", f"{name}.{key}", str(item)))
            continue
        result[key] = item
    return result


def _sequence(name: str, value: Iterable[Any], repairs: list[Repair]) -> list[Any]:
    """Clean the items of a list; empty it if a number in it is not finite."""
    result = [_plain(item, name, repairs) for item in value]
    bad = [item for item in result if type(item) is float and not math.isfinite(item)]
    if bad:
        repairs.append(Repair("non_finite", name, _short(result)))
        return []
    return result


def _keep_non_finite(
    fields: dict[str, Any], changed: dict[str, Any], repairs: list[Repair]
) -> None:
    """Put the numbers that left `scores`, `coordinates` and `coverage` into the metadata."""
    kept: dict[str, Any] = {}
    left = {repair.where for repair in repairs if repair.kind == "non_finite"}
    scores = fields.get("scores")
    if scores is not changed.get("scores") and isinstance(scores, Mapping):
        lost = _lost_scores(scores)
        if lost:
            kept["non_finite_scores"] = lost
            if not changed["scores"] and changed.get("invalid_reason", "") is None:
                told = ", ".join(f"{name}={value}" for name, value in lost.items())
                changed["invalid_reason"] = f"no finite score: {told}"
    if "coordinates" in left and changed["coordinates"] == []:
        kept["non_finite_coordinates"] = clean_json(fields["coordinates"])[0]
    if "coverage" in left and changed["coverage"] == 0.0:
        kept["non_finite_coverage"] = "nan"
    metadata = changed.get("metadata") or {}
    if kept and isinstance(metadata, Mapping):
        changed["metadata"] = {**metadata, **kept}


def _lost_scores(scores: Mapping[Any, Any]) -> dict[str, str]:
    ignored: list[Repair] = []
    plain = {
        str(_plain(key, "", ignored)): _plain(value, "", ignored) for key, value in scores.items()
    }
    return {
        key: str(value)
        for key, value in plain.items()
        if type(value) is float and not math.isfinite(value)
    }


def _plain(value: Any, where: str, repairs: list[Repair]) -> Any:
    """Return a scalar of Python for one of its subclasses or of an array library."""
    kind = type(value)
    if kind is str:
        return _text(value, where, repairs)
    if value is None or kind in _SCALARS or kind in _CONTAINERS:
        return value
    if isinstance(value, enum.Enum):
        return _plain(value.value, where, repairs)
    if isinstance(value, str):
        return _text(str.__str__(value), where, repairs)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float | Fraction) or (isinstance(value, Decimal) and not value.is_snan()):
        try:
            return float(value)
        except OverflowError:  # a fraction beyond all floats
            return math.inf if value > 0 else -math.inf
    if kind.__name__ in _MISSING:
        return None
    return _from_array(value)


def _from_array(value: Any) -> Any:
    """Unwrap what an array library made (numpy, torch, jax, pandas), without importing it."""
    convert = getattr(value, "tolist", None) or getattr(value, "item", None)
    if not callable(convert) or isinstance(value, type):
        return value
    try:
        result = convert()
    except Exception:  # a foreign object may do anything; then it is not an array
        return value
    if type(result) in _SCALARS or type(result) in _CONTAINERS or isinstance(result, str | date):
        return result
    try:
        return float(result)  # numpy.longdouble, whose tolist() returns itself
    except Exception:
        return value


def _text(text: str, where: str, repairs: list[Repair]) -> str:
    cleaned = clean_text(text)
    if cleaned is not text:
        repairs.append(Repair("surrogate", where, ascii(text[:_SHOWN])))
    return cleaned


def _json(value: Any, where: str, walk: _Walk, depth: int, above: tuple[int, ...]) -> Any:
    """Copy `value` as JSON data. `above` holds the identities of the objects around it."""
    if _is_json_scalar(value):
        return value
    kind = type(value)
    if kind is float:
        walk.repairs.append(Repair("non_finite", where, str(value)))
        return str(value)
    if kind is int:  # more than most readers of JSON hold
        walk.repairs.append(Repair("converted", where, _short(value)))
        return _shown(value)
    if kind in _CONTAINERS or isinstance(value, Mapping | list | tuple | set | frozenset):
        cut = _cut(value, walk, depth, above)
        if cut:
            walk.repairs.append(Repair("too_deep", where, kind.__name__))
            return cut
        return _container(value, where, walk, depth + 1, (*above, id(value)))
    plain = value if isinstance(value, Decimal | Fraction) else _plain(value, where, walk.repairs)
    if plain is not value:
        return _json(plain, where, walk, depth, above)
    record = _record(value)
    if record is not None:
        walk.repairs.append(Repair("converted", where, kind.__name__))
        if id(value) in above:
            walk.repairs.append(Repair("too_deep", where, kind.__name__))
            return _ITSELF
        return _json(record, where, walk, depth, (*above, id(value)))
    return plain if kind is str else _object(value, where, walk.repairs)


def _cut(value: Any, walk: _Walk, depth: int, above: tuple[int, ...]) -> str:
    """Return what stands in the place of a container that is not copied; empty if it is."""
    if id(value) in above:
        return _ITSELF
    if depth >= MAX_DEPTH:
        return f"<deeper than {MAX_DEPTH}>"
    walk.containers += 1
    return f"<more than {MAX_CONTAINERS} containers>" if walk.containers > MAX_CONTAINERS else ""


def _is_json_scalar(value: Any) -> bool:
    """Whether `value` is JSON as it stands; the quick test that most values pass."""
    kind = type(value)
    if kind is str:
        return bool(value.isascii())
    if kind is float:
        return bool(value - value == 0.0)  # false for nan and for infinities
    return (kind is int and _INT_FIRST <= value <= _INT_LAST) or kind is bool or value is None


def _container(value: Any, where: str, walk: _Walk, depth: int, above: tuple[int, ...]) -> Any:
    try:  # taken at once, since another thread may add to it meanwhile
        held = list(value.items() if isinstance(value, Mapping) else value)
    except Exception:  # a foreign mapping may do anything
        return _object(value, where, walk.repairs)
    if isinstance(value, Mapping):
        result = {}
        for key, item in held:
            name = key if type(key) is str and key.isascii() else _key(key, where, walk.repairs)
            if _is_json_scalar(item):
                result[name] = item
            else:
                result[name] = _json(item, f"{where}.{name}", walk, depth, above)
        return result
    if isinstance(value, set | frozenset):
        walk.repairs.append(Repair("converted", where, type(value).__name__))
        items = [_json(item, where, walk, depth, above) for item in held]
        return sorted(items, key=lambda item: (type(item).__name__, str(item)))
    return [
        item if _is_json_scalar(item) else _json(item, f"{where}[{index}]", walk, depth, above)
        for index, item in enumerate(held)
    ]


def _record(value: Any) -> dict[str, Any] | None:
    """Return the fields of a dataclass or of a pydantic model, None for anything else."""
    if isinstance(value, type):
        return None
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
    if isinstance(value, BaseModel):
        return dict(value)
    return None


def _key(key: Any, where: str, repairs: list[Repair]) -> str:
    plain = _plain(key, where, repairs)
    if isinstance(plain, str):
        return plain
    repairs.append(Repair("converted", where, f"key {_short(key)}"))
    if plain is None or isinstance(plain, bool):  # as JSON spells them
        return {None: "null", True: "true", False: "false"}[plain]
    return clean_text(_shown(plain))


def _object(value: Any, where: str, repairs: list[Repair]) -> str | float:
    """Give an object its usual text, or its `repr` where it has none."""
    for kinds, form in _FORMS:
        if isinstance(value, kinds):
            repairs.append(Repair("converted", where, _short(value)))
            return form(value)
    repairs.append(Repair("not_json", where, f"{type(value).__name__}: {_short(value)}"))
    return clean_text(_shown(value))


def _bytes(value: bytes | bytearray) -> str:
    return bytes(value).decode("utf-8", "backslashreplace")


_ITSELF = "<contains itself>"
_INT_FIRST, _INT_LAST = -(2**63), 2**64 - 1
_SCALARS = frozenset({bool, int, float, str, type(None)})
_CONTAINERS = frozenset({dict, list, tuple, set, frozenset})
_MISSING = frozenset({"NAType", "NaTType"})  # pandas
_FORMS: tuple[tuple[tuple[type, ...], Callable[[Any], str | float]], ...] = (
    ((datetime, date, time), lambda value: str(value.isoformat())),
    ((PurePath, UUID, Decimal, Fraction), str),
    ((timedelta,), lambda value: float(value.total_seconds())),
    ((bytes, bytearray), _bytes),
)


def _shown(value: Any) -> str:
    """Return the `repr` of a value that may not have one, cut where it is very long."""
    try:
        text = repr(value)
    except Exception:  # whatever a foreign __repr__ raises
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST_REPR else f"{text[:_LONGEST_REPR]}…"


def _short(value: Any) -> str:
    text = _shown(value)
    return ascii(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...").strip("'\"")
