"""Events that were read somewhere, on their way to a backend: on disk first, and each once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from hutch_lineage.delivery import Journal, Limits, endpoint_folder, refused_in
from hutch_lineage.errors import ExportError
from hutch_lineage.mapping import Endpoint

from .left import LeftForEndpoint

_AT_ONCE: Final = 1000
_UNLIMITED: Final = Limits(max_bytes=1 << 62)


class Kept(NamedTuple):
    """What was put into a journal, to be sent by :func:`send_left`.

    Attributes
    ----------
    new : int
        How many events were added.
    had : int
        How many were added by a former call, and stand for those at the beginning.
    """

    new: int
    had: int


def keep(
    bodies: Sequence[bytes], target: Endpoint, root: Path, name: str, *, again: bool = False
) -> Kept:
    """Put RunEvents into a journal of an endpoint, but for those that it was given before.

    A note beside the journals says how many events of `name` the endpoint was given and what they
    were. So a call that was cut short goes on where it was, and of a source that has grown only
    what is new goes out. Where the beginning has changed, all are added.

    Parameters
    ----------
    bodies : sequence of bytes
        RunEvents as JSON, in order.
    target : Endpoint
        Whom they are for.
    root : Path
        The folder of all journals.
    name : str
        What the events are called: their source and how they were mapped.
    again : bool
        Whether to add all of them in any case.

    Raises
    ------
    ExportError
        The journal cannot be written; then none were added.

    Examples
    --------
    >>> import tempfile
    >>> from hutch_lineage.mapping import parse_endpoint
    >>> root, target = Path(tempfile.mkdtemp()), parse_endpoint("http://localhost:5000")
    >>> keep([b"{}", b"{}"], target, root, "run.jsonl")
    Kept(new=2, had=0)
    >>> keep([b"{}", b"{}", b"{}"], target, root, "run.jsonl")
    Kept(new=1, had=2)
    """
    note = _Note(root, target, name)
    had = 0 if again else note.had(bodies)
    if new := bodies[had:]:
        _write(new, target, root)
        note.write(bodies)
    return Kept(len(new), had)


def refused_of(bodies: Sequence[bytes], left: LeftForEndpoint) -> list[str]:
    """Return why an endpoint refused some of these RunEvents, one reason for each.

    Examples
    --------
    >>> refused_of([b"{}"], LeftForEndpoint(Path("nowhere"), "http://localhost:5000", ()))
    []
    """
    refused = {
        _canonical(record["event"]): str(record.get("reason", ""))
        for facts in left.journals
        if facts.rejected
        for record in refused_in(facts.folder)
    }
    if not refused:
        return []
    keys = (_canonical(orjson.loads(body)) for body in bodies)
    return [refused[key] for key in keys if key in refused]


def _canonical(event: object) -> bytes:
    return orjson.dumps(event, option=orjson.OPT_SORT_KEYS)


def _write(bodies: Sequence[bytes], target: Endpoint, root: Path) -> None:
    journal = Journal(endpoint_folder(root, target), target.masked, 0, _UNLIMITED)
    whole = False
    try:
        whole = all(
            journal.extend(bodies[start : start + _AT_ONCE])
            for start in range(0, len(bodies), _AT_ONCE)
        )
        if not whole:
            raise ExportError(
                f"the journal below {root} cannot be written: {journal.trouble}; make room, or "
                "name another folder"
            )
    finally:
        if not whole:  # none of it is owed, so it goes
            journal.done(journal.end)
        journal.finish()


class _Note:
    """How many events of a source an endpoint was given, and what they were."""

    def __init__(self, root: Path, target: Endpoint, name: str) -> None:
        name = name.encode("utf-8", "replace").decode()  # a path may hold what is no text
        mark = hashlib.sha256(f"{target.masked}\n{name}".encode()).hexdigest()
        self._path = root / "posted" / f"{mark[:24]}.json"
        self._told = {"endpoint": target.masked, "source": name}

    def had(self, bodies: Sequence[bytes]) -> int:
        """Return how many of the first events were given before; 0 where they were others."""
        try:
            found = orjson.loads(self._path.read_bytes())
            count, digest = int(found["events"]), str(found["sha256"])
        except (OSError, ValueError, TypeError, KeyError):
            return 0
        same = 0 < count <= len(bodies) and _digest(bodies[:count]) == digest
        return count if same else 0

    def write(self, bodies: Sequence[bytes]) -> None:
        """Note that all of these were given."""
        told = {**self._told, "events": len(bodies), "sha256": _digest(bodies)}
        fresh = self._path.with_suffix(f".{os.getpid()}")
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.write_bytes(orjson.dumps(told))
            fresh.replace(self._path)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise ExportError(
                f"{self._path} cannot be written: {error.strerror}; the events are in the journal, "
                "`hutch-lineage flush` sends them"
            ) from error


def _digest(bodies: Sequence[bytes]) -> str:
    found = hashlib.sha256()
    for body in bodies:
        found.update(body)
        found.update(b"\n")
    return found.hexdigest()
