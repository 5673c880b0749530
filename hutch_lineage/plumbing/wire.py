"""Connections to one HTTP server, on which the whole head of an answer has a time limit.

urllib3 connects, speaks TLS and to proxies, and keeps the connection. Its read time-out is one for
each read, so a server that sends a byte now and then would hold its client for ever. Here the clock
runs from the request to the end of the headers.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from http.client import BadStatusLine, HTTPResponse, RemoteDisconnected
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

import urllib3
from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_environ_proxies, select_proxy
from urllib3 import exceptions as wrong
from urllib3.connection import HTTPConnection, HTTPSConnection

from hutch_lineage._version import __version__

from .credentials import basic

USER_AGENT: Final = f"hutch-lineage/{__version__}"

_here = threading.local()
for _name in ("urllib3.connection", "urllib3.connectionpool"):
    # its lines about our posts hold the query of the URL; what they say comes back as a reason
    logging.getLogger(_name).addFilter(lambda _: not getattr(_here, "posting", False))

_HOW: Final[dict[str, Any]] = {
    "redirect": False,
    "retries": urllib3.Retry(False, redirect=False),
    "preload_content": False,
    "decode_content": False,
}
_BUNDLES: Final = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


class Answer(NamedTuple):
    """What came back: status, headers in lower case, the beginning of the body."""

    status: int
    headers: dict[str, str]
    body: bytes


class Wire:
    """A kept-alive connection to one origin, through the proxy of the environment if there is one.

    Parameters
    ----------
    origin : str
        Scheme, host and port.
    timeout_s : float
        The longest time for connecting, and again for an answer.
    ca_bundle : str, optional
        A file, or a folder, with the certificates to trust.
    """

    def __init__(self, origin: str, timeout_s: float, ca_bundle: str | None = None) -> None:
        self._origin = origin
        self._timeout_s = timeout_s
        self._ca_bundle = ca_bundle
        self._manager: urllib3.PoolManager | None = None
        self._pool: urllib3.HTTPConnectionPool | None = None
        self.opened = False  # whether an earlier request had an answer

    def post(self, target: str, headers: Mapping[str, str], body: bytes, longest: int) -> Answer:
        """Send a request and return the answer, with at most about `longest` bytes of its body.

        Raises
        ------
        OSError, urllib3.exceptions.HTTPError
            There was no answer in time, or none that is HTTP. The connection is closed then.
        """
        _here.posting = True
        used = self.opened
        try:
            return self._answer(target, headers, body, longest)
        except wrong.ProtocolError:
            if not used:
                raise
            # a kept-alive connection that the server has closed meanwhile is no outage
            return self._answer(target, headers, body, longest)
        finally:
            _here.posting = False

    def _answer(self, target: str, headers: Mapping[str, str], body: bytes, longest: int) -> Answer:
        response = self._request(target, headers, body)
        self.opened = True
        found = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status, found, self._body(response, longest))

    def _request(
        self, target: str, headers: Mapping[str, str], body: bytes
    ) -> urllib3.BaseHTTPResponse:
        manager, pool = self._open()
        if pool is not None:
            return pool.urlopen("POST", target, body=body, headers=headers, **_HOW)
        # a proxy is told the whole URL, and its own headers
        url = self._origin + target
        return manager.urlopen("POST", url, body=body, headers=headers, **_HOW)

    def close(self) -> None:
        """Close the connection."""
        manager, self._manager, self._pool = self._manager, None, None
        self.opened = False
        if manager is not None:
            manager.clear()

    def forget(self) -> None:
        """Close it in a forked child, where a lock of the parent's other threads stays locked."""
        if self._manager is not None:
            _unlock(self._manager.pools)
        self.close()

    def _open(self) -> tuple[urllib3.PoolManager, urllib3.HTTPConnectionPool | None]:
        if self._manager is None:
            how: dict[str, Any] = {
                "maxsize": 1,
                "timeout": urllib3.Timeout(connect=self._timeout_s, read=self._timeout_s),
            }
            if self._origin.startswith("https:"):
                how |= _trusted(self._ca_bundle)
            proxy = select_proxy(self._origin, get_environ_proxies(self._origin, no_proxy=None))
            self._manager = _manager_of(proxy, how)
            self._manager.pool_classes_by_scheme = {"http": _Plain, "https": _Secure}
            if proxy is None:
                self._pool = self._manager.connection_from_url(self._origin)
        return self._manager, self._pool

    def _body(self, response: urllib3.BaseHTTPResponse, longest: int) -> bytes:
        """Return the body, or the beginning of one that is long, slow or broken.

        What counts is the status, which has been said: such a body costs the connection, no more.
        """
        body = b""
        try:
            while len(body) < longest and (part := response.read1(longest)):
                body += part
        except Exception:  # whatever comes instead of a body
            response.close()
            return body
        if len(body) < longest:
            response.release_conn()
        else:
            response.close()
        return body


def _unlock(pools: Any) -> None:
    """Make the locks of connection pools anew, as Python itself does with its own after a fork."""
    with contextlib.suppress(AttributeError):  # should they be kept elsewhere one day
        pools.lock._at_fork_reinit()
        for key in pools.keys():  # noqa: SIM118 - no mapping: it is not to be iterated
            pools[key].pool.mutex._at_fork_reinit()


def _manager_of(proxy: str | None, how: dict[str, Any]) -> urllib3.PoolManager:
    if proxy is None:
        return urllib3.PoolManager(**how)
    url = urllib3.util.parse_url(proxy if "://" in proxy else f"http://{proxy}")
    if url.scheme not in ("http", "https") or not url.host:
        raise OSError(0, f"a proxy of the kind {url.scheme!r} cannot be used")
    headers = {}
    if url.auth:
        user, _, password = url.auth.partition(":")
        headers["Proxy-Authorization"] = basic(unquote(user), unquote(password))
    return urllib3.ProxyManager(url._replace(auth=None).url, proxy_headers=headers, **how)


def _trusted(ca_bundle: str | None) -> dict[str, Any]:
    """Return what a server's certificate is checked by."""
    named = ca_bundle or next((os.environ[n] for n in _BUNDLES if os.environ.get(n)), None)
    named = named or DEFAULT_CA_BUNDLE_PATH
    if not os.path.exists(named):  # noqa: PTH110 - a text from the environment
        raise FileNotFoundError(2, "No such file or directory", named)
    return {"ca_cert_dir" if os.path.isdir(named) else "ca_certs": named}  # noqa: PTH112


class _TimedReader(io.RawIOBase):
    """Reads from a socket until a moment; then it times out, however much has come."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__()
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)  # keeps the socket open until it is closed
        timeout_s = sock.gettimeout()
        self._deadline = None if timeout_s is None else time.monotonic() + timeout_s

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._deadline is not None:
            left_s = self._deadline - time.monotonic()
            if left_s <= 0:
                raise TimeoutError("no answer in time")
            self._sock.settimeout(left_s)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Until:
    """What an `HTTPResponse` takes for a socket."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    def makefile(self, mode: str) -> io.BufferedReader:
        del mode
        return io.BufferedReader(_TimedReader(self._sock))


class _TimedResponse(HTTPResponse):
    def __init__(self, sock: socket.socket, *given: Any, **named: Any) -> None:
        super().__init__(_Until(sock), *given, **named)  # type: ignore[arg-type]

    def _read_status(self) -> tuple[str, int, str]:
        """Read a status line; have one that only announces another passed over, like 100.

        Taken for the answer, it would leave the true one to the next request.
        """
        version, status, reason = super()._read_status()  # type: ignore[misc]
        if status == HTTPStatus.SWITCHING_PROTOCOLS:
            raise BadStatusLine(f"{version} {status}")
        return version, 100 if status < 200 else status, reason


class _PlainConnection(HTTPConnection):
    response_class = _TimedResponse


class _SecureConnection(HTTPSConnection):
    response_class = _TimedResponse


class _Plain(urllib3.HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _Secure(urllib3.HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


def reason_of(error: BaseException, timeout_s: float) -> str:
    """Return why a post had no answer, in words for a person.

    Parameters
    ----------
    error : BaseException
        What :meth:`Wire.post` raised.
    timeout_s : float
        Its time limit.

    Examples
    --------
    >>> reason_of(ConnectionRefusedError(111, "Connection refused"), 5.0)
    'Connection refused'
    """
    refused = isinstance(error, wrong.NewConnectionError)
    if isinstance(error, wrong.ConnectTimeoutError) and not refused:
        return f"no connection within {timeout_s:g} s"
    chain = tuple(_causes(error))
    for cause in chain:
        if isinstance(cause, TimeoutError | wrong.ReadTimeoutError):
            return f"no answer within {timeout_s:g} s"
        if isinstance(cause, RemoteDisconnected):
            return "the connection was closed without an answer"
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted: {cause.verify_message}"
    for cause in chain:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
    if isinstance(error, wrong.ProtocolError):
        return "the answer is not HTTP"
    return type(error).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
