"""Posts events over HTTP on a kept-alive connection."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urljoin, urlsplit

from hutch_lineage.errors import mask_url
from hutch_lineage.mapping import Endpoint
from hutch_lineage.plumbing import USER_AGENT, Answer, Credentials, Wire, basic, reason_of

from .batching import Batches, batch_replies
from .options import HttpOptions
from .remarks import falls_short, lacks_edges
from .replies import Reply, reply_of

_MAX_REDIRECTS: Final = 5
_SAME_BODY: Final = frozenset({307, 308})
_DETAIL_CHARS: Final = 200
_MAX_ANSWER_BYTES: Final = 64 * 1024
_GZIP_LEVEL: Final = 3


class HttpSender:
    """Posts JSON bodies to one endpoint.

    Proxies and the CA bundle come from the environment unless one is given. Redirects with status
    307 and 308 are followed with the body; credentials stay with the origin they were given for.
    Not thread-safe: each thread has one of its own, see :meth:`twin`.

    Parameters
    ----------
    endpoint : Endpoint
        Where to post.
    credentials : Credentials, optional
        An API key and headers.
    options : HttpOptions, optional
        Time limits, TLS, compression, batches.
    batches : Batches, optional
        What another connection to the same endpoint has learned of them.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        credentials: Credentials | None = None,
        options: HttpOptions | None = None,
        *,
        batches: Batches | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._credentials = credentials or Credentials()
        self._options = options or HttpOptions()
        self._wires: dict[str, Wire] = {}
        self._headers = self._fixed_headers(secret=True)
        self._foreign_headers = self._fixed_headers(secret=False)
        self._batches = batches or Batches(
            endpoint.url, self._options.batch or 1, self._options.batch_form or "openlineage"
        )

    @property
    def batch(self) -> int:
        """How many events one post may carry."""
        return self._batches.size

    def send(self, body: bytes) -> Reply:
        """Post one event and judge the answer. Blocks; never raises."""
        answer = self._posted(self._endpoint.url, body)
        if isinstance(answer, Reply):
            return answer
        reply = self._judged(answer)
        edges = self._options.accepted == "edges" and reply.verdict == "accepted"
        if edges and lacks_edges(body, answer.body):
            return replace(reply, verdict="rejected")
        return reply

    def send_batch(self, bodies: Sequence[bytes]) -> list[Reply]:
        """Post several events in one request and judge each. Blocks; never raises.

        Where the backend has no such path, or says that a batch is too large, the events stay
        owed and are posted in smaller batches, or one by one, from then on. Where it refuses a
        batch as a whole, or where edges count and it made too few, each of its events goes by
        itself: that tells which one it is.
        """
        answer = self._posted(self._batches.url, self._batches.body(bodies))
        if isinstance(answer, Reply):
            return [answer] * len(bodies)
        if self._batches.refused(answer.status, len(bodies)):
            return [self.send(bodies[0])]
        whole = self._judged(answer)
        short = self._options.accepted == "edges" and falls_short(bodies, answer.body)
        if whole.verdict == "rejected" or (whole.verdict == "accepted" and short):
            return self._one_by_one(bodies)
        return batch_replies(answer, whole, len(bodies), self._credentials.masked)

    def _one_by_one(self, bodies: Sequence[bytes]) -> list[Reply]:
        """Post each event by itself, as far as the first one that is to be tried again."""
        replies: list[Reply] = []
        while len(replies) < len(bodies) and (not replies or replies[-1].verdict != "retry"):
            replies.append(self.send(bodies[len(replies)]))
        return replies

    def twin(self) -> HttpSender:
        """Return another one for the same endpoint, with a connection of its own."""
        return HttpSender(self._endpoint, self._credentials, self._options, batches=self._batches)

    def close(self) -> None:
        """Close the connections."""
        for wire in self._wires.values():
            wire.close()

    def forget(self) -> None:
        """Drop the connections of a parent process without saying goodbye to the backend.

        Closing them here closes the descriptors of this process only, and says no TLS goodbye.
        """
        for wire in self._wires.values():
            wire.forget()

    def _posted(self, url: str, body: bytes) -> Answer | Reply:
        try:
            if self._options.gzip:
                body = gzip.compress(body, _GZIP_LEVEL)
            return self._followed(url, body)
        except Exception as error:  # whatever a socket, TLS or a host name comes up with
            return Reply(
                "retry", None, self._credentials.masked(reason_of(error, self._options.timeout_s))
            )

    def _followed(self, url: str, body: bytes) -> Answer | Reply:
        for _ in range(_MAX_REDIRECTS + 1):
            answer = self._post(url, body)
            location = answer.headers.get("location")
            if answer.status not in _SAME_BODY or not location:
                return answer
            url = urljoin(url, location)
            scheme = urlsplit(url).scheme
            if scheme not in ("http", "https"):
                return Reply("retry", answer.status, f"it redirects to {scheme}:, which is no HTTP")
        return Reply("retry", answer.status, "it redirects in a circle")

    def _post(self, url: str, body: bytes) -> Answer:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        wire = self._wires.get(origin)
        if wire is None:
            if len(self._wires) > _MAX_REDIRECTS:  # it redirects to another place each time
                self.close()
                self._wires.clear()
            wire = Wire(origin, self._options.timeout_s, self._options.ca_bundle)
            self._wires[origin] = wire
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        ours = origin == self._endpoint.origin
        headers = self._headers if ours else self._foreign_headers
        return wire.post(target, headers, body, _MAX_ANSWER_BYTES)

    def _fixed_headers(self, *, secret: bool) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "*/*",
            "User-Agent": USER_AGENT,
        }
        if self._options.gzip:
            headers["Content-Encoding"] = "gzip"
        if secret:
            headers.update(self._credentials.headers)
            named = {name.lower() for name in headers}
            if self._credentials.api_key is not None:
                headers["Authorization"] = f"Bearer {self._credentials.api_key}"
            elif self._endpoint.user is not None and "authorization" not in named:
                headers["Authorization"] = basic(*self._endpoint.user)
        return headers

    def _judged(self, answer: Answer) -> Reply:
        detail = ""
        location = answer.headers.get("location")
        if answer.status >= 400:
            text = answer.body.decode("utf-8", "replace")
            detail = " ".join(text[: 4 * _DETAIL_CHARS].split())[:_DETAIL_CHARS]
        elif location:
            detail = f"it points to {mask_url(location)}, use that address"
        reply = reply_of(
            answer.status,
            answer.headers.get("retry-after"),
            self._credentials.masked(detail),
            answer.body,
        )
        if reply.verdict == "accepted" and reply.reason:
            return replace(reply, reason=self._credentials.masked(reply.reason))
        return reply
