"""The rule that turns what a person types into the URL that events are posted to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from hutch_lineage.errors import EndpointError, mask_url

LINEAGE_PATH: Final = "/api/v1/lineage"
IN_MEMORY: Final = "in-memory"
_ODD: Final = re.compile(r"[\s\x00-\x1f\x7f]")
_ALL_ASCII: Final = bytes(range(33, 127)).decode()
_PORTS: Final = {"http": 80, "https": 443}
_NEXT = f"write http://HOST:PORT or https://HOST:PORT; {LINEAGE_PATH} is appended"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where events are posted to. Its repr and `masked` hold no secret.

    Attributes
    ----------
    url : str
        The full URL without user info, query kept.
    key : str
        The identity of the endpoint: the same for spellings that mean the same place.
    origin : str
        Scheme, host and port: where an API key may be sent to.
    masked : str
        The URL for people to read.
    user : tuple of (str, str) or None
        User name and password, where the URL had them.
    """

    url: str = field(repr=False)
    key: str = field(repr=False)
    origin: str
    masked: str
    user: tuple[str, str] | None = field(default=None, repr=False)


def parse_endpoint(text: str, path: str | None = None) -> Endpoint:
    """Apply the URL rule.

    Spaces around the text are dropped. ``/api/v1/lineage`` is appended unless the path ends with
    it; a trailing slash is dropped and a query string kept. Letters beyond ASCII are written as
    HTTP has them.

    Parameters
    ----------
    text : str
        The root of a backend, or its full lineage URL.
    path : str, optional
        Appended instead of ``/api/v1/lineage``, as far as the URL does not end with it; an empty
        one says that the URL is complete.

    Raises
    ------
    EndpointError
        It is no http or https URL with a host, or `path` is none.

    Examples
    --------
    >>> parse_endpoint("http://localhost:5000/?key=1").url
    'http://localhost:5000/api/v1/lineage?key=1'
    >>> parse_endpoint("http://localhost:5000/api/v1/lineage/").url
    'http://localhost:5000/api/v1/lineage'
    """
    text = str(text).strip()
    shown = _shown(text)
    if _ODD.search(text):
        raise _refused(shown, "it holds spaces or control characters", _NEXT)
    if path is not None and _ODD.search(path.strip()):
        raise _refused(shown, f"its path {path!r} holds spaces or control characters", _NEXT)
    try:
        parts = urlsplit(text)
        port = parts.port
        name = (parts.hostname or "").encode("idna").decode()
    except ValueError:
        raise _refused(shown, "its host or port is malformed", _NEXT) from None
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        raise _refused(shown, "it does not begin with http:// or https://", _hint(text))
    if not parts.hostname:
        raise _refused(shown, "it names no host", _NEXT)
    host = f"[{name}]" if ":" in name else name
    netloc = host if port in (None, _PORTS[scheme]) else f"{host}:{port}"
    place = parts.path.rstrip("/")
    wanted = LINEAGE_PATH if path is None else "/" + path.strip().strip("/")
    if wanted != "/" and not place.endswith(wanted):
        place += wanted if wanted == LINEAGE_PATH else _missing(place, wanted)
    user = None
    if parts.username is not None:
        user = (unquote(parts.username), unquote(parts.password or ""))
    url = urlunsplit((scheme, netloc, _ascii(place), _ascii(parts.query), ""))
    return Endpoint(url, url, f"{scheme}://{netloc}", mask_url(url), user)


def _ascii(text: str) -> str:
    return text if text.isascii() else quote(text, safe=_ALL_ASCII, errors="replace")


def _missing(place: str, wanted: str) -> str:
    """Return the part of a path that a URL lacks, which may end in the middle of it."""
    parts = wanted.split("/")
    for count in range(len(parts) - 1, 1, -1):
        begun = "/".join(parts[:count])
        if place.endswith(begun):
            return wanted[len(begun) :]
    return wanted


def _shown(text: str) -> str:
    # a password with a slash in it, or a URL without scheme, hides the user info from a parser
    if "@" in text:
        scheme, _, rest = text.rpartition("://")
        text = (
            f"{scheme}://***@{rest.rsplit('@', 1)[-1]}"
            if scheme
            else f"***@{rest.rsplit('@', 1)[-1]}"
        )
    return mask_url(text)


def _hint(text: str) -> str:
    # "localhost:5000" parses as the scheme "localhost"
    if re.fullmatch(r"[\w.-]+(:\d+)?(/[^\s?]*)?", text):
        return f"did you mean http://{text} ?"
    return _NEXT


def _refused(shown: str, what: str, what_next: str) -> EndpointError:
    return EndpointError(
        f"{shown!r} cannot be an OpenLineage endpoint: {what}; {what_next}", "openlineage_endpoint"
    )
