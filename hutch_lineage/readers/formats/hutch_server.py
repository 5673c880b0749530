"""A running ``hutch serve``, as far as reading needs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

import orjson

from hutch_lineage.errors import EndpointError, ReadError
from hutch_lineage.mapping import LINEAGE_PATH, parse_endpoint
from hutch_lineage.plumbing import USER_AGENT, Answer, Credentials, Wire, basic, reason_of

PAGE: Final = 10_000
MOST_OF_ONE_MOMENT: Final = 50_000
_LONGEST_ANSWER: Final = 256 << 20


class HutchServer:
    """Asks a Hutch server for what it holds. Read-only; not thread-safe.

    Parameters
    ----------
    url : str
        ``http://host:port``; user info becomes basic authentication, a query string goes with each
        request.
    token : str, optional
        Sent as a bearer token.
    timeout_s : float
        The longest time for connecting, and again for each answer.

    Attributes
    ----------
    name : str
        The address for people: no secrets.

    Raises
    ------
    ReadError
        It is no such address.
    """

    def __init__(self, url: str, token: str | None = None, timeout_s: float = 20.0) -> None:
        try:
            endpoint = parse_endpoint(url)
        except EndpointError as error:
            raise ReadError(str(error).replace("an OpenLineage endpoint", "read from")) from None
        masked = urlsplit(endpoint.masked)
        self.name = urlunsplit((*masked[:2], masked.path.removesuffix(LINEAGE_PATH), "", ""))
        parts = urlsplit(endpoint.url)
        self._root = parts.path.removesuffix(LINEAGE_PATH)
        self._query = parts.query
        self._credentials = Credentials(token, setting="auth_token")
        self._headers = {"Accept": "application/json", "User-Agent": USER_AGENT}
        if token:
            self._headers["Authorization"] = f"Bearer {self._credentials.api_key}"
        elif endpoint.user is not None:
            self._headers["Authorization"] = basic(*endpoint.user)
        self._timeout_s = timeout_s
        self._wire = Wire(endpoint.origin, timeout_s)

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def is_there(self) -> bool:
        """Return whether a Hutch server answers; False where nothing does."""
        try:
            answer = self._wire.get(self._target("/healthz"), self._headers, 4096)
            return answer.status == 200 and orjson.loads(answer.body) == {"status": "ok"}
        except Exception:  # whatever a socket, TLS or a host name comes up with
            return False

    def runs(self) -> list[dict[str, Any]]:
        """Return a summary of each run, the newest first.

        Raises
        ------
        ReadError
            There is no answer in time, or it is not one of a Hutch server.
        """
        return _dicts(self._ask("/runs"))

    def events(self, run_id: str, after_ns: int = -1) -> Iterator[dict[str, Any]]:
        """Yield the events of a run that are later than a moment, in their order.

        Raises
        ------
        ReadError
            As :meth:`runs`; or there are more than 50,000 events of one moment.
        """
        seen: set[str] = set()
        limit = PAGE
        while True:
            page = _dicts(
                self._ask(
                    f"/runs/{quote(run_id, safe='')}/events",
                    since_timestamp_ns=after_ns,
                    limit=limit,
                )
            )
            fresh = [event for event in page if str(event.get("event_id")) not in seen]
            seen.update(str(event.get("event_id")) for event in fresh)
            yield from fresh
            if len(page) < limit:
                return
            # the edge again: there may be more of its time than came
            edge = _moment(page[-1]) - 1
            if edge > after_ns:
                after_ns, limit = edge, PAGE
                seen = {str(e.get("event_id")) for e in page if _moment(e) > edge}
            elif limit < MOST_OF_ONE_MOMENT:
                limit = MOST_OF_ONE_MOMENT
            else:
                raise self._failed(f"has more than {limit:,} events of one moment")

    def _ask(self, path: str, **query: object) -> Any:
        try:
            answer = self._wire.get(self._target(path, **query), self._headers, _LONGEST_ANSWER)
        except Exception as error:  # whatever a socket, TLS or a host name comes up with
            why = self._credentials.masked(reason_of(error, self._timeout_s))
            raise self._failed(f"cannot be read: {why}; is `hutch serve` running there?") from error
        if answer.status != 200:
            raise self._failed(self._refusal(answer))
        try:
            return orjson.loads(answer.body)
        except ValueError:
            raise self._failed("answers with something that is not JSON, or breaks off") from None

    def _target(self, path: str, **query: object) -> str:
        asked = "&".join(part for part in (urlencode(query), self._query) if part)
        return f"{self._root}{path}" + (f"?{asked}" if asked else "")

    def _refusal(self, answer: Answer) -> str:
        said = " ".join(answer.body[:200].decode("utf-8", "replace").split())
        told = self._credentials.masked(f"{answer.status}: {said}")
        if answer.status in (401, 403):
            return f"wants to know who asks ({told}): pass api_key=, the server's HUTCH_TOKEN"
        return f"does not give its events ({told})"

    def _failed(self, what: str) -> ReadError:
        return ReadError(f"{self.name} {what}", self.name)


def _dicts(found: Any) -> list[dict[str, Any]]:
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _moment(event: dict[str, Any]) -> int:
    moment = event.get("timestamp_ns")
    return moment if isinstance(moment, int) else -1
