"""Posts to one HTTP server over a connection that is kept, and what comes back."""

from __future__ import annotations

import contextlib
import logging
import os
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPException, HTTPResponse, RemoteDisconnected
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

import urllib3
from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_environ_proxies, select_proxy
from urllib3 import exceptions as wrong

from hutch_lineage._version import __version__

from .credentials import basic
from .timed import PlainConnection, PlainPool, SecureConnection, SecurePool

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

    Examples
    --------
    >>> wire = Wire("http://127.0.0.1:9", timeout_s=0.5)
    >>> try:
    ...     wire.post("/api/v1/lineage", {}, b"{}", longest=1000)
    ... except Exception as error:
    ...     print(reason_of(error, 0.5))
    Connection refused
    """

    def __init__(self, origin: str, timeout_s: float, ca_bundle: str | None = None) -> None:
        self._origin = origin
        self._timeout_s = timeout_s
        self._ca_bundle = ca_bundle
        self._way: _Direct | _Proxied | None = None
        self._opened = False  # whether an earlier request had an answer

    def post(self, target: str, headers: Mapping[str, str], body: bytes, longest: int) -> Answer:
        """Send a request and return the answer, with at most about `longest` bytes of its body.

        Raises
        ------
        OSError, http.client.HTTPException, urllib3.exceptions.HTTPError
            There was no answer in time, or none that is HTTP. The connection is closed then.
        """
        return self._exchange(target, headers, body, longest)

    def get(self, target: str, headers: Mapping[str, str], longest: int) -> Answer:
        """Ask for a page and return the answer, with at most about `longest` bytes of its body.

        A body that does not come to its end within the time limit is cut off, as one that breaks.

        Raises
        ------
        OSError, http.client.HTTPException, urllib3.exceptions.HTTPError
            As :meth:`post`.
        """
        return self._exchange(target, headers, None, longest)

    def _exchange(
        self, target: str, headers: Mapping[str, str], body: bytes | None, longest: int
    ) -> Answer:
        _here.posting = True
        used = self._opened
        try:
            return self._answer(target, headers, body, longest)
        except (OSError, HTTPException, wrong.ProtocolError) as error:
            if not used or isinstance(error, TimeoutError):
                raise
            # a kept-alive connection that the server has closed meanwhile is no outage
            return self._answer(target, headers, body, longest)
        finally:
            _here.posting = False

    def close(self) -> None:
        """Close the connection."""
        way, self._way = self._way, None
        self._opened = False
        if way is not None:
            way.close()

    def forget(self) -> None:
        """Let go of it in a forked child, where locks of the parent's other threads stay locked."""
        way, self._way = self._way, None
        self._opened = False
        if way is not None:
            way.after_fork()

    def _answer(
        self, target: str, headers: Mapping[str, str], body: bytes | None, longest: int
    ) -> Answer:
        if self._way is None:
            self._way = self._find_way()
        response = self._way.ask(target, headers, body)
        self._opened = True
        found = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status, found, self._beginning(response, longest))

    def _find_way(self) -> _Direct | _Proxied:
        secure = self._origin.startswith("https:")
        how = _trusted(self._ca_bundle) if secure else {}
        proxy = select_proxy(self._origin, get_environ_proxies(self._origin, no_proxy=None))
        if proxy is None:
            return _Direct(self._origin, self._timeout_s, how)
        return _Proxied(self._origin, proxy, self._timeout_s, how)

    def _beginning(self, response: Any, longest: int) -> bytes:
        """Return the body, or the beginning of one that is long, slow or broken.

        What counts is the status, which has been said: such a body costs the connection, no more.
        """
        parts: list[bytes] = []
        length, whole = 0, False
        until = time.monotonic() + self._timeout_s
        try:
            while length < longest and (part := response.read1(longest)):
                parts.append(part)
                length += len(part)
                if time.monotonic() > until:
                    break
            else:
                whole = length < longest
        except Exception:  # whatever comes instead of a body
            whole = False
        assert self._way is not None  # noqa: S101 - it has just answered
        self._way.done(response, whole=whole)
        return b"".join(parts)


class _Direct:
    """A connection of urllib3, which resolves names, connects and speaks TLS.

    Requests and answers are left to the standard library: head and body go out in one piece, and
    the answer comes in half the time that a pool's takes.
    """

    def __init__(self, origin: str, timeout_s: float, how: Mapping[str, Any]) -> None:
        url = urllib3.util.parse_url(origin)
        host = (url.host or "").strip("[]")
        kind = SecureConnection if url.scheme == "https" else PlainConnection
        self._connection = kind(host, url.port or kind.default_port, timeout=timeout_s, **how)
        self._timeout_s = timeout_s

    def ask(self, target: str, headers: Mapping[str, str], body: bytes | None) -> HTTPResponse:
        """Post a body, or get a page, and return the answer as far as its head."""
        connection = self._connection
        try:
            if connection.sock is not None and not connection.is_connected:
                connection.close()  # what came unasked would be taken for this answer
            if connection.sock is not None and connection.sock.gettimeout() != self._timeout_s:
                connection.sock.settimeout(self._timeout_s)  # the last answer used it up
            return connection.exchange(target, body, headers)
        except BaseException:
            connection.close()
            raise

    def done(self, response: HTTPResponse, *, whole: bool) -> None:
        """Keep the connection after the whole of an answer, else close it."""
        if not whole or not (response.isclosed() or response.length == 0):
            self._connection.close()
        response.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def after_fork(self) -> None:
        """Close the descriptor alone: a thread of the parent may hold the answer's lock."""
        if self._connection.sock is not None:
            self._connection.sock.close()


class _Proxied:
    """A pool of urllib3, which speaks to proxies."""

    def __init__(self, origin: str, proxy: str, timeout_s: float, how: Mapping[str, Any]) -> None:
        self._origin = origin
        timeout = urllib3.Timeout(connect=timeout_s, read=timeout_s)
        self._manager = _manager_of(proxy, {"maxsize": 1, "timeout": timeout, **how})
        self._manager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}

    def ask(
        self, target: str, headers: Mapping[str, str], body: bytes | None
    ) -> urllib3.BaseHTTPResponse:
        """Post a body, or get a page, and return the answer as far as its head.

        A proxy is told the whole URL.
        """
        url = self._origin + target
        method = "GET" if body is None else "POST"
        return self._manager.urlopen(method, url, body=body, headers=headers, **_HOW)

    def done(self, response: urllib3.BaseHTTPResponse, *, whole: bool) -> None:
        """Keep the connection after the whole of an answer, else close it."""
        if whole:
            response.release_conn()
        else:
            response.close()

    def close(self) -> None:
        """Close the connection."""
        self._manager.clear()

    def after_fork(self) -> None:
        """Make the locks anew, and close the connection."""
        _unlock(self._manager.pools)
        self.close()


def _unlock(pools: Any) -> None:
    """Make the locks of connection pools anew, as Python itself does with its own after a fork."""
    with contextlib.suppress(AttributeError):  # should they be kept elsewhere one day
        pools.lock._at_fork_reinit()
        for key in pools.keys():  # noqa: SIM118 - no mapping: it is not to be iterated
            pools[key].pool.mutex._at_fork_reinit()


def _manager_of(proxy: str, how: dict[str, Any]) -> urllib3.PoolManager:
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


def is_unreachable(error: BaseException) -> bool:
    """Whether there was no connection at all, so that nothing was sent.

    Examples
    --------
    >>> is_unreachable(ConnectionRefusedError()), is_unreachable(TimeoutError())
    (True, False)
    """
    return isinstance(error, ConnectionRefusedError | wrong.NewConnectionError)


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
    if isinstance(error, wrong.ProtocolError | HTTPException):
        return "the answer is not HTTP"
    return type(error).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
