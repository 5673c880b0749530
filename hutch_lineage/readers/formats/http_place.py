"""A server that is asked for JSON: its address for people, who asks, and one connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode, urlsplit, urlunsplit

from hutch_lineage.errors import EndpointError, ReadError
from hutch_lineage.mapping import LINEAGE_PATH, parse_endpoint
from hutch_lineage.plumbing import USER_AGENT, Answer, Credentials, Wire, basic, reason_of

MAX_ANSWER_BYTES: Final = 256 << 20
MOST_NAMED: Final = 8


class HttpPlace:
    """Asks one server. Not thread-safe.

    Parameters
    ----------
    url : str
        ``http://host:port``; the path of OpenLineage events behind it is passed over. User info
        becomes basic authentication, a query string goes with each request.
    key : str, optional
        Sent as a bearer token.
    timeout_s : float
        The longest time for connecting, and again for each answer.
    setting : str
        What `key` is called, for errors.

    Attributes
    ----------
    name : str
        The address for people: no secrets.

    Raises
    ------
    ReadError
        It is no such address.

    Examples
    --------
    >>> HttpPlace("http://ada:secret@localhost:7777/?team=a", None, 5.0, "api_key").name
    'http://localhost:7777'
    """

    def __init__(self, url: str, key: str | None, timeout_s: float, setting: str) -> None:
        try:
            endpoint = parse_endpoint(url)
        except EndpointError as error:
            raise ReadError(str(error).replace("an OpenLineage endpoint", "read from")) from None
        masked, parts = urlsplit(endpoint.masked), urlsplit(endpoint.url)
        self.name = urlunsplit((*masked[:2], masked.path.removesuffix(LINEAGE_PATH), "", ""))
        self._root = parts.path.removesuffix(LINEAGE_PATH)
        self._query = parts.query
        self._credentials = Credentials(key, setting=setting)
        self._headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": USER_AGENT,
        }
        if key:
            self._headers["Authorization"] = f"Bearer {self._credentials.api_key}"
        elif endpoint.user is not None:
            self._headers["Authorization"] = basic(*endpoint.user)
        self._timeout_s = timeout_s
        self._wire = Wire(endpoint.origin, timeout_s)

    def get(
        self,
        path: str,
        query: Mapping[str, object] | None = None,
        most_bytes: int = MAX_ANSWER_BYTES,
    ) -> Answer:
        """Return the answer for a path; raises whatever a socket, TLS or a host name comes up with.

        What it was is told by :meth:`why`.
        """
        asked = "&".join(part for part in (urlencode(query or {}), self._query) if part)
        target = f"{self._root}{path}" + (f"?{asked}" if asked else "")
        return self._wire.get(target, self._headers, most_bytes)

    def why(self, error: Exception) -> str:
        """Return why there was no answer, without secrets."""
        return self._credentials.masked(reason_of(error, self._timeout_s))

    def said(self, answer: Answer, longest: int = 200) -> str:
        """Return the status of a refusal and the beginning of its text, without secrets."""
        detail = " ".join(answer.body[: 2 * longest].decode("utf-8", "replace").split())[:longest]
        return self._credentials.masked(f"{answer.status}" + (f": {detail}" if detail else ""))

    def failed(self, what: str, kind: type[ReadError] = ReadError) -> ReadError:
        """Return the error that the server `what`."""
        return kind(f"{self.name} {what}", self.name)

    def unclear(self, what: str, runs: Sequence[str]) -> ReadError:
        """Return the error that it is open which run is meant; `runs` are told, a line each."""
        listed = "; ".join(runs[:MOST_NAMED])
        more = f"; and {len(runs) - MOST_NAMED} more" if len(runs) > MOST_NAMED else ""
        return self.failed(what + (f": {listed}{more}" if runs else ""))

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()
