"""Settings come from arguments or the environment, are checked, and show no secret."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import pytest

from hutch_lineage.errors import ConfigurationError, EndpointError
from hutch_lineage.sdk import SETTINGS, SDKConfig, configure, runtime

ENVIRONMENT = {
    "HUTCH_DAEMON_URL": ("http://host:1234", "daemon_url", "http://host:1234"),
    "HUTCH_DB_PATH": ("/data/x.duckdb", "db_path", Path("/data/x.duckdb")),
    "HUTCH_FALLBACK_PATH": ("/data/f.jsonl", "fallback_path", Path("/data/f.jsonl")),
    "HUTCH_STRICT": ("1", "strict", True),
    "HUTCH_TIMEOUT_S": ("2.5", "request_timeout_s", 2.5),
    "HUTCH_TOKEN": ("t", "auth_token", "t"),
    "HUTCH_OTEL_ENDPOINT": ("http://o:4318", "otel_endpoint", "http://o:4318"),
    "HUTCH_OTEL_SERVICE_NAME": ("loop", "otel_service_name", "loop"),
    "HUTCH_OPENLINEAGE_ENDPOINT": ("http://l:5000", "openlineage_endpoint", "http://l:5000"),
    "HUTCH_OPENLINEAGE_NAMESPACE": ("my-org", "openlineage_namespace", "my-org"),
    "HUTCH_OPENLINEAGE_BACKEND": ("marquez", "openlineage_backend", "marquez"),
    "HUTCH_OPENLINEAGE_OVERRIDES": (
        "granularity=run",
        "openlineage_overrides",
        {"granularity": "run"},
    ),
    "HUTCH_OPENLINEAGE_API_KEY": ("k", "openlineage_api_key", "k"),
    "HUTCH_OPENLINEAGE_JOURNAL": ("/data/j", "openlineage_journal", "/data/j"),
    "HUTCH_OPENLINEAGE_JOURNAL_MAX_MB": ("64", "openlineage_journal_max_mb", 64.0),
    "HUTCH_OPENLINEAGE_JOURNAL_KEEP_DAYS": ("7", "openlineage_journal_keep_days", 7.0),
    "HUTCH_OPENLINEAGE_EXIT_TIMEOUT_S": ("0.5", "openlineage_exit_timeout_s", 0.5),
    "HUTCH_OPENLINEAGE_BATCH": ("100", "openlineage_batch", 100),
    "HUTCH_OPENLINEAGE_BATCH_FORM": ("openmetadata", "openlineage_batch_form", "openmetadata"),
    "HUTCH_OPENLINEAGE_CONNECTIONS": ("4", "openlineage_connections", 4),
    "HUTCH_OPENLINEAGE_GZIP": ("on", "openlineage_gzip", True),
    "HUTCH_OPENLINEAGE_CA_BUNDLE": ("/data/ca.pem", "openlineage_ca_bundle", "/data/ca.pem"),
}


@pytest.mark.parametrize("variable", ENVIRONMENT)
def test_environment(variable: str) -> None:
    """Each variable of the specification and the design sets its field, and mode where it does."""
    text, field, value = ENVIRONMENT[variable]
    mode = {"HUTCH_DAEMON_URL": "daemon", "HUTCH_DB_PATH": "embedded"}.get(variable, "memory")
    expected = SDKConfig(**{"mode": mode, field: value})
    assert SDKConfig.from_env({variable: f" {text} "}) == expected


def test_daemon_before_database() -> None:
    """Where both are named, the server is used and the path is kept."""
    config = SDKConfig.from_env({"HUTCH_DAEMON_URL": "http://h:1", "HUTCH_DB_PATH": "/d.duckdb"})
    assert (config.mode, config.db_path) == ("daemon", Path("/d.duckdb"))


def test_empty_environment() -> None:
    """Without variables, or with empty ones, the defaults hold: memory, and nothing is posted."""
    assert SDKConfig.from_env({}) == SDKConfig()
    assert SDKConfig.from_env(dict.fromkeys(ENVIRONMENT, "")) == SDKConfig()
    assert (SDKConfig().mode, SDKConfig().openlineage_endpoint) == ("memory", None)


def test_own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default the environment is that of the process."""
    monkeypatch.setitem(os.environ, "HUTCH_OPENLINEAGE_NAMESPACE", "here")
    assert SDKConfig.from_env().openlineage_namespace == "here"


def test_official_names_do_not_switch_on() -> None:
    """OPENLINEAGE_URL and its key do not switch posting on."""
    env = {"OPENLINEAGE_URL": "http://host:5000", "OPENLINEAGE_API_KEY": "k"}
    assert SDKConfig.from_env(env) == SDKConfig()


@pytest.mark.parametrize("text", ["0", "false", "NO", "off"])
def test_strict_off(text: str) -> None:
    """The usual words for no leave strict off."""
    assert SDKConfig.from_env({"HUTCH_STRICT": text}).strict is False


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("HUTCH_STRICT", "maybe"),
        ("HUTCH_TIMEOUT_S", "soon"),
        ("HUTCH_TIMEOUT_S", "0"),
        ("HUTCH_TIMEOUT_S", "-1"),
        ("HUTCH_TIMEOUT_S", "nan"),
        ("HUTCH_TIMEOUT_S", "inf"),
        ("HUTCH_DAEMON_URL", "localhost:7777"),
        ("HUTCH_OTEL_ENDPOINT", "grpc://host"),
        ("HUTCH_OPENLINEAGE_ENDPOINT", "localhost:5000"),
        ("HUTCH_OPENLINEAGE_ENDPOINT", "ftp://host"),
        ("HUTCH_OPENLINEAGE_ENDPOINT", "http://"),
        ("HUTCH_OPENLINEAGE_ENDPOINT", "http://host:port"),
        ("HUTCH_OPENLINEAGE_BACKEND", "marquee"),
    ],
)
def test_bad_variable(variable: str, text: str) -> None:
    """A value that cannot be used is refused, and the message names variable and value."""
    with pytest.raises(ConfigurationError, match=variable) as caught:
        SDKConfig.from_env({variable: text})
    assert caught.value.setting == variable
    assert text in str(caught.value)


@pytest.mark.parametrize(("field", "port"), [("daemon_url", 7777), ("otel_endpoint", 4318)])
def test_the_example_has_the_port_that_is_usual_there(field: str, port: int) -> None:
    """Hutch's, a collector's: what is proposed works."""
    with pytest.raises(ConfigurationError, match=f"http://localhost:{port}$"):
        SDKConfig(**{field: "nonsense"})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mode", "memroy"),
        ("request_timeout_s", 0),
        ("request_timeout_s", True),
        ("request_timeout_s", "5"),
        ("openlineage_namespace", ""),
        ("openlineage_backend", "x"),
        ("daemon_url", " http://host"),
        ("openlineage_endpoint", "http://a host"),
        ("openlineage_endpoint", 5000),
        ("db_path", 7),
        ("db_path", "~no-such-user-here/x"),
        ("db_path", "/"),
        ("fallback_path", "."),
        ("strict", "no"),
        ("auto_fallback", 1),
        ("auth_token", 5),
        ("openlineage_api_key", b"hush"),
        ("openlineage_headers", None),
        ("openlineage_headers", ["X-Team"]),
    ],
)
def test_bad_argument(field: str, value: Any) -> None:
    """A wrong argument is refused by name when the config is made, not later."""
    with pytest.raises(ConfigurationError, match=f"^{field} is ") as caught:
        SDKConfig(**{field: value})
    assert caught.value.setting == field


def test_endpoint_error() -> None:
    """A wrong OpenLineage endpoint is an EndpointError, from the environment too."""
    with pytest.raises(EndpointError):
        SDKConfig(openlineage_endpoint="host")
    with pytest.raises(EndpointError):
        SDKConfig.from_env({"HUTCH_OPENLINEAGE_ENDPOINT": "host"})


def test_paths_from_text() -> None:
    """Paths may be given as text, with ~ for the home folder."""
    assert SDKConfig(db_path="~/x.duckdb").db_path == Path.home() / "x.duckdb"


def test_no_secret_is_shown() -> None:
    """Neither repr nor a message shows keys, tokens, headers or credentials in URLs."""
    config = SDKConfig(
        auth_token="secret-1",
        openlineage_api_key="secret-2",
        openlineage_headers={"X-Key": "secret-3"},
        openlineage_endpoint="http://me:secret-4@host/?key=secret-5",
        otel_endpoint="http://me:secret-6@host",
        daemon_url="http://me:secret-7@host",
    )
    assert "secret" not in repr(config)
    assert "'X-Key': '***'" in repr(config)
    for wrong in ("ftp://me:secret@host", "me:secret@host:5000", "http://me:secret@host:x"):
        with pytest.raises(EndpointError) as caught:
            SDKConfig(openlineage_endpoint=wrong)
        assert "secret" not in str(caught.value)


def test_table_is_complete() -> None:
    """SETTINGS names every field, in order, with its true default and its variable."""
    assert [row.field for row in SETTINGS] == [f.name for f in dataclasses.fields(SDKConfig)]
    assert {row.env for row in SETTINGS if row.env} == set(ENVIRONMENT)
    for row in SETTINGS:
        default = getattr(SDKConfig(), row.field)
        text = str(default).replace(str(Path.home()), "~")
        assert row.default == text
        assert row.meaning.endswith(".")


def test_copy_is_independent() -> None:
    """A copy shares nothing that can change."""
    config = SDKConfig(openlineage_headers={"a": "b"})
    copy = config.copy()
    config.openlineage_headers["a"] = "c"
    assert copy.openlineage_headers == {"a": "b"}


@pytest.mark.parametrize("config", [None, {}, "http://localhost:5000"])
def test_configure_with_something_else(config: Any) -> None:
    """What is no SDKConfig is refused with what to write instead, and nothing changes."""
    before = runtime().config
    with pytest.raises(ConfigurationError, match="takes an SDKConfig"):
        configure(config)
    assert runtime().config is before
