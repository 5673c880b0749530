"""The journals of AIDE and of AI-Scientist-v2: a tree of programs, one journal or one per stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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

from .directions import Directions
from .journal_scores import Scores, scores_of

NODES: Final = "nodes"
PARENTS: Final = "node2parent"
LONGEST_OUTPUT: Final = 5_000  # characters: what AIDE itself shows of a program's output
LONGEST_REASON: Final = 300
_FACTS: Final = (
    *("plan", "overall_plan", "plot_plan", "analysis", "exec_time", "exec_time_feedback"),
    *("exc_type", "exc_info", "plot_code", "plots", "plot_analyses", "vlm_feedback_summary"),
    *("datasets_successfully_tested", "hyperparam_name", "ablation_name"),
    *("is_seed_node", "is_seed_agg_node", "is_buggy", "is_buggy_plots"),
)


@dataclass(slots=True)
class Journal:
    """One journal: its nodes, and the parent of each that has one.

    Attributes
    ----------
    stage : str
        The stage of the search that it is of; empty where there is only one.
    where : str
        Its file, for the report.
    """

    nodes: list[Mapping[str, Any]]
    parents: dict[str, str]
    stage: str = ""
    where: str = "journal.json"


@dataclass(slots=True)
class _Found:
    """A node, joined over the journals that hold it."""

    said: Mapping[str, Any]
    stages: list[str] = field(default_factory=list)
    step: Any = None


def is_journal(value: Any) -> bool:
    """Return whether a JSON value is the journal of such a search.

    Examples
    --------
    >>> is_journal({"nodes": [], "node2parent": {}}), is_journal({"nodes": []})
    (True, False)
    """
    if not isinstance(value, Mapping) or not isinstance(value.get(NODES), list):
        return False
    if isinstance(value.get(PARENTS), Mapping):
        return True
    first = next(iter(value[NODES]), None)  # the head of a long file ends before node2parent
    return isinstance(first, Mapping) and {"plan", "code"} <= set(first)


def journal_of(value: Mapping[str, Any], where: str, report: Report, stage: str = "") -> Journal:
    """Return a journal from its JSON; what is no node goes to the report.

    The tree stands in ``node2parent``. A node may name its parent, too, as older and newer
    versions write it; where both say something, the table holds.
    """
    table = value.get(PARENTS)
    named = table if isinstance(table, Mapping) else {}
    parents = {str(child): str(parent) for child, parent in named.items() if parent}
    nodes = []
    for place, node in enumerate(value[NODES]):
        if not isinstance(node, Mapping) or not node.get("id"):
            report.add("values skipped: no node", f"{where}: nodes[{place}]")
            continue
        nodes.append(node)
        node_id, own = str(node["id"]), _own_parent(node)
        if own and parents.setdefault(node_id, own) != own:
            report.add(
                "parents stated in two ways: node2parent holds",
                f"{where}: {node_id} under {parents[node_id]}, by itself under {own}",
            )
    held = {str(node["id"]) for node in nodes}
    for child in parents:
        if child not in held:
            report.add("parents of nodes that are not in the journal", f"{where}: {child}")
    return Journal(nodes, {c: p for c, p in parents.items() if c in held}, stage, where)


def _own_parent(node: Mapping[str, Any]) -> str:
    own = node.get("parent_id") or node.get("parent")
    if isinstance(own, Mapping):
        own = own.get("id")
    return own if isinstance(own, str) else ""


def journal_records(
    journals: Sequence[Journal], run_id: str, system: str, report: Report
) -> Iterator[Record]:
    """Yield the records of one run: all its stages, a node that was carried over once.

    A node is a program; the operator that made it is a ``draft``, ``debug`` (its parent was buggy)
    or ``improve``, and in AI-Scientist-v2 also ``tune``, ``ablation``, ``seed_evaluation`` or
    ``aggregate_seeds``, as the node says of itself.

    Parameters
    ----------
    journals : sequence of Journal
        In the order of their stages.
    run_id : str
        The run that they are of.
    system : str
        Which program wrote them.
    report : Report
        Where oddities go.
    """
    found, parents = _joined(journals, report)
    scores = {node_id: scores_of(node.said.get("metric")) for node_id, node in found.items()}
    directions = Directions()
    for each in scores.values():
        for metric, direction in each.directions.items():
            directions.say(metric, direction)
    yield _run(journals, found, run_id, system, directions, report)
    for node_id, node in found.items():
        parent = found.get(parents.get(node_id, ""))
        if node_id in parents and parent is None:
            report.add("parents that are not in the journal", f"{node_id} under {parents[node_id]}")
        yield from _node(node_id, node, parents.get(node_id), parent, run_id, report)
        yield from _evaluation(node_id, node, scores[node_id], run_id, report)


def _joined(
    journals: Sequence[Journal], report: Report
) -> tuple[dict[str, _Found], dict[str, str]]:
    found: dict[str, _Found] = {}
    parents: dict[str, str] = {}
    for journal in journals:
        for node in journal.nodes:
            node_id = str(node["id"])
            held = found.get(node_id)
            if held is None:
                found[node_id] = _Found(node, [journal.stage], node.get("step"))
                continue
            if journal.stage in held.stages:
                report.add("nodes that stand twice in a journal", f"{journal.where}: {node_id}")
            else:
                held.stages.append(journal.stage)
                report.add(
                    "nodes carried over into a later stage: joined",
                    f"{node_id} in {', '.join(held.stages)}",
                )
            held.said = node
        for child, parent in journal.parents.items():
            if parents.setdefault(child, parent) != parent:
                report.add(
                    "parents stated in two ways: the first stage holds",
                    f"{journal.where}: {child} under {parent}, before under {parents[child]}",
                )
    return found, parents


def _run(
    journals: Sequence[Journal],
    found: Mapping[str, _Found],
    run_id: str,
    system: str,
    directions: Directions,
    report: Report,
) -> RunRecord:
    times = [time for node in found.values() if (time := _time_ns(node.said)) >= 0]
    stages = [journal.stage for journal in journals if journal.stage]
    said: dict[str, Any] = {
        "name": run_id,
        "score_directions": directions.agreed(report),
        "metadata": {"system": system, **({"stages": stages} if stages else {})},
    }
    if times:
        said["started_ns"] = min(times)
    return RunRecord(run_id, Stamp(min(times, default=-1), run_id), said)


def _node(
    node_id: str,
    node: _Found,
    parent_id: str | None,
    parent: _Found | None,
    run_id: str,
    report: Report,
) -> Iterator[Record]:
    key = NodeKey("individual", run_id, node_id)
    above = (NodeKey("individual", run_id, parent_id),) if parent_id else ()
    stamp = Stamp(_time_ns(node.said), node_id)
    said: dict[str, Any] = {"kind": "program", "is_seed": not above}
    code = node.said.get("code")
    if isinstance(code, str) and code:
        said |= {"genome": code, "genome_lang": "python"}
    if stamp.timestamp_ns < 0 and isinstance(node.step, int):
        said["origin_time"] = node.step
        report.add("nodes without a time: ordered by their step", node_id)
    said["metadata"] = _facts(node, report)
    yield NodeRecord(key, stamp, above, said)
    kind = _kind(node.said, parent_id, parent)
    about = {"kind": kind} if kind else {}
    yield OperatorRecord(run_id, f"{kind or 'made'}:{node_id}", stamp, above, key, about)


def _kind(said: Mapping[str, Any], parent_id: str | None, parent: _Found | None) -> str:
    if said.get("is_seed_agg_node") is True:
        return "aggregate_seeds"
    if said.get("is_seed_node") is True:
        return "seed_evaluation"
    if parent_id is None:
        return "draft"
    if parent is None:
        return ""
    if parent.said.get("is_buggy") is True:
        return "debug"
    if said.get("hyperparam_name"):
        return "tune"
    return "ablation" if said.get("ablation_name") else "improve"


def _facts(node: _Found, report: Report) -> dict[str, Any]:
    facts = {name: node.said[name] for name in _FACTS if _says(node.said.get(name))}
    if node.step is not None:
        facts["step"] = node.step
    if any(node.stages):
        facts["stages"] = node.stages
    output = node.said.get("_term_out")
    text = "".join(map(str, output)) if isinstance(output, list) else output
    if isinstance(text, str) and text:
        facts["output"] = _shortened(text)
        if len(text) > LONGEST_OUTPUT:
            report.add("outputs shortened in the middle", f"{node.said['id']}: {len(text):,}")
    cleaned: dict[str, Any] = clean_json(facts)[0]
    return cleaned


def _says(value: Any) -> bool:
    return value is not None and value is not False and value not in ("", [], {})


def _shortened(text: str) -> str:
    half = LONGEST_OUTPUT // 2
    if len(text) <= LONGEST_OUTPUT:
        return text
    return f"{text[:half]}\n ... [{len(text) - 2 * half:,} characters left out] ...\n{text[-half:]}"


def _evaluation(
    node_id: str, node: _Found, scores: Scores, run_id: str, report: Report
) -> Iterator[Record]:
    reason = _invalid(node_id, node.said, scores, report)
    said: dict[str, Any] = {"evaluator_kind": "deterministic_metric"}
    if reason:
        said["invalid_reason"] = reason
    if scores.composite is not None:
        said["composite"] = scores.composite
    if scores.values or reason:
        stamp = Stamp(_time_ns(node.said), node_id)
        key = NodeKey("individual", run_id, node_id)
        yield FitnessRecord(key, stamp, scores.values, said)


def _invalid(node_id: str, said: Mapping[str, Any], scores: Scores, report: Report) -> str:
    """Return why a node does not count, as the search itself judges; empty where it does."""
    metric = "with" if scores.values else "without"
    if said.get("is_buggy") is True:
        reason = _fault(said)
        report.add(f"buggy nodes {metric} a metric: invalid", f"{node_id}: {reason}")
    elif said.get("is_buggy_plots") is True:
        reason = "its plots are buggy"
        report.add("nodes with buggy plots: invalid", node_id)
    elif not scores.values and said.get("is_buggy") is False:
        reason = "no metric"
        report.add("nodes without a metric, not called buggy: invalid", node_id)
    else:
        reason = ""
        if not scores.values:
            report.add("nodes that were not evaluated", node_id)
    return reason


def _fault(said: Mapping[str, Any]) -> str:
    kind, details = said.get("exc_type"), said.get("exc_info")
    if kind:
        told = details.get("args") if isinstance(details, Mapping) else None
        first = told[0] if isinstance(told, list) and told else ""
        return f"{kind}: {first}".rstrip(": ")[:LONGEST_REASON]
    analysis = str(said.get("analysis") or "").strip()
    return f"called buggy: {analysis}".rstrip(": ")[:LONGEST_REASON]


def _time_ns(said: Mapping[str, Any]) -> int:
    time_s = said.get("ctime")
    if isinstance(time_s, bool) or not isinstance(time_s, int | float) or not time_s >= 0:
        return -1
    return round(time_s * 1e9) if time_s < 1e11 else -1
