"""A running ``hutch serve``, as far as reading needs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

import orjson

from hutch_lineage.plumbing import Answer

from .http_place import HttpPlace

PAGE: Final = 10_000
MOST_OF_ONE_MOMENT: Final = 50_000


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
    place : HttpPlace
        Where it is.

    Raises
    ------
    ReadError
        It is no such address.
    """

    def __init__(self, url: str, token: str | None = None, timeout_s: float = 20.0) -> None:
        self.place = HttpPlace(url, token, timeout_s, "auth_token")

    def close(self) -> None:
        """Close the connection."""
        self.place.close()

    def is_there(self) -> bool:
        """Return whether a Hutch server answers; False where nothing does."""
        try:
            answer = self.place.get("/healthz", most_bytes=4096)
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
                raise self.place.failed(f"has more than {limit:,} events of one moment")

    def _ask(self, path: str, **query: object) -> Any:
        try:
            answer = self.place.get(path, query)
        except Exception as error:  # whatever a socket, TLS or a host name comes up with
            why = self.place.why(error)
            told = f"cannot be read: {why}; is `hutch serve` running there?"
            raise self.place.failed(told) from error
        if answer.status != 200:
            raise self.place.failed(self._refusal(answer))
        try:
            return orjson.loads(answer.body)
        except ValueError:
            told = "answers with something that is not JSON, or breaks off"
            raise self.place.failed(told) from None

    def _refusal(self, answer: Answer) -> str:
        said = self.place.said(answer)
        if answer.status in (401, 403):
            return f"wants to know who asks ({said}): pass api_key=, the server's HUTCH_TOKEN"
        return f"does not give its events ({said})"


def _dicts(found: Any) -> list[dict[str, Any]]:
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _moment(event: dict[str, Any]) -> int:
    moment = event.get("timestamp_ns")
    return moment if isinstance(moment, int) else -1
