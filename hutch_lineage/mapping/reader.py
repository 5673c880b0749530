"""OpenLineage events become lineage records.

Hutch's events carry one edge set each and are read on their own. For other producers the standard
has the inputs and outputs of a run add up over its events, so a reader remembers its runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from hutch_lineage.model import NodeKey, Record, Stamp

from .clock import has_offset, ns_from_iso
from .foreign_runs import ForeignRuns, foreign_nodes
from .identity import event_digest
from .oddities import Oddity, OnOddity
from .own_events import OwnEvents, is_own, own_nodes
from .own_operators import OwnOperators

_PARTS: Final = frozenset({"run", "job", "dataset", "inputs", "outputs"})


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
        self._own = OwnEvents(self._on_oddity)
        self._operators = OwnOperators(self._own.named)
        self._foreign = ForeignRuns(self._on_oddity)

    def records(self, event: Any) -> list[Record]:
        """Return what one event adds; an empty list where it adds nothing.

        Parameters
        ----------
        event : dict
            A RunEvent, JobEvent or DatasetEvent as JSON gives it. Anything else is an oddity.
        """
        quickly = self._operators.records(event)
        if quickly is not None:
            return quickly
        if not is_openlineage(event):
            self._on_oddity(Oddity("not-an-event", repr(event)[:120]))
            return []
        by_whom = self._own if is_own(event) else self._foreign
        return list(by_whom.records(event, self._stamp(event)))

    def finish(self) -> list[Record]:
        """Return the edges of runs that have not ended, as far as they have been described."""
        return list(self._foreign.finish())

    def _stamp(self, event: Mapping[str, Any]) -> Stamp:
        text = event.get("eventTime")
        moment = ns_from_iso(text)
        if moment is None:
            kind: Any = "no-time" if text is None else "unreadable-time"
            self._on_oddity(Oddity(kind, str(text)[:60]))
        elif not str(text).endswith("Z") and not has_offset(str(text)):
            self._on_oddity(Oddity("time-without-offset", str(text)[:60]))
        return Stamp(-1 if moment is None else moment, event_digest(event, moment))


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
    return own_nodes(event) if is_own(event) else foreign_nodes(event)


def is_openlineage(item: Any) -> bool:
    """Return whether `item` is a dict that looks like an OpenLineage event.

    Examples
    --------
    >>> is_openlineage({"run": {"runId": "r"}}), is_openlineage({"event_kind": "run_end"})
    (True, False)
    """
    if type(item) is not dict and not isinstance(item, Mapping):
        return False
    return not _PARTS.isdisjoint(item) and "event_kind" not in item


def _ignore(_: Oddity) -> None:
    return None
