"""What an event of a backend preset says of itself: the original ids behind its names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from hutch_lineage.model import NodeKey, Stamp

from .clock import ns_from_iso
from .loose import as_dict, as_text
from .names import ORIGIN_ID, ORIGIN_RUN, node_key
from .naming import named_node, unescaped

_ORIGIN: Final = (ORIGIN_RUN, ORIGIN_ID)


class Told(NamedTuple):
    """The ``hutchLineage`` facet of an event, ids that it lacks filled in from the names.

    `stamp` is None where the Hutch event behind it is not known; `origin` says of a seed which run
    and id it was taken from, and is mostly empty.
    """

    what: str
    run_id: str
    run_name: str | None
    stamp: Stamp | None
    parents: tuple[NodeKey, ...]
    child: NodeKey | None
    relation: str | None
    origin: Mapping[str, str]

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> Told | None:
        """Return what an event says, or None where it has no such facet."""
        run = as_dict(event.get("run"))
        facet = as_dict(as_dict(run.get("facets")).get("hutchLineage"))
        what = facet.get("what")
        if not isinstance(what, str):
            return None
        if facet.get("escaped") is True:
            facet = {key: _restored(value) for key, value in facet.items()}
        outputs, inputs = (_named(event.get(side)) for side in ("outputs", "inputs"))
        run_id = as_text(facet.get("run_id"))
        if run_id is None:
            run_id = next((node.run_id for node in outputs), str(run.get("runId") or ""))
        child = next(iter(outputs), None)
        parents = tuple(inputs)
        kind: Any = facet.get("node_kind")
        if kind in ("individual", "agent"):
            if isinstance(facet.get("child"), str):
                child = NodeKey(kind, run_id, facet["child"])
            if isinstance(facet.get("parents"), list):
                ids = [each for each in facet["parents"] if isinstance(each, str)]
                parents = tuple(NodeKey(kind, run_id, each) for each in ids)
        moment = ns_from_iso(facet.get("logged_at"))
        event_id = as_text(facet.get("event_id"))
        stamp = None if moment is None or event_id is None else Stamp(moment, event_id)
        name, relation = as_text(facet.get("run_name")), as_text(facet.get("relation"))
        origin = {
            key: facet[key] for key in _ORIGIN if isinstance(facet.get(key), str) and facet[key]
        }
        return cls(what, run_id, name, stamp, parents, child, relation, origin)


def _named(datasets: Any) -> list[NodeKey]:
    names = [as_dict(each).get("name") for each in (datasets if isinstance(datasets, list) else ())]
    keys = [named_node(name) or node_key(name, "") for name in names if isinstance(name, str)]
    return [key for key in keys if key is not None]


def _restored(value: Any) -> Any:
    """Return the ids of a facet whose ids are escaped; what is no such text stays."""
    if isinstance(value, list):
        return [_restored(each) for each in value]
    if not isinstance(value, str):
        return value
    try:
        text = unescaped(value)
    except ValueError:  # a "~" that nobody of us wrote
        return value
    return value if text is None else text
