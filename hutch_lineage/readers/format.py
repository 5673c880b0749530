"""The seam between a kind of source and the graph: what a format knows, and what it gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from hutch_lineage.errors import ReadError
from hutch_lineage.model import Event, Record

from .report import Report
from .source import Source

Item: TypeAlias = Event | Record | dict[str, Any]
"""What a format gives: a lineage record, a Hutch event, or an OpenLineage event as a dict."""


class NothingFoundError(ReadError):
    """A source was read to its end, and nothing in it was of its kind: other kinds are listed."""


class Format(Protocol):
    """One kind of source.

    Attributes
    ----------
    kind : str
        Its name, as in ``load(source, kind=...)``.
    title : str
        What it reads, in a few words, for lists and messages.
    """

    @property
    def kind(self) -> str:
        """Its name."""
        ...

    @property
    def title(self) -> str:
        """What it reads."""
        ...

    def detect(self, source: Source) -> bool:
        """Return whether a source is of this kind, by what stands in it, not by its name.

        It looks at little: the head of a file, the names in a folder. It does not raise for what
        is not its own.
        """
        ...

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield what the source says, a little at a time.

        Nothing is executed or unpickled. What is skipped, repaired or cannot be known goes to
        `report`. Reading a source twice gives the same items: stamps come from the source.

        Raises
        ------
        ReadError
            Nothing can be made of it; with the file and the line, and what to do next.
        """
        ...


class Feed(Protocol):
    """Items that go on coming.

    Attributes
    ----------
    name : str
        What is read, for people; no secrets.
    period_s : float
        How long to wait between two polls while something comes.
    ended : bool
        Whether nothing more is to be expected.
    """

    name: str
    period_s: float
    ended: bool

    def poll(self) -> Sequence[Item]:
        """Return what has come since the last call, in order; blocks for a bounded time.

        Raises
        ------
        ReadError
            It could not be read this time; what it would have returned comes with a later call.
        """

    def close(self) -> None:
        """Let go of what is open."""


@runtime_checkable
class Followable(Protocol):
    """A format that follows its source at less cost than reading it anew whenever it changes."""

    def follow(self, source: Source, report: Report) -> Feed:
        """Return a feed whose first poll gives all that is there, and the next ones what is new.

        Raises
        ------
        ReadError
            It cannot be read.
        """
        ...
