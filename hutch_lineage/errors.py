"""Every error this package raises on purpose, as one tree.

::

    HutchLineageError
    ├── InvalidEventError      (ValueError)    an event or an argument breaks the schema
    ├── ConfigurationError     (ValueError)    a setting cannot be used
    │   ├── EndpointError                      a URL cannot be used as an OpenLineage endpoint
    │   └── StoreError                         a file cannot be used as the store of events
    │       └── StoreBusyError                 another process has it open
    ├── RunError               (RuntimeError)  no run, several runs, or a run used wrongly
    │   ├── NoActiveRunError
    │   └── AmbiguousRunError
    ├── AttachError            (RuntimeError)  the Hutch SDK cannot be listened to
    ├── CaptureError           (RuntimeError)  strict mode: an event was not captured or emitted
    │   └── DeliveryError                      strict mode: the backend did not accept an event
    ├── GraphError             (LookupError)   a question the graph cannot answer
    │   ├── UnknownNodeError
    │   ├── AmbiguousNodeError
    │   └── MetricChoiceError
    ├── ReadError              (ValueError)    a source cannot be read
    └── ExportError            (ValueError)    a file cannot be written in that form

Messages say what is wrong, where, and what to do next. Fields carry the same facts for code.
Secrets never stand in a message: mask them first with :func:`mask_url`.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

__all__ = [
    "AmbiguousNodeError",
    "AmbiguousRunError",
    "AttachError",
    "CaptureError",
    "ConfigurationError",
    "DeliveryError",
    "EndpointError",
    "ExportError",
    "GraphError",
    "HutchLineageError",
    "InvalidEventError",
    "MetricChoiceError",
    "NoActiveRunError",
    "ReadError",
    "RunError",
    "StoreBusyError",
    "StoreError",
    "UnknownNodeError",
    "mask_url",
]


class HutchLineageError(Exception):
    """Base of every error of this package."""


class InvalidEventError(HutchLineageError, ValueError):
    """An event or an argument breaks the event schema.

    Attributes
    ----------
    problems : tuple of str
        One line per broken rule, ``field: what is wrong``.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class ConfigurationError(HutchLineageError, ValueError):
    """A setting has a value that cannot be used.

    Attributes
    ----------
    setting : str
        The name of the setting or of the environment variable.
    """

    def __init__(self, message: str, setting: str = "") -> None:
        super().__init__(message)
        self.setting = setting


class EndpointError(ConfigurationError):
    """A URL cannot be used as an OpenLineage endpoint."""


class StoreError(ConfigurationError):
    """A file cannot be used as the store of events.

    Attributes
    ----------
    path : str
        The file.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, "db_path")
        self.path = path


class StoreBusyError(StoreError):
    """Another process has the store open.

    Attributes
    ----------
    pid : int or None
        That process, where it is known.
    host : str or None
        The host that it runs on, where it is known.
    """

    def __init__(
        self, message: str, path: str = "", pid: int | None = None, host: str | None = None
    ) -> None:
        super().__init__(message, path)
        self.pid = pid
        self.host = host


class RunError(HutchLineageError, RuntimeError):
    """A verb was called without a run it can belong to."""


class NoActiveRunError(RunError):
    """No run is open in this process."""


class AmbiguousRunError(RunError):
    """Several runs are open and none of them is the active one here.

    Attributes
    ----------
    run_ids : tuple of str
        The ids of the open runs.
    """

    def __init__(self, message: str, run_ids: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.run_ids = tuple(run_ids)


class AttachError(HutchLineageError, RuntimeError):
    """The Hutch SDK is not installed, or is not one that this package knows."""


class CaptureError(HutchLineageError, RuntimeError):
    """In strict mode: an event was not captured or not emitted."""


class DeliveryError(CaptureError):
    """In strict mode: the backend did not accept an event.

    Attributes
    ----------
    endpoint : str
        Where the event was posted, secrets masked.
    status : int or None
        The HTTP status, or None when there was no answer.
    """

    def __init__(self, message: str, endpoint: str = "", status: int | None = None) -> None:
        super().__init__(message)
        self.endpoint = endpoint
        self.status = status


class GraphError(HutchLineageError, LookupError):
    """The graph cannot answer the question."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class UnknownNodeError(GraphError):
    """No node has that id.

    Attributes
    ----------
    node_id : str
        What was asked for.
    close : tuple of str
        Ids that look like it.
    """

    def __init__(self, message: str, node_id: str = "", close: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.node_id = node_id
        self.close = tuple(close)


class AmbiguousNodeError(GraphError):
    """Several nodes have that id.

    Attributes
    ----------
    candidates : tuple
        The full keys that match, each ``(kind, run_id, id)``.
    """

    def __init__(self, message: str, candidates: Sequence[tuple[str, str, str]] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class MetricChoiceError(GraphError):
    """The metric, or its direction, has to be named by the caller.

    Attributes
    ----------
    metrics : tuple of str
        The metrics that exist.
    """

    def __init__(self, message: str, metrics: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.metrics = tuple(metrics)


class ReadError(HutchLineageError, ValueError):
    """A source cannot be read.

    Attributes
    ----------
    source : str
        The path or URL.
    line : int or None
        The first line (from 1) that is at fault.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.source = source
        self.line = line


class ExportError(HutchLineageError, ValueError):
    """A file cannot be written in the form that was asked for."""


def mask_url(url: str) -> str:
    """Return `url` without credentials: user info and query values become ``***``.

    A query without a name may be a token as it is, so it becomes ``***`` too.

    Parameters
    ----------
    url : str
        Any text; what is not a URL comes back unchanged.

    Examples
    --------
    >>> mask_url("https://me:secret@host/api?key=abc")
    'https://***@host/api?key=***'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.split("?", maxsplit=1)[0].rsplit("@", maxsplit=1)[-1]
    if not parts.netloc and "@" in parts.path:  # user:password@host without a scheme
        return f"***@{parts.path.rsplit('@', 1)[1]}"
    netloc = f"***@{parts.netloc.rsplit('@', 1)[1]}" if "@" in parts.netloc else parts.netloc
    query = "&".join(
        f"{pair.split('=', 1)[0]}=***" if "=" in pair else "***"
        for pair in parts.query.split("&")
        if pair
    )
    return urlunsplit((parts.scheme, netloc, parts.path, query, ""))
