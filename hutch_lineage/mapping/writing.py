"""Writes the RunEvents of a preset: of a run, and of one operator of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from hutch_lineage.model import NodeKind

from .clock import exact_iso
from .custom_facets import What, lineage_facet_of, outcome_facet, run_facet
from .documents import OPENLINEAGE_PRODUCER, OPENLINEAGE_SCHEMA_URL, DatasetDict
from .naming import Naming
from .open_runs import OpenRun, Said
from .presets import Preset
from .runevents import COMPLETE
from .standard_facets import (
    documentation_facet,
    engine_facet,
    error_facet,
    job_type_facet,
    lineage_facet,
    ownership_facet,
    parent_facet,
    schema_facet,
    source_facet,
    tags_facet,
)

Document = dict[str, Any]
Facets = dict[str, dict[str, Any]]

_EVENTS: Final[dict[str, tuple[str, ...]]] = {
    "complete": ("COMPLETE",),
    "start+complete": ("START", "COMPLETE"),
}
# The specification's own mapping makes it a FAIL; OpenLineage has a word for it.
_ENDS: Final = {"cancelled": "ABORT"}


class Part(NamedTuple):
    """One operator, self-modification, seed or unknown operator, ready to be written.

    `label` ends the name of its job; `key` tells its run from others of that job; `facets` are its
    own facets; `source` is the dataset name of a seed's original in another run.
    """

    what: What
    kind: str
    label: tuple[str, ...]
    key: str
    said: Said
    node_kind: NodeKind
    parents: tuple[str, ...]
    child: str
    how: str
    facets: Facets
    tags: Mapping[str, str | None]
    relation: str | None = None
    origin: tuple[str, str] | None = None


class Writer:
    """Writes events as a preset has them.

    Parameters
    ----------
    preset : Preset
        The rows.
    namespace : str
        The configured namespace.
    """

    def __init__(self, preset: Preset, namespace: str) -> None:
        self._preset = preset
        self._facets = frozenset(preset.facets)
        self._own = preset.granularity == "operator"
        self._naming = Naming(preset, namespace)
        # the same in every event
        self._engine = self._wanted("processing_engine", engine_facet())
        self._task = self._wanted("jobType", job_type_facet("TASK"))
        self._dag = self._wanted("jobType", job_type_facet("DAG"))
        schema = self._wanted("schema", schema_facet())
        self._schema = {"facets": schema} if schema else {}

    def run_start(self, run: OpenRun, payload: Any, said: Said) -> list[Document]:
        """Return the START of a run."""
        return [self._of_run(run, "START", said, {"hutchRun": run_facet(payload)})]

    def run_end(self, run: OpenRun, payload: Any, said: Said) -> list[Document]:
        """Return the COMPLETE, FAIL or ABORT of a run, with what its START said once more."""
        event_type = "COMPLETE" if payload.status in COMPLETE else _ENDS.get(payload.status, "FAIL")
        facets = {"hutchRunOutcome": outcome_facet(payload)}
        if run.start is not None:
            facets["hutchRun"] = run_facet(run.start)
        if event_type == "FAIL" and "errorMessage" in self._facets:
            facets["errorMessage"] = error_facet(payload.summary or f"the run {payload.status}")
        return [self._of_run(run, event_type, said, facets)]

    def part(self, run: OpenRun, part: Part) -> list[Document]:
        """Return the events of one operator."""
        run_id, kind = run.run_id, part.node_kind
        sources = dict.fromkeys((run_id, parent) for parent in part.parents)
        if part.origin is not None:
            sources = {part.origin: None}
        inputs = [self._dataset(kind, *source) for source in sources]
        outputs = [self._dataset(kind, run_id, part.child)]
        facets = {"hutchLineage": self._lineage(run, part), **part.facets, **self._engine}
        lineage = self._lineage_of_job(part, inputs, outputs)
        naming = self._naming
        if not self._own:
            identity = (naming.run(run_id), naming.job(run.job))
            sides = (inputs, outputs)
            return [self._document("RUNNING", run, part.said, identity, facets, lineage, *sides)]
        if "parent" in self._facets:
            parent = parent_facet(naming.run(run_id), naming.namespace, naming.job(run.job))
            facets = {"parent": parent, **facets}
        job = {
            **self._task,
            **lineage,
            **self._documentation(part.how),
            **self._tags(part.tags),
        }
        identity = (naming.part(run_id, part.key), naming.part_job(run.job, run_id, *part.label))
        return [
            self._document(event_type, run, part.said, identity, facets, job, inputs, outputs)
            for event_type in _EVENTS[self._preset.lifecycle]
        ]

    def _of_run(self, run: OpenRun, event_type: str, said: Said, facets: Facets) -> Document:
        naming = self._naming
        lineage = lineage_facet_of(
            "run",
            run_id=run.run_id,
            run_name=run.job,
            event_id=said.event_id,
            logged_at=exact_iso(said.timestamp_ns),
        )
        job_facets = dict(self._dag)
        if run.start is not None:
            start = run.start
            job_facets |= self._documentation(f"Search run {run.job}")
            job_facets |= self._tags({"project": start.project, "git_commit": start.git_commit})
            for name, facet in (
                ("ownership", ownership_facet(start.started_by)),
                ("sourceCodeLocation", source_facet(start.git_commit, start.metadata)),
            ):
                if facet is not None and name in self._facets:
                    job_facets[name] = facet
        identity = (naming.run(run.run_id), naming.job(run.job))
        facets = {"hutchLineage": lineage, **facets, **self._engine}
        return self._document(event_type, run, said, identity, facets, job_facets, [], [])

    def _document(
        self,
        event_type: str,
        run: OpenRun,
        said: Said,
        identity: tuple[str, str],
        facets: Facets,
        job_facets: Facets,
        inputs: Sequence[DatasetDict],
        outputs: Sequence[DatasetDict],
    ) -> Document:
        run_id, job_name = identity
        job: Document = {"namespace": self._naming.namespace, "name": job_name}
        if job_facets:
            job["facets"] = job_facets
        schema = self._schema
        return {
            "eventType": event_type,
            "eventTime": run.tick(said.timestamp_ns),
            "run": {"runId": run_id, "facets": facets},
            "job": job,
            "inputs": [{**each, **schema} for each in inputs],
            "outputs": [{**each, **schema} for each in outputs],
            "producer": OPENLINEAGE_PRODUCER,
            "schemaURL": OPENLINEAGE_SCHEMA_URL,
        }

    def _dataset(self, kind: NodeKind, run_id: str, node_id: str) -> DatasetDict:
        naming = self._naming
        return {"namespace": naming.namespace, "name": naming.dataset(kind, run_id, node_id)}

    def _lineage(self, run: OpenRun, part: Part) -> dict[str, Any]:
        return lineage_facet_of(
            part.what,
            run_id=run.run_id,
            run_name=run.job,
            event_id=part.said.event_id,
            logged_at=exact_iso(part.said.timestamp_ns),
            node_kind=part.node_kind,
            parents=part.parents,
            child=part.child,
            relation=part.relation,
            origin=part.origin,
        )

    # facets that the preset may ask for

    def _wanted(self, name: str, facet: dict[str, Any]) -> Facets:
        return {name: facet} if name in self._facets else {}

    def _documentation(self, text: str) -> Facets:
        return self._wanted("documentation", documentation_facet(text))

    def _tags(self, tags: Mapping[str, str | None]) -> Facets:
        facet = tags_facet(tags) if "tags" in self._facets else None
        return {} if facet is None else {"tags": facet}

    def _lineage_of_job(
        self, part: Part, inputs: list[DatasetDict], outputs: list[DatasetDict]
    ) -> Facets:
        if "lineage" not in self._facets:
            return {}
        return {"lineage": lineage_facet(inputs, outputs, part.kind, part.how)}


def digest(*texts: str) -> str:
    """Return eight hexadecimal digits that tell applications of one operator id apart."""
    raw = "\0".join(texts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(raw, digest_size=4).hexdigest()
