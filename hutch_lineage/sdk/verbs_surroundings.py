"""Verbs about what surrounds candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from hutch_lineage.model import (
    ArtifactEvent,
    ArtifactKind,
    ArtifactPayload,
    ClaimEvent,
    ClaimPayload,
    EvidenceEvent,
    EvidencePayload,
    EvidenceStance,
    ReviewEvent,
    ReviewPayload,
    StreamEventEvent,
    StreamEventPayload,
)

from .events import as_dict, id_list, id_or_new
from .verbs_base import VerbBase


class SurroundingVerbs(VerbBase):
    """Artifacts, log entries, claims, evidence, reviews."""

    __slots__ = ()

    def log_artifact(
        self,
        *,
        kind: ArtifactKind,
        uri: str,
        artifact_id: str | None = None,
        hash: str | None = None,  # noqa: A002 - Hutch's name
        format: str | None = None,  # noqa: A002 - Hutch's name
        parent_artifact_id: str | None = None,
        ara_layer: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> ArtifactPayload:
        """Log content that is kept elsewhere.

        Parameters
        ----------
        kind : str
            ``program``, ``dataset``, ``paper``, ``proof`` ...
        uri : str
            Where it is.
        artifact_id : str, optional
            The id, made if not given.
        hash : str, optional
            SHA-256 of the content, 64 hex digits.
        format, parent_artifact_id, ara_layer : str, optional
            Its format, what it was made from, and its layer in an ARA package.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     stored = hl.log_artifact(kind="program", uri="s3://bucket/a.py")
        >>> stored.uri
        's3://bucket/a.py'
        """
        fields = {
            "id": id_or_new(artifact_id, "art-"),
            "kind": kind,
            "uri": uri,
            "hash": hash,
            "format": format,
            "parent_artifact_id": parent_artifact_id,
            "ara_layer": ara_layer,
            "metadata": as_dict(metadata),
        }
        return self._log("log_artifact", ArtifactEvent, fields, {"event_id": event_id}).payload

    def log_stream_event(
        self,
        *,
        label: str,
        text: str | None = None,
        stream_id: str | None = None,
        worker_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> StreamEventPayload:
        """Log a free entry, such as a heartbeat or a note.

        Parameters
        ----------
        label : str
            What kind of entry it is.
        text : str, optional
            What it says.
        stream_id, worker_id : str, optional
            The lane and the worker that logged it.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     entry = hl.log_stream_event(label="sampler", text="temperature 0.7")
        >>> entry.label
        'sampler'
        """
        fields = {"label": label, "text": text, "metadata": as_dict(metadata)}
        return self._log(
            "log_stream_event",
            StreamEventEvent,
            fields,
            {"stream_id": stream_id, "worker_id": worker_id, "event_id": event_id},
        ).payload

    def log_claim(
        self,
        *,
        text: str,
        supported_by: Iterable[str] | None = None,
        requires_reproduction: bool = False,
        claim_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> ClaimPayload:
        """Log a claim drawn from the run.

        Parameters
        ----------
        text : str
            The claim.
        supported_by : iterable of str, optional
            Ids of what it rests on.
        requires_reproduction : bool, default False
            Whether somebody should repeat it.
        claim_id : str, optional
            The id, made if not given.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     claim = hl.log_claim(text="it scales", claim_id="c1")
        >>> claim.id
        'c1'
        """
        fields = {
            "id": id_or_new(claim_id, "claim-"),
            "text": text,
            "supported_by": id_list(supported_by),
            "requires_reproduction": requires_reproduction,
            "metadata": as_dict(metadata),
        }
        return self._log("log_claim", ClaimEvent, fields, {"event_id": event_id}).payload

    def log_evidence(
        self,
        *,
        claim_id: str,
        source_uri: str,
        stance: EvidenceStance,
        confidence: float | None = None,
        source_quality: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> EvidencePayload:
        """Log something that speaks for or against a claim.

        Parameters
        ----------
        claim_id, source_uri : str
            The claim, and where the evidence is.
        stance : str
            ``supports``, ``contradicts`` or ``mentions``.
        confidence, source_quality : float, optional
            Shares in [0, 1].
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     found = hl.log_evidence(claim_id="c1", source_uri="run-2", stance="supports")
        >>> found.stance
        'supports'
        """
        fields = {
            "claim_id": claim_id,
            "source_uri": source_uri,
            "stance": stance,
            "confidence": confidence,
            "source_quality": source_quality,
            "metadata": as_dict(metadata),
        }
        return self._log("log_evidence", EvidenceEvent, fields, {"event_id": event_id}).payload

    def log_review(
        self,
        *,
        target_id: str,
        scorer: str,
        scores: Mapping[str, float] | None = None,
        concerns: Iterable[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        event_id: str | UUID | None = None,
    ) -> ReviewPayload:
        """Log a judgement by a model or a person.

        Parameters
        ----------
        target_id, scorer : str
            What was judged, and who judged.
        scores : mapping of str to float, optional
            Criterion -> score.
        concerns : iterable of str, optional
            What the judge did not like.
        metadata : mapping, optional
            Anything else that JSON can hold.
        event_id : str or UUID, optional
            The id of the event, made if not given.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> with hl.run("demo"):
        ...     review = hl.log_review(target_id="a", scorer="judge", scores={"clarity": 0.8})
        >>> review.scores
        {'clarity': 0.8}
        """
        fields = {
            "target_id": target_id,
            "scorer": scorer,
            "scores": as_dict(scores),
            "concerns": id_list(concerns),
            "metadata": as_dict(metadata),
        }
        return self._log("log_review", ReviewEvent, fields, {"event_id": event_id}).payload
