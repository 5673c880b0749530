"""The table of settings: field, environment variable, default, meaning."""

from __future__ import annotations

from typing import NamedTuple

from hutch_lineage.mapping import BACKENDS

DEFAULT_DAEMON_URL = "http://127.0.0.1:7777"


class Setting(NamedTuple):
    """One row of :data:`SETTINGS`.

    Attributes
    ----------
    field : str
        The field of :class:`SDKConfig`.
    env : str or None
        The environment variable that sets it.
    default : str
        The default, as text.
    meaning : str
        One sentence.
    """

    field: str
    env: str | None
    default: str
    meaning: str


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "mode",
        None,
        "memory",
        "Where events are kept: `memory`, `embedded` (a DuckDB file) or `daemon` (a Hutch server). "
        "From the environment: `daemon` when HUTCH_DAEMON_URL is set, else `embedded` when "
        "HUTCH_DB_PATH is set, else `memory`.",
    ),
    Setting(
        "daemon_url",
        "HUTCH_DAEMON_URL",
        DEFAULT_DAEMON_URL,
        "URL of the Hutch server; sets `mode`.",
    ),
    Setting(
        "db_path",
        "HUTCH_DB_PATH",
        "~/.hutch/hutch.duckdb",
        "The DuckDB file, for one process at a time; sets `mode`.",
    ),
    Setting(
        "fallback_path",
        "HUTCH_FALLBACK_PATH",
        "~/.hutch/fallback-events.jsonl",
        "Where events wait while the Hutch server is away: Hutch's own queue.",
    ),
    Setting(
        "strict",
        "HUTCH_STRICT",
        "False",
        "Raise when an event cannot be captured as it is or is not delivered, and post "
        "synchronously. On: 1, true, yes, on; off: 0, false, no, off.",
    ),
    Setting(
        "request_timeout_s", "HUTCH_TIMEOUT_S", "5.0", "Time limit of one request, in seconds."
    ),
    Setting(
        "auto_fallback",
        None,
        "True",
        "Keep events in `fallback_path` while the Hutch server is away; else in memory.",
    ),
    Setting("auth_token", "HUTCH_TOKEN", "None", "Bearer token for the Hutch server."),
    Setting(
        "otel_endpoint",
        "HUTCH_OTEL_ENDPOINT",
        "None",
        "OTLP/HTTP endpoint for `research.*` spans, such as `http://localhost:4318`; needs the "
        "extra `otel`. `in-memory` keeps the spans.",
    ),
    Setting(
        "otel_service_name", "HUTCH_OTEL_SERVICE_NAME", "hutch", "Service name of those spans."
    ),
    Setting(
        "openlineage_endpoint",
        "HUTCH_OPENLINEAGE_ENDPOINT",
        "None",
        "URL of the OpenLineage backend; switches live posting on. `in-memory` records RunEvents "
        "without sending them.",
    ),
    Setting(
        "openlineage_namespace",
        "HUTCH_OPENLINEAGE_NAMESPACE",
        "hutch",
        "Namespace of the OpenLineage jobs and datasets.",
    ),
    Setting(
        "openlineage_backend",
        "HUTCH_OPENLINEAGE_BACKEND",
        "generic",
        "Mapping preset: " + ", ".join(f"`{name}`" for name in BACKENDS) + ".",
    ),
    Setting(
        "openlineage_overrides",
        "HUTCH_OPENLINEAGE_OVERRIDES",
        "{}",
        "Rows of the preset that are to be otherwise, as a dict; in the variable as JSON or as "
        "`row=value,row=value`.",
    ),
    Setting(
        "openlineage_api_key",
        "HUTCH_OPENLINEAGE_API_KEY",
        "None",
        "Bearer key for the OpenLineage backend.",
    ),
    Setting(
        "openlineage_headers",
        None,
        "{}",
        "Further HTTP headers for the OpenLineage backend, as a dict.",
    ),
    Setting(
        "openlineage_journal",
        "HUTCH_OPENLINEAGE_JOURNAL",
        "None",
        "Folder where live events are on disk until they are delivered; `off` for none. None: what "
        "the variable says, else `~/.hutch/openlineage`.",
    ),
    Setting(
        "openlineage_journal_max_mb",
        "HUTCH_OPENLINEAGE_JOURNAL_MAX_MB",
        "1024",
        "The most that the journal of one process takes on disk, in MiB.",
    ),
    Setting(
        "openlineage_journal_keep_days",
        "HUTCH_OPENLINEAGE_JOURNAL_KEEP_DAYS",
        "0",
        "How many days a journal stays after all of it was delivered.",
    ),
    Setting(
        "openlineage_exit_timeout_s",
        "HUTCH_OPENLINEAGE_EXIT_TIMEOUT_S",
        "5.0",
        "How long the end of the process may wait for events not sent yet, in seconds; what is "
        "left stays in the journal.",
    ),
    Setting(
        "openlineage_batch",
        "HUTCH_OPENLINEAGE_BATCH",
        "None",
        "How many events one request may carry. Above 1 they are posted to `/lineage/batch`. None: "
        "100 where the preset says that the backend has that, else 1.",
    ),
    Setting(
        "openlineage_batch_form",
        "HUTCH_OPENLINEAGE_BATCH_FORM",
        "None",
        "How several events are put into one request: `openlineage`, a JSON array, or "
        "`openmetadata`. None: as the preset has it, else `openlineage`.",
    ),
    Setting(
        "openlineage_connections",
        "HUTCH_OPENLINEAGE_CONNECTIONS",
        "16",
        "The most connections to the backend at a time. There is more than one only while it "
        "answers slowly and several runs have events; those of one run stay in order.",
    ),
    Setting(
        "openlineage_gzip",
        "HUTCH_OPENLINEAGE_GZIP",
        "False",
        "Compress request bodies.",
    ),
    Setting(
        "openlineage_ca_bundle",
        "HUTCH_OPENLINEAGE_CA_BUNDLE",
        "None",
        "File with the certificates to trust, instead of REQUESTS_CA_BUNDLE's or requests' own.",
    ),
)
"""Every setting, in the order of the fields of :class:`SDKConfig`."""
