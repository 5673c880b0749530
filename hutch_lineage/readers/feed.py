"""The seam to what grows while it is read: a run of a backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from hutch_lineage.errors import ReadError
from hutch_lineage.model import Event

SCHEME: Final = "marquez://"
PORT: Final = 5000


class Feed(Protocol):
    """Events that go on coming.

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

    def poll(self) -> Sequence[Event | dict[str, Any]]:
        """Return what has come since the last call, in order; blocks for a bounded time.

        Raises
        ------
        ReadError
            It could not be read this time; what it would have returned comes with a later call.
        """

    def close(self) -> None:
        """Let go of what is open."""


def is_backend(source: object) -> bool:
    """Return whether a source is the address of a backend and not a path.

    Examples
    --------
    >>> is_backend("marquez://localhost"), is_backend("https://host/x"), is_backend("run.jsonl")
    (True, True, False)
    """
    return isinstance(source, str) and source.strip().lower().startswith(
        (SCHEME, "http://", "https://")
    )


def http_url(source: str) -> str:
    """Return the address of a backend as one for HTTP; Marquez's port where none is named.

    Examples
    --------
    >>> http_url("marquez://localhost"), http_url("https://host/x")
    ('http://localhost:5000', 'https://host/x')
    """
    text = str(source).strip()
    if not text.lower().startswith(SCHEME):
        return text
    host, slash, path = text[len(SCHEME) :].partition("/")
    bare = host.rpartition("@")[2].rpartition("]")[2]  # an IPv6 address has colons of its own
    return f"http://{host}" + ("" if ":" in bare else f":{PORT}") + slash + path


def open_feed(source: str, run: str | None = None, api_key: str | None = None) -> Feed:
    """Return the events of a run that a backend holds.

    Parameters
    ----------
    source : str
        ``http://host:port`` or ``marquez://host[:port]``.
    run : str, optional
        The run's name or id; not needed where there is only one.
    api_key : str, optional
        Sent as a bearer token.

    Raises
    ------
    ReadError
        It does not answer, is no Marquez, or has not that run; or `source` is no such address.

    Examples
    --------
    >>> open_feed("run.jsonl")
    Traceback (most recent call last):
        ...
    hutch_lineage.errors.ReadError: run.jsonl: only a run of a backend can be followed
    """
    if not is_backend(source):
        raise ReadError(f"{source}: only a run of a backend can be followed", str(source))
    from .marquez import Marquez  # what asks over HTTP is not loaded for a file
    from .remote import open_run

    marquez = Marquez(source, api_key)
    try:
        return open_run(marquez, run)
    except BaseException:
        marquez.close()
        raise
