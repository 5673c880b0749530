"""A backend that costs little, in a process of its own.

``python -m benchmarks.backend MODE [PORT]`` prints its port. MODE is ``ok`` (201 at once), ``hang``
(accepts and says nothing), or the seconds that an answer takes.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True)
class Backend:
    """Where it listens."""

    port: int

    @property
    def url(self) -> str:
        """Its root."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def backend(mode: str, port: int = 0) -> Iterator[Backend]:
    """Run one for as long as the block lasts; on any port where none is named."""
    command = [sys.executable, "-m", "benchmarks.backend", mode, str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Backend(int(process.stdout.readline()))  # type: ignore[union-attr]
        finally:
            process.kill()


def _serve(client: socket.socket, mode: str) -> None:
    with contextlib.suppress(ConnectionError):
        _converse(client, client.makefile("rb"), mode)


def _converse(client: socket.socket, file: BinaryIO, mode: str) -> None:
    while file.readline():
        length = 0
        while (header := file.readline()) not in (b"\r\n", b""):
            if header.lower().startswith(b"content-length"):
                length = int(header.split(b":")[1])
        file.read(length)
        if mode == "hang":
            threading.Event().wait()
        if mode != "ok":
            time.sleep(float(mode))
        client.sendall(ANSWER)


def main(mode: str, port: str = "0") -> None:
    """Serve until killed."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(port)))
    listener.listen(64)
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_serve, args=(client, mode), daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
