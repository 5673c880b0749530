"""A real HTTP server on loopback that answers by script and remembers what it was sent."""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import struct
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    """One scripted answer; `status` may also be ``hang``, ``reset`` or ``close``.

    `withheld` is how many bytes of the body are announced and never come. `raw` is sent instead of
    an answer, a byte each `drip_s` where that is set.
    """

    status: int | str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay_s: float = 0.0
    withheld: int = 0
    raw: bytes = b""
    drip_s: float = 0.0


@dataclass(frozen=True)
class Request:
    """One request as it arrived, and the status it was answered with."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    answered: int | str
    client: tuple[str, int]

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


class Receiver:
    """A scripted backend in a thread; a context manager.

    Parameters
    ----------
    *script : int, str or Answer
        The answers to the first requests: a status, ``"hang"`` (accepts and says nothing until
        the receiver stops), ``"reset"`` (TCP RST), ``"close"`` (closes without an answer), or an
        :class:`Answer`.
    then : int, str or Answer
        The answer to every request after the script.
    port : int
        0 takes a free one; the port of an earlier receiver plays a backend that comes back.
    """

    def __init__(
        self, *script: int | str | Answer, then: int | str | Answer = 201, port: int = 0
    ) -> None:
        self._script = [_answer(item) for item in script]
        self._then = _answer(then)
        self._cond = threading.Condition()
        self._stopped = threading.Event()
        self.requests: list[Request] = []
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.receiver = self
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()

    @property
    def events(self) -> list[dict[str, Any]]:
        """The JSON bodies that were answered with 2xx, in order."""
        with self._cond:
            posts = [request for request in self.requests if request.method == "POST"]
            return [request.json for request in posts if _is_2xx(request.answered)]

    @property
    def connections(self) -> int:
        """How many TCP connections brought requests."""
        with self._cond:
            return len({request.client for request in self.requests})

    def script(self, *answers: int | str | Answer, then: int | str | Answer | None = None) -> None:
        """Replace what is left of the script."""
        with self._cond:
            self._script = [_answer(item) for item in answers]
            if then is not None:
                self._then = _answer(then)

    def wait_for(self, count: int, timeout_s: float = 20.0) -> list[dict[str, Any]]:
        """Wait until `count` events were accepted and return them; fail if they do not come."""
        self._wait(lambda: len(self.events) >= count, f"{count} accepted events", timeout_s)
        return self.events

    def wait_for_requests(self, count: int, timeout_s: float = 20.0) -> list[Request]:
        """Wait until `count` requests have come, accepted or not."""
        self._wait(lambda: len(self.requests) >= count, f"{count} requests", timeout_s)
        return list(self.requests)

    def stop(self) -> None:
        """Stop answering and free the port."""
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._stopped.is_set():
            self.stop()

    def _wait(self, reached: Any, what: str, timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        with self._cond:
            while not reached():
                if not self._cond.wait(deadline - time.monotonic()):
                    got = [request.answered for request in self.requests]
                    raise AssertionError(f"no {what} within {timeout_s} s; answered {got}")

    def _take(self, handler: _Handler, body: bytes) -> Answer:
        with self._cond:
            answer = self._script.pop(0) if self._script else self._then
            self.requests.append(
                Request(
                    handler.command,
                    handler.path,
                    dict(handler.headers.items()),
                    body,
                    answer.status,
                    handler.client_address,
                )
            )
            self._cond.notify_all()
        return answer


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    receiver: Receiver
    _sockets: set[socket.socket]

    def process_request(self, request: Any, client_address: Any) -> None:
        self.__dict__.setdefault("_sockets", set()).add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.__dict__.setdefault("_sockets", set()).discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        for request in list(self.__dict__.get("_sockets", ())):
            with contextlib.suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients come and go."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self) -> None:
        receiver = self.server.receiver  # type: ignore[attr-defined]
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:  # cut off in the middle: no server takes that for a request
            self.close_connection = True
            return
        answer = receiver._take(self, body)
        if answer.delay_s:
            receiver._stopped.wait(answer.delay_s)
        if answer.status == "hang":
            receiver._stopped.wait(60)
            self.close_connection = True
        elif answer.status == "reset":
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
            self.close_connection = True
        elif answer.raw:
            self._raw(answer)
        elif answer.status == "close":
            self.close_connection = True
        else:
            self._answer(answer)

    def _raw(self, answer: Answer) -> None:
        receiver = self.server.receiver  # type: ignore[attr-defined]
        self.close_connection = True
        if not answer.drip_s:
            self.wfile.write(answer.raw)
            return
        with contextlib.suppress(OSError):
            for byte in answer.raw:
                self.wfile.write(bytes([byte]))
                if receiver._stopped.wait(answer.drip_s):
                    return

    do_GET = do_PUT = do_POST  # noqa: N815

    def _answer(self, answer: Answer) -> None:
        self.send_response(int(answer.status))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body) + answer.withheld))
        self.end_headers()
        self.wfile.write(answer.body)
        if answer.withheld:
            self.wfile.flush()
            self.server.receiver._stopped.wait(60)  # type: ignore[attr-defined]
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Quiet."""


def unused_port() -> int:
    """Return a loopback port on which nothing listens, nor will.

    Not one of those that systems give to connections: a client would get it while a backend is away
    that is to come back there, or be connected to itself.
    """
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", 10_000 + secrets.randbelow(22_000)))
            return int(probe.getsockname()[1])


def statuses(requests: Iterable[Request]) -> list[int | str]:
    """Return how requests were answered, in order."""
    return [request.answered for request in requests]


def _answer(item: int | str | Answer) -> Answer:
    return item if isinstance(item, Answer) else Answer(item)


def _is_2xx(status: int | str) -> bool:
    return isinstance(status, int) and 200 <= status < 300
