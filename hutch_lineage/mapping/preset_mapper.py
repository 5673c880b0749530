"""The mapping of a backend preset: a Hutch event becomes as many RunEvents as the preset has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from hutch_lineage.model import NodeKind

from .clock import exact_iso
from .custom_facets import operator_facet, self_mod_facet
from .encoding import encode
from .names import ORIGIN_ID, ORIGIN_RUN, JobNames
from .open_runs import Held, OpenRun, Said, Seed
from .presets import Preset
from .runevents import MAPPED_KINDS
from .writing import Document, Part, Writer, digest

AGENT: Final = "agent"
"""The kind of an event that Hutch has not: an agent, which only a graph knows without operator."""

_MOST_SAID: Final = 5


class PresetMapper:
    """Maps the events of runs in their order, see :class:`hutch_lineage.mapping.Mapper`.

    With granularity ``operator``: a seed is written when it is first a parent, or at the end of its
    run; parents that no operator has named by then become operators of kind ``unknown``.

    Not thread-safe.
    """

    def __init__(self, preset: Preset, namespace: str, job_name_default: str) -> None:
        self._names = JobNames(job_name_default)
        self._writer = Writer(preset, namespace)
        self._runs: dict[str, OpenRun] = {}
        self._holds = preset.granularity == "operator"
        self.kinds = MAPPED_KINDS | (
            {"individual", "lineage_edge", AGENT} if self._holds else set()
        )

    def map(self, event: Any) -> list[tuple[bytes, list[str]]]:
        """Return the JSON of each RunEvent, and what had to be repaired in it."""
        take = _TABLE.get(event.event_kind)
        if take is None or event.event_kind not in self.kinds:
            return []
        exact_iso(event.timestamp_ns)  # raises before anything is noted
        run = self._run(event)
        return [_encoded(document) for document in take(self, run, event.payload, _said(event))]

    def rest(self) -> list[tuple[bytes, list[str]]]:
        """Return what was held back of runs that have not ended."""
        return [
            _encoded(document)
            for run in self._runs.values()
            for waiting in run.rest()
            for document in self._late(run, waiting)
        ]

    def _run(self, event: Any) -> OpenRun:
        run_id = event.run_id
        run = self._runs.get(run_id)
        if event.event_kind == "run_start":
            job = self._names.started(run_id, event.payload.name)
        else:
            job = self._names.of(run_id) if run is None else run.job
        if run is None:
            run = self._runs[run_id] = OpenRun(run_id, job)
        run.job = job
        return run

    # the kinds

    def _run_start(self, run: OpenRun, payload: Any, said: Said) -> Iterator[Document]:
        run.start, run.ended = payload, False
        yield from self._writer.run_start(run, payload, said)

    def _run_end(self, run: OpenRun, payload: Any, said: Said) -> Iterator[Document]:
        for waiting in run.rest():
            yield from self._late(run, waiting)
        run.end()
        yield from self._writer.run_end(run, payload, said)

    def _individual(self, run: OpenRun, payload: Any, said: Said) -> Iterator[Document]:
        if payload.parent_ids:
            run.declare(payload.id, payload.parent_ids, None, said)
        elif payload.id not in run.named:
            origin = _origin(payload.metadata, payload.id)
            run.seeds.setdefault(payload.id, Seed(payload.id, said, origin))
        yield from self._overdue(run)

    def _lineage_edge(self, run: OpenRun, payload: Any, said: Said) -> Iterator[Document]:
        run.declare(payload.child_id, [payload.parent_id], payload.relation, said)
        yield from self._overdue(run)

    def _operator(self, run: OpenRun, payload: Any, said: Said) -> Iterator[Document]:
        if self._holds:
            for parent in payload.parent_ids:
                if parent in run.seeds:
                    yield from self._seed(run, run.seeds.pop(parent))
            run.name(payload.child_id, payload.parent_ids)
        child, parents = payload.child_id, tuple(payload.parent_ids)
        label = (payload.id, digest(payload.kind, child, *parents))
        part = Part(
            what="operator",
            kind=payload.kind,
            label=label,
            key=said.event_id or ".".join((*label, str(said.timestamp_ns))),
            said=said,
            node_kind="individual",
            parents=parents,
            child=child,
            how=_sentence(payload.kind, child, parents, payload.llm_id),
            facets={"hutchOperator": operator_facet(payload)},
            tags={"operator_kind": payload.kind, "llm_id": payload.llm_id},
        )
        yield from self._writer.part(run, part)

    def _self_mod(self, run: OpenRun, payload: Any, said: Said) -> Iterator[Document]:
        parent, child = payload.parent_agent_id, payload.child_agent_id
        if self._holds:
            if run.meet(parent) and parent != child:
                yield from self._agent_seed(run, parent, payload.metadata, said)
            run.meet(child)
        verdict = payload.overseer_verdict
        label = (f"self-mod-{child}", digest(parent, child))
        where = f" in {payload.target_path}" if payload.target_path else ""
        part = Part(
            what="self_mod",
            kind="self_modify",
            label=label,
            key=said.event_id or ".".join((*label, str(said.timestamp_ns))),
            said=said,
            node_kind="agent",
            parents=(parent,),
            child=child,
            how=f"{verdict} self-modification of {parent} into {child}{where}",
            facets={"hutchSelfMod": self_mod_facet(payload)},
            tags={"operator_kind": "self_modify", "overseer_verdict": verdict},
        )
        yield from self._writer.part(run, part)

    def _agent(self, run: OpenRun, payload: Any, said: Said) -> Iterator[Document]:
        """Write a seed, or the parents that no self-modification names; nothing is held back."""
        new, parents = run.meet(payload.id), tuple(payload.parent_ids)
        if parents:
            held = Held(payload.id, said, {})
            yield from self._unknown(run, held, None, parents, "agent")
        elif new:
            seed = Seed(payload.id, said, _origin(payload.metadata, payload.id))
            yield from self._writer.part(run, _seed_part(seed, "agent"))

    # what has no event of its own

    def _overdue(self, run: OpenRun) -> Iterator[Document]:
        for waiting in run.rest() if run.ended else run.overdue():
            yield from self._late(run, waiting)

    def _late(self, run: OpenRun, waiting: Held | Seed) -> Iterator[Document]:
        if isinstance(waiting, Seed):
            yield from self._seed(run, waiting)
            return
        by_relation: dict[str | None, list[str]] = {}
        for parent, relation in waiting.parents.items():
            if parent in run.seeds:
                yield from self._seed(run, run.seeds.pop(parent))
            by_relation.setdefault(relation, []).append(parent)
        for relation, parents in by_relation.items():
            yield from self._unknown(run, waiting, relation, tuple(parents))

    def _unknown(
        self,
        run: OpenRun,
        held: Held,
        relation: str | None,
        parents: tuple[str, ...],
        node_kind: NodeKind = "individual",
    ) -> list[Document]:
        of = "" if node_kind == "individual" else f"{node_kind}-"
        label = (f"unknown-{of}{held.child}", digest(relation or "", *parents))
        part = Part(
            what="unknown",
            kind="unknown",
            label=label,
            key=".".join(label),
            said=held.said,
            node_kind=node_kind,
            parents=parents,
            child=held.child,
            how=_sentence(relation or "an operator that was not logged", held.child, parents, None),
            facets={},
            tags={"operator_kind": "unknown", "relation": relation},
            relation=relation,
        )
        return self._writer.part(run, part)

    def _seed(self, run: OpenRun, seed: Seed) -> list[Document]:
        return self._writer.part(run, _seed_part(seed, "individual"))

    def _agent_seed(self, run: OpenRun, agent: str, metadata: Any, said: Said) -> list[Document]:
        seed = Seed(agent, Said(None, said.timestamp_ns), _origin(metadata, agent))
        return self._writer.part(run, _seed_part(seed, "agent"))


_TABLE: Final[dict[str, Callable[[PresetMapper, OpenRun, Any, Said], Iterator[Document]]]] = {
    "run_start": PresetMapper._run_start,
    "run_end": PresetMapper._run_end,
    "individual": PresetMapper._individual,
    "lineage_edge": PresetMapper._lineage_edge,
    "operator": PresetMapper._operator,
    "self_mod": PresetMapper._self_mod,
    AGENT: PresetMapper._agent,
}


def _seed_part(seed: Seed, node_kind: NodeKind) -> Part:
    where = f" from run {seed.origin[0]}" if seed.origin else ""
    label = (f"seed-{node_kind}-{seed.id}",)
    return Part(
        what="seed",
        kind="seed",
        label=label,
        key=label[0],
        said=seed.said,
        node_kind=node_kind,
        parents=(),
        child=seed.id,
        how=f"seed {seed.id}{where}",
        facets={},
        tags={"operator_kind": "seed"},
        origin=seed.origin,
    )


def _said(event: Any) -> Said:
    event_id = getattr(event, "event_id", None)
    return Said(None if event_id is None else str(event_id), event.timestamp_ns)


def _origin(metadata: Any, node_id: str) -> tuple[str, str] | None:
    run_id = metadata.get(ORIGIN_RUN)
    if not isinstance(run_id, str) or not run_id:
        return None
    return run_id, str(metadata.get(ORIGIN_ID) or node_id)


def _sentence(kind: str, child: str, parents: tuple[str, ...], llm_id: str | None) -> str:
    named = ", ".join(parents[:_MOST_SAID])
    more = f" and {len(parents) - _MOST_SAID} more" if len(parents) > _MOST_SAID else ""
    source = f" from {named}{more}" if parents else ""
    return f"{kind}{f' by {llm_id}' if llm_id else ''}: {child}{source}"


def _encoded(document: Document) -> tuple[bytes, list[str]]:
    body, problems = encode(document)
    if b"\\u0000" in body:  # PostgreSQL keeps no NUL in JSON, so Marquez refuses the event
        body, more = encode(_without_nul(document))
        problems += more
    return body, problems


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {key: _without_nul(item) for key, item in value.items()}
    return [_without_nul(item) for item in value] if isinstance(value, list) else value
