"""The settings of the SDK, from arguments or from the environment."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from hutch_lineage.errors import ConfigurationError, EndpointError, mask_url
from hutch_lineage.mapping import (
    AUTO,
    BACKENDS,
    IN_MEMORY,
    parse_endpoint,
    parse_overrides,
    preset_of,
)

from .settings import DEFAULT_DAEMON_URL, SETTINGS

TransportMode: TypeAlias = Literal["memory", "daemon", "embedded"]
_HUTCH_FOLDER = Path(os.path.expanduser("~/.hutch"))  # noqa: PTH111 - never raises without a home
DEFAULT_DB_PATH = _HUTCH_FOLDER / "hutch.duckdb"
DEFAULT_FALLBACK_PATH = _HUTCH_FOLDER / "fallback-events.jsonl"
BATCH_FORMS = (None, "openlineage", "openmetadata")
_COUNTS = {"openlineage_batch": 10_000, "openlineage_connections": 64}
"""The settings that are whole numbers from 1, and the largest of each."""
_AT_LEAST_0 = (
    "openlineage_journal_max_mb",
    "openlineage_journal_keep_days",
    "openlineage_exit_timeout_s",
)
_FALSE = frozenset({"", "0", "false", "no", "off"})
_TRUE = frozenset({"1", "true", "yes", "on"})


@dataclass(slots=True, repr=False)
class SDKConfig:
    """The settings of the SDK. :data:`SETTINGS` says what each one means.

    Values are checked when the object is made and again by :func:`configure`, which takes a copy:
    later changes of this object change nothing. ``repr`` shows no secret.

    Raises
    ------
    ConfigurationError
        A value cannot be used; ``EndpointError`` where it is the OpenLineage endpoint.

    Examples
    --------
    >>> SDKConfig(openlineage_endpoint="in-memory", openlineage_namespace="my-org").mode
    'memory'
    """

    mode: TransportMode = "memory"
    daemon_url: str = DEFAULT_DAEMON_URL
    db_path: Path = DEFAULT_DB_PATH
    fallback_path: Path = DEFAULT_FALLBACK_PATH
    strict: bool = False
    request_timeout_s: float = 5.0
    auto_fallback: bool = True
    auth_token: str | None = None
    otel_endpoint: str | None = None
    otel_service_name: str = "hutch"
    openlineage_endpoint: str | None = None
    openlineage_namespace: str = "hutch"
    openlineage_backend: str = "generic"
    openlineage_overrides: Mapping[str, Any] = field(default_factory=dict)
    openlineage_api_key: str | None = None
    openlineage_headers: Mapping[str, str] = field(default_factory=dict)
    openlineage_journal: str | None = None
    openlineage_journal_max_mb: float = 1024
    openlineage_journal_keep_days: float = 0
    openlineage_exit_timeout_s: float = 5.0
    openlineage_batch: int | None = None
    openlineage_batch_form: str | None = None
    openlineage_connections: int = 16
    openlineage_gzip: bool = False
    openlineage_ca_bundle: str | None = None

    def __post_init__(self) -> None:
        self.check()

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> SDKConfig:
        """Read the settings from environment variables.

        A variable that is unset or empty leaves the default.

        Parameters
        ----------
        env : mapping, optional
            Instead of ``os.environ``.

        Raises
        ------
        ConfigurationError
            A variable has a value that cannot be used. ``setting`` names the variable.

        Examples
        --------
        >>> SDKConfig.from_env({"HUTCH_OPENLINEAGE_NAMESPACE": "my-org"}).openlineage_namespace
        'my-org'
        """
        environ = os.environ if env is None else env
        values: dict[str, Any] = {
            row.field: text
            for row in SETTINGS
            if row.env is not None and (text := environ.get(row.env, "").strip())
        }
        if "daemon_url" in values:
            values["mode"] = "daemon"
        elif "db_path" in values:
            values["mode"] = "embedded"
        for row in SETTINGS:
            if row.env is not None and row.field in values and row.field in _READERS:
                values[row.field] = _READERS[row.field](row.env, values[row.field])
        try:
            return cls(**values)
        except ConfigurationError as error:
            variable = next((row.env for row in SETTINGS if row.field == error.setting), None)
            if variable is None:
                raise
            message = str(error).replace(error.setting, variable, 1)
            raise type(error)(message, setting=variable) from None

    def check(self) -> None:
        """Raise ConfigurationError if a value cannot be used; make paths of texts.

        Examples
        --------
        >>> config = SDKConfig()
        >>> config.openlineage_namespace = ""
        >>> config.check()
        Traceback (most recent call last):
        ...
        hutch_lineage.errors.ConfigurationError: openlineage_namespace is '': use a text
        """
        _one_of("mode", self.mode, get_args(TransportMode))
        _one_of("openlineage_backend", self.openlineage_backend, BACKENDS)
        if not isinstance(self.openlineage_overrides, Mapping):
            raise ConfigurationError(
                "openlineage_overrides is no mapping: use a dict of rows and values",
                "openlineage_overrides",
            )
        backend = self.openlineage_backend
        preset_of("generic" if backend == AUTO else backend, self.openlineage_overrides)
        _one_of("openlineage_batch_form", self.openlineage_batch_form, BATCH_FORMS)
        self.db_path = _path("db_path", self.db_path)
        self.fallback_path = _path("fallback_path", self.fallback_path)
        self._check_numbers()
        self._check_texts()
        _url("daemon_url", self.daemon_url)
        if self.otel_endpoint not in (None, IN_MEMORY):
            _url("otel_endpoint", self.otel_endpoint)
        if self.openlineage_endpoint not in (None, IN_MEMORY):
            _endpoint(self.openlineage_endpoint)

    def _check_numbers(self) -> None:
        timeout = self.request_timeout_s
        if (
            isinstance(timeout, bool)
            or not isinstance(timeout, int | float)
            or not _usable(timeout)
        ):
            raise ConfigurationError(
                f"request_timeout_s is {timeout!r}: use a number of seconds above 0",
                "request_timeout_s",
            )
        for name in _AT_LEAST_0:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
                raise ConfigurationError(f"{name} is {value!r}: use a number from 0 on", name)
        for name, most in _COUNTS.items():
            value = getattr(self, name)
            if value is None and name == "openlineage_batch":
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise ConfigurationError(
                    f"{name} is {value!r}: use a whole number from 1 to {most:,}", name
                )
        for name in ("strict", "auto_fallback", "openlineage_gzip"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigurationError(
                    f"{name} is {getattr(self, name)!r}: use True or False", name
                )

    def _check_texts(self) -> None:
        for name in ("openlineage_journal", "openlineage_ca_bundle"):
            value = getattr(self, name)
            if isinstance(value, os.PathLike):
                setattr(self, name, os.fspath(value))
        for name in (
            "auth_token",
            "openlineage_api_key",
            "openlineage_journal",
            "openlineage_ca_bundle",
        ):
            if not isinstance(getattr(self, name), str | type(None)):
                raise ConfigurationError(f"{name} is no text: use a text or None", name)
        if not isinstance(self.openlineage_headers, Mapping):
            raise ConfigurationError(
                "openlineage_headers is no mapping: use a dict of header names and values",
                "openlineage_headers",
            )
        for name in ("otel_service_name", "openlineage_namespace"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value:
                raise ConfigurationError(f"{name} is {value!r}: use a text", name)

    def copy(self) -> SDKConfig:
        """Return an independent copy, checked again."""
        return dataclasses.replace(
            self,
            openlineage_headers=dict(self.openlineage_headers),
            openlineage_overrides=dict(self.openlineage_overrides),
        )

    def __repr__(self) -> str:
        shown = ", ".join(f"{row.field}={_shown(row.field, self)}" for row in SETTINGS)
        return f"SDKConfig({shown})"


def _shown(name: str, config: SDKConfig) -> str:
    """Return the ``repr`` of a setting without what is secret in it."""
    value = getattr(config, name)
    if name in {"auth_token", "openlineage_api_key"}:
        return repr(value if value is None else "***")
    if name == "openlineage_headers":
        return repr(dict.fromkeys(value, "***"))
    if isinstance(value, str) and "://" in value:
        return repr(mask_url(value))
    return repr(str(value)) if isinstance(value, Path) else repr(value)


def _flag(variable: str, text: str) -> bool:
    if text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    raise ConfigurationError(
        f"{variable} is {text!r}: use 1 (or true, yes, on) or 0 (or false, no, off)", variable
    )


def _seconds(variable: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigurationError(
            f"{variable} is {text!r}: use a number of seconds above 0", variable
        ) from None


def _number(variable: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigurationError(f"{variable} is {text!r}: use a number", variable) from None


def _count(variable: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ConfigurationError(f"{variable} is {text!r}: use a whole number", variable) from None


def _overrides(variable: str, text: str) -> dict[str, Any]:
    try:
        return parse_overrides(text)
    except ConfigurationError as error:
        message = str(error).replace("openlineage_overrides", variable, 1)
        raise ConfigurationError(message, variable) from None


_READERS: dict[str, Callable[[str, str], Any]] = {
    "openlineage_overrides": _overrides,
    "strict": _flag,
    "request_timeout_s": _seconds,
    "openlineage_journal_max_mb": _number,
    "openlineage_journal_keep_days": _number,
    "openlineage_exit_timeout_s": _number,
    "openlineage_batch": _count,
    "openlineage_connections": _count,
    "openlineage_gzip": _flag,
}


def _usable(seconds: float) -> bool:
    return math.isfinite(seconds) and seconds > 0


def _one_of(name: str, value: object, choices: tuple[str | None, ...]) -> None:
    if value not in choices:
        listed = " or ".join(map(repr, choices))
        raise ConfigurationError(f"{name} is {value!r}: use {listed}", name)


def _path(name: str, value: object) -> Path:
    if isinstance(value, str | os.PathLike):
        try:
            path = Path(value).expanduser()
        except RuntimeError as error:
            raise ConfigurationError(f"{name} is {str(value)!r}: {error}", name) from error
        if path.name:
            return path
        value = str(path)  # a root, or the folder that one is in
    raise ConfigurationError(f"{name} is {value!r}: use the path of a file", name)


def _endpoint(value: object) -> None:
    """Refuse what the emitter would refuse, by its own rule."""
    try:
        parse_endpoint(str(value))
    except EndpointError as error:
        raise EndpointError(f"openlineage_endpoint is unusable: {error}", error.setting) from None


def _url(name: str, value: object) -> None:
    """Refuse what is not an http(s) URL with a host."""
    port = {"daemon_url": 7777, "otel_endpoint": 4318}.get(name, 5000)
    example = f"use a URL such as http://localhost:{port}"
    if not isinstance(value, str):
        raise ConfigurationError(f"{name} is {value!r}: {example}", name)
    try:
        parts = urlsplit(value)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
        _ = parts.port  # raises when it is no number
    except ValueError:
        usable = False
    if not usable or value != value.strip():
        shown = mask_url(value)
        if "@" in shown and "***@" not in shown:  # credentials in what is not even a URL
            shown = f"***@{shown.rsplit('@', 1)[1]}"
        raise ConfigurationError(f"{name} is {shown!r}: {example}", name)
