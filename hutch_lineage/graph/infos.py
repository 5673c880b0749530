"""What the graph tells about an operator, a run or a migration: small immutable objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hutch_lineage.model import NodeKey, Stamp

__all__ = ["Migration", "OperatorInfo", "OperatorKey", "RunInfo"]


class OperatorKey(NamedTuple):
    """The identity of an operator.

    The child belongs to it: where a source uses one operator id for several children, each of them
    keeps its own.
    """

    run_id: str
    id: str
    child: NodeKey


class Migration(NamedTuple):
    """A node went from one island to another; `timestamp_ns` is Unix time, -1 where unknown."""

    from_island: str
    to_island: str
    timestamp_ns: int


@dataclass(frozen=True, slots=True)
class OperatorInfo:
    """An operator, or a self-modification, as the newest statements have it.

    Attributes
    ----------
    key : OperatorKey
        Its identity; ``key.run_id`` and ``key.id`` are those of the event.
    kind : str or None
        ``mutate``, ``crossover``, ``refine`` ...
    child : NodeKey
        The node that it made.
    parents : tuple of NodeKey
        What it was made from, in order.
    cost_usd : float or None
        US dollars; None where nobody said.
    tokens_in, tokens_out : int or None
        Counts; None where nobody said.
    verdict : str or None
        Of a self-modification: ``accepted``, ``rejected`` or ``pending``.
    score_before, score_after : float or None
        Of a self-modification, on `benchmark`.
    stamp : Stamp
        The newest statement about it.
    attributes : mapping
        Everything that was said, the fields above included.
    """

    key: OperatorKey
    kind: str | None
    child: NodeKey
    parents: tuple[NodeKey, ...]
    llm_id: str | None
    cost_usd: float | None
    tokens_in: int | None
    tokens_out: int | None
    diff: str | None
    verdict: str | None
    score_before: float | None
    score_after: float | None
    target_path: str | None
    benchmark: str | None
    stamp: Stamp
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run, as the newest statements have it.

    Attributes
    ----------
    run_id : str
        Its id.
    name, project, status, started_by, git_commit, summary : str or None
        None where nobody said.
    started_ns, ended_ns : int or None
        Unix time in nanoseconds.
    score_directions : mapping
        Metric -> ``higher`` or ``lower``; only what was declared.
    config : mapping
        The configuration, merged key by key.
    attributes : mapping
        Everything else that was said.
    """

    run_id: str
    name: str | None = None
    project: str | None = None
    status: str | None = None
    started_by: str | None = None
    git_commit: str | None = None
    summary: str | None = None
    started_ns: int | None = None
    ended_ns: int | None = None
    score_directions: Mapping[str, str] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
