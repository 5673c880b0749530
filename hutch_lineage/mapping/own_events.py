"""RunEvents of Hutch become lineage records: each carries one edge set, and is read on its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hutch_lineage.model import (
    EdgeRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    RunRecord,
    Stamp,
)

from .foreign import Dataset
from .hutch_records import agent_scores, known
from .identity import job_of
from .loose import as_dict, as_number, as_text
from .names import node_key, self_mod_id
from .naming import named_node
from .oddities import Oddity, OnOddity
from .told import Told

ENDED: Final = {"COMPLETE": "finished", "FAIL": "failed", "ABORT": "cancelled"}
"""The event types that end a run, and its status where no facet tells it."""

_REMEMBERED: Final = 4_096  # parents that were introduced
_PRODUCER: Final = "https://github.com/xyin-anl/hutch"


class OwnEvents:
    """Reads the RunEvents of the default mapping and of the presets.

    It remembers the names of runs, and which parents it introduced lately.

    Parameters
    ----------
    on_oddity : callable
        Called with an :class:`Oddity` each time something was odd.

    Attributes
    ----------
    named : dict of str to str
        Run -> the name that was last told of it.
    """

    def __init__(self, on_oddity: OnOddity) -> None:
        self._on_oddity = on_oddity
        self.named: dict[str, str] = {}
        self._inputs: set[NodeKey] = set()

    def records(self, event: Mapping[str, Any], stamp: Stamp) -> Iterator[Record]:
        """Yield what one event adds."""
        run = as_dict(event.get("run"))
        run_id = run.get("runId")
        if not isinstance(run_id, str):
            self._on_oddity(Oddity("no-run", job_of(event)))
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
            yield from self._run(event, run_id, facets, stamp, told)
        parents = tuple(_nodes(event.get("inputs"), run_id))
        for child in children:
            yield from _edges(facets, child.run_id, parents, child, stamp)
        # an input exists, although no event of the default mapping introduces a seed
        for parent in parents:
            if parent not in self._inputs:
                if len(self._inputs) >= _REMEMBERED:
                    self._inputs.clear()  # to say it again does no harm
                self._inputs.add(parent)
                yield NodeRecord(parent, Stamp(-1, stamp.event_id))

    def _run(
        self,
        event: Mapping[str, Any],
        run_id: str,
        facets: Mapping[str, Any],
        stamp: Stamp,
        told: Told | None,
    ) -> Iterator[Record]:
        name = as_dict(event.get("job")).get("name") if told is None else told.run_name
        attributes: dict[str, Any] = {}
        if isinstance(name, str) and name != run_id and self.named.get(run_id) != name:
            self.named[run_id] = name
            attributes["name"] = name
        event_type = as_text(event.get("eventType")) or ""
        moment = stamp.timestamp_ns if stamp.timestamp_ns >= 0 else None
        if event_type == "START":
            facet = as_dict(facets.get("hutchRun"))
            attributes |= known(
                project=as_text(facet.get("project")),
                started_by=as_text(facet.get("started_by")),
                status="running",
                started_ns=moment,
            )
        elif event_type in ENDED:
            facet = as_dict(facets.get("hutchRunOutcome"))
            attributes |= known(
                status=as_text(facet.get("status")) or ENDED[event_type],
                summary=as_text(facet.get("summary")),
                ended_ns=moment,
            )
        if attributes:
            yield RunRecord(run_id, stamp, attributes)


def is_own(event: Mapping[str, Any]) -> bool:
    """Return whether Hutch wrote an event: its producer, its facets or its names say so."""
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


def is_of_default(event: Mapping[str, Any]) -> bool:
    """Return whether the default mapping wrote an event, which has a place for operators alone.

    Examples
    --------
    >>> is_of_default({"run": {"runId": "r"}, "outputs": [{"name": "individual:a"}]})
    True
    """
    return is_own(event) and Told.of(event) is None


def own_nodes(event: Mapping[str, Any]) -> tuple[list[NodeKey], list[NodeKey]]:
    """Return the nodes that an event of Hutch names: as outputs, and as inputs."""
    told = Told.of(event)
    if told is not None:
        return ([] if told.child is None else [told.child]), list(told.parents)
    run_id = str(as_dict(event.get("run")).get("runId") or "")
    return list(_nodes(event.get("outputs"), run_id)), list(_nodes(event.get("inputs"), run_id))


def _nodes(value: Any, run_id: str) -> Iterator[NodeKey]:
    for raw in value if isinstance(value, list) else ():
        name = as_dict(raw).get("name")
        if isinstance(name, str):
            yield node_key(name, run_id) or named_node(name) or _unnamed(raw, name, run_id)


def _unnamed(raw: Mapping[str, Any], name: str, run_id: str) -> NodeKey:
    """Return the individual that a dataset with a name of somebody else's stands for."""
    return NodeKey("individual", run_id, Dataset(str(raw.get("namespace") or ""), name).id)


def _edges(
    facets: Mapping[str, Any],
    run_id: str,
    parents: tuple[NodeKey, ...],
    child: NodeKey,
    stamp: Stamp,
) -> Iterator[Record]:
    operator, self_mod = facets.get("hutchOperator"), facets.get("hutchSelfMod")
    if isinstance(operator, Mapping):
        operator_id = operator.get("operator_id")  # may be empty
        operator_id = f"operator:{stamp.event_id}" if operator_id is None else str(operator_id)
        attributes = known(
            kind=as_text(operator.get("operator_kind")),
            llm_id=as_text(operator.get("llm_id")),
            cost_usd=as_number(operator.get("cost_usd")),
            tokens_in=as_number(operator.get("tokens_in")),
            tokens_out=as_number(operator.get("tokens_out")),
        )
        yield OperatorRecord(run_id, operator_id, stamp, parents, child, attributes)
    elif isinstance(self_mod, Mapping):
        attributes = known(
            kind="self_modify",
            verdict=as_text(self_mod.get("overseer_verdict")),
            score_before=as_number(self_mod.get("score_before")),
            score_after=as_number(self_mod.get("score_after")),
            target_path=as_text(self_mod.get("target_path")),
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
        yield from _edges(facets, told.run_id, told.parents, told.child, stamp)
    elif told.relation is None:
        yield NodeRecord(told.child, stamp, told.parents)
    else:
        for parent in told.parents:
            yield EdgeRecord(parent, told.child, stamp, told.relation)
