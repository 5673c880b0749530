"""A connection to an HTTP server on which the whole of an answer has a time limit.

The standard library's time-out is one for each read, so a server that sends a byte now and then
holds its client for ever. Here the clock runs from the request to the end of the headers.
"""

from __future__ import annotations

import base64
import io
import os
import socket
import ssl
import time
from http.client import HTTPConnection, HTTPResponse
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

_PORTS: Final = {"http": 80, "https": 443}
_FIRST_BYTES: Final = 16 * 1024
_UNUSUAL: Final = frozenset({"transfer-encoding", "connection", "content-encoding"})


class Answer(NamedTuple):
    """What came back: status, headers in lower case, the beginning of the body."""

    status: int
    headers: dict[str, str]
    body: bytes


class ProxyKindError(OSError):
    """A proxy that cannot be used; ``strerror`` says why."""


class Wire:
    """A kept-alive connection to one origin, through the proxy of the environment if there is one.

    Parameters
    ----------
    url : str
        Any URL of the origin.
    timeout_s : float
        The longest time for connecting, and again for an answer.
    ca_bundle : str, optional
        A file with the certificates to trust.
    """

    def __init__(self, url: str, timeout_s: float, ca_bundle: str | None = None) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or _PORTS[parts.scheme]
        self._netloc = _ascii(parts.netloc.rpartition("@")[2])
        self._scheme = parts.scheme
        self._timeout_s = timeout_s
        self._ca_bundle = ca_bundle
        self._sock: socket.socket | None = None
        self._via_proxy = False
        self._proxy_login: str | None = None
        self.tried = False  # whether the last request went out, or no connection was made

    @property
    def opened(self) -> bool:
        """Whether there is a connection already."""
        return self._sock is not None

    def post(self, target: str, headers: str, body: bytes, longest: int) -> Answer:
        """Send a request and return the answer, with at most about `longest` bytes of its body.

        Raises
        ------
        OSError, http.client.HTTPException
            There was no answer in time, or none that is HTTP. The connection is closed then.
        """
        self.tried = False
        try:
            sock = self._sock or self._open()
            self.tried = True
            deadline = time.monotonic() + self._timeout_s
            head = f"POST {self._place(target)} HTTP/1.1\r\nHost: {self._netloc}\r\n{headers}"
            if self._proxy_login and not self._secure:
                head += f"Proxy-Authorization: {self._proxy_login}\r\n"
            head += f"Content-Length: {len(body)}\r\n\r\n"
            sock.sendall(head.encode("latin-1") + body)
            start = sock.recv(_FIRST_BYTES)
            return _short_answer(start) or self._answer(sock, start, deadline, longest)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        sock, self._sock = self._sock, None
        if sock is not None:
            sock.close()

    def forget(self) -> None:
        """Drop the connection of a parent process without a word to the server."""
        sock, self._sock = self._sock, None
        if sock is not None:
            os.close(sock.detach())  # the descriptor of this process only: no TLS goodbye

    def _answer(self, sock: socket.socket, start: bytes, deadline: float, longest: int) -> Answer:
        reader = io.BufferedReader(_TimedReader(sock, start, deadline))
        response = HTTPResponse(_Readable(reader), method="POST")  # type: ignore[arg-type]
        try:
            response.begin()
            headers = {name.lower(): value for name, value in response.getheaders()}
            body, whole = _body_of(response, deadline, longest)
            if not whole or response.will_close:
                self.close()
            else:
                sock.settimeout(self._timeout_s)
            return Answer(response.status, headers, body)
        finally:
            response.close()

    def _place(self, target: str) -> str:
        plain = self._via_proxy and not self._secure
        return f"{self._scheme}://{self._netloc}{target}" if plain else target

    def _open(self) -> socket.socket:
        proxy = self._proxy()
        self._via_proxy = proxy is not None
        host, port = self._host, self._port
        if proxy is not None:
            host, port = proxy
        sock = socket.create_connection((host, port), self._timeout_s)
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._secure:
                if proxy is not None:
                    self._tunnel(sock)
                sock = _context(self._ca_bundle).wrap_socket(sock, server_hostname=self._host)
        except BaseException:
            sock.close()
            raise
        self._sock = sock
        return sock

    def _proxy(self) -> tuple[str, int] | None:
        found = getproxies()
        text = found.get(self._scheme) or found.get("all")
        if not text or proxy_bypass(self._netloc):
            return None
        parts = urlsplit(text if "://" in text else f"http://{text}")
        if parts.scheme != "http" or not parts.hostname:
            raise ProxyKindError(0, f"a proxy of the kind {parts.scheme!r} cannot be used")
        self._proxy_login = None
        if parts.username is not None:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._proxy_login = "Basic " + base64.b64encode(login.encode()).decode()
        return parts.hostname, parts.port or 80

    def _tunnel(self, sock: socket.socket) -> None:
        """Have the proxy connect to the origin."""
        tunnel = HTTPConnection(self._host, self._port, timeout=self._timeout_s)
        tunnel.set_tunnel(
            self._host,
            self._port,
            {"Proxy-Authorization": self._proxy_login} if self._proxy_login else {},
        )
        tunnel.sock = sock
        tunnel._tunnel()  # type: ignore[attr-defined]  # what HTTPSConnection.connect calls


def _ascii(netloc: str) -> str:
    return netloc if netloc.isascii() else netloc.encode("idna").decode()


def _short_answer(data: bytes) -> Answer | None:
    """Return an answer that has come whole, with a body of a stated length; None for any other.

    Nearly all answers are such; parsing them costs a third of what the standard library takes.
    """
    head, end, body = data.partition(b"\r\n\r\n")
    if not end or not head.startswith(b"HTTP/1.1 ") or head[12:13] not in (b" ", b"\r", b""):
        return None
    status = head[9:12]
    if not status.isdigit() or status < b"200":
        return None
    headers: dict[str, str] = {}
    for line in head.decode("latin-1").split("\r\n")[1:]:
        name, colon, value = line.partition(":")
        name = name.lower()
        if not colon or not name.strip() or name in headers or name in _UNUSUAL:
            return None
        headers[name] = value.strip()
    if status == b"204" and not body:
        return Answer(204, headers, b"")
    if headers.get("content-length") != str(len(body)):
        return None
    return Answer(int(status), headers, body)


class _TimedReader(io.RawIOBase):
    """Reads from a socket until a moment; then it times out, however much has come."""

    def __init__(self, sock: socket.socket, start: bytes, deadline: float) -> None:
        super().__init__()
        self._sock = sock
        self._start = start  # what was read already; empty: the server has closed
        self._begun = False
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._start or not self._begun:
            self._begun = True
            part, self._start = self._start[: len(buffer)], self._start[len(buffer) :]
            buffer[: len(part)] = part
            return len(part)
        left_s = self._deadline - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("no answer in time")
        self._sock.settimeout(left_s)
        return self._sock.recv_into(buffer)


class _Readable:
    """What HTTPResponse takes for a socket."""

    def __init__(self, reader: io.BufferedReader) -> None:
        self._reader = reader

    def makefile(self, mode: str) -> io.BufferedReader:
        del mode
        return self._reader


def _body_of(response: HTTPResponse, deadline: float, longest: int) -> tuple[bytes, bool]:
    """Return the body, or the beginning of one that is long, slow or broken, and which it is.

    What counts is the status, which has been said: such a body costs the connection, no more.
    """
    body = b""
    try:
        while part := response.read1(longest):
            body += part
            if len(body) >= longest or time.monotonic() > deadline:
                return body, False
    except Exception:  # whatever comes instead of a body
        return body, False
    return body, response.isclosed() or response.length == 0


def _context(ca_bundle: str | None) -> ssl.SSLContext:
    """Return what a server's certificate is checked by."""
    named = ca_bundle or next(
        (
            os.environ[name]
            for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
            if os.environ.get(name)
        ),
        None,
    )
    if named is None:
        import certifi

        named = certifi.where()
    if os.path.isdir(named):  # noqa: PTH112 - a text from the environment
        return ssl.create_default_context(capath=named)
    return ssl.create_default_context(cafile=named)
