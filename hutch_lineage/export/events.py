"""Hutch events out of a graph, whatever it was read from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, get_args
from uuid import NAMESPACE_URL, UUID, uuid5

import orjson
from pydantic import BaseModel, ValidationError

from hutch_lineage.mapping import AGENT, CARRIED, carried, grouped_statements, records_of
from hutch_lineage.model import (
    EVENT_CLASSES,
    EdgeRecord,
    Event,
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    RunRecord,
    RunStatus,
    clean_json,
)

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph

Said = dict[str, Any]

_CLASSES: Final = {cls.model_fields["event_kind"].default: cls for cls in EVENT_CLASSES}
_STATUSES: Final = get_args(RunStatus)
_STRICT: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)
_KINDS_BY_PARENTS: Final = ("propose", "mutate", "crossover")


def events_of_graph(graph: LineageGraph, *, schema: bool = True) -> tuple[list[Event], list[str]]:
    """Return Hutch events that say what a graph says, and notes on what they cannot.

    Parameters
    ----------
    graph : LineageGraph
        Read from anywhere.
    schema : bool
        Keep to the Hutch schema: what it has no place for is carried in the metadata, so that
        reading the events back gives an equal graph. Without it a kind may be any word, nothing is
        carried, and the events are good for mapping alone.

    Returns
    -------
    list of Event, list of str
        Runs begin first and end last; what lies between is in birth order. The same graph gives the
        same events.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> events_of_graph(LineageGraph())
    ([], [])
    """
    with graph.lock:
        groups = list(grouped_statements(graph.to_canonical()))
        place = {key: number for number, key in enumerate(graph.nodes())}
    groups.sort(key=lambda group: _rank(group[0], place))
    made = _Events(schema, _parents_by_self_mod(groups))
    events = [event for group in groups for event in made.of(group)]
    return events + made.ends, made.notes()


def _rank(record: Record, place: Mapping[NodeKey, int]) -> tuple[int, int]:
    if isinstance(record, RunRecord):
        return -1, 0
    if isinstance(record, OperatorRecord):
        return place[record.child], 1
    return place[record.keys[0] if isinstance(record, MigrationRecord) else record.key], 0  # type: ignore[union-attr]


class _Events:
    """Makes the events of one graph."""

    def __init__(self, schema: bool, named: Mapping[NodeKey, Container[NodeKey]]) -> None:
        self.ends: list[Event] = []
        self._schema = schema
        self._named = named
        self._started: dict[str, int] = {}
        self._lost: Counter[str] = Counter()
        self._number = 0

    def of(self, group: list[Record]) -> Iterator[Event]:
        """Yield the events for what is said of one run, node or operator."""
        first = group[0]
        if isinstance(first, RunRecord):
            yield from self._run(first)
            return
        if not self._schema and isinstance(first, FitnessRecord | MigrationRecord):
            return
        kind, run_id, said = _SAID[type(first)](group)
        if not self._schema and isinstance(first, NodeRecord) and first.key.kind == "agent":
            yield from self._agent(first, said, group)
        else:
            yield self._event(kind, run_id, said, group)

    def _agent(self, record: NodeRecord, said: Said, group: list[Record]) -> Iterator[Event]:
        """Yield an event for an agent, where no self-modification tells all of it."""
        named = self._named.get(record.key, ())
        parents = _parents_of(group)
        missing = [parent.id for parent in parents if parent not in named]
        if missing or not (parents or named):
            event = self._event("individual", record.key.run_id, said, group)
            payload = event.payload.model_copy(update={"parent_ids": missing})  # type: ignore[attr-defined]
            yield event.model_copy(update={"event_kind": AGENT, "payload": payload})

    def notes(self) -> list[str]:
        """Return what was lost, one line a kind."""
        return [f"{what}: {count:,}" for what, count in self._lost.items() if count]

    def _run(self, record: RunRecord) -> Iterator[Event]:
        said = dict(record.attributes)
        begun, ended = said.get("started_ns"), said.get("ended_ns")
        begun = begun if isinstance(begun, int) and begun >= 0 else None
        self._started[record.run_id] = begun or 0
        fields = ("name", "project", "started_by", "git_commit", "config", "score_directions")
        start = {name: said[name] for name in (*fields, "metadata") if name in said}
        event = self._event("run_start", record.run_id, start, [record], begun)
        if isinstance(ended, int) and ended >= 0 and said.get("status") in _STATUSES:
            end: Said = {name: said[name] for name in ("status", "summary") if name in said}
            closing = self._event("run_end", record.run_id, end, [], ended)
            self.ends.append(closing)
            if begun is not None and begun < ended and CARRIED in event.payload.metadata:  # type: ignore[attr-defined]
                plain = self._event("run_start", record.run_id, start, [], begun)
                told: Said = {}
                for each in (*records_of(plain), *records_of(closing)):
                    told |= each.attributes  # type: ignore[union-attr]
                event = plain if told == said else event
        yield event

    def _event(
        self, kind: str, run_id: str, said: Said, group: list[Record], time_ns: int | None = None
    ) -> Event:
        cls = _CLASSES[kind]
        stamp = group[0].stamp if group else None
        if time_ns is None and stamp is not None and stamp.timestamp_ns >= 0:
            time_ns = stamp.timestamp_ns
        if time_ns is None:
            time_ns = self._started.get(run_id, 0)
            if not (time_ns or self._schema or kind == "run_start"):
                self._lost["without a time, written as of 1970-01-01"] += 1
        self._number += 1
        envelope: Said = {
            "run_id": run_id,
            "timestamp_ns": time_ns,
            "event_id": _uuid(None if stamp is None else stamp.event_id, self._number),
        }
        payload_class: Any = cls.model_fields["payload"].annotation
        if not self._schema:
            self._count(group)
            payload = payload_class.model_construct(
                **{**_blank(payload_class), "metadata": {}, **said}
            )
            return cls.model_construct(**{**_blank(cls), **envelope, "payload": payload})
        said, mended = _clean(said)
        envelope["run_id"], broken = _clean(run_id)
        self._mended([*mended, *broken])
        payload = _fitting(payload_class, said)
        if payload is None:
            cls, payload = _CLASSES["stream_event"], _fitting(_STREAM, {"label": kind})
        event = cls(**envelope, payload=payload)  # type: ignore[call-arg]
        if not group or _says(event, group):
            return event
        held, repairs = _clean(carried(group))
        self._mended(repairs)
        metadata = {**event.payload.metadata, CARRIED: held}  # type: ignore[attr-defined]
        changed = event.payload.model_copy(update={"metadata": metadata})  # type: ignore[attr-defined]
        return event.model_copy(update={"payload": changed})

    def _mended(self, repairs: Sequence[object]) -> None:
        if repairs:
            self._lost["values that JSON cannot hold, mended"] += len(repairs)

    def _count(self, group: list[Record]) -> None:
        """Count what the names of a mapping cannot say."""
        first = group[0] if group else None
        if isinstance(first, OperatorRecord) and first.child.kind == "agent":
            several = not _is_self_mod(first)  # parents, or none
            self._lost["operators of agents, written as of individuals"] += several
        for record in group:
            child: Any = getattr(record, "child", None) or getattr(record, "key", None)
            for parent in getattr(record, "parents", ()):
                if parent[:2] != child[:2]:
                    self._lost[
                        "parents in another run, or of another kind, written as of the same"
                    ] += 1


@cache
def _blank(cls: type[BaseModel]) -> Said:
    """Return what the fields of a class are where nobody says; pydantic works it out each time."""
    return {
        name: field.get_default(call_default_factory=True)
        for name, field in cls.model_fields.items()
        if not field.is_required()
    }


def _clean(value: Any) -> tuple[Any, Sequence[object]]:
    """Return a value as JSON can hold it, and what was mended: mostly nothing, found out fast."""
    try:
        if b"null" not in orjson.dumps(value, option=_STRICT):  # what is not finite becomes null
            return value, ()
    except TypeError:
        pass
    return clean_json(value)


def _uuid(event_id: str | None, number: int) -> UUID:
    try:
        found = UUID(event_id or "")
    except ValueError:
        return uuid5(NAMESPACE_URL, f"hutch_lineage:{event_id}:{number}")
    return found


def _says(event: Event, group: list[Record]) -> bool:
    """Whether reading an event back gives what a group says, but for events behind a node."""
    told = records_of(event)
    if len(told) != len(group):
        return False
    for found, wanted in zip(told, group, strict=True):
        if found._replace(stamp=wanted.stamp) != wanted:
            return False
        exact = isinstance(wanted, OperatorRecord)
        if found.stamp[: 1 + exact] != wanted.stamp[: 1 + exact]:
            return False
    return True


# what each kind of record says in the words of the schema


def _of_node(group: list[Any]) -> tuple[str, str, Said]:
    record = group[0]
    attributes = record.attributes
    said = {name: attributes[name] for name in _INDIVIDUAL if name in attributes}
    ids = [parent.id for parent in _parents_of(group)]
    said |= {"id": record.key.id, "parent_ids": ids, "is_seed": not ids}
    said.setdefault("kind", "agent" if record.key.kind == "agent" else "program")
    if isinstance(attributes.get("genome"), str):
        said["metadata"] = {**said.get("metadata", {}), "genome": attributes["genome"]}
    return "individual", record.key.run_id, said


def _parents_of(group: list[Any]) -> Sequence[NodeKey]:
    """Return the parents that a node's own records name."""
    return group[0].parents or [edge.parent for edge in group[1:] if isinstance(edge, EdgeRecord)]


def _parents_by_self_mod(groups: Iterable[list[Record]]) -> dict[NodeKey, set[NodeKey]]:
    """Return for each agent that self-modifications made the parents that they name."""
    named: dict[NodeKey, set[NodeKey]] = {}
    for [first, *_] in groups:
        if isinstance(first, OperatorRecord) and _is_self_mod(first):
            named.setdefault(first.child, set()).update(first.parents)
    return named


def _is_self_mod(record: OperatorRecord) -> bool:
    return record.child.kind == "agent" and len(record.parents) == 1


def _of_fitness(group: list[Any]) -> tuple[str, str, Said]:
    [record] = group
    said = {**record.attributes, "individual_id": record.key.id, "scores": dict(record.scores)}
    said.setdefault("evaluator_kind", "deterministic_metric")
    if not record.scores and "composite" in said:
        said["scores"] = {"composite": said["composite"]}
    return "fitness", record.key.run_id, said


def _of_migration(group: list[Any]) -> tuple[str, str, Said]:
    [record] = group
    said = {
        "population_id": "population",
        "from_island": record.from_island,
        "to_island": record.to_island,
        "individual_ids": [key.id for key in record.keys],
    }
    return "migration", record.keys[0].run_id, said


def _of_operator(group: list[Any]) -> tuple[str, str, Said]:
    record = group[0]
    attributes = {**record.attributes, **group[-1].attributes}
    parents = [parent.id for parent in record.parents]
    if _is_self_mod(record):
        said = {name: attributes[name] for name in _SELF_MOD if name in attributes}
        said |= {"parent_agent_id": parents[0], "child_agent_id": record.child.id}
        said["overseer_verdict"] = attributes.get("verdict", "pending")
        return "self_mod", record.run_id, said
    said = {name: attributes[name] for name in _OPERATOR if name in attributes}
    said |= {"id": record.id, "parent_ids": parents, "child_id": record.child.id}
    said.setdefault("kind", _KINDS_BY_PARENTS[min(len(parents), 2)])
    return "operator", record.run_id, said


_SAID: Final[dict[type, Callable[[list[Any]], tuple[str, str, Said]]]] = {
    NodeRecord: _of_node,
    FitnessRecord: _of_fitness,
    MigrationRecord: _of_migration,
    OperatorRecord: _of_operator,
}


def _fields(kind: str) -> tuple[str, ...]:
    payload: Any = _CLASSES[kind].model_fields["payload"].annotation
    return tuple(payload.model_fields)


_INDIVIDUAL: Final = _fields("individual")
_OPERATOR: Final = _fields("operator")
_SELF_MOD: Final = _fields("self_mod")
_STREAM: Final[Any] = _CLASSES["stream_event"].model_fields["payload"].annotation


def _fitting(cls: type[BaseModel], said: Said) -> BaseModel | None:
    """Return a payload of what the schema takes of `said`; None where that is too little."""
    said = {name: value for name, value in said.items() if name in cls.model_fields}
    for _ in range(len(said) + 1):
        try:
            return cls.model_validate(said)
        except ValidationError as error:
            refused = {str(each["loc"][0]) for each in error.errors() if each["loc"]}
        if not refused & set(said):
            return None
        kept = {name: value for name, value in said.items() if name not in refused}
        if "kind" in refused:
            parents = min(len(said.get("parent_ids", ())), 2)
            kept["kind"] = _KINDS_BY_PARENTS[parents] if "child_id" in said else "program"
        if "evaluator_kind" in refused:
            kept["evaluator_kind"] = "deterministic_metric"
        said = kept
    return None
