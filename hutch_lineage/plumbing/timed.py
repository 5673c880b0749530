"""Connections on which the whole head of an answer has a time limit, and a request is one piece.

The read time-out of urllib3 is one for each read, so a server that sends a byte now and then would
hold its client for ever. Here the clock runs from the request to the end of the headers.
"""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Mapping
from http import HTTPStatus
from http.client import BadStatusLine, HTTPResponse
from http.client import HTTPConnection as StandardConnection
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection


class _TimedReader(io.RawIOBase):
    """Reads from a socket until a moment; then it times out, however much has come."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__()
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)  # keeps the socket open until it is closed
        timeout_s = sock.gettimeout()
        self._deadline = None if timeout_s is None else time.monotonic() + timeout_s
        self._first = True  # for which the socket's own time-out serves

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._first:
            self._first = False
        elif self._deadline is not None:
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


class _OnePiece(StandardConnection):
    """Sends the head of a request together with its body; the library takes two calls for that."""

    _held: list[bytes] | None = None

    # urllib3's look for a header to be left out, which nobody here asks for
    putrequest = StandardConnection.putrequest
    putheader = StandardConnection.putheader

    def exchange(self, target: str, body: bytes | None, headers: Mapping[str, str]) -> HTTPResponse:
        """Post a body, or get a page, and return the answer as far as its head."""
        method = "GET" if body is None else "POST"
        held: list[bytes] = []
        self._held = held
        try:
            StandardConnection.request(self, method, target, body, headers)
        finally:
            self._held = None
        # whole, as large as it may be: a server that answers by the head and closes resets the
        # connection before a second call, and its answer would be lost
        self.send(b"".join(held))
        return StandardConnection.getresponse(self)

    def send(self, data: Any) -> None:
        """Send `data`, or hold it back until the request is whole."""
        if self._held is None:
            super().send(data)
        else:
            self._held.append(data)


class PlainConnection(_OnePiece, HTTPConnection):
    """HTTP with a time limit for the whole head of an answer."""

    response_class = _TimedResponse


class SecureConnection(_OnePiece, HTTPSConnection):
    """The same with TLS."""

    response_class = _TimedResponse


class PlainPool(urllib3.HTTPConnectionPool):
    """Keeps such connections."""

    ConnectionCls = PlainConnection


class SecurePool(urllib3.HTTPSConnectionPool):
    """Keeps such connections."""

    ConnectionCls = SecureConnection
