"""One event per request over HTTP, on a kept-alive connection."""

from __future__ import annotations

import logging
import threading
import time
from http.client import HTTPException, RemoteDisconnected
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import requests

from hutch_lineage._version import __version__
from hutch_lineage.errors import mask_url
from hutch_lineage.mapping import Endpoint

from .credentials import Credentials
from .replies import Reply, reply_of

USER_AGENT: Final = f"hutch-lineage/{__version__}"
_MAX_REDIRECTS: Final = 5
_SAME_BODY: Final = frozenset({307, 308})
_DETAIL_CHARS: Final = 200
_MAX_ANSWER_BYTES: Final = 64 * 1024

_here = threading.local()
for _name in ("urllib3.connection", "urllib3.connectionpool"):
    # its lines about our posts hold the query of the URL; what they say comes back as a reason
    logging.getLogger(_name).addFilter(lambda _: not getattr(_here, "posting", False))


class _Connection(NamedTuple):
    """A session, the request that each post copies, and the settings from the environment."""

    session: requests.Session
    template: requests.PreparedRequest
    settings: dict[str, Any]


class HttpSender:
    """Posts JSON bodies to one endpoint through :mod:`requests`.

    Proxies and the CA bundle come from the environment, as for every program that uses requests.
    Redirects with status 307 and 308 are followed with the body; credentials stay with the origin
    they were given for. Not thread-safe: a courier has one post under way at a time.

    Parameters
    ----------
    endpoint : Endpoint
        Where to post.
    credentials : Credentials, optional
        An API key and headers.
    timeout_s : float
        The longest wait for the connection, and again for the answer, in seconds.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        credentials: Credentials | None = None,
        timeout_s: float = 5.0,
    ) -> None:
        self._endpoint = endpoint
        self._credentials = credentials or Credentials()
        self._timeout_s = timeout_s
        self._connection: _Connection | None = None
        self._used = False

    def send(self, body: bytes) -> Reply:
        """Post one event and judge the answer. Blocks; never raises."""
        used, self._used = self._used, True
        _here.posting = True
        try:
            try:
                return self._post(body)
            except OSError as error:
                if not used or _timed_out(error):
                    raise
                # a kept-alive connection that the backend has closed meanwhile is no outage
                self.close()
                return self._post(body)
        except Exception as error:  # requests lets urllib3's, ssl's and idna's errors through
            self.close()
            return Reply("retry", None, self._credentials.masked(self._why(error)))
        finally:
            _here.posting = False

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        self._used = False
        if connection is not None:
            connection.session.close()

    def forget(self) -> None:
        """Drop the connection of a parent process without saying goodbye to the backend."""
        self._connection = None
        self._used = False

    def _post(self, body: bytes) -> Reply:
        if self._connection is None:
            self._connection = self._opened()
        session, template, settings = self._connection
        request = template.copy()
        request.body = body
        request.headers["Content-Length"] = str(len(body))
        for _ in range(_MAX_REDIRECTS + 1):
            response = session.send(
                request,
                timeout=(self._timeout_s, self._timeout_s),
                allow_redirects=False,
                **settings,
            )
            text = self._text_of(response)
            location = response.headers.get("Location")
            if response.status_code not in _SAME_BODY or not location:
                return self._judged(response, text, location)
            request = self._redirected(request, urljoin(request.url or "", location))
        return Reply("retry", response.status_code, "it redirects in a circle")

    def _opened(self) -> _Connection:
        url, session = self._endpoint.url, requests.Session()
        headers = {
            "Content-Type": "application/json",
            "Accept": "*/*",
            "User-Agent": USER_AGENT,
            **self._credentials.headers,
        }
        if self._credentials.api_key is not None:
            headers["Authorization"] = f"Bearer {self._credentials.api_key}"
        named = {name.lower() for name in headers}
        auth = None if "authorization" in named else self._endpoint.user
        # Prepared outside the session, so that no login from ~/.netrc replaces the one given here.
        request = requests.Request("POST", url, headers=headers, auth=auth, data=b"{}")
        settings = session.merge_environment_settings(
            url, proxies={}, stream=True, verify=None, cert=None
        )
        return _Connection(session, request.prepare(), dict(settings))

    def _redirected(self, request: requests.PreparedRequest, url: str) -> requests.PreparedRequest:
        following = request.copy()
        following.url = url
        before, after = urlsplit(request.url or ""), urlsplit(url)
        if (before.scheme, before.netloc) != (after.scheme, after.netloc):
            following.headers.pop("Authorization", None)
            for name in self._credentials.headers:
                following.headers.pop(name, None)
        return following

    def _text_of(self, response: requests.Response) -> str:
        """Return the body, or the beginning of one that is long, slow or broken.

        What counts is the status, which has been said: such a body costs the connection, no more.
        """
        raw, deadline = response.raw, time.monotonic() + self._timeout_s
        take = getattr(raw, "read1", None) or (lambda _: raw.read(1))  # none in old versions
        body = b""
        try:
            while part := take(_MAX_ANSWER_BYTES):
                body += part
                if len(body) >= _MAX_ANSWER_BYTES or time.monotonic() > deadline:
                    response.close()
                    break
        except Exception:  # whatever urllib3 meets
            response.close()
        return body.decode("utf-8", "replace")

    def _judged(self, response: requests.Response, text: str, location: str | None) -> Reply:
        detail = ""
        if response.status_code >= 400:
            detail = " ".join(text[: 4 * _DETAIL_CHARS].split())[:_DETAIL_CHARS]
        elif location:
            detail = f"it points to {mask_url(location)}, use that address"
        return reply_of(
            response.status_code,
            response.headers.get("Retry-After"),
            self._credentials.masked(detail),
        )

    def _why(self, error: BaseException) -> str:
        # The text of requests' errors holds the URL with its query, so it is not used.
        if isinstance(error, requests.ConnectTimeout):
            return f"no connection within {self._timeout_s:g} s"
        if isinstance(error, requests.Timeout):
            return f"no answer within {self._timeout_s:g} s"
        cause: BaseException | None = error
        for _ in range(10):
            if isinstance(cause, RemoteDisconnected):
                return "the connection was closed without an answer"
            if isinstance(cause, HTTPException):
                return "the answer is not HTTP"
            if isinstance(cause, OSError) and cause.strerror:
                return cause.strerror
            nested = [arg for arg in getattr(cause, "args", ()) if isinstance(arg, BaseException)]
            reason = getattr(cause, "reason", None)
            if isinstance(reason, BaseException):
                nested.insert(0, reason)
            cause = nested[0] if nested else cause and (cause.__cause__ or cause.__context__)
            if cause is None:
                break
        return type(error).__name__


def _timed_out(error: BaseException) -> bool:
    return isinstance(error, requests.Timeout)
