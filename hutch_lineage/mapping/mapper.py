"""From Hutch events, one after the other, to the JSON of RunEvents: the seam of the presets."""

from __future__ import annotations

from typing import Any, Final, Protocol

from .encoding import encode
from .names import JobNames
from .preset_mapper import PresetMapper
from .presets import Preset
from .quick import operator_json
from .runevents import MAPPED_KINDS, to_run_event

_NOTHING: Final[list[str]] = []


class Mapper(Protocol):
    """Maps events in their order and remembers what it must. Not thread-safe."""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of event that something may come out of."""

    def map(self, event: Any) -> list[tuple[bytes, list[str]]]:
        """Return the JSON of each RunEvent for one event, and what had to be repaired in it.

        Raises
        ------
        Exception
            The event cannot be written; nothing was noted of it.
        """

    def rest(self) -> list[tuple[bytes, list[str]]]:
        """Return what was held back so far, as no end of its run has come."""


class DefaultMapper:
    """The mapping of the specification: at most one RunEvent per event, and nothing held back."""

    def __init__(self, namespace: str, job_name_default: str) -> None:
        self._namespace = namespace
        self._names = JobNames(job_name_default)
        self.kinds = MAPPED_KINDS

    def map(self, event: Any) -> list[tuple[bytes, list[str]]]:
        """Return the RunEvent, or nothing for a kind without lineage."""
        kind, run_id = event.event_kind, event.run_id
        if kind == "run_start":
            name = self._names.started(run_id, event.payload.name)
        else:
            name = self._names.of(run_id)
        if kind == "operator":
            quick = operator_json(event, self._namespace, name)
            if quick is not None:
                return [(quick, _NOTHING)]
        document = to_run_event(event, namespace=self._namespace, job_name=name)
        return [] if document is None else [encode(document)]

    def rest(self) -> list[tuple[bytes, list[str]]]:
        """Return nothing."""
        return []


def mapper_of(preset: Preset, namespace: str, job_name_default: str = "research-loop") -> Mapper:
    """Return a new mapper.

    Parameters
    ----------
    preset : Preset
        See :func:`preset_of`.
    namespace : str
        The namespace of jobs and datasets.
    job_name_default : str
        The job of a run that has neither name nor id.

    Examples
    --------
    >>> from hutch_lineage.mapping import preset_of
    >>> from hutch_lineage.model import parse_event
    >>> mapper = mapper_of(preset_of("marquez"), "hutch")
    >>> event = parse_event({"event_kind": "operator", "run_id": "r1", "payload":
    ...                      {"id": "o", "kind": "refine", "parent_ids": ["a"], "child_id": "b"}})
    >>> [(body, problems)] = mapper.map(event)
    >>> body[:24], problems
    (b'{"eventType":"COMPLETE",', [])
    """
    if preset.is_default:
        return DefaultMapper(namespace, job_name_default)
    return PresetMapper(preset, namespace, job_name_default)
