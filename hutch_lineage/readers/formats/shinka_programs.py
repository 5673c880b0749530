"""ShinkaEvolve's programs as lineage records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from hutch_lineage.model import (
    EdgeRecord,
    FitnessRecord,
    MigrationRecord,
    NodeKey,
    NodeRecord,
    OperatorRecord,
    Record,
    Stamp,
)
from hutch_lineage.readers import Report

from .finite import finite

_KINDS: Final = {"diff": "edit_diff", "full": "mutate", "cross": "crossover", "fix": "refine"}
_COSTS: Final = ("api_costs", "embed_cost", "novelty_cost", "meta_cost")
_OF_NODE: Final = ("patch_name", "patch_description", "compute_time", "failure_stage")
_UNKNOWN: Final = "unknown"


@dataclass(slots=True)
class Programs:
    """Turns rows of the table ``programs`` into records.

    Attributes
    ----------
    run_id : str
        The run.
    report : Report
        What is odd goes there.
    same : dict of str to str
        Copies that ShinkaEvolve made for other islands -> their original.
    islands : dict of str to str
        Originals that were copied -> their island.
    """

    run_id: str
    report: Report
    same: dict[str, str] = field(default_factory=dict)
    islands: dict[str, str] = field(default_factory=dict)

    def records(self, row: Mapping[str, Any]) -> Iterator[Record]:
        """Yield what a row says."""
        node = str(row["id"])
        metadata = self._json(row, "metadata", dict)
        history = self._json(row, "migration_history", list)
        # of two statements about a program, the one with more migrations is the newer
        stamp = self._stamp(row, f"{len(history):06}:{node}")
        if node in self.same:
            yield self._copy(row, node, stamp)
            node = self._of(node)
        else:
            yield NodeRecord(self._key(node), stamp, (), self._attributes(row, metadata))
            yield self._fitness(row, node, stamp)
            yield from self._birth(row, node, stamp, metadata)
        yield from self._moves(node, history)

    def _attributes(self, row: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, Any]:
        kept = {name: metadata.get(name) for name in _OF_NODE}
        kept |= {name: row.get(name) for name in ("complexity", "system_prompt_id")}
        return _known(
            kind="program",
            is_seed=True if row.get("parent_id") is None else None,
            island_id=_text(row.get("island_idx")),
            generation_index=row.get("generation"),
            genome=row.get("code"),
            genome_lang=row.get("language"),
            metadata=_known(**kept),
        )

    def _fitness(self, row: Mapping[str, Any], node: str, stamp: Stamp) -> Record:
        feedback = str(row.get("text_feedback") or "")
        said: dict[str, Any] = {"feedback": feedback} if feedback else {}
        scores = self._scores({"combined_score": row.get("combined_score")}, node, said)
        for column in ("public_metrics", "private_metrics"):
            for name, value in self._scores(self._json(row, column, dict), node, said).items():
                if scores.setdefault(name, value) != value:
                    self.report.add("metrics that two columns give: the first is kept", name)
        correct = row.get("correct")
        if correct is None:
            self.report.add("programs of which it is not known whether they are correct", node)
            return FitnessRecord(self._key(node), stamp, scores, _known(metadata=said))
        reason = None
        if not correct:
            first = feedback.strip().partition("\n")[0][:200]
            reason = f"not correct: {first}" if first else "not correct"
        said["correct"] = bool(correct)
        return FitnessRecord(
            self._key(node), stamp, scores, _known(invalid_reason=reason, metadata=said)
        )

    def _scores(
        self, metrics: Mapping[str, Any], node: str, said: dict[str, Any]
    ) -> dict[str, float]:
        scores: dict[str, float] = {}
        for name, value in metrics.items():
            number = finite(float(value) if isinstance(value, bool) else value)
            if number is not None:
                scores[name] = number
            elif value is None or isinstance(value, (int, float)):
                self.report.add("scores that are no finite number: left out", f"{node}: {name}")
            else:
                said[name] = value
                self.report.add(
                    "metrics that are no numbers: kept in the metadata",
                    f"{node}: {name} = {str(value)[:60]}",
                )
        return scores

    def _birth(
        self, row: Mapping[str, Any], node: str, stamp: Stamp, metadata: Mapping[str, Any]
    ) -> Iterator[Record]:
        parent = _text(row.get("parent_id"))
        inspirations = [
            self._of(str(each))
            for column in ("archive_inspiration_ids", "top_k_inspiration_ids")
            for each in self._json(row, column, list)
        ]
        named = [] if parent is None else [self._of(parent)]
        parents = tuple(self._key(each) for each in dict.fromkeys([*named, *inspirations]))
        if not parents:
            return
        patch = str(metadata.get("patch_type") or "")
        if patch and patch not in _KINDS:
            self.report.add("patch types without a kind of operator: read as mutate", patch)
        asked = metadata.get("llm_result")
        asked = asked if isinstance(asked, dict) else {}
        costs = {name: cost for name in _COSTS if (cost := finite(metadata.get(name)))}
        model = metadata.get("model_name") or asked.get("model_name") or metadata.get("llm_model")
        attributes = _known(
            kind=_KINDS.get(patch, "mutate"),
            llm_id=_text(model),
            llm_temperature=finite(metadata.get("temperature")),
            cost_usd=sum(costs.values()) if costs else finite(metadata.get("api_costs")),
            tokens_in=_count(asked.get("input_tokens")),
            tokens_out=_count(asked.get("output_tokens")),
            diff=row.get("code_diff") or None,
            metadata=_known(
                patch_type=patch or None,
                costs=costs if len(costs) > 1 else None,
                thinking_tokens=_count(asked.get("thinking_tokens")),
            ),
        )
        yield OperatorRecord(
            self.run_id, f"made:{node}", stamp, parents, self._key(node), attributes
        )
        for each in dict.fromkeys(inspirations):
            if each not in named:
                yield EdgeRecord(self._key(each), self._key(node), stamp, "inspiration")

    def _copy(self, row: Mapping[str, Any], node: str, stamp: Stamp) -> Record:
        original = self._of(node)
        self.report.add("island copies read as migrations of their original", node)
        return MigrationRecord(
            (self._key(original),),
            stamp,
            self.islands.get(original, _UNKNOWN),
            _text(row.get("island_idx")) or _UNKNOWN,
            {"metadata": {"as": node}},
        )

    def _moves(self, node: str, history: Sequence[Any]) -> Iterator[Record]:
        for number, move in enumerate(history):
            if not isinstance(move, dict) or "to" not in move:
                self.report.add("migrations that cannot be read", f"{node}: {str(move)[:60]}")
                continue
            stamp = self._stamp(move, f"{node}:move:{number}")
            came_from = str(move.get("from", _UNKNOWN))
            yield MigrationRecord(
                (self._key(node),),
                stamp,
                came_from,
                str(move["to"]),
                {"metadata": _known(generation=move.get("generation"))},
            )

    def _of(self, node: str) -> str:
        seen: set[str] = set()
        while node in self.same and node not in seen:
            seen.add(node)
            node = self.same[node]
        return node

    def _json(self, row: Mapping[str, Any], column: str, kind: type) -> Any:
        text = row.get(column)
        if not text:
            return kind()
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            value = None
        if isinstance(value, kind):
            return value
        self.report.add("columns that hold no JSON", f"{row['id']}: {column} = {str(text)[:40]}")
        return kind()

    def _stamp(self, said: Mapping[str, Any], event_id: str) -> Stamp:
        moment = finite(said.get("timestamp"))
        if moment is None or moment < 0:
            self.report.add("statements without a time", event_id)
            return Stamp(-1, event_id)
        return Stamp(round(moment * 1e6) * 1_000, event_id)

    def _key(self, node: str) -> NodeKey:
        return NodeKey("individual", self.run_id, node)


def _known(**said: Any) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not None and value != {}}


def _count(value: Any) -> int | None:
    number = finite(value)
    return None if number is None else int(number)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
