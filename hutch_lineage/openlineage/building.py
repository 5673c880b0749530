"""An emitter, or none: the switch that is off by default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hutch_lineage.delivery import DeliveryOptions
from hutch_lineage.mapping import Preset

from .emitter import OpenLineageEmitter


def build_openlineage_emitter(
    *,
    endpoint: str | None,
    namespace: str = "hutch",
    job_name_default: str = "research-loop",
    timeout_s: float = 5.0,
    strict: bool = False,
    api_key: str | None = None,
    headers: Mapping[str, str] | None = None,
    backend: str | Preset = "generic",
    overrides: Mapping[str, Any] | None = None,
    options: DeliveryOptions | None = None,
) -> OpenLineageEmitter | None:
    """Return an emitter for `endpoint`, or None where there is none: it is off by default.

    Parameters
    ----------
    endpoint : str or None
        A URL, ``"in-memory"``, or None or empty for no emitter.
    namespace, job_name_default, timeout_s, strict, api_key, headers, backend, overrides, options
        As for :class:`OpenLineageEmitter`.

    Raises
    ------
    ConfigurationError
        A setting cannot be used; EndpointError where it is `endpoint`.

    Examples
    --------
    >>> build_openlineage_emitter(endpoint=None) is None
    True
    >>> build_openlineage_emitter(endpoint="in-memory").mode
    'memory'
    """
    if not endpoint:
        return None
    return OpenLineageEmitter(
        endpoint=endpoint,
        namespace=namespace,
        job_name_default=job_name_default,
        timeout_s=timeout_s,
        strict=strict,
        api_key=api_key,
        headers=headers,
        backend=backend,
        overrides=overrides,
        options=options,
    )
