"""Addresses of backends: how they are told from paths, and what they are over HTTP."""

from __future__ import annotations

from typing import Final

MARQUEZ_SCHEME: Final = "marquez://"
PORT: Final = 5000


def is_backend(source: object) -> bool:
    """Return whether a source is the address of a server and not a path.

    Examples
    --------
    >>> is_backend("marquez://localhost"), is_backend("https://host/x"), is_backend("run.jsonl")
    (True, True, False)
    """
    return isinstance(source, str) and source.strip().lower().startswith(
        (MARQUEZ_SCHEME, "http://", "https://")
    )


def is_marquez(address: str) -> bool:
    """Return whether an address says that a Marquez is there.

    Examples
    --------
    >>> is_marquez("marquez://localhost"), is_marquez("http://localhost")
    (True, False)
    """
    return address.strip().lower().startswith(MARQUEZ_SCHEME)


def http_url(source: str) -> str:
    """Return the address of a backend as one for HTTP; Marquez's port where none is named.

    Examples
    --------
    >>> http_url("marquez://localhost"), http_url("https://host/x")
    ('http://localhost:5000', 'https://host/x')
    """
    text = str(source).strip()
    if not is_marquez(text):
        return text
    host, slash, path = text[len(MARQUEZ_SCHEME) :].partition("/")
    bare = host.rpartition("@")[2].rpartition("]")[2]  # an IPv6 address has colons of its own
    return f"http://{host}" + ("" if ":" in bare else f":{PORT}") + slash + path
