"""The agents of a Darwin Goedel Machine: their metadata, patches, scores and generations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from hutch_lineage.model import (
    FitnessRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    RunRecord,
    Stamp,
    clean_json,
)
from hutch_lineage.readers import Report

from .directions import KNOWN
from .finite import finite

METRIC: Final = "accuracy_score"
FIRST: Final = "initial"
_PERFORMANCES: Final = {"overall_performance": METRIC, "overall_performance_deep": f"{METRIC}_deep"}
_TIME: Final = re.compile(r"\d{8}_\d{6}_\d{1,6}")
_OWN: Final = frozenset({"run_id", "parent_commit", *_PERFORMANCES})


@dataclass(slots=True)
class Agent:
    """What the folder of one agent holds.

    Attributes
    ----------
    name : str
        The folder, which is what other agents and the generations call it.
    said : dict
        Its ``metadata.json``.
    patch : str
        Its ``model_patch.diff``: what it changed in its parent; empty where there is none.
    """

    name: str
    said: Mapping[str, Any]
    patch: str = ""


@dataclass(slots=True)
class Fate:
    """What the lines of ``dgm_metadata.jsonl`` say of one agent."""

    generation: int | None = None
    tried: bool = False
    compiled: bool = False
    archived: bool = False
    parents: list[str] = field(default_factory=list)


def is_agent(value: Any) -> bool:
    """Return whether a JSON value is the ``metadata.json`` of an agent.

    Examples
    --------
    >>> is_agent({"run_id": "initial", "overall_performance": {"accuracy_score": 0.2}})
    True
    """
    return (
        isinstance(value, Mapping)
        and "run_id" in value
        and bool({"parent_commit", *_PERFORMANCES} & set(value))
    )


def is_generation(value: Any) -> bool:
    """Return whether a JSON value is a line of ``dgm_metadata.jsonl``.

    Examples
    --------
    >>> is_generation({"generation": 0, "children": ["a"], "archive": ["initial", "a"]})
    True
    """
    return isinstance(value, Mapping) and {"generation", "children", "archive"} <= set(value)


def dgm_records(
    agents: Sequence[Agent], generations: Sequence[Mapping[str, Any]], run_id: str, report: Report
) -> Iterator[Record]:
    """Yield the records of one run: agents, and the self-modifications that made them.

    A self-modification is ``accepted`` where a later archive holds its agent, ``rejected`` where
    the archive of its own generation does not, and without a verdict where no line says it.

    Parameters
    ----------
    agents : sequence of Agent
        The folders.
    generations : sequence of dict
        The lines of ``dgm_metadata.jsonl``, in order; empty where there is none.
    run_id : str
        The run that they belong to.
    report : Report
        Where oddities go.
    """
    fates = _fates(generations)
    held = {agent.name: agent for agent in agents}
    stamps = {name: _stamp(name) for name in (*held, *fates)}
    metadata = {"system": "DGM", "generations": len(generations)}
    said: dict[str, Any] = {
        "name": run_id,
        "score_directions": dict(KNOWN["dgm"]),
        "metadata": metadata,
    }
    times = [stamp.timestamp_ns for stamp in stamps.values() if stamp.timestamp_ns >= 0]
    if times:
        said["started_ns"] = min(times)
        report.add("times without a zone, from the names of agents: taken as UTC", count=len(times))
    yield RunRecord(run_id, Stamp(min(times, default=-1), run_id), said)
    for agent in agents:
        yield from _agent(agent, held, fates.get(agent.name), stamps[agent.name], run_id, report)
    for name, fate in fates.items():
        if name not in held:
            yield from _missing(name, fate, stamps[name], run_id, report)


def _fates(generations: Sequence[Mapping[str, Any]]) -> dict[str, Fate]:
    fates: dict[str, Fate] = {}
    for line in generations:
        number = line.get("generation")
        parents = list(
            dict.fromkeys(
                str(entry[0])
                for entry in _list(line.get("selfimprove_entries"))
                if isinstance(entry, list) and entry
            )
        )
        for name in map(str, _list(line.get("children"))):
            fate = fates.setdefault(name, Fate())
            fate.tried, fate.parents = True, parents
            fate.generation = number if isinstance(number, int) else None
        for name in map(str, _list(line.get("children_compiled"))):
            fates.setdefault(name, Fate()).compiled = True
        for name in map(str, _list(line.get("archive"))):
            fates.setdefault(name, Fate()).archived = True
    return fates


def _agent(
    agent: Agent,
    held: Mapping[str, Agent],
    fate: Fate | None,
    stamp: Stamp,
    run_id: str,
    report: Report,
) -> Iterator[Record]:
    own = agent.said.get("run_id")
    if own != agent.name:
        report.add("folders unlike the run_id in them: the folder holds", f"{agent.name} has {own}")
    key = NodeKey("agent", run_id, agent.name)
    parent = agent.said.get("parent_commit")
    scores = _scores(agent, report)
    said: dict[str, Any] = {
        "kind": "agent",
        "is_seed": not parent,
        "metadata": clean_json(
            {
                **{name: each for name, each in agent.said.items() if name not in _OWN},
                **{name: agent.said[name] for name in _PERFORMANCES if agent.said.get(name)},
            }
        )[0],
    }
    if fate is not None and fate.generation is not None:
        said["generation_index"] = fate.generation + 1  # the initial agent comes before the first
    elif not parent:
        said["generation_index"] = 0
    above = (NodeKey("agent", run_id, str(parent)),) if parent else ()
    yield NodeRecord(key, stamp, above, said)
    if parent:
        before = _scores_of(held[str(parent)]) if str(parent) in held else {}
        yield _self_mod(agent, fate, stamp, key, above, scores, before)
        if str(parent) not in held:
            report.add("parents without a folder", f"{parent}, named by {agent.name}")
    reason = _invalid(agent, fate, scores)
    if reason:
        report.add(f"agents that do not count: {reason}", agent.name)
    if scores or reason:
        yield FitnessRecord(
            key,
            stamp,
            scores,
            {"evaluator_kind": "benchmark", **({"invalid_reason": reason} if reason else {})},
        )


def _self_mod(
    agent: Agent,
    fate: Fate | None,
    stamp: Stamp,
    key: NodeKey,
    above: tuple[NodeKey, ...],
    scores: Mapping[str, float],
    before: Mapping[str, float],
) -> OperatorRecord:
    proposal, entry = agent.said.get("problem_statement"), agent.said.get("entry")
    told = {
        "kind": "self_modify",
        "verdict": _verdict(fate),
        "diff": agent.patch,
        "proposal": proposal if isinstance(proposal, str) else None,
        "metadata": clean_json({"entry": entry})[0] if entry else None,
        "score_before": before.get(METRIC),
        "score_after": scores.get(METRIC),
    }
    said = {name: value for name, value in told.items() if value not in (None, "")}
    return OperatorRecord(key.run_id, f"self-mod:{key.id}", stamp, above, key, said)


def _verdict(fate: Fate | None) -> str | None:
    if fate is None or not (fate.tried or fate.archived):
        return None
    return "accepted" if fate.archived else "rejected"


def _missing(name: str, fate: Fate, stamp: Stamp, run_id: str, report: Report) -> Iterator[Record]:
    """Yield what the generations alone say of an agent: its folder is not there."""
    key = NodeKey("agent", run_id, name)
    said: dict[str, Any] = {"kind": "agent"}
    report.add("agents without a folder", name)
    if name == FIRST or not fate.tried:
        said["is_seed"] = True
        yield NodeRecord(key, stamp, (), said)
        return
    if fate.generation is not None:
        said["generation_index"] = fate.generation + 1
    above: tuple[NodeKey, ...] = ()
    if len(fate.parents) == 1:
        above = (NodeKey("agent", run_id, fate.parents[0]),)
        verdict = {"kind": "self_modify", "verdict": _verdict(fate)}
        yield OperatorRecord(run_id, f"self-mod:{name}", stamp, above, key, verdict)
    elif fate.parents:
        said["metadata"] = {"possible_parents": fate.parents}
        report.add(
            "agents whose parent is not known: its generation had several",
            f"{name}, of {' or '.join(fate.parents)}",
        )
    yield NodeRecord(key, stamp, above, said)


def _scores(agent: Agent, report: Report) -> dict[str, float]:
    for name in _PERFORMANCES:
        if isinstance(agent.said.get(name), Mapping):
            report.add(
                "scores that are an object: its accuracy_score is the score",
                f"{agent.name}: {name}",
            )
    return _scores_of(agent)


def _scores_of(agent: Agent) -> dict[str, float]:
    scores = {}
    for name, metric in _PERFORMANCES.items():
        performance = agent.said.get(name)
        if isinstance(performance, Mapping):
            performance = performance.get(METRIC)
        value = finite(performance)
        if value is not None:
            scores[metric] = value
    return scores


def _invalid(agent: Agent, fate: Fate | None, scores: Mapping[str, float]) -> str:
    if fate is not None and fate.tried and not fate.compiled:
        return "not among children_compiled"
    return "" if scores else "no evaluation"


def _stamp(name: str) -> Stamp:
    """Return the time in the name of an agent, which is when it was begun."""
    if not _TIME.fullmatch(name):
        return Stamp(-1, name)
    try:
        moment = datetime.strptime(name, "%Y%m%d_%H%M%S_%f").replace(tzinfo=UTC)
    except ValueError:
        return Stamp(-1, name)
    return Stamp(int(moment.timestamp()) * 10**9 + moment.microsecond * 1000, name)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
