"""Which preset an endpoint gets: the one that is named, the one it had, or the usual one."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from hutch_lineage.delivery import detect_backend
from hutch_lineage.mapping import AUTO, IN_MEMORY, Endpoint, Preset, parse_endpoint, preset_of

logger = logging.getLogger("hutch_lineage.openlineage")


class Choices:
    """Chooses presets, and remembers those of endpoints, as the routes do with keys.

    A backend that was sent one form and then gets another keeps both, so whoever goes back to an
    endpoint means the form that it has. Only what nobody chose, the default mapping, is not
    remembered.

    Parameters
    ----------
    backend : str or Preset
        What is usual: the preset of an endpoint that had none.
    overrides : mapping, optional
        Rows of it that are to be otherwise.
    """

    def __init__(self, backend: str | Preset, overrides: Mapping[str, Any] | None) -> None:
        self.prefer(backend, overrides)
        self._had: dict[str, Preset] = {}

    def prefer(self, backend: str | Preset, overrides: Mapping[str, Any] | None) -> None:
        """Have another preset be the usual one."""
        self._usual = backend
        self._overrides = overrides

    def choose(
        self,
        endpoint: str,
        backend: str | Preset | None = None,
        overrides: Mapping[str, Any] | None = None,
        api_key: str | None = None,
    ) -> Preset:
        """Return a preset; for ``auto`` that of what answers at the endpoint, which takes a moment.

        Raises
        ------
        EndpointError
            `endpoint` is no usable URL.
        ConfigurationError
            There is no such preset, row or value.
        """
        had = None if endpoint == IN_MEMORY else self._at(endpoint)
        if backend is None and had is not None:
            return preset_of(had, overrides)
        if backend is None:
            backend, overrides = self._usual, overrides or self._overrides
        if backend != AUTO:
            return preset_of(backend, overrides)
        if endpoint == IN_MEMORY:
            return preset_of("generic", overrides)
        found = detect_backend(endpoint, api_key=api_key)
        if found.backend is not None:
            return preset_of(found.backend, overrides)
        logger.warning(
            "the backend preset is auto, and nobody could say which one is meant: %s; events are "
            "written %s until it is asked again, by going live",
            found,
            "as specified" if had is None else f"as before, for {had.name},",
        )
        return preset_of("generic", overrides) if had is None else had

    def remember(
        self, endpoint: str, target: Endpoint, preset: Preset, backend: str | Preset | None
    ) -> None:
        """Note that an endpoint gets a preset, where `backend` named it or another one did."""
        if not preset.is_default or backend not in (None, AUTO):
            self._had.update(dict.fromkeys((target.key, *_spellings(endpoint)), preset))

    def _at(self, endpoint: str) -> Preset | None:
        found = (self._had.get(key) for key in _spellings(endpoint))
        return next((preset for preset in found if preset is not None), None)


def _spellings(endpoint: str) -> tuple[str, str]:
    """Return what an endpoint is known by: its lineage URL, or as it was given."""
    return parse_endpoint(endpoint).key, parse_endpoint(endpoint, "").key
