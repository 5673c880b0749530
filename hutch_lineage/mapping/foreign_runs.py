"""RunEvents of other producers become lineage records: a run's add up over its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hutch_lineage.model import NodeKey, NodeRecord, OperatorRecord, Record, Stamp

from .foreign import Dataset, Flows, flows_of
from .hutch_records import known
from .identity import job_of
from .loose import as_dict
from .oddities import Oddity, OnOddity
from .own_events import ENDED

FOREIGN_RUN: Final = "openlineage"
"""The run that datasets of other producers belong to: they are shared by all runs."""


@dataclass(slots=True)
class _Run:
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


class ForeignRuns:
    """Reads the events of other producers and remembers their runs, see :class:`RunEventReader`.

    Parameters
    ----------
    on_oddity : callable
        Called with an :class:`Oddity` each time something was odd.
    """

    def __init__(self, on_oddity: OnOddity) -> None:
        self._on_oddity = on_oddity
        self._seen: set[Dataset] = set()
        self._runs: dict[tuple[str, str], _Run] = {}

    def records(self, event: Mapping[str, Any], stamp: Stamp) -> Iterator[Record]:
        """Yield what one event adds."""
        run_id = self._run_id(event)
        job = job_of(event)
        if not job and "dataset" not in event:
            self._on_oddity(Oddity("no-job", stamp.event_id))
        flows = flows_of(event, self._on_oddity)
        for dataset in self._new_datasets(flows):
            yield _dataset_record(dataset, stamp)
        self._report_loops(flows)
        key = (run_id or stamp.event_id, job)
        run = self._runs.setdefault(key, _Run(job=job, run=run_id))
        run.kind = _job_kind(event) or run.kind
        _add(run, flows, stamp)
        for target in flows.stated:
            yield _operator_record(run, tuple(run.stated[target]), target)
        event_type = event.get("eventType")
        if not run_id or (isinstance(event_type, str) and event_type in ENDED):
            yield from _inferred(run)
            if not run_id:
                del self._runs[key]

    def finish(self) -> Iterator[Record]:
        """Yield the edges of runs that have not ended, as far as they have been described."""
        left, self._runs = self._runs, {}
        for run in left.values():
            yield from _inferred(run)

    def _run_id(self, event: Mapping[str, Any]) -> str:
        run_id = as_dict(event.get("run")).get("runId")
        if isinstance(run_id, str) and "{{" in run_id:
            self._on_oddity(Oddity("templated-run-id", run_id[:60]))
            return ""
        if isinstance(run_id, str) and run_id:
            return run_id
        if "run" in event or ("eventType" in event and "dataset" not in event):
            self._on_oddity(Oddity("no-run", job_of(event)))
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


def foreign_nodes(event: Mapping[str, Any]) -> tuple[list[NodeKey], list[NodeKey]]:
    """Return the nodes that an event of another producer names: as outputs, and as inputs."""
    flows = flows_of(event, lambda _: None)
    sources = [source for stated in flows.stated.values() for source in stated]
    made, used = (*flows.outputs, *flows.stated), (*flows.inputs, *sources)
    return [_dataset_key(each) for each in made], [_dataset_key(each) for each in used]


def _job_kind(event: Mapping[str, Any]) -> str:
    facet = as_dict(as_dict(as_dict(event.get("job")).get("facets")).get("jobType"))
    kind = facet.get("jobType")
    return kind.lower() if isinstance(kind, str) else ""


def _add(run: _Run, flows: Flows, stamp: Stamp) -> None:
    run.inputs |= dict.fromkeys(flows.inputs)
    run.outputs |= dict.fromkeys(flows.outputs)
    for target, sources in flows.stated.items():
        run.stated.setdefault(target, {}).update(dict.fromkeys(sources))
    run.told = False
    run.explicit = run.explicit or flows.explicit
    run.stamp = max(run.stamp, stamp)


def _inferred(run: _Run) -> Iterator[Record]:
    # kept open after its end: what comes later is added to what the run had said before
    if run.told or run.explicit:
        return
    run.told = True
    for target in run.outputs:
        if target not in run.stated and run.inputs:
            yield _operator_record(run, tuple(run.inputs), target)


def _operator_record(run: _Run, sources: tuple[Dataset, ...], target: Dataset) -> OperatorRecord:
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
