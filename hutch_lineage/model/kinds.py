"""The closed vocabularies of the Hutch canonical schema.

The values are those of Hutch 0.1 (``hutch.schema.types``). New values may be added; none is
renamed or removed.
"""

from __future__ import annotations

from typing import Literal, get_args

EventKind = Literal[
    "run_start",
    "run_update",
    "run_end",
    "individual",
    "operator",
    "fitness",
    "descriptor",
    "lineage_edge",
    "migration",
    "self_mod",
    "artifact",
    "claim",
    "evidence",
    "review",
    "stream_event",
    "steering_command",
    "pareto_snapshot",
    "tree_expansion",
    "archive_snapshot",
]
ALL_KINDS: tuple[str, ...] = get_args(EventKind)

IndividualKind = Literal[
    "program",
    "prompt",
    "architecture",
    "reward_function",
    "agent",
    "environment",
    "theorem",
    "proof_state",
    "dataset",
    "skill",
    "model_weights",
    "paper",
    "hypothesis",
    "experiment_plan",
    "claim",
    "evidence",
    "review",
]
OperatorKind = Literal[
    "mutate",
    "crossover",
    "select",
    "refine",
    "diversify",
    "self_modify",
    "propose",
    "distill",
    "migrate",
    "meta_mutate",
    "tree_expand",
    "edit_diff",
    "evaluate",
    "review",
]
PopulationKind = Literal["linear", "island", "map_elites", "tree", "swarm", "archive"]
EvaluatorKind = Literal[
    "deterministic_metric",
    "unit_test",
    "benchmark",
    "llm_judge",
    "human",
    "wet_lab",
    "simulator",
    "proof_checker",
]
ArtifactKind = Literal[
    "program",
    "prompt",
    "architecture",
    "theorem",
    "dataset",
    "environment",
    "reward_function",
    "agent",
    "paper",
    "skill",
    "proof",
    "benchmark",
    "repo",
    "ara_package",
]
DescriptorArchiveKind = Literal["grid", "cvt", "aurora"]
EvidenceStance = Literal["supports", "contradicts", "mentions"]
ScoreDirection = Literal["higher", "lower"]
SelfModVerdict = Literal["accepted", "rejected", "pending"]
SteeringActor = Literal["human", "agent", "policy"]
SteeringCommandKind = Literal[
    "cancel_individual",
    "freeze_island",
    "fork_from",
    "override_param",
    "pause_run",
    "resume_run",
    "cancel_self_mod",
    "approve_hitl",
    "inject_hint",
]
RunStatus = Literal["running", "finished", "failed", "cancelled"]
