"""Events that were read somewhere, on their way to a backend: on disk first, and each once."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from hutch_lineage.delivery import Journal, Limits, endpoint_folder, refused_in
from hutch_lineage.errors import ExportError
from hutch_lineage.mapping import Accepted, Endpoint

from .left import LeftForEndpoint

_AT_ONCE: Final = 1000
_DIGEST: Final = 16
_UNLIMITED: Final = Limits(max_bytes=1 << 62)


class Kept(NamedTuple):
    """What was put into a journal, to be sent by :func:`send_left`.

    Attributes
    ----------
    new : list of bytes
        The events that were added.
    had : list of bytes
        Those that former calls added.
    """

    new: list[bytes]
    had: list[bytes]


def keep(
    bodies: Sequence[bytes],
    target: Endpoint,
    root: Path,
    name: str,
    *,
    accepted: Accepted = "2xx",
    again: bool = False,
) -> Kept:
    """Put RunEvents into a journal of an endpoint, but for those that it was given before.

    A note beside the journals says which events of `name` the endpoint was given. So a call that
    was cut short goes on where it was, and of a source that has grown or changed only what is new
    goes out.

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
    accepted : {"2xx", "edges"}
        What counts as accepted there; see :class:`hutch_lineage.delivery.HttpOptions`.
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
    >>> keep([b"{}", b"[]"], target, root, "run.jsonl")
    Kept(new=[b'{}', b'[]'], had=[])
    >>> keep([b"{}", b"1", b"[]"], target, root, "run.jsonl")
    Kept(new=[b'1'], had=[b'{}', b'[]'])
    """
    note = _Note(root, target, name)
    kept = Kept(list(bodies), []) if again else note.parted(bodies)
    if kept.new:
        _write(kept.new, target, root, accepted)
        note.add(kept.new)
    return kept


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


def _write(bodies: Sequence[bytes], target: Endpoint, root: Path, accepted: Accepted) -> None:
    folder = endpoint_folder(root, target)
    journal = Journal(folder, target.masked, 0, _UNLIMITED, accepted=accepted)
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
    """What an endpoint was given of a source: a digest of each event, one after the other."""

    def __init__(self, root: Path, target: Endpoint, name: str) -> None:
        mark = hashlib.sha256(f"{target.masked}\n{name}".encode("utf-8", "replace")).hexdigest()
        self._path = root / "posted" / mark[:24]

    def parted(self, bodies: Sequence[bytes]) -> Kept:
        """Tell events that were given before from new ones; one that stands twice counts twice."""
        try:
            data = self._path.read_bytes()
        except OSError:
            data = b""
        whole = len(data) - len(data) % _DIGEST  # the last one may be cut off
        given = Counter(data[start : start + _DIGEST] for start in range(0, whole, _DIGEST))
        kept = Kept([], [])
        for body in bodies:
            digest = _digest(body)
            (kept.had if given[digest] > 0 else kept.new).append(body)
            given[digest] -= 1
        return kept

    def add(self, bodies: Sequence[bytes]) -> None:
        """Note that these were given, too."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._path.open("ab") as file:
                file.truncate(file.tell() - file.tell() % _DIGEST)
                file.write(b"".join(map(_digest, bodies)))
        except OSError as error:
            raise ExportError(
                f"{self._path} cannot be written: {error.strerror}; the events are in the journal, "
                "`hutch-lineage flush` sends them"
            ) from error


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=_DIGEST).digest()
