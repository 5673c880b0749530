"""A Hutch server: what is posted to it, and what its answers mean."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

import orjson

from hutch_lineage.errors import mask_url
from hutch_lineage.plumbing import Credentials, basic

if TYPE_CHECKING:
    from hutch_lineage.plumbing import Answer, Wire

LARGEST_BODY: Final = 1024 * 1024
MOST_EVENTS: Final = 500
_LONGEST_ANSWER: Final = 64 * 1024
_HINTS: Final = {
    401: "the token is missing or wrong: set HUTCH_TOKEN",
    403: "the token may not write: set HUTCH_TOKEN",
    404: "there is no Hutch server at this address",
}


class NotTakenError(Exception):
    """The server did not answer, or not as a Hutch server that takes events.

    Attributes
    ----------
    status : int or None
        The HTTP status, where there was one.
    """

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


class Refused(NamedTuple):
    """An event that the server will never take, and why."""

    line: bytes
    reason: str


class HutchServer:
    """Posts events to ``/events`` of a Hutch server. One thread at a time.

    Parameters
    ----------
    url : str
        Where the server is.
    token : str, optional
        Sent as a bearer token.
    timeout_s : float
        The longest time for the connection, and again for the answer.

    Attributes
    ----------
    most : int
        How many events one post may carry at the moment: Hutch stores them one by one, so a server
        that is slow gets few at a time, rather than the same many again and again.
    """

    def __init__(self, url: str, token: str | None = None, timeout_s: float = 5.0) -> None:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        self.name = mask_url(url)
        self._origin = f"{parts.scheme}://{host}"
        self._target = parts.path.rstrip("/") + "/events"
        self._timeout_s = timeout_s
        self._credentials = Credentials(token, setting="auth_token")
        self._login: str | None = None
        if self._credentials.api_key:
            self._login = f"Bearer {self._credentials.api_key}"
        elif parts.username is not None:
            self._login = basic(unquote(parts.username), unquote(parts.password or ""))
        self._wire: Wire | None = None
        self.most = MOST_EVENTS

    def fitting(self, lines: Sequence[bytes]) -> list[bytes]:
        """Return the first events, as many as one post may carry at the moment; one at least.

        Examples
        --------
        >>> server = HutchServer("http://127.0.0.1:7777")
        >>> len(server.fitting([b"x" * 400_000] * 5)), len(server.fitting([b"x" * 2_000_000]))
        (2, 1)
        """
        size = 0
        for count, line in enumerate(lines[: self.most]):
            size += len(line) + 1
            if count and size > LARGEST_BODY:
                return list(lines[:count])
        return list(lines[: self.most])

    def post(self, lines: Sequence[bytes]) -> list[Refused]:
        """Post events, each the JSON of one, and return those that the server refuses for good.

        They go as one JSON array. Hutch splits lines at characters that may stand inside a JSON
        text (U+2028), so one event a line would not do. An event that the server has already is
        taken and not stored again.

        Raises
        ------
        NotTakenError
            They have to be posted again: some of them may have been taken.
        """
        if not lines:
            return []
        answer = self._answer(b"[" + b",".join(lines) + b"]")
        reason = "it is too large for the server (413)"
        if answer.status != 413:
            if not 200 <= answer.status < 300:
                raise NotTakenError(self._told(answer), answer.status)
            self.most = min(MOST_EVENTS, self.most * 2)
            if not _counts(answer)["rejected"]:
                return []
            reason = "it breaks the server's schema, or could not be stored there"
        if len(lines) == 1:
            return [Refused(lines[0], reason)]
        middle = len(lines) // 2  # which one it is, only smaller posts can tell
        return self.post(lines[:middle]) + self.post(lines[middle:])

    def close(self) -> None:
        """Close the connection; a later post opens another one."""
        if self._wire is not None:
            self._wire.close()

    def forget(self) -> None:
        """Let go of the connection in a forked child: it is the parent's, and so are its locks."""
        if self._wire is not None:
            self._wire.forget()

    def _answer(self, body: bytes) -> Answer:
        from hutch_lineage.plumbing import USER_AGENT, Wire, is_unreachable, reason_of

        if self._wire is None:
            self._wire = Wire(self._origin, self._timeout_s)
        headers = {
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": USER_AGENT,
        }
        if self._login:
            headers["Authorization"] = self._login
        try:
            return self._wire.post(self._target, headers, body, _LONGEST_ANSWER)
        except Exception as error:  # whatever a socket, TLS or a host name comes up with
            if not is_unreachable(error):  # it may have been too much at a time
                self.most = max(1, self.most // 4)
            reason = self._credentials.masked(reason_of(error, self._timeout_s))
            raise NotTakenError(reason) from error

    def _told(self, answer: Answer) -> str:
        try:
            phrase = HTTPStatus(answer.status).phrase
        except ValueError:
            phrase = ""
        told = f"{answer.status} {phrase}".strip()
        if location := answer.headers.get("location"):
            return f"{told}: it points to {mask_url(location)}, use that address"
        hint = _HINTS.get(answer.status)
        return f"{told}: {hint}" if hint else told


def _counts(answer: Answer) -> dict[str, Any]:
    try:
        counts = orjson.loads(answer.body)
        if isinstance(counts["accepted"], int) and isinstance(counts["rejected"], int):
            return dict(counts)
    except (ValueError, TypeError, KeyError):
        pass
    raise NotTakenError("what answers there is no Hutch server", answer.status)
