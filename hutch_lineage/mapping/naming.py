"""The names and run ids that a preset writes, and the way back from a name to the original id.

A dotted dataset name has three parts, ``<namespace>.<run>.<kind>-<id>``: every backend can take it
apart, and the same id in two runs is two datasets. What may not stand in a part is written as ``~``
and two hexadecimal digits per byte of UTF-8, so every part can be read back; only a part that would
be longer than 80 characters is cut and ends in ``~~`` and a digest, and then the ``hutchLineage``
facet alone has the original.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import Final
from uuid import NAMESPACE_URL, UUID, uuid5

from hutch_lineage.model import NodeKey, NodeKind

from .names import KINDS, dataset_name
from .presets import Preset

HUTCH_UUIDS: Final = uuid5(NAMESPACE_URL, "https://github.com/xyin-anl/hutch")
"""The namespace of the UUIDv5 run ids."""

LONGEST_PART: Final = 80  # three of them and two dots fit the 255 characters of Marquez
_MIXED: Final = re.compile(rb"[^A-Za-z0-9_-]")
_LOWER: Final = re.compile(rb"[^a-z0-9-]")
_ESCAPED: Final = re.compile(r"~([0-9a-f]{2})")
_NOT_IN_NAMESPACE: Final = re.compile(rb"[^A-Za-z0-9_.@+/-]")


@lru_cache(maxsize=8192)
def escaped(text: str, *, lower: bool = False) -> str:
    """Return a text as one part of a dotted name.

    Parameters
    ----------
    text : str
        Any text.
    lower : bool
        Escape capitals and ``_`` too, for a backend that folds case or takes ``_`` for a wildcard.

    Examples
    --------
    >>> escaped("ind-A"), escaped("v1.2 (é)"), escaped("ind_A", lower=True), escaped("")
    ('ind-A', 'v1~2e2~20~28~c3~a9~29', 'ind~5f~41', '~')
    """
    part = escaped_whole(text, lower=lower)
    if part == "None":  # DataHub drops such a part from a name
        return "~4eone"
    if len(part) <= LONGEST_PART:
        return part
    raw = text.encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(raw, digest_size=8).hexdigest()
    return f"{part[: LONGEST_PART - 18].rstrip('~')}~~{digest}"


def escaped_whole(text: str, *, lower: bool = False) -> str:
    """Return a text as :func:`escaped` does, however long it becomes.

    Examples
    --------
    >>> escaped_whole("a b"), unescaped(escaped_whole("é" * 99)) == "é" * 99
    ('a~20b', True)
    """
    raw = text.encode("utf-8", "surrogatepass")
    return (_LOWER if lower else _MIXED).sub(_hex, raw).decode("ascii") or "~"


def unescaped(part: str) -> str | None:
    """Return the text that a part stands for, or None where it was cut.

    Examples
    --------
    >>> unescaped("v1~2e2"), unescaped("~")
    ('v1.2', '')
    >>> unescaped(escaped("x" * 200)) is None
    True
    """
    if "~~" in part:
        return None
    if "~" not in part:
        return part
    pieces = _ESCAPED.split(part)
    raw = b"".join(
        bytes.fromhex(piece) if index % 2 else piece.encode() for index, piece in enumerate(pieces)
    )
    return "" if part == "~" else raw.decode("utf-8", "surrogatepass")


def named_node(name: str) -> NodeKey | None:
    """Return the node that a dotted dataset name stands for, or None for any other name.

    Examples
    --------
    >>> named_node("hutch.run-1.individual-ind~2eA")
    NodeKey(kind='individual', run_id='run-1', id='ind.A')
    >>> named_node("db.public.orders") is None
    True
    """
    parts = name.split(".")
    if len(parts) != 3:
        return None
    for kind in KINDS:
        if parts[2].startswith(f"{kind}-"):
            try:
                run_id, node_id = unescaped(parts[1]), unescaped(parts[2][len(kind) + 1 :])
            except ValueError:  # a "~" that nobody of us wrote
                return None
            # a part that was cut still tells nodes apart
            return NodeKey(
                kind,
                parts[1] if run_id is None else run_id,
                parts[2] if node_id is None else node_id,
            )
    return None


@lru_cache(maxsize=256)
def run_uuid(namespace: str, run_id: str) -> str:
    """Return a run id as a UUID: itself where it is one, else a UUIDv5 of namespace and id.

    Examples
    --------
    >>> run_uuid("hutch", "5f0c9a52-6d0f-4c39-9e0a-0d6a3f2b7c11")
    '5f0c9a52-6d0f-4c39-9e0a-0d6a3f2b7c11'
    >>> run_uuid("hutch", "run-abc123")
    '1c2720c1-0f33-5778-96a7-2a8a1123c7ea'
    """
    try:
        if str(UUID(run_id)) == run_id:
            return run_id
    except (ValueError, AttributeError, TypeError):
        pass
    return str(_hutch_uuid(namespace, run_id))


def part_uuid(namespace: str, run_id: str, part: str) -> str:
    """Return the run id of one operator of a run: a UUIDv5 in the namespace of the run's own.

    Examples
    --------
    >>> part_uuid("hutch", "run-1", "op-7") == str(uuid5(_hutch_uuid("hutch", "run-1"), "op-7"))
    True
    """
    raw = _hutch_uuid(namespace, run_id).bytes + part.encode("utf-8", "replace")
    text = hashlib.sha1(raw, usedforsecurity=False).hexdigest()  # a fifth of the time of `uuid5`
    variant = "89ab"[int(text[16], 16) & 3]
    return f"{text[:8]}-{text[8:12]}-5{text[13:16]}-{variant}{text[17:20]}-{text[20:32]}"


class Naming:
    """The names that a preset writes in one namespace.

    Examples
    --------
    >>> from hutch_lineage.mapping import PRESETS
    >>> naming = Naming(PRESETS["marquez"], "hutch")
    >>> naming.dataset("individual", "run-1", "ind-A")
    'hutch.run-1.individual-ind-A'
    >>> naming.part_job("packing", "run-1", "op-7", "3f2a9c1b")
    'packing.run-1.op-7.3f2a9c1b'
    """

    def __init__(self, preset: Preset, namespace: str) -> None:
        self._given = namespace
        self._plain = preset.names == "plain"
        self._lower = preset.names == "dotted-lower"
        self._uuids = preset.run_id == "uuid5"
        self.namespace = namespace if self._plain else _safe_namespace(namespace)

    def run(self, run_id: str) -> str:
        """Return the ``runId`` of a Hutch run."""
        return run_uuid(self._given, run_id) if self._uuids else run_id

    def part(self, run_id: str, part: str) -> str:
        """Return the ``runId`` of one operator of a run."""
        return part_uuid(self._given, run_id, part)

    def job(self, name: str) -> str:
        """Return the name of a run's job."""
        return name if self._plain else escaped(name, lower=self._lower)

    def part_job(self, job: str, run_id: str, *parts: str) -> str:
        """Return the job name of one operator; `job` is that of its run, not escaped."""
        return ".".join(self.job(part) for part in (job, run_id, *parts))

    def dataset(self, kind: NodeKind, run_id: str, node_id: str) -> str:
        """Return the dataset name of an individual or an agent."""
        if self._plain:
            return dataset_name(kind, node_id)
        run, node = escaped(run_id, lower=self._lower), escaped(node_id, lower=self._lower)
        return f"{escaped(self._given, lower=self._lower)}.{run}.{kind}-{node}"


def _hex(match: re.Match[bytes]) -> bytes:
    return b"~%02x" % match[0][0]


@lru_cache(maxsize=256)
def _hutch_uuid(namespace: str, run_id: str) -> UUID:
    return uuid5(HUTCH_UUIDS, _encodable(f"{namespace}\n{run_id}"))


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=64)
def _safe_namespace(namespace: str) -> str:
    """Return a namespace of the characters that Marquez takes; ``://`` may stay."""
    scheme, separator, rest = namespace.rpartition("://")
    return separator.join(
        _NOT_IN_NAMESPACE.sub(
            lambda m: b"=%02x" % m[0][0], text.encode("utf-8", "replace")
        ).decode()
        for text in ((scheme, rest) if separator else (rest,))
    )
