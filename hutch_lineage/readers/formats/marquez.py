"""Marquez's API, as far as reading needs it: pages of events, and answers or clear errors."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

import orjson

from hutch_lineage.errors import ReadError
from hutch_lineage.mapping import iso_from_ns, ns_from_iso
from hutch_lineage.plumbing import Answer
from hutch_lineage.readers import http_url

from .http_place import HttpPlace

PAGE: Final = 500
LARGEST_PAGE: Final = 64_000
_FEWEST: Final = 2
_US: Final = 1_000  # nanoseconds in what Marquez's clock can tell apart
_FOREVER: Final = "9999-01-01T00:00:00Z"  # without it, Marquez stops at 2030


class TooMuchError(ReadError):
    """An answer did not come to its end, or not in time: a shorter one may."""


class Marquez:
    """A Marquez that is asked for what it holds. Read-only; not thread-safe.

    Parameters
    ----------
    url : str
        ``http://host:port``, or ``marquez://host[:port]``; a full lineage URL serves, too. User
        info becomes basic authentication, a query string goes with each request.
    api_key : str, optional
        Sent as a bearer token.
    timeout_s : float
        The longest time for connecting, and again for each answer.

    Attributes
    ----------
    place : HttpPlace
        Where it is.
    name : str
        The address for people: no secrets.

    Raises
    ------
    ReadError
        It is no such address.
    """

    def __init__(self, url: str, api_key: str | None = None, timeout_s: float = 20.0) -> None:
        self.place = HttpPlace(http_url(url), api_key, timeout_s, "openlineage_api_key")
        self.name = self.place.name
        self._has_answered = False

    def close(self) -> None:
        """Close the connection."""
        self.place.close()

    def ask(self, path: str, **query: object) -> Any:
        """Return the JSON that stands at a path below ``/api/v1``; None where nothing does (404).

        Raises
        ------
        ReadError
            There is no answer in time, or it is not one of Marquez; secrets are masked.
        """
        try:
            answer = self.place.get(f"/api/v1{path}", query)
        except Exception as error:  # whatever a socket, TLS or a host name comes up with
            why = self.place.why(error)
            kind = TooMuchError if self._has_answered and "no answer within" in why else ReadError
            told = f"cannot be read: {why}; is a Marquez running there?"
            raise self.place.failed(told, kind) from error
        self._has_answered = True
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise self.place.failed(self._refusal(answer))
        try:
            return orjson.loads(answer.body)
        except ValueError:
            told = "answers with something that is not JSON, or breaks off: is it a Marquez?"
            raise self.place.failed(told, TooMuchError) from None

    def events(
        self, after_ns: int = 0, before_ns: int | None = None, *, newest_first: bool = False
    ) -> Iterator[list[dict[str, Any]]]:
        """Yield pages of the events of a time window, each event once, without nulls.

        Marquez sorts by ``eventTime`` alone, so the next page begins where the last one ended, and
        not at an offset, which events of the same time would move about.

        Parameters
        ----------
        after_ns, before_ns : int
            Unix nanoseconds: the first moment of the window, and the first one after it.
        newest_first : bool
            Go back in time.

        Raises
        ------
        ReadError
            As :meth:`ask`; or there is no such page: it is no Marquez.
        """
        seen: set[bytes] = set()
        usual = limit = PAGE
        while True:
            before = _FOREVER if before_ns is None else iso_from_ns(before_ns)
            window = {"after": iso_from_ns(after_ns), "before": before}
            order = "desc" if newest_first else "asc"
            try:
                found = self.ask("/events/lineage", sortDirection=order, limit=limit, **window)
            except TooMuchError:
                if limit <= _FEWEST or limit > usual:
                    raise
                # events of others may have a megabyte each
                usual = limit = max(_FEWEST, limit // 16)
                continue
            raw = found.get("events") if isinstance(found, dict) else None
            if not isinstance(raw, list):
                raise self.place.failed(
                    "gives no events back (nothing at /api/v1/events/lineage): of the backends "
                    "only Marquez does"
                )
            page = [stripped(event) for event in raw if isinstance(event, dict)]
            fresh = []
            for event in page:
                if (mark := digest(event)) not in seen:
                    seen.add(mark)
                    fresh.append(event)
            if fresh:
                yield fresh
            if len(raw) < limit:
                return
            edge = ns_from_iso(page[-1].get("eventTime")) if page else None
            if edge is not None and newest_first and edge + _US != before_ns:
                before_ns, limit = edge + _US, usual  # the edge again: more may have its time
            elif edge is not None and not newest_first and edge // _US * _US > after_ns:
                after_ns, limit = edge // _US * _US, usual
            elif limit < LARGEST_PAGE:
                limit *= 4  # a whole page of one moment
            else:
                raise self.place.failed(f"has more than {limit:,} events of one moment")

    def run(self, run_id: str) -> dict[str, Any] | None:
        """Return what Marquez knows of a run, whose id is :func:`marquez_uuid`'s; None for none."""
        found = self.ask(f"/jobs/runs/{run_id}")
        return found if isinstance(found, dict) else None

    def namespaces(self) -> list[str]:
        """Return the names of the namespaces."""
        found = self.ask("/namespaces", limit=1_000)
        return [str(each.get("name")) for each in _list(found, "namespaces")]

    def runs_of_job(self, namespace: str, job: str) -> list[dict[str, Any]]:
        """Return the newest runs of a job, newest first; none where there is no such job."""
        path = f"/namespaces/{_part(namespace)}/jobs/{_part(job)}/runs"
        return _list(self.ask(path, limit=20), "runs")

    def _refusal(self, answer: Answer) -> str:
        said = self.place.said(answer)
        if answer.status in (401, 403):
            return (
                f"wants to know who asks ({said}): pass api_key=, or set HUTCH_OPENLINEAGE_API_KEY "
                "for this host, or write http://USER:PASSWORD@HOST"
            )
        return f"does not give its events ({said})"


def marquez_uuid(run_id: str) -> str:
    """Return the id that Marquez gives a run: the UUID that it has, else one made of its text.

    Examples
    --------
    >>> marquez_uuid("run-abc123")
    '4432a0c7-ccf0-3b64-853b-37758df82575'
    """
    try:
        return str(uuid.UUID(run_id))
    except ValueError:
        raw = hashlib.md5(run_id.encode("utf-8", "replace"), usedforsecurity=False).digest()
        return str(uuid.UUID(bytes=raw, version=3))


def stripped(value: Any) -> Any:
    """Return JSON without the nulls that Marquez puts where an event had nothing.

    Examples
    --------
    >>> stripped({"facets": {"parent": None}, "inputs": [None]})
    {'facets': {}, 'inputs': [None]}
    """
    if isinstance(value, dict):
        return {key: stripped(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [stripped(each) for each in value]
    return value


def digest(event: dict[str, Any]) -> bytes:
    """Return what two copies of one event have in common, and no other event has."""
    text = orjson.dumps(event, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(text, digest_size=16).digest()


def _list(answer: Any, name: str) -> list[dict[str, Any]]:
    found = answer.get(name) if isinstance(answer, dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _part(text: object) -> str:
    return quote(str(text), safe="")
