"""OpenLineage events become lineage records.

Hutch's events carry one edge set each and are read on their own. For other producers the standard
has the inputs and outputs of a run add up over its events, so a reader remembers its runs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hutch_lineage.model import (
    EdgeRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    RunRecord,
    Stamp,
    clean_json,
)

from .clock import has_offset, ns_from_iso
from .foreign import Dataset, Flows, as_dict, flows_of
from .hutch_records import agent_scores, known
from .names import node_key, self_mod_id
from .naming import named_node
from .oddities import Oddity, OnOddity
from .told import Told

FOREIGN_RUN: Final = "openlineage"
"""The run that datasets of other producers belong to: they are shared by all runs."""

_PRODUCER: Final = "https://github.com/xyin-anl/hutch"
_ENDED: Final = {"COMPLETE": "finished", "FAIL": "failed", "ABORT": "cancelled"}


@dataclass(slots=True)
class _Open:
    """What a foreign run has said so far."""

    inputs: dict[Dataset, None] = field(default_factory=dict)
    outputs: dict[Dataset, None] = field(default_factory=dict)
    stated: dict[Dataset, dict[Dataset, None]] = field(default_factory=dict)
    explicit: bool = False
    told: bool = True
    job: str = ""
    run: str = ""
    kind: str = "job"
    stamp: Stamp = field(default_factory=lambda: Stamp(-1, ""))


class RunEventReader:
    """Turn OpenLineage events, of Hutch or of any producer, into lineage records.

    For other producers a node is a dataset (kind ``individual``, id ``<namespace>/<name>``, run
    ``openlineage``) and an operator is one run of a job. Edges that the producer states (explicit
    lineage, column lineage) come at once. Edges that follow from "every input feeds every output"
    come with the event that ends the run, since only then it is known that nothing better is
    stated; call :meth:`finish` after the last event for the runs that never ended.

    Not thread-safe. Never raises for odd events: each oddity is handed to `on_oddity`.

    Parameters
    ----------
    on_oddity : callable, optional
        Called with an :class:`Oddity` each time something was odd.

    Examples
    --------
    >>> reader = RunEventReader()
    >>> event = {"eventType": "COMPLETE", "run": {"runId": "r"}, "job": {"name": "j"},
    ...          "inputs": [{"namespace": "db", "name": "a"}],
    ...          "outputs": [{"namespace": "db", "name": "b"}]}
    >>> [type(record).__name__ for record in reader.records(event)]
    ['NodeRecord', 'NodeRecord', 'OperatorRecord']
    """

    def __init__(self, on_oddity: OnOddity | None = None) -> None:
        self._on_oddity: OnOddity = on_oddity or _ignore
        self._named: dict[str, str] = {}
        self._seen: set[Dataset] = set()
        self._inputs: set[NodeKey] = set()
        self._open: dict[tuple[str, str], _Open] = {}

    def records(self, event: Any) -> list[Record]:
        """Return what one event adds; an empty list where it adds nothing.

        Parameters
        ----------
        event : dict
            A RunEvent, JobEvent or DatasetEvent as JSON gives it. Anything else is an oddity.
        """
        if not is_openlineage(event):
            self._on_oddity(Oddity("not-an-event", repr(event)[:120]))
            return []
        if _is_hutch(event):
            return list(self._hutch(event))
        return list(self._foreign(event))

    def finish(self) -> list[Record]:
        """Return the edges of runs that have not ended, as far as they have been described."""
        left, self._open = self._open, {}
        return [record for run in left.values() for record in _inferred(run)]

    def _stamp(self, event: Mapping[str, Any]) -> Stamp:
        text = event.get("eventTime")
        moment = ns_from_iso(text)
        if moment is None:
            kind: Any = "no-time" if text is None else "unreadable-time"
            self._on_oddity(Oddity(kind, str(text)[:60]))
        elif not has_offset(str(text)):
            self._on_oddity(Oddity("time-without-offset", str(text)[:60]))
        return Stamp(-1 if moment is None else moment, _digest(event))

    # Hutch's own events

    def _hutch(self, event: Mapping[str, Any]) -> Iterator[Record]:
        stamp = self._stamp(event)
        run = as_dict(event.get("run"))
        run_id = run.get("runId")
        if not isinstance(run_id, str):
            self._on_oddity(Oddity("no-run", _job_of(event)))
            return
        facets = as_dict(run.get("facets"))
        told = Told.of(event)
        if told is not None and told.what != "run":
            if event.get("eventType") != "START":  # its COMPLETE says the same
                yield from _preset_edges(told, facets, stamp)
            return
        if told is not None:
            run_id, stamp = told.run_id, told.stamp or stamp
        children = list(_nodes(event.get("outputs"), run_id))
        if all(child.run_id == run_id for child in children):  # else it is an operator's own run
            yield from self._hutch_run(event, run_id, facets, stamp, told)
        parents = tuple(_nodes(event.get("inputs"), run_id))
        for child in children:
            yield from _hutch_edges(facets, child.run_id, parents, child, stamp)
        # an input exists, although no event of the default mapping introduces a seed
        for parent in parents:
            if parent not in self._inputs:
                self._inputs.add(parent)
                yield NodeRecord(parent, Stamp(-1, stamp.event_id))

    def _hutch_run(
        self,
        event: Mapping[str, Any],
        run_id: str,
        facets: Mapping[str, Any],
        stamp: Stamp,
        told: Told | None,
    ) -> Iterator[Record]:
        name = as_dict(event.get("job")).get("name") if told is None else told.run_name
        attributes: dict[str, Any] = {}
        if isinstance(name, str) and name != run_id and self._named.get(run_id) != name:
            self._named[run_id] = name
            attributes["name"] = name
        event_type = event.get("eventType")
        moment = stamp.timestamp_ns if stamp.timestamp_ns >= 0 else None
        if event_type == "START":
            facet = as_dict(facets.get("hutchRun"))
            attributes |= known(
                project=_text(facet.get("project")),
                started_by=_text(facet.get("started_by")),
                status="running",
                started_ns=moment,
            )
        elif event_type in _ENDED:
            facet = as_dict(facets.get("hutchRunOutcome"))
            attributes |= known(
                status=_text(facet.get("status")) or _ENDED[event_type],
                summary=_text(facet.get("summary")),
                ended_ns=moment,
            )
        if attributes:
            yield RunRecord(run_id, stamp, attributes)

    # other producers' events

    def _foreign(self, event: Mapping[str, Any]) -> Iterator[Record]:
        stamp = self._stamp(event)
        run_id = self._run_id(event)
        job = _job_of(event)
        if not job and "dataset" not in event:
            self._on_oddity(Oddity("no-job", _digest(event)))
        flows = flows_of(event, self._on_oddity)
        for dataset in self._new_datasets(flows):
            yield _dataset_record(dataset, stamp)
        self._report_loops(flows)
        key = (run_id or _digest(event), job)
        run = self._open.setdefault(key, _Open(job=job, run=run_id))
        run.kind = _job_kind(event) or run.kind
        _add(run, flows, stamp)
        for target in flows.stated:
            yield _operator_record(run, tuple(run.stated[target]), target)
        event_type = event.get("eventType")
        if not run_id or (isinstance(event_type, str) and event_type in _ENDED):
            yield from _inferred(run)
            if not run_id:
                del self._open[key]

    def _run_id(self, event: Mapping[str, Any]) -> str:
        run_id = as_dict(event.get("run")).get("runId")
        if isinstance(run_id, str) and "{{" in run_id:
            self._on_oddity(Oddity("templated-run-id", run_id[:60]))
            return ""
        if isinstance(run_id, str) and run_id:
            return run_id
        if "run" in event or ("eventType" in event and "dataset" not in event):
            self._on_oddity(Oddity("no-run", _job_of(event)))
        return ""

    def _new_datasets(self, flows: Flows) -> Iterator[Dataset]:
        stated = [item for pair in flows.stated.items() for item in (pair[0], *pair[1])]
        for dataset in (*flows.inputs, *flows.outputs, *stated):
            if dataset not in self._seen:
                self._seen.add(dataset)
                yield dataset

    def _report_loops(self, flows: Flows) -> None:
        for dataset in flows.outputs:
            if dataset in flows.stated.get(dataset, flows.inputs):
                self._on_oddity(Oddity("input-is-output", dataset.id))


def read_run_events(events: Iterable[Any], on_oddity: OnOddity | None = None) -> Iterator[Record]:
    """Return the records of a whole sequence of OpenLineage events, unfinished runs included.

    Parameters
    ----------
    events : iterable of dict
        Events of any producer, in the order in which they were written.
    on_oddity : callable, optional
        Called with an :class:`Oddity` each time something was odd.

    Examples
    --------
    >>> event = {"run": {"runId": "r"}, "inputs": [{"name": "individual:a"}],
    ...          "outputs": [{"name": "individual:b"}]}
    >>> [record.child.id for record in read_run_events([event]) if hasattr(record, "child")]
    ['b']
    """
    reader = RunEventReader(on_oddity)
    for event in events:
        yield from reader.records(event)
    yield from reader.finish()


def named_nodes(event: Mapping[str, Any]) -> tuple[list[NodeKey], list[NodeKey]]:
    """Return the nodes that one event names: as outputs, and as inputs.

    Examples
    --------
    >>> made, used = named_nodes({"run": {"runId": "r"}, "outputs": [{"name": "agent:a"}]})
    >>> made, used
    ([NodeKey(kind='agent', run_id='r', id='a')], [])
    """
    if _is_hutch(event):
        told = Told.of(event)
        if told is not None:
            return ([] if told.child is None else [told.child]), list(told.parents)
        run_id = str(as_dict(event.get("run")).get("runId") or "")
        return list(_nodes(event.get("outputs"), run_id)), list(_nodes(event.get("inputs"), run_id))
    flows = flows_of(event, _ignore)
    sources = [source for stated in flows.stated.values() for source in stated]
    made, used = (*flows.outputs, *flows.stated), (*flows.inputs, *sources)
    return [_dataset_key(each) for each in made], [_dataset_key(each) for each in used]


def is_openlineage(item: Any) -> bool:
    """Return whether `item` is a dict that looks like an OpenLineage event.

    Examples
    --------
    >>> is_openlineage({"run": {"runId": "r"}}), is_openlineage({"event_kind": "run_end"})
    (True, False)
    """
    if not isinstance(item, Mapping) or "event_kind" in item:
        return False
    return any(key in item for key in ("run", "job", "dataset", "inputs", "outputs"))


def _ignore(_: Oddity) -> None:
    return None


def _is_hutch(event: Mapping[str, Any]) -> bool:
    if str(event.get("producer", "")).startswith(_PRODUCER):
        return True
    facets = as_dict(as_dict(event.get("run")).get("facets"))
    if any(str(name).startswith("hutch") for name in facets):
        return True
    names = [
        str(as_dict(raw).get("name", ""))
        for side in ("inputs", "outputs")
        for raw in (event.get(side) if isinstance(event.get(side), list) else None) or ()
    ]
    return bool(names) and all(node_key(name, "") or named_node(name) for name in names)


def _digest(event: Mapping[str, Any]) -> str:
    try:
        # a backend gives an event back with other nulls, empty objects and decimals of its time
        told = {**_told(event), "eventTime": ns_from_iso(event.get("eventTime"))}
        text = json.dumps(told, sort_keys=True, default=str)
    except (RecursionError, TypeError, ValueError):  # nested beyond measure, or not made of JSON
        text = json.dumps(clean_json(event)[0], sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _told(value: Any) -> Any:
    """Return what JSON says, without what says nothing."""
    if isinstance(value, Mapping):
        told = ((key, _told(each)) for key, each in value.items())
        return {key: each for key, each in told if each is not None and each != {}}
    if isinstance(value, list):
        return [_told(each) for each in value]
    return value


def _job_of(event: Mapping[str, Any]) -> str:
    job = as_dict(event.get("job"))
    return "/".join(str(job[key]) for key in ("namespace", "name") if job.get(key))


def _job_kind(event: Mapping[str, Any]) -> str:
    facet = as_dict(as_dict(as_dict(event.get("job")).get("facets")).get("jobType"))
    kind = facet.get("jobType")
    return kind.lower() if isinstance(kind, str) else ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _nodes(value: Any, run_id: str) -> Iterator[NodeKey]:
    for raw in value if isinstance(value, list) else ():
        name = as_dict(raw).get("name")
        if isinstance(name, str):
            dataset = Dataset(str(as_dict(raw).get("namespace") or ""), name)
            yield (
                node_key(name, run_id)
                or named_node(name)
                or NodeKey("individual", run_id, dataset.id)
            )


def _hutch_edges(
    facets: Mapping[str, Any],
    run_id: str,
    parents: tuple[NodeKey, ...],
    child: NodeKey,
    stamp: Stamp,
) -> Iterator[Record]:
    operator, self_mod = facets.get("hutchOperator"), facets.get("hutchSelfMod")
    if isinstance(operator, Mapping):
        operator_id = str(operator.get("operator_id") or f"operator:{stamp.event_id}")
        attributes = known(
            kind=_text(operator.get("operator_kind")),
            llm_id=_text(operator.get("llm_id")),
            cost_usd=_number(operator.get("cost_usd")),
            tokens_in=_number(operator.get("tokens_in")),
            tokens_out=_number(operator.get("tokens_out")),
        )
        yield OperatorRecord(run_id, operator_id, stamp, parents, child, attributes)
    elif isinstance(self_mod, Mapping):
        attributes = known(
            kind="self_modify",
            verdict=_text(self_mod.get("overseer_verdict")),
            score_before=_number(self_mod.get("score_before")),
            score_after=_number(self_mod.get("score_after")),
            target_path=_text(self_mod.get("target_path")),
        )
        operator_id = self_mod_id(parents[0].id if parents else "", child.id)
        record = OperatorRecord(run_id, operator_id, stamp, parents, child, attributes)
        yield record
        yield from agent_scores(record)
    else:
        yield NodeRecord(child, stamp)
        for parent in parents:
            yield EdgeRecord(parent, child, stamp)


def _preset_edges(told: Told, facets: Mapping[str, Any], stamp: Stamp) -> Iterator[Record]:
    stamp = told.stamp or stamp
    if told.child is None:
        return
    if told.what == "seed":
        attributes = known(is_seed=True, metadata=dict(told.origin))
        yield NodeRecord(told.child, stamp, (), attributes)
    elif told.what != "unknown":
        yield from _hutch_edges(facets, told.run_id, told.parents, told.child, stamp)
    elif told.relation is None:
        yield NodeRecord(told.child, stamp, told.parents)
    else:
        for parent in told.parents:
            yield EdgeRecord(parent, told.child, stamp, told.relation)


def _add(run: _Open, flows: Flows, stamp: Stamp) -> None:
    run.inputs |= dict.fromkeys(flows.inputs)
    run.outputs |= dict.fromkeys(flows.outputs)
    for target, sources in flows.stated.items():
        run.stated.setdefault(target, {}).update(dict.fromkeys(sources))
    run.told = False
    run.explicit = run.explicit or flows.explicit
    run.stamp = max(run.stamp, stamp)


def _inferred(run: _Open) -> Iterator[Record]:
    # kept open after its end: what comes later is added to what the run had said before
    if run.told or run.explicit:
        return
    run.told = True
    for target in run.outputs:
        if target not in run.stated and run.inputs:
            yield _operator_record(run, tuple(run.inputs), target)


def _operator_record(run: _Open, sources: tuple[Dataset, ...], target: Dataset) -> OperatorRecord:
    operator_id = f"{run.job}#{run.run}" if run.run else run.job or run.stamp.event_id
    attributes = known(kind=run.kind, metadata=known(job=run.job or None, run_id=run.run or None))
    parents = tuple(_dataset_key(source) for source in sources)
    return OperatorRecord(
        FOREIGN_RUN, operator_id, run.stamp, parents, _dataset_key(target), attributes
    )


def _dataset_key(dataset: Dataset) -> NodeKey:
    return NodeKey("individual", FOREIGN_RUN, dataset.id)


def _dataset_record(dataset: Dataset, stamp: Stamp) -> NodeRecord:
    metadata = {"namespace": dataset.namespace, "name": dataset.name}
    return NodeRecord(_dataset_key(dataset), stamp, (), {"kind": "dataset", "metadata": metadata})
