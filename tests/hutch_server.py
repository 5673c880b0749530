"""A real ``hutch serve``, started on a free port and ended by its process id."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.receivers import unused_port
from tests.support.running import Running
from tests.support.waiting import wait_until


class HutchServer(Running):
    """``python -m hutch serve`` on a DuckDB file; each start is on the same port and file."""

    def __init__(self, db: Path, token: str | None = None) -> None:
        self.db = db
        self.token = token
        self.port = unused_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        environ = {k: v for k, v in os.environ.items() if not k.startswith("HUTCH_")}
        if self.token is not None:
            environ["HUTCH_TOKEN"] = self.token
        where = ("--host", "127.0.0.1", "--port", str(self.port), "--db", str(self.db))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hutch", "serve", *where],
            env=environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._answers, 60)

    def stop(self) -> None:
        """End it and wait."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(signal.SIGINT)
            process.wait(20)

    def events(self, run_id: str) -> list[dict[str, Any]]:
        """What the server has of a run, in its order; empty where it knows no such run."""
        try:
            return list(self._get(f"/runs/{run_id}/events?limit=50000"))
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return []
            raise

    def _get(self, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        request = urllib.request.Request(self.url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, "hutch serve has ended"
        try:
            self._get("/healthz")
        except OSError:
            return False
        return True
