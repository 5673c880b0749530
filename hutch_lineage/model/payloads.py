"""What each kind of event says: one payload class per kind, with its rules.

Names, types and rules are those of the Hutch canonical schema (``hutch.schema.payloads``,
version 0.1), so that an event valid here is valid there and the other way round. Payloads are
frozen: an event, once logged, does not change.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .kinds import (
    ArtifactKind,
    DescriptorArchiveKind,
    EvaluatorKind,
    EvidenceStance,
    IndividualKind,
    OperatorKind,
    RunStatus,
    ScoreDirection,
    SelfModVerdict,
    SteeringActor,
    SteeringCommandKind,
)

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-fA-F]{64}$")]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0)]


class Payload(BaseModel):
    """Base of all payloads: unknown fields are refused, `metadata` takes whatever is left."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    metadata: dict[str, Any] = Field(default_factory=dict)


class RunStartPayload(Payload):
    """A run begins.

    `score_directions` says for each metric whether ``higher`` or ``lower`` is better.
    """

    name: str | None = None
    project: str | None = None
    started_by: str | None = None
    git_commit: str | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    capabilities: dict[str, bool] = Field(default_factory=dict)
    score_directions: dict[str, ScoreDirection] = Field(default_factory=dict)


class RunUpdatePayload(Payload):
    """Facts about a run that change while it is open."""

    status: RunStatus | None = None
    config: dict[str, Any] = Field(default_factory=dict)
    capabilities: dict[str, bool] = Field(default_factory=dict)
    score_directions: dict[str, ScoreDirection] = Field(default_factory=dict)
    source_counts: dict[str, int] = Field(default_factory=dict)
    watcher: dict[str, Any] = Field(default_factory=dict)


class RunEndPayload(Payload):
    """A run ends."""

    status: RunStatus = "finished"
    summary: str | None = None


class IndividualPayload(Payload):
    """A candidate: a seed without parents, or a child with at least one."""

    id: str
    kind: IndividualKind
    parent_ids: list[str] = Field(default_factory=list)
    is_seed: bool = False
    genome_uri: str | None = None
    genome_hash: Sha256 | None = None
    genome_lang: str | None = None
    population_id: str | None = None
    island_id: str | None = None
    generation_index: Count | None = None

    @model_validator(mode="after")
    def _seed_or_child(self) -> Self:
        if self.is_seed and self.parent_ids:
            raise ValueError("a seed has no parents: drop parent_ids or set is_seed=False")
        if not self.is_seed and not self.parent_ids:
            raise ValueError("an individual without parent_ids is a seed: set is_seed=True")
        return self


class OperatorPayload(Payload):
    """An operator made `child_id` from `parent_ids` (none, one or several).

    `cost_usd` is in US dollars, `tokens_in` and `tokens_out` are counts.
    """

    id: str
    kind: OperatorKind
    parent_ids: list[str] = Field(default_factory=list)
    child_id: str
    prompt_template: str | None = None
    llm_id: str | None = None
    llm_temperature: Annotated[float, Field(ge=0.0, le=2.0)] | None = None
    diff: str | None = None
    diff_uri: str | None = None
    cost_usd: Annotated[float, Field(ge=0.0)] | None = None
    tokens_in: Count | None = None
    tokens_out: Count | None = None


class FitnessPayload(Payload):
    """An evaluation of an individual: at least one score, or the reason why there is none."""

    individual_id: str
    evaluator_id: str | None = None
    evaluator_kind: EvaluatorKind
    scores: dict[str, float] = Field(default_factory=dict)
    composite: float | None = None
    cascade_stage: Count | None = None
    is_pareto_front: bool | None = None
    dominates: list[str] = Field(default_factory=list)
    invalid_reason: str | None = None

    @model_validator(mode="after")
    def _scores_or_reason(self) -> Self:
        if not self.scores and self.invalid_reason is None:
            raise ValueError("a fitness needs at least one score, or invalid_reason")
        return self


class DescriptorPayload(Payload):
    """Where an individual sits in a behaviour archive."""

    individual_id: str
    archive_id: str
    kind: DescriptorArchiveKind
    dimensions: list[str] | None = None
    coordinates: list[float] = Field(default_factory=list)
    cell_id: str | None = None
    is_replaced: bool = False

    @model_validator(mode="after")
    def _one_coordinate_per_dimension(self) -> Self:
        given = len(self.coordinates)
        if self.dimensions is not None and given and given != len(self.dimensions):
            raise ValueError(f"{given} coordinates for {len(self.dimensions)} dimensions")
        return self


class LineageEdgePayload(Payload):
    """An edge that is known without its operator."""

    parent_id: str
    child_id: str
    relation: str = "parent"


class MigrationPayload(Payload):
    """Individuals move, or are copied, from one island to another."""

    population_id: str
    from_island: str
    to_island: str
    individual_ids: list[str]
    trigger: str | None = None


class SelfModPayload(Payload):
    """An agent proposes a changed version of itself; an overseer accepts or rejects it."""

    parent_agent_id: str
    child_agent_id: str
    target_path: str | None = None
    diff_uri: str | None = None
    proposal: str | None = None
    overseer_id: str | None = None
    overseer_verdict: SelfModVerdict = "pending"
    benchmark: str | None = None
    score_before: float | None = None
    score_after: float | None = None


class ArtifactPayload(Payload):
    """Content kept elsewhere, named by URI and SHA-256."""

    id: str
    kind: ArtifactKind
    uri: str
    hash: Sha256 | None = None
    format: str | None = None
    parent_artifact_id: str | None = None
    ara_layer: str | None = None


class ClaimPayload(Payload):
    """A claim drawn from a run."""

    id: str
    text: str
    supported_by: list[str] = Field(default_factory=list)
    requires_reproduction: bool = False


class EvidencePayload(Payload):
    """Something that speaks for or against a claim."""

    claim_id: str
    source_uri: str
    stance: EvidenceStance
    confidence: Share | None = None
    source_quality: Share | None = None


class ReviewPayload(Payload):
    """A judgement by a model or a person."""

    target_id: str
    scorer: str
    scores: dict[str, float] = Field(default_factory=dict)
    concerns: list[str] = Field(default_factory=list)


class StreamEventPayload(Payload):
    """A free entry in the log of one worker."""

    label: str
    text: str | None = None


class SteeringCommandPayload(Payload):
    """A command given to a running search."""

    command: SteeringCommandKind
    target_id: str | None = None
    params: dict[str, Any] = Field(default_factory=dict)
    actor: SteeringActor


class TreeExpansionPayload(Payload):
    """A tree search expands a node."""

    tree_id: str
    parent_node: str
    child_node: str
    visit_count: Annotated[int, Field(ge=0)] = 0
    value_estimate: float | None = None
    virtual_loss: float | None = None


class ArchiveSnapshotPayload(Payload):
    """Figures of an archive at one moment; `coverage` is a share in [0, 1]."""

    archive_id: str
    coverage: Share
    qd_score: float | None = None
    max_fitness: float | None = None
    size: Count
    snapshot_uri: str | None = None


class ParetoSnapshotPayload(Payload):
    """The non-dominated individuals of a population at one moment."""

    population_id: str
    front: list[str]
    objectives: list[str]
    hypervolume: float | None = None

    @model_validator(mode="after")
    def _front_not_empty(self) -> Self:
        if not self.front:
            raise ValueError("a Pareto front lists at least one individual")
        return self
