"""A run as a report in Markdown: the best and its path, what it cost, which operators paid."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from hutch_lineage.errors import GraphError
from hutch_lineage.plumbing import counted

from .text import to_text
from .wording import dollars, number, one_line, short_id

if TYPE_CHECKING:
    from hutch_lineage.graph import CostSummary, LineageGraph
    from hutch_lineage.model import NodeKey, NodeKind

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_NONE = "-"
_YIELDS = ("median_gain", "cost_usd", "gain_per_usd", "gain_per_1k_tokens")


def to_markdown(graph: LineageGraph, *, title: str | None = None) -> str:
    """Return a report of a graph: for each run the best, its path, its cost, the operators' yield.

    Parameters
    ----------
    graph : LineageGraph
        What to report on.
    title : str, optional
        The heading; the names of the runs if it is not given.

    Returns
    -------
    str
        Markdown with tables. The path shows at each step the operators, the score, the gain and
        the cost, as ``graph.frames.path`` has them. The same graph gives the same text.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> print(to_markdown(LineageGraph()), end="")
    # Lineage
    <BLANKLINE>
    Nothing captured yet
    """
    with graph.lock:
        lines = list(_lines(graph, title))
    return "\n".join(lines).rstrip("\n") + "\n"


def _lines(graph: LineageGraph, title: str | None) -> Iterator[str]:
    names = [run.name or run_id for run_id, run in graph.runs.items()]
    yield f"# {_text(title or ', '.join(names[:3]) or 'Lineage')}"
    yield ""
    yield _text(to_text(graph).split("\n", 1)[0])
    if not len(graph):
        return
    yield from ("", "## Runs", "")
    yield from _table(
        ("run", "status", "individuals", "agents", "edges", "operators", "cost", "tokens"),
        (_run_row(graph, row["run_id"], row) for row in graph.frames.runs().to_dict("records")),
    )
    for run_id, run in graph.runs.items():
        for kind in ("individual", "agent"):
            if graph.nodes(kind, run_id, ghosts=False):
                yield from _best(graph, run_id, run.name or run_id, kind)
    yield from _efficacies(graph)
    odd = graph.report.lines()
    yield from ("", "## What was odd", "")
    yield from [f"- {_text(line)}" for line in odd] or ["Nothing."]


def _run_row(graph: LineageGraph, run_id: str, counts: Any) -> tuple[str, ...]:
    run, cost = graph.runs[run_id], graph.cost(run=run_id)
    tokens = (cost.tokens_in or 0) + (cost.tokens_out or 0)
    return (
        _text(run.name or run_id),
        _text(run.status or _NONE),
        *(f"{counts[name]:,}" for name in ("individuals", "agents", "edges", "operators")),
        dollars(cost.cost_usd) if cost.cost_usd else _NONE,
        f"{tokens:,}" if tokens else _NONE,
    )


def _best(graph: LineageGraph, run_id: str, name: str, kind: NodeKind) -> Iterator[str]:
    metric = graph.default_metric(run_id, kind)
    path: list[NodeKey] = []
    if metric is not None:
        try:
            path = graph.path_to_best(metric, run_id, kind)
        except GraphError:  # no metric is declared that holds here
            path = []
    yield from ("", f"## The best {kind} of {_text(name)}", "")
    if metric is None or not path:
        known = ", ".join(graph.metrics(run_id))
        yield f"Open: {'which metric counts, of ' + _text(known) if known else 'no scores'}."
        return
    info = graph.metric_info(metric, run_id)
    assumed = "" if info.declared else ", which is assumed"
    yield (
        f"{_text(path[-1].id)}: {_text(metric)} {_number(graph.score(path[-1], metric))} "
        f"({info.direction} is better{assumed}), {counted(len(path) - 1, 'step')} from a seed."
    )
    yield ""
    yield from _table(
        ("step", kind, "made by", "further parents", metric, "gain", "cost", "tokens"),
        _steps(graph, path, metric),
    )
    whole, run = graph.cost(path[-1]), graph.cost(run=run_id)
    yield ""
    yield f"Its whole ancestry, each operator once: {_cost(whole)}. The run: {_cost(run)}."


def _steps(graph: LineageGraph, path: list[NodeKey], metric: str) -> Iterator[tuple[str, ...]]:
    frame = graph.frames.path(path[-1], metric)
    frame["tokens"] = frame[["tokens_in", "tokens_out"]].sum(axis=1, min_count=1).astype("float64")
    for key, step in zip(path, frame.to_dict("records"), strict=True):
        makers = [graph.operators[maker] for maker in graph.node(key).get("operators", ())]
        words = dict.fromkeys(
            " by ".join(word for word in (maker.kind, maker.llm_id) if word) for maker in makers
        )
        parents = graph.parents(key)
        others = [short_id(each.id) for each in parents if each not in path[: step["step"]]]
        gain, cost, tokens = step["gain"], step["cost_usd"], step["tokens"]
        yield (
            str(step["step"]),
            _text(short_id(key.id)),
            _text(", ".join(filter(None, words))) or (_NONE if parents else "seed"),
            _text(", ".join(others[:5])) + (" ..." if len(others) > 5 else ""),
            _number(step["score"]),
            f"{'+' if gain > 0 else ''}{_number(gain)}",
            _NONE if math.isnan(cost) else dollars(cost),
            _NONE if math.isnan(tokens) else f"{tokens:,.0f}",
        )


def _efficacies(graph: LineageGraph) -> Iterator[str]:
    groups: tuple[tuple[Literal["kind", "llm_id"], str], ...] = (
        ("kind", "operator"),
        ("llm_id", "model"),
    )
    for run_id, run in graph.runs.items():
        for by, word in groups:
            try:
                frame = graph.efficacy(by, run=run_id)
            except GraphError:  # it is open which metric counts
                continue
            if frame.empty:
                continue
            yield from ("", f"## What each {word} gave: {_text(run.name or run_id)}", "")
            yield from _table(
                (
                    word,
                    "tries",
                    "improved",
                    "of compared",
                    "median gain",
                    "cost",
                    "gain per dollar",
                    "per 1k tokens",
                ),
                (
                    (
                        _text(str(name)),
                        f"{row['tries']:,.0f}",
                        f"{row['improvements']:,.0f}",
                        f"{row['compared']:,.0f}",
                        *(_number(row[name]) for name in _YIELDS),
                    )
                    for name, row in frame.iterrows()
                ),
            )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    names = [_text(name) for name in head]
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _cost(cost: CostSummary) -> str:
    parts = [counted(cost.operators, "operator")]
    parts += [dollars(cost.cost_usd)] if cost.cost_usd else []
    tokens = (cost.tokens_in or 0) + (cost.tokens_out or 0)
    parts += [counted(tokens, "token")] if tokens else []
    parts += [f"{cost.unknown_cost:,} without a known cost"] if cost.unknown_cost else []
    return ", ".join(parts)


def _number(value: float | None) -> str:
    return _NONE if value is None or math.isnan(value) else number(value)


def _text(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", one_line(text))
