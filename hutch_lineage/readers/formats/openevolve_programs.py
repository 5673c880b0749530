"""OpenEvolve's programs as lineage records, and which of them are one and the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from hutch_lineage.mapping import as_dict
from hutch_lineage.model import (
    FitnessRecord,
    MigrationRecord,
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

_MIGRANT: Final = re.compile(r"_migrant_\d+$")
_UNKNOWN: Final = "unknown"
_METRICS: Final = "metrics"
_BEYOND_S: Final = 1e11  # seconds: a time in the year 5138 is none


@dataclass(slots=True)
class _Migrant:
    """A program that says it is a copy of another one on another island."""

    id: str
    original: str
    island: str
    stamp: Stamp
    program: Mapping[str, Any]
    path: str


@dataclass(slots=True)
class Programs:
    """The programs of one run, taken in one after another, from one checkpoint or several.

    A migrant, which OpenEvolve writes as a program of its own, is the original on another island:
    a migration of it, and no further individual. It is one only where its code or its scores
    differ from those of the original.

    Attributes
    ----------
    run_id : str
        The run.
    report : Report
        What is odd goes there.
    """

    run_id: str
    report: Report
    _marks: dict[str, bytes] = field(default_factory=dict)
    _islands: dict[str, str] = field(default_factory=dict)
    _same: dict[str, str] = field(default_factory=dict)
    _migrants: list[_Migrant] = field(default_factory=list)
    _births: list[tuple[str, str, Stamp, dict[str, Any]]] = field(default_factory=list)
    _metrics: set[str] = field(default_factory=set)
    _told: set[str] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self._marks)

    def take(self, program: Mapping[str, Any], where: str, path: str) -> Iterator[Record]:
        """Yield what a program says by itself; :meth:`settle` says from whom it descends.

        Parameters
        ----------
        program : dict
            As its file has it.
        where : str
            The checkpoint and the file: of two statements the one with the greater is the newer.
        path : str
            The file, for what is loaded later.
        """
        program = self._mended(program, where)
        node, parent = str(program["id"]), _text(program.get("parent_id"))
        stamp = self._stamp(program, where)
        metadata = as_dict(program.get("metadata"))
        island = _island(metadata)
        original = _original(node, parent, metadata)
        if original is not None:
            self._migrants.append(
                _Migrant(node, original, island or _UNKNOWN, stamp, program, path)
            )
            return
        self._marks[node] = _mark(program)
        if island is not None:
            self._islands[node] = island
        yield from self._node(node, program, stamp, path, is_seed=parent is None)
        if parent is not None:
            self._births.append((node, parent, stamp, _birth(program, metadata)))

    def _mended(self, program: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        """Return a program as JSON can hold it; its metrics are judged one by one."""
        plain, repairs = clean_json({k: v for k, v in program.items() if k != _METRICS}, where)
        for repair in repairs:
            self.report.add(f"mended ({repair.kind})", f"{repair.where} was {repair.what}")
        return {**plain, _METRICS: program.get(_METRICS)}

    def settle(self) -> Iterator[Record]:
        """Yield what follows from all programs taken in so far: migrations, and descent."""
        migrants, self._migrants = self._migrants, []
        births, self._births = self._births, []
        for migrant in migrants:
            known = self._marks.get(self._of(migrant.original))
            if known is None or known == _mark(migrant.program):
                self._same[migrant.id] = migrant.original
        for migrant in migrants:
            yield from self._migration(migrant)
        for node, parent, stamp, attributes in births:
            if parent not in self._same and parent not in self._marks and _MIGRANT.search(parent):
                self.report.add(
                    "parents that are migrants in no checkpoint: read as the original", parent
                )
                self._same[parent] = _MIGRANT.sub("", parent)
            yield self._operator(node, self._of(parent), parent, stamp, attributes)

    def run(self, checkpoint: int, metadata: Mapping[str, Any], name: str) -> Iterator[Record]:
        """Yield what the metadata of a checkpoint says of the run."""
        said = {
            key: metadata[key]
            for key in ("best_program_id", "last_iteration", "last_migration_generation")
            if metadata.get(key) is not None
        }
        attributes = {"name": name, "metadata": clean_json(said)[0]}
        yield RunRecord(self.run_id, Stamp(-1, f"checkpoint {checkpoint:09}"), attributes)
        for node in {str(each) for part in _lists(metadata.get("islands")) for each in part}:
            if node not in self._marks and node not in self._same and node not in self._told:
                self._told.add(node)
                self.report.add("programs that a checkpoint names without their file", node)

    def directions(self) -> Iterator[Record]:
        """Yield the directions that are known; those that are not are in the report."""
        known = {name: way for name, way in KNOWN["openevolve"].items() if name in self._metrics}
        if known.keys() - self._told:
            self._told |= known.keys()
            stamp = Stamp(-1, "directions")
            yield RunRecord(self.run_id, stamp, {"score_directions": known})
        for name in sorted(self._metrics - known.keys() - self._told):
            self._told.add(name)
            self.report.add("metric direction unknown", name)

    def _of(self, node: str) -> str:
        """Return the original of a program; itself where it is one."""
        seen = set()
        while node in self._same and node not in seen:
            seen.add(node)
            node = self._same[node]
        return node

    def _migration(self, migrant: _Migrant) -> Iterator[Record]:
        original = self._of(migrant.original)
        if migrant.id not in self._same:
            self.report.add("migrants that differ from their original: kept apart", migrant.id)
            self._marks[migrant.id] = _mark(migrant.program)
            yield from self._node(
                migrant.id, migrant.program, migrant.stamp, migrant.path, is_seed=False
            )
            attributes = {"kind": "migrate", "metadata": {"island": migrant.island}}
            yield self._operator(migrant.id, original, original, migrant.stamp, attributes)
            return
        self.report.add("migrants read as migrations of their original", migrant.id)
        if original not in self._marks:
            self.report.add("originals known from a migrant alone", original)
            program = {**migrant.program, "metadata": {}, "iteration_found": None}
            stamp = Stamp(-1, f"{original} of {migrant.id}")
            yield from self._node(original, program, stamp, migrant.path, is_seed=False)
        yield MigrationRecord(
            (self._key(original),),
            migrant.stamp,
            self._islands.get(original, _UNKNOWN),
            migrant.island,
            {"metadata": {"as": migrant.id}},
        )

    def _operator(
        self, node: str, parent: str, named: str, stamp: Stamp, attributes: dict[str, Any]
    ) -> Record:
        if named != parent:
            attributes = {
                **attributes,
                "metadata": {**attributes.get("metadata", {}), "parent_named": named},
            }
        return OperatorRecord(
            self.run_id, f"made:{node}", stamp, (self._key(parent),), self._key(node), attributes
        )

    def _node(
        self, node: str, program: Mapping[str, Any], stamp: Stamp, path: str, *, is_seed: bool
    ) -> Iterator[Record]:
        key = self._key(node)
        yield NodeRecord(key, stamp, (), _attributes(program, path, is_seed=is_seed))
        scores, texts = self._scores(program, node)
        if scores or texts:
            said: dict[str, Any] = {"metadata": texts} if texts else {}
            if "error" in texts:
                said["invalid_reason"] = str(texts["error"])
            yield FitnessRecord(key, stamp, scores, said)

    def _scores(
        self, program: Mapping[str, Any], node: str
    ) -> tuple[dict[str, float], dict[str, Any]]:
        scores: dict[str, float] = {}
        others: dict[str, Any] = {}
        for name, value in as_dict(program.get("metrics")).items():
            if isinstance(value, bool):
                self.report.add("metrics that are true or false: read as 1 and 0", name)
            number = finite(float(value) if isinstance(value, bool) else value)
            if number is not None:
                scores[name] = number
            elif isinstance(value, (int, float)):
                self.report.add("scores that are no finite number: left out", f"{node}: {name}")
            elif value is not None:
                others[name] = value
                self.report.add(
                    "metrics that are no numbers: kept in the metadata",
                    f"{node}: {name} = {str(value)[:60]}",
                )
        self._metrics |= scores.keys()
        return scores, clean_json(others)[0]

    def _stamp(self, program: Mapping[str, Any], where: str) -> Stamp:
        moment = program.get("timestamp")
        if isinstance(moment, (int, float)) and 0 <= moment < _BEYOND_S:
            return Stamp(round(moment * 1e6) * 1_000, where)
        self.report.add("programs without a time", str(program["id"]))
        return Stamp(-1, where)

    def _key(self, node: str) -> NodeKey:
        return NodeKey("individual", self.run_id, node)


def _original(node: str, parent: str | None, metadata: Mapping[str, Any]) -> str | None:
    """Return the id of the program that this one says it is a copy of, or None."""
    if _MIGRANT.search(node):
        return parent or _MIGRANT.sub("", node)
    return parent if metadata.get("migrant") is True else None


def _mark(program: Mapping[str, Any]) -> bytes:
    """Return what two copies of a program have in common: code and scores."""
    said = [program.get("code"), program.get("metrics")]
    try:
        text = orjson.dumps(said, option=orjson.OPT_SORT_KEYS, default=str)
    except TypeError:  # broken Unicode, a number beyond 64 bits, or deep nesting
        text = orjson.dumps(clean_json(said)[0], option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(text, digest_size=16).digest()


def _attributes(program: Mapping[str, Any], path: str, *, is_seed: bool) -> dict[str, Any]:
    metadata = as_dict(program.get("metadata"))
    kept = {key: program.get(key) for key in ("iteration_found", "complexity", "diversity")}
    kept |= {key: metadata[key] for key in metadata.keys() - {"island", "changes", "migrant"}}
    kept.pop("parent_metrics", None)  # the parent's own statement says it
    for name in ("prompts", "artifacts_json"):
        if program.get(name):
            kept[name] = f"{path}#/{name}"
    kept["artifact_dir"] = program.get("artifact_dir")
    said = {
        "kind": "program",
        "is_seed": is_seed or None,
        "island_id": _island(metadata),
        "generation_index": _of_type(int, program.get("generation")),
        "genome": _of_type(str, program.get("code")),
        "genome_lang": _of_type(str, program.get("language")),
        "metadata": {key: value for key, value in kept.items() if value is not None},
    }
    return {key: value for key, value in said.items() if value is not None}


def _birth(program: Mapping[str, Any], metadata: Mapping[str, Any]) -> dict[str, Any]:
    said = {"changes": metadata.get("changes"), "iteration": program.get("iteration_found")}
    kept = {key: value for key, value in said.items() if value is not None}
    return {"kind": "refine", **({"metadata": kept} if kept else {})}


def _island(metadata: Mapping[str, Any]) -> str | None:
    island = metadata.get("island")
    return None if island is None else str(island)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _lists(value: Any) -> list[list[Any]]:
    return [part for part in value if isinstance(part, list)] if isinstance(value, list) else []


def _of_type(wanted: type, value: Any) -> Any:
    return value if type(value) is wanted else None
