"""One session per process: what the SDK captures, the emitter, and the graph, joined."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from hutch_lineage.errors import CaptureError, ConfigurationError
from hutch_lineage.mapping import IN_MEMORY, EventsIndex, parse_endpoint
from hutch_lineage.plumbing import Subscribers
from hutch_lineage.sdk import after_reset, disabled, runtime

from .source import Status

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import Event, NodeKey
    from hutch_lineage.openlineage import DeliveryLog, Detected, OpenLineageEmitter
    from hutch_lineage.sdk import Runtime, SDKConfig

logger = logging.getLogger("hutch_lineage.session")

URL_VARIABLE = "OPENLINEAGE_URL"
KEY_VARIABLE = "OPENLINEAGE_API_KEY"
PATH_VARIABLE = "OPENLINEAGE_ENDPOINT"


class _Where(NamedTuple):
    """An endpoint, the path instead of the preset's, and the key that may be sent there."""

    url: str
    path: str | None
    api_key: str | None
    is_ours: bool


class Session:
    """Joins the SDK's events, the OpenLineage emitter and the lineage graph of this process.

    The graph is built when somebody looks at it; logging an event only appends to a list, so a
    loop pays nothing for a picture. All methods may be called from any thread.
    """

    def __init__(self, sdk: Runtime) -> None:
        self._sdk = sdk
        self._lock = threading.RLock()
        self._graph: LineageGraph | None = None
        self._applied = 0
        self._index = EventsIndex()
        self._watchers = Subscribers("the session")
        self._trouble: str | None = None
        self._attached = 0
        self._last_endpoint: str | None = None
        self._heard: OpenLineageEmitter | None = None
        self._stop_listening: Callable[[], None] = lambda: None
        self.name = "session"
        self.listen()
        sdk.tee.add(self)
        sdk.ties.follow()

    @property
    def emitter(self) -> OpenLineageEmitter:
        """The emitter in force; ``configure`` puts another one in its place."""
        return self._sdk.ensure_emitter()

    def listen(self) -> None:
        """Hear from the emitter in force, where it is a new one."""
        with self._lock:
            emitter = self.emitter
            if emitter is not self._heard:
                self._stop_listening()
                self._stop_listening = emitter.subscribe(self._watchers.call)
                self._heard = emitter
                self._index = EventsIndex()

    def accept(self, event: Event) -> None:
        """Take note of an event: the tee calls this for each one."""
        del event  # kept by the SDK; the graph reads it from there
        self._watchers.call()

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` on every change, from the thread that made it; returns the way to end."""
        return self._watchers.add(callback)

    @property
    def graph(self) -> LineageGraph:
        """The lineage of everything logged so far."""
        self.sync()
        assert self._graph is not None  # noqa: S101 - sync has made it
        return self._graph

    def sync(self) -> None:
        """Apply to the graph the events that it has not seen."""
        from hutch_lineage.graph import LineageGraph

        self._gather()
        with self._lock:
            if self._graph is None:
                self._graph = LineageGraph()
            end = len(self._sdk.events)
            if end > self._applied:
                self._graph.apply(self._sdk.events[self._applied : end])
                self._applied = end

    def _gather(self) -> None:
        """Take in what worker processes have written; what fails then is the loop's to hear."""
        try:
            self._sdk.gather()
        except CaptureError as error:
            logger.warning("an event of a worker was not captured: %s", error)

    def status(self) -> Status:
        """Return mode, endpoint and counts; see :class:`Status`."""
        self.listen()
        stats = self.emitter.stats()
        return {
            "mode": stats["mode"],
            "state": "failing" if self._trouble else stats["state"],
            "endpoint": stats["endpoint"] or "",
            "backend": stats["backend"],
            "captured": stats["captured"],
            "sent": stats["sent"],
            "queued": stats["queued"],
            "failed": stats["failed"],
            "rejected": stats["rejected"],
            "last_error": self._trouble or stats["last_error"],
            "running": self._attached > 0 or any(run.entered for run in self._sdk.open_runs()),
            "can_go_live": True,
            "source": "this session",
        }

    @property
    def kept(self) -> str:
        """Where events are kept beside memory, and how many of them wait; empty where nowhere."""
        return self._sdk.transport.summary

    def go_live(
        self,
        endpoint: str | None = None,
        *,
        backend: str | None = None,
        api_key: str | None = None,
    ) -> None:
        """Post the session's events to `endpoint`, those already captured first.

        Parameters
        ----------
        endpoint : str, optional
            The backend's root or lineage URL. Without it: the endpoint used last, then the
            configured one, then ``OPENLINEAGE_URL`` (with ``OPENLINEAGE_API_KEY``, and
            ``OPENLINEAGE_ENDPOINT`` as the path).
        backend : str, optional
            The name of a preset. Without it, the one last used for this endpoint serves, else the
            configured one.
        api_key : str, optional
            Sent as a bearer token. Without it, the configured key and headers serve for the
            configured host, or for any where none is configured.

        Raises
        ------
        ConfigurationError
            No endpoint is known, the URL cannot be used, or ``OPENLINEAGE_DISABLED`` is set.
        """
        config = self._sdk.config
        if disabled():
            raise ConfigurationError(
                "OPENLINEAGE_DISABLED is set, so nothing is posted: unset it to go live",
                "OPENLINEAGE_DISABLED",
            )
        where = self._where(endpoint, api_key)
        try:
            self.emitter.go_live(
                where.url,
                backend=backend,
                overrides=config.openlineage_overrides if backend else None,
                api_key=where.api_key,
                headers=dict(config.openlineage_headers) if where.is_ours else None,
                path=where.path,
            )
        except ConfigurationError as error:
            self._trouble = str(error)
            self._watchers.call()
            raise
        self._trouble = None
        self._last_endpoint = where.url
        self._watchers.call()

    def detect(self, endpoint: str | None = None) -> Detected:
        """Find out which backend answers at `endpoint`; blocks for at most about two seconds.

        Parameters
        ----------
        endpoint : str, optional
            As in :meth:`go_live`, and so are the credentials.

        Raises
        ------
        ConfigurationError
            No endpoint is known, or the URL cannot be used.
        """
        from hutch_lineage.openlineage import detect_backend

        where = self._where(endpoint, None)
        return detect_backend(where.url, api_key=where.api_key)

    def _where(self, endpoint: str | None, api_key: str | None) -> _Where:
        """Return what an endpoint stands for, and what may be sent there."""
        config = self._sdk.config
        url = endpoint or self._last_endpoint or config.openlineage_endpoint
        if url == IN_MEMORY:
            url = None
        path = None
        if not url and (url := os.environ.get(URL_VARIABLE)):
            api_key = api_key or os.environ.get(KEY_VARIABLE)
            path = os.environ.get(PATH_VARIABLE) or None
        if not url:
            raise ConfigurationError(
                "no endpoint to post to: name one, for example "
                "`%hutch_lineage live http://localhost:5000`, or set OPENLINEAGE_URL",
                "openlineage_endpoint",
            )
        try:
            ours = _credentials_serve(config, url)
        except ConfigurationError as error:
            self._trouble = str(error)
            self._watchers.call()
            raise
        return _Where(url, path, api_key or (config.openlineage_api_key if ours else None), ours)

    def go_memory(self) -> None:
        """Stop posting; what was not sent stays owed to that endpoint."""
        self._trouble = None
        self.emitter.go_memory()
        self._watchers.call()

    @contextlib.contextmanager
    def attached(self) -> Iterator[None]:
        """Show a Stop button while a cell runs, also before it opens a run and after."""
        self._attached += 1
        self._watchers.call()
        try:
            yield
        finally:
            self._attached -= 1
            self._watchers.call()

    def run_events(self, keys: Sequence[NodeKey]) -> list[list[dict[str, Any]]]:
        """Return for each node the OpenLineage events that name it, those that made it first."""
        with self._lock:
            events = self.all_run_events()
            self._index.extend(events)
            return [self._index.of(key, events) for key in keys]

    def all_run_events(self) -> list[dict[str, Any]]:
        """Return what the emitter captured, in order."""
        return cast("list[dict[str, Any]]", self.emitter.captured_events)

    def deliveries(
        self, offset: int = 0, limit: int = 200, *, state: str | None = None, query: str = ""
    ) -> DeliveryLog:
        """Return what became of each captured event; see :meth:`OpenLineageEmitter.deliveries`."""
        return self.emitter.deliveries(offset, limit, state=cast("Any", state), query=query)

    def hutch_events(self) -> list[Event]:
        """Return every event that the SDK captured, in order."""
        self._gather()
        return list(self._sdk.events)

    def close(self) -> None:
        """Leave the SDK's tee; the session's events and graph stay readable."""
        self._stop_listening()
        self._sdk.tee.remove(self)
        self._watchers.clear()

    def after_fork(self) -> None:
        """In a forked child: new locks, no graph that another thread was changing, no watchers."""
        self._lock = threading.RLock()
        self._graph, self._applied = None, 0
        self._index = EventsIndex()
        self._watchers.after_fork()


def _credentials_serve(config: SDKConfig, url: str) -> bool:
    """Whether the configured key and headers may be sent to `url`."""
    configured = config.openlineage_endpoint
    if configured is None or configured == IN_MEMORY:
        return True
    return parse_endpoint(configured).origin == parse_endpoint(url).origin


_current: Session | None = None
_current_lock = threading.Lock()


def current_session() -> Session:
    """Return the session of this process, made at the first call.

    Making it switches on the in-memory emitter and hands it the events that were logged before.
    After :func:`hutch_lineage.reset` a new one is made.

    Examples
    --------
    >>> current_session() is current_session()
    True
    """
    global _current
    with _current_lock:
        sdk = runtime()
        if _current is None or _current._sdk is not sdk:
            if _current is not None:
                _current.close()
            _current = Session(sdk)
        return _current


def _let_go() -> None:
    """Leave a session that was reset to whoever still shows it."""
    global _current
    with _current_lock:
        former, _current = _current, None
    if former is not None:
        former.close()


after_reset.append(_let_go)


def _after_fork() -> None:
    global _current_lock
    _current_lock = threading.Lock()
    if _current is not None:
        _current.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def lineage() -> LineageGraph:
    """Return the graph of everything this process has logged so far.

    Returns
    -------
    LineageGraph
        The session's own graph: it is brought up to date by this call and by every explorer.

    Examples
    --------
    >>> import hutch_lineage as hl
    >>> hl.reset()
    >>> with hl.run("demo") as run:
    ...     seed = run.log_individual(kind="program")
    >>> hl.lineage()
    LineageGraph(1 individual, 0 agents, 0 edges, 1 run)
    """
    return current_session().graph
