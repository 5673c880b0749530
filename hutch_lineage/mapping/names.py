"""Names: of jobs, of datasets, and of a self-modification.

Writing and reading use the same rules, so what is mapped can be read back.
"""

from __future__ import annotations

from typing import Final, get_args

from hutch_lineage.model import NodeKey, NodeKind

KINDS: Final[tuple[NodeKind, ...]] = get_args(NodeKind)

ORIGIN_RUN: Final = "origin_run_id"
ORIGIN_ID: Final = "origin_id"
"""Where a seed was taken from: in the metadata of its individual, and in its facet."""


class JobNames:
    """Which job name belongs to which run.

    The name is that of the run's first ``run_start`` and stays for good, also after ``run_end``,
    so that a late event keeps its job. A run whose start was not seen, or had no name, is named
    by its ``run_id``. Not locked: the caller's lock guards it.

    Parameters
    ----------
    default : str
        The name of a job whose run has neither name nor id.

    Examples
    --------
    >>> names = JobNames()
    >>> names.started("run-1", "circle-packing")
    'circle-packing'
    >>> names.of("run-1"), names.of("run-2")
    ('circle-packing', 'run-2')
    """

    def __init__(self, default: str = "research-loop") -> None:
        self._default = default
        self._names: dict[str, str] = {}

    def started(self, run_id: str, name: object) -> str:
        """Note that a run started under `name` (or None) and return its job name."""
        if name:
            self._names.setdefault(run_id, str(name))
        return self.of(run_id)

    def of(self, run_id: str) -> str:
        """Return the job name of a run."""
        return self._names.get(run_id) or run_id or self._default


def dataset_name(kind: NodeKind, node_id: str) -> str:
    """Return the dataset name of an individual or an agent.

    Examples
    --------
    >>> dataset_name("individual", "ind-A")
    'individual:ind-A'
    """
    return f"{kind}:{node_id}"


def node_key(name: str, run_id: str) -> NodeKey | None:
    """Return the node that a dataset name stands for, or None for other producers' names.

    Examples
    --------
    >>> node_key("individual:ind-A", "run-1")
    NodeKey(kind='individual', run_id='run-1', id='ind-A')
    >>> node_key("public.orders", "run-1") is None
    True
    """
    kind, sign, node_id = name.partition(":")
    return NodeKey(kind, run_id, node_id) if sign and kind in KINDS else None


def self_mod_id(parent_agent_id: str, child_agent_id: str) -> str:
    """Return the operator id of a self-modification, which has none of its own.

    Examples
    --------
    >>> self_mod_id("agent-1", "agent-2")
    'self-mod:agent-1->agent-2'
    """
    return f"self-mod:{parent_agent_id}->{child_agent_id}"
