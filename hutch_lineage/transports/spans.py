"""OpenTelemetry spans of what is captured, exported on a thread of their own."""

from __future__ import annotations

import logging
import re
import threading
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from hutch_lineage.errors import CaptureError, ConfigurationError, mask_url
from hutch_lineage.mapping import IN_MEMORY, research_attributes
from hutch_lineage.model import Event
from hutch_lineage.plumbing import Spell, counted, tell_of_forks

from .otlp import exporter_for, is_installed, quietly, short_reason, tracer_for
from .worker import NotNow, Worker

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

logger = logging.getLogger("hutch_lineage.transports")

INSTALL: Final = 'pip install "hutch-lineage[otel]"'
BATCH: Final = 500
LINGER_S: Final = 0.2
_REFUSED: Final = frozenset({"400", "413", "422"})
_CODE: Final = re.compile(r"(\d{3})\b")


def build_span_emitter(
    endpoint: str, service_name: str = "hutch", *, timeout_s: float = 5.0, strict: bool = False
) -> SpanEmitter | None:
    """Return what sends spans to an OTLP endpoint; None, and a WARNING, where that cannot be.

    Parameters
    ----------
    endpoint : str
        The collector, such as ``http://localhost:4318``; ``/v1/traces`` is added. ``in-memory``
        keeps the spans.
    service_name : str
        The resource's ``service.name``.
    timeout_s : float
        Time limit of one export, in seconds.
    strict : bool
        Export each span as soon as it ends, try once, and raise where that fails. The span of a run
        ends with the run.

    Raises
    ------
    ConfigurationError
        In strict mode: packages are missing, or refuse one of their own variables.

    Examples
    --------
    >>> emitter = build_span_emitter("in-memory")
    >>> emitter.close()
    """
    if is_installed():
        try:
            return SpanEmitter(endpoint, service_name, timeout_s=timeout_s, strict=strict)
        except Exception as error:  # of the packages: they read variables of their own
            problem = f"OpenTelemetry does not work, so no spans are sent: {error}"
    else:
        problem = f"OpenTelemetry is not installed, so no spans are sent: {INSTALL}"
    if strict:
        raise ConfigurationError(problem, "otel_endpoint")
    logger.warning("%s, or unset HUTCH_OTEL_ENDPOINT", problem)
    return None


class SpanEmitter:
    """Makes a span of each event and exports it; a sink for the tee.

    A run is one span, from ``run_start`` to ``run_end``; every other event is a point in time
    under it. ``accept`` only leaves the event in a queue. While the endpoint is away, events wait
    in memory; what is left when the process ends, 5 s later at most, is lost.

    Parameters
    ----------
    endpoint, service_name, timeout_s, strict
        See :func:`build_span_emitter`.

    Examples
    --------
    >>> from hutch_lineage.model import parse_event
    >>> emitter = build_span_emitter("in-memory")
    >>> seed = {"id": "a", "kind": "program", "is_seed": True}
    >>> event = {"event_kind": "individual", "run_id": "r", "payload": seed}
    >>> emitter.accept(parse_event(event))
    >>> [span.name for span in emitter.in_memory_spans]
    ['hutch.individual']
    >>> emitter.close()
    """

    name = "OpenTelemetry emitter"

    def __init__(
        self, endpoint: str, service_name: str, *, timeout_s: float = 5.0, strict: bool = False
    ) -> None:
        self._endpoint = endpoint
        self._shown = mask_url(endpoint)
        self._service_name = service_name
        self._timeout_s = timeout_s
        self._strict = strict
        self._export_lock = threading.Lock()
        self._worker: Worker[Event] = Worker(
            "hutch-lineage-spans", self._work, batch=BATCH, linger_s=LINGER_S
        )
        self._outage = Spell()
        self._failed = ""
        self._closed = False
        self._forked = False
        self._start()
        tell_of_forks(self)

    def _start(self) -> None:
        self._forked = False
        self._run_spans: dict[str, Any] = {}
        self._ended: list[ReadableSpan] = []
        self._made_of = 0
        self._exporter = exporter_for(self._endpoint, self._timeout_s)
        self._tracer = tracer_for(self._service_name, self._ended)

    @property
    def in_memory_spans(self) -> list[ReadableSpan]:
        """The spans that ended, where the endpoint is ``in-memory``.

        Raises
        ------
        RuntimeError
            The endpoint is another one.
        """
        if self._endpoint != IN_MEMORY:
            raise RuntimeError("spans are kept only where otel_endpoint is 'in-memory'")
        self.flush()
        return list(self._exporter.get_finished_spans())  # type: ignore[attr-defined]

    def accept(self, event: Event) -> None:
        """Take one event.

        Raises
        ------
        CaptureError
            In strict mode: its span was not taken.
        """
        if self._closed:
            return
        if self._strict:
            try:
                with self._export_lock:
                    self._export([event])
            except NotNow as error:
                self._ended.clear()
                raise CaptureError(f"{self._shown} did not take a span: {error}") from error
            finally:
                self._made_of = 0
            return
        self._worker.add(event)

    def flush(self, timeout_s: float | None = None) -> bool:
        """Wait until the spans of all events so far are exported; return whether they are."""
        return self._worker.flush(timeout_s) if self._worker.items else True

    def close(self) -> None:
        """End the spans of open runs and export what is left, for 5 s at most.

        Raises
        ------
        CaptureError
            In strict mode: the spans of open runs were not taken.
        """
        if self._closed:
            return
        self._closed = True
        if self._forked:
            return
        whole = self._worker.close()
        if not self._export_lock.acquire(timeout=0.2):  # the thread is in a post: leave it be
            whole = False
        else:
            try:
                if whole:
                    whole = self._end_runs()
            finally:
                self._export_lock.release()
        quietly(self._exporter.shutdown)
        if not whole:
            why = self._failed or self._worker.trouble or self._worker.reason
            told = (
                f"the spans of {counted(max(1, len(self._worker.items)))} were not taken by "
                f"{self._shown} ({why}); they are lost"
            )
            if self._strict:
                raise CaptureError(told)
            logger.warning("%s", told)

    def __repr__(self) -> str:
        return f"SpanEmitter({self._shown!r}, {len(self._worker.items)} waiting)"

    def after_fork(self) -> None:
        """In a forked child: an exporter of its own; what waits and what runs are the parent's."""
        if self._closed:
            return
        self._export_lock = threading.Lock()
        self._worker.after_fork()
        self._forked = True  # it starts anew with its first event, if one ever comes

    # -- spans ---------------------------------------------------------------------------------

    def _work(self, events: list[Event]) -> int:
        with self._export_lock:
            return self._export(events)

    def _export(self, events: list[Event]) -> int:
        """Make the spans of events, unless they were made before, and export them."""
        if self._forked:
            self._start()
        if not self._made_of:
            for event in events:
                self._make(event)
            self._made_of = len(events)
        if self._ended:
            self._send()
        made_of, self._made_of = self._made_of, 0
        return made_of

    def _send(self) -> None:
        from opentelemetry.sdk.trace.export import SpanExportResult

        result, said = quietly(lambda: self._exporter.export(list(self._ended)), once=self._strict)
        if result is not SpanExportResult.SUCCESS:
            reason = self._reason(said)
            code = _CODE.match(reason)
            if code is None or code[1] not in _REFUSED or self._strict:
                if not self._strict:
                    self._tell(reason)
                raise NotNow(reason)
            logger.warning(
                "%s refused %s, lost by that: %s",
                self._shown,
                counted(len(self._ended), "span"),
                reason,
            )
        elif self._outage.ends():
            logger.info("%s takes spans again", self._shown)
        self._ended.clear()

    def _make(self, event: Any) -> None:
        from opentelemetry import trace

        kind, run_id = event.event_kind, event.run_id
        attributes = research_attributes(event)
        if kind == "run_start":
            earlier = self._run_spans.pop(run_id, None)
            if earlier is not None:  # it is resumed
                earlier.end(end_time=event.timestamp_ns)
            self._run_spans[run_id] = self._tracer.start_span(
                f"hutch.run:{run_id}",
                trace.set_span_in_context(trace.INVALID_SPAN),
                trace.SpanKind.SERVER,
                attributes,
                start_time=event.timestamp_ns,
            )
        elif kind == "run_end":
            span = self._run_spans.pop(run_id, None)
            if span is not None:
                span.set_attributes(attributes)
                span.end(end_time=event.timestamp_ns)
        else:
            parent = self._run_spans.get(run_id, trace.INVALID_SPAN)
            self._tracer.start_span(
                f"hutch.{kind}",
                trace.set_span_in_context(parent),
                trace.SpanKind.INTERNAL,
                attributes,
                start_time=event.timestamp_ns,
            ).end(end_time=event.timestamp_ns + 1)

    def _end_runs(self) -> bool:
        for span in self._run_spans.values():
            span.end()
        self._run_spans.clear()
        try:
            if self._ended:
                self._send()
        except NotNow as error:
            self._failed = str(error)
            return False
        return True

    # -- what is told --------------------------------------------------------------------------

    def _reason(self, said: list[str]) -> str:
        reason = short_reason(said[0]) if said else "the export failed"
        for secret in (urlsplit(self._endpoint).query, urlsplit(self._endpoint).password):
            if secret:
                reason = reason.replace(secret, "***")
        return reason

    def _tell(self, reason: str) -> None:
        if self._outage.begins():
            logger.warning(
                "%s does not take spans: %s. Capture goes on, and so does OpenLineage; spans wait "
                "in memory until it is back",
                self._shown,
                reason,
            )
