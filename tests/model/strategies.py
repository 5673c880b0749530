"""Hypothesis strategies for events of every kind, read off the model's own fields."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from uuid import UUID

from annotated_types import Ge, Le
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from hutch_lineage.model import (
    EVENT_CLASSES,
    DescriptorPayload,
    Event,
    FitnessPayload,
    IndividualPayload,
    ParetoSnapshotPayload,
    Payload,
)

# Surrogates cannot be written as UTF-8, so no JSON holds them; cleaning takes them out before.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
HASHES = st.text("0123456789abcdefABCDEF", min_size=64, max_size=64)
# Non-finite numbers are left out: Hutch takes them but cannot read its own JSON of them back.
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
INTS = st.integers(0, 2**63 - 1)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | FLOATS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def of_annotation(kind: Any, metadata: tuple[Any, ...] = ()) -> st.SearchStrategy[Any]:
    """Return values of a field's type that keep its constraints."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return of_annotation(arguments[0], (*metadata, *_flat(arguments[1:])))
    if origin in (Union, UnionType):
        return st.one_of(
            st.none() if part is NoneType else of_annotation(part, metadata) for part in arguments
        )
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is list:
        return st.lists(of_annotation(arguments[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(TEXTS, of_annotation(arguments[1]), max_size=3)
    return _scalar(kind, metadata)


def _flat(metadata: tuple[Any, ...]) -> list[Any]:
    """Unpack the constraints that pydantic's Field holds."""
    return [
        part
        for item in metadata
        for part in (item.metadata if isinstance(item, FieldInfo) else [item])
    ]


def _scalar(kind: Any, metadata: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    low = next((part.ge for part in metadata if isinstance(part, Ge)), None)
    high = next((part.le for part in metadata if isinstance(part, Le)), None)
    if kind is str:
        return HASHES if any(hasattr(part, "pattern") for part in metadata) else TEXTS
    if kind is int:
        return INTS
    if kind is float:
        return st.floats(low, high, allow_nan=False, allow_infinity=False)
    return {bool: st.booleans(), UUID: st.uuids(), Any: JSON}[kind]


def payloads(kind: type[Payload]) -> st.SearchStrategy[dict[str, Any]]:
    """Return the fields of valid payloads; fields with a default are sometimes left out."""
    fields = kind.model_fields
    drawn = {
        name: of_annotation(field.annotation, tuple(_flat(tuple(field.metadata))))
        for name, field in fields.items()
    }
    required = {name: drawn[name] for name in drawn if fields[name].is_required()}
    optional = {name: drawn[name] for name in drawn if name not in required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda data: _mend(kind, data))


def _mend(kind: type[Payload], data: dict[str, Any]) -> dict[str, Any]:
    """Make the fields keep the rules between fields."""
    if kind is IndividualPayload:
        data["is_seed"] = not data.get("parent_ids")
    if kind is FitnessPayload and not data.get("scores") and data.get("invalid_reason") is None:
        data["invalid_reason"] = "not run"
    if kind is ParetoSnapshotPayload and not data["front"]:
        data["front"] = ["ind-1"]
    if kind is DescriptorPayload and data.get("dimensions") is not None:
        size = len(data.get("coordinates", []))
        data["dimensions"] = [f"d{index}" for index in range(size)]
    return data


def events(*kinds: type[Event]) -> st.SearchStrategy[Event]:
    """Return valid events of these classes, of every class if none is named."""

    def of_class(kind: type[Event]) -> st.SearchStrategy[Event]:
        payload: Any = kind.model_fields["payload"].annotation
        envelope = {name: st.none() | TEXTS for name in ("stream_id", "worker_id", "trace_id")}
        return st.fixed_dictionaries(
            {
                "run_id": TEXTS,
                "event_id": st.uuids(),
                "timestamp_ns": INTS,
                "payload": payloads(payload),
                **envelope,
            }
        ).map(kind.model_validate)

    return st.one_of([of_class(kind) for kind in kinds or EVENT_CLASSES])
