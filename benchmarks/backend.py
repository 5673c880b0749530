"""A backend that costs little, in a process of its own: ``python -m benchmarks.backend MODE``.

It prints its port. MODE is ``ok`` (201 at once), ``hang`` (accepts and says nothing), or the
seconds that an answer takes.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import Self

ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


class Backend:
    """The process; a context manager with the `url`."""

    def __init__(self, mode: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.backend", mode], stdout=subprocess.PIPE, text=True
        )
        self.port = int(self._process.stdout.readline())  # type: ignore[union-attr]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()


def _serve(client: socket.socket, mode: str) -> None:
    file = client.makefile("rb")
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


def main(mode: str) -> None:
    """Serve until killed."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_serve, args=(client, mode), daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1])
