"""What Marquez does with events, in a few hundred lines of Python.

It stands in where no Marquez can be started: what it keeps of an event, which edges it makes of it
and when, and how it gives events back. Each rule was seen at a real one (0.51.1 on PostgreSQL 15),
and the same tests run on both; docs/backends.md has the figures of the real one.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

from hutch_lineage.mapping import iso_from_ns, ns_from_iso
from hutch_lineage.readers.formats.marquez import marquez_uuid
from tests.support.running import Running

Name = tuple[str, str]
STATES: Final = {"COMPLETE": "COMPLETED", "FAIL": "FAILED", "ABORT": "ABORTED"}
FAR: Final = 1 << 63


@dataclass
class Run:
    """A run: its job, its times, and what it has read and written so far."""

    uuid: str
    job: Name
    created_at: str
    updated_at: str = ""
    ended_at: str | None = None
    state: str = "NEW"
    inputs: set[Name] = field(default_factory=set)
    outputs: set[Name] = field(default_factory=set)


@dataclass
class Job:
    """A job: what the lineage graph has of it."""

    inputs: set[Name] = field(default_factory=set)
    outputs: set[Name] = field(default_factory=set)
    runs: dict[str, Run] = field(default_factory=dict)


class Store:
    """What it holds. All methods are called under the server's lock."""

    def __init__(self) -> None:
        self.events: list[tuple[int, dict[str, Any]]] = []
        self.jobs: dict[Name, Job] = {}
        self.runs: dict[str, Run] = {}
        self.datasets: dict[Name, None] = {}
        self.versioned: set[Name] = set()  # those that have a current version
        self.namespaces: dict[str, None] = {"default": None}

    def take(self, event: dict[str, Any]) -> tuple[int, Any]:
        """Take in an event; return status and body of the answer."""
        lacking = [
            f"{path} must not be null"
            for path in ("eventTime", "producer", "run.runId", "job.namespace", "job.name")
            if _at(event, path) is None
        ]
        if lacking:
            return 422, {"errors": lacking}
        moment_ns = ns_from_iso(event["eventTime"])
        if moment_ns is None:
            return 500, {"code": 400, "message": "Unable to process JSON"}
        self.events.append((moment_ns // 1000, _padded(event)))
        self._model(event, iso_from_ns(moment_ns))
        return 201, None

    def _model(self, event: dict[str, Any], at: str) -> None:
        name: Name = (event["job"]["namespace"], event["job"]["name"])
        parent = _at(event, "run.facets.parent.job.name")
        if parent and not name[1].startswith(f"{parent}."):
            name = (name[0], f"{parent}.{name[1]}")
        self.namespaces[name[0]] = None
        job = self.jobs.setdefault(name, Job())
        uuid = marquez_uuid(event["run"]["runId"])
        run = self.runs.setdefault(uuid, Run(uuid, name, at))
        job.runs[uuid] = run
        run.updated_at = at
        kind = str(event.get("eventType") or "").upper()
        run.state = STATES.get(kind, "RUNNING")
        inputs, outputs = (self._datasets(event.get(side)) for side in ("inputs", "outputs"))
        run.inputs |= inputs
        # the version that it wrote becomes one that it reads, where that is the first reading
        run.outputs -= inputs - self.versioned
        self.versioned |= inputs
        run.outputs |= outputs
        if not inputs:  # what the graph has is taken back until the run has ended
            job.inputs = set()
        if not outputs:
            job.outputs = set()
        if kind in STATES:
            run.ended_at = at
            if kind == "COMPLETE":
                self.versioned |= run.outputs
            job.inputs, job.outputs = set(run.inputs), set(run.outputs)

    def _datasets(self, side: Any) -> set[Name]:
        names = {(each["namespace"], each["name"]) for each in side or ()}
        for name in sorted(names):
            self.datasets[name] = None
            self.namespaces[name[0]] = None
        return names

    def window(self, query: dict[str, str]) -> dict[str, Any]:
        """Answer ``/events/lineage``."""
        after_ns = ns_from_iso(query.get("after", "1970-01-01T00:00:00Z")) or 0
        before_ns = ns_from_iso(query.get("before", "2030-01-01T00:00:00Z")) or FAR
        found = [each for each in self.events if after_ns // 1000 <= each[0] < before_ns // 1000]
        found.sort(key=lambda each: each[0], reverse=query.get("sortDirection") != "asc")
        start, limit = int(query.get("offset", 0)), int(query.get("limit", 100))
        return {
            "totalCount": len(found),
            "events": [event for _, event in found[start : start + limit]],
        }

    def lineage(self, node: str) -> dict[str, Any] | None:
        """Answer ``/lineage`` for one hop from a node."""
        kind, namespace, name = node.split(":", 2)
        wanted: Name = (namespace, name)
        if wanted not in (self.datasets if kind == "dataset" else self.jobs):
            return None
        jobs = [
            (each, job)
            for each, job in self.jobs.items()
            if (each == wanted if kind == "job" else wanted in job.inputs | job.outputs)
        ]
        datasets = {each for _, job in jobs for each in job.inputs | job.outputs}
        if kind == "dataset":
            datasets.add(wanted)
        graph = [
            _node("job", each, _edges(job.inputs, each), _edges(job.outputs, each, out=True))
            for each, job in jobs
        ]
        for each in sorted(datasets):
            made = [_edge("job", job, "dataset", each) for job, has in jobs if each in has.outputs]
            used = [_edge("dataset", each, "job", job) for job, has in jobs if each in has.inputs]
            graph.append(_node("dataset", each, made, used))
        return {"graph": graph}

    def answer(self, parts: list[str], query: dict[str, str]) -> tuple[int, Any]:
        """Answer a GET below ``/api/v1``."""
        limit, offset = int(query.get("limit", 100)), int(query.get("offset", 0))
        match parts:
            case ["events", "lineage"]:
                return 200, self.window(query)
            case ["namespaces"]:
                spaces = [{"name": name, "ownerName": "anonymous"} for name in self.namespaces]
                return 200, {"namespaces": spaces[offset : offset + limit]}
            case ["lineage"]:
                found = self.lineage(query.get("nodeId", ""))
                return (200, found) if found else (404, _lost("Node"))
            case ["jobs", "runs", uuid]:
                return _run(self.runs[uuid]) if uuid in self.runs else _no_run(uuid)
            case ["namespaces", space, "jobs", name, "runs"]:
                job = self.jobs.get((space, name))
                runs = [_run(run)[1] for run in reversed(job.runs.values())] if job else []
                return (200, {"runs": runs[:limit]}) if job else (404, _lost("Job"))
            case ["namespaces", space, "datasets"]:
                names = sorted(name for name in self.datasets if name[0] == space)
                page = [{"name": name} for _, name in names[offset : offset + limit]]
                return 200, {"datasets": page, "totalCount": len(names)}
        return 404, {"code": 404, "message": "HTTP 404 Not Found"}


class StandIn(Running):
    """The stand-in as a server on loopback.

    Parameters
    ----------
    port : int
        0 takes a free one.
    """

    is_stand_in = True

    def __init__(self, port: int = 0) -> None:
        self._port = port
        self._server: _Server | None = None
        self._store = Store()
        self.url = ""

    def start(self) -> None:
        """Answer, on the same port as before."""
        self._server = _Server(("127.0.0.1", self._port), _Handler)
        self._server.store = self._store
        self._port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self._port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Answer no more; what it holds stays."""
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    store: Store

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.lock = threading.Lock()
        self.stopped = False

    def server_close(self) -> None:
        self.stopped = True
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients come and go."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self._gone():
            return
        try:
            event = json.loads(raw)
        except ValueError:
            self._say(500, {"code": 400, "message": "Unable to process JSON"})
            return
        with self.server.lock:
            status, body = self.server.store.take(event)
        self._say(status, body)

    def do_GET(self) -> None:
        if self._gone():
            return
        asked = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(asked.query).items()}
        parts = [unquote(part) for part in asked.path.removeprefix("/api/v1/").split("/")]
        with self.server.lock:
            status, body = self.server.store.answer(parts, query)
        self._say(status, body)

    def _gone(self) -> bool:
        self.close_connection = self.close_connection or self.server.stopped
        return self.server.stopped

    def _say(self, status: int, body: Any) -> None:
        raw = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Quiet."""


def _padded(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event with the nulls that Marquez puts where it knows a field."""
    run, job = event["run"], event["job"]
    sides = {
        side: [
            {"facets": None, "inputFacets": None, "outputFacets": None, **each}
            for each in event.get(side) or ()
        ]
        for side in ("inputs", "outputs")
    }
    facets = {"nominalTime": None, "parent": None, **(run.get("facets") or {})}
    return {
        **event,
        "eventTime": _plain_time(event["eventTime"]),
        "run": {**run, "facets": facets},
        "job": {"facets": None, **job},
        **sides,
    }


def _plain_time(text: str) -> str:
    """Return a time without the zeros at its end, as Java writes it."""
    head, dot, rest = text.removesuffix("Z").partition(".")
    decimals = rest.rstrip("0")
    return f"{head}.{decimals}Z" if dot and decimals else f"{head}Z"


def _run(run: Run) -> tuple[int, dict[str, Any]]:
    return 200, {
        "id": run.uuid,
        "createdAt": run.created_at,
        "updatedAt": run.updated_at,
        "endedAt": run.ended_at,
        "state": run.state,
    }


def _no_run(text: str) -> tuple[int, dict[str, Any]]:
    try:
        UUID(text)
    except ValueError:
        return 400, {"code": 400, "message": f"{text} is no UUID"}
    return 404, _lost("Run")


def _lost(what: str) -> dict[str, Any]:
    return {"code": 404, "message": f"{what} not found."}


def _node(kind: str, name: Name, made: list[Any], used: list[Any]) -> dict[str, Any]:
    return {"id": _id(kind, name), "type": kind.upper(), "inEdges": made, "outEdges": used}


def _edges(datasets: set[Name], job: Name, *, out: bool = False) -> list[dict[str, str]]:
    ends = (
        ("job", job, "dataset", each) if out else ("dataset", each, "job", job) for each in datasets
    )
    return [_edge(*each) for each in ends]


def _edge(kind: str, name: Name, other: str, its: Name) -> dict[str, str]:
    return {"origin": _id(kind, name), "destination": _id(other, its)}


def _id(kind: str, name: Name) -> str:
    return f"{kind}:{name[0]}:{name[1]}"


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value
