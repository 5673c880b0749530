"""The official packages of OpenTelemetry: the exporter, a tracer, and what they log."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

from hutch_lineage._version import __version__
from hutch_lineage.mapping import IN_MEMORY

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

T = TypeVar("T")

TRACES: Final = "/v1/traces"
_NEEDED: Final = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http")


def is_installed() -> bool:
    """Whether the SDK and the exporter of OpenTelemetry are there, without loading them.

    Examples
    --------
    >>> is_installed() in (True, False)
    True
    """
    try:
        return all(find_spec(name) is not None for name in _NEEDED)
    except ModuleNotFoundError:
        return False


def exporter_for(endpoint: str, timeout_s: float) -> SpanExporter:
    """Return the exporter to an endpoint; for ``in-memory`` one that keeps the spans."""
    if endpoint == IN_MEMORY:
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

        return InMemorySpanExporter()
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    parts = urlsplit(endpoint)
    if not parts.path.endswith(TRACES):
        parts = parts._replace(path=parts.path.rstrip("/") + TRACES)
    _listen()
    return OTLPSpanExporter(endpoint=parts.geturl(), timeout=timeout_s)


def tracer_for(service_name: str, ended: list[ReadableSpan]) -> Tracer:
    """Return what makes spans; those that end are put into `ended`, if they are sampled.

    It is no global one, so it disturbs no tracing that the program has of its own.
    """
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

    class Collector(SpanProcessor):
        def on_end(self, span: ReadableSpan) -> None:
            if span.context is not None and span.context.trace_flags.sampled:
                ended.append(span)

    provider = TracerProvider(
        resource=Resource.create({"service.name": service_name}), shutdown_on_exit=False
    )
    provider.add_span_processor(Collector())
    return provider.get_tracer("hutch_lineage", __version__)


# The exporter logs each failed try. While it works for us, what it says is the reason of one line
# an outage instead.
_here = threading.local()


class _NotAgainError(Exception):
    """Leaves the exporter where it would wait before it tries again."""


class _Ear(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        said = getattr(_here, "said", None)
        if said is None:
            return True
        said.append(record.getMessage())
        if _here.once and "retrying in" in said[-1]:  # it has no setting for that
            raise _NotAgainError
        return False


_EAR: Final = _Ear()


def _listen() -> None:
    for name in (
        "opentelemetry.exporter.otlp.proto.http.trace_exporter",
        "opentelemetry.exporter.otlp.common.http",
        "urllib3.connectionpool",
    ):
        logging.getLogger(name).addFilter(_EAR)  # a second time changes nothing


def quietly(work: Callable[[], T], *, once: bool = False) -> tuple[T | None, list[str]]:
    """Do some of the exporter's work; return its result and what it had to say.

    Where it may try only `once`, a caller waits for it.
    """
    _here.said, _here.once = [], once
    try:
        return work(), _here.said
    except _NotAgainError:
        return None, _here.said
    except Exception as error:  # no exporter should, but one that does is one that fails
        return None, [f"{type(error).__name__}: {error}"]
    finally:
        _here.said = None


# What stands deep in an exporter's own text, and what it means to a person.
_MEANINGS: Final = (
    (re.compile(r"timed out|due to timeout", re.I), "no answer in time"),
    (re.compile(r"resolve|Name or service|nodename nor", re.I), "its host name is not known"),
    (re.compile(r"RemoteDisconnected|without response"), "the connection was closed unanswered"),
    (re.compile(r"certificate verify failed", re.I), "its certificate is not trusted"),
)
_STATUS: Final = re.compile(r"code: (?P<code>\d+), reason: (?P<reason>.*)")
_TRANSIENT: Final = re.compile(r"Transient error (?P<reason>.*) encountered while")
_OS_ERROR: Final = re.compile(r"(?:\[Errno \d+\] |Error\(\d+, ['\"])(?P<reason>[A-Z][\w ]+)")


def short_reason(said: str) -> str:
    """Return what an exporter said as the short reason in a sentence.

    Examples
    --------
    >>> short_reason("Failed to export spans batch code: 400, reason: Bad Request")
    '400 Bad Request'
    >>> short_reason("Transient error Bad Gateway encountered while exporting, retrying in 0.9s.")
    'Bad Gateway'
    """
    if (found := _STATUS.search(said)) is not None:
        return f"{found['code']} {found['reason']}".rstrip(". ")
    if (found := _OS_ERROR.search(said)) is not None:
        return found["reason"]
    for pattern, meaning in _MEANINGS:
        if pattern.search(said):
            return meaning
    found = _TRANSIENT.search(said)
    return (found["reason"] if found is not None else said)[:200].rstrip(". ")
