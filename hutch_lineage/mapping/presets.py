"""The backend presets: one table that says how the mapping is varied for what a backend can show.

A preset is data. Nothing else in the package asks for a backend's name, so a row that is overridden
does all that the row of another preset does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, get_args

from hutch_lineage.errors import ConfigurationError

Granularity = Literal["run", "operator"]
Lifecycle = Literal["complete", "start+complete"]
RunIds = Literal["verbatim", "uuid5"]
Names = Literal["plain", "dotted", "dotted-lower"]
Accepted = Literal["2xx", "edges"]
Batches = Literal["none", "openlineage", "openmetadata"]

AUTO: Final = "auto"
"""In place of a preset: ask the endpoint which one it is."""

STANDARD_FACETS: Final = (
    "parent",
    "processing_engine",
    "errorMessage",
    "jobType",
    "lineage",
    "documentation",
    "sourceCodeLocation",
    "ownership",
    "tags",
    "schema",
)
"""The facets of the OpenLineage standard that a preset may ask for."""

_BUT_SCHEMA: Final = tuple(name for name in STANDARD_FACETS if name != "schema")


@dataclass(frozen=True, slots=True)
class Preset:
    """A column of the table; docs/backends.md gives the reason for each value.

    Attributes
    ----------
    name : str
        The backend.
    path : str
        What is appended to the root of the backend; empty where the URL is complete.
    granularity : {"run", "operator"}
        ``run``: one OL run per Hutch run. ``operator``: besides, a job and a run of its own for
        each operator and each self-modification.
    lifecycle : {"complete", "start+complete"}
        The events of an operator's run.
    run_id : {"verbatim", "uuid5"}
        The Hutch ``run_id`` as it is, or a UUID made of it unless it is one.
    names : {"plain", "dotted", "dotted-lower"}
        ``individual:<id>``, or ``<namespace>.<run>.individual-<id>``; the last without capitals.
    facets : tuple of str
        Of ``STANDARD_FACETS``.
    accepted : {"2xx", "edges"}
        When an event counts as shown: by the HTTP status, or by what the answer says was made.
    batches : {"none", "openlineage", "openmetadata"}
        Whether the backend has ``/lineage/batch``, and how several events are put into one request
        to it: as a JSON array, or as OpenMetadata has it.
    """

    name: str
    path: str = "/api/v1/lineage"
    granularity: Granularity = "run"
    lifecycle: Lifecycle = "complete"
    run_id: RunIds = "verbatim"
    names: Names = "plain"
    facets: tuple[str, ...] = ()
    accepted: Accepted = "2xx"
    batches: Batches = "none"

    @property
    def is_default(self) -> bool:
        """Whether events are written exactly as the specification has them."""
        rows = (self.granularity, self.run_id, self.names, self.facets)
        return rows == ("run", "verbatim", "plain", ())


PRESETS: Final[Mapping[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset("generic"),
        Preset(
            "marquez",
            granularity="operator",
            run_id="uuid5",
            names="dotted",
            facets=_BUT_SCHEMA,
        ),
        Preset(
            "datahub",
            path="/openapi/openlineage/api/v1/lineage",
            granularity="operator",
            run_id="uuid5",
            names="dotted",
            facets=STANDARD_FACETS,
        ),
        Preset(
            "openmetadata",
            path="/api/v1/openlineage/lineage",
            granularity="operator",
            run_id="uuid5",
            names="dotted-lower",
            facets=STANDARD_FACETS,
            accepted="edges",
            batches="openmetadata",
        ),
        Preset(
            "astro",
            granularity="operator",
            lifecycle="start+complete",
            run_id="uuid5",
            names="dotted",
            facets=STANDARD_FACETS,
        ),
        Preset(
            "datadog",
            granularity="operator",
            lifecycle="start+complete",
            run_id="uuid5",
            names="dotted",
            facets=STANDARD_FACETS,
        ),
    )
}
"""The table: what each backend's preset sets."""

BACKENDS: Final = (*PRESETS, AUTO)
"""What ``openlineage_backend`` may be. ``generic`` is the default mapping."""

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "granularity": get_args(Granularity),
    "lifecycle": get_args(Lifecycle),
    "run_id": get_args(RunIds),
    "names": get_args(Names),
    "accepted": get_args(Accepted),
    "batches": get_args(Batches),
}
ROWS: Final = tuple(field.name for field in fields(Preset) if field.name != "name")
"""The rows of the table, each of which can be overridden."""


def preset_of(backend: str | Preset, overrides: Mapping[str, Any] | None = None) -> Preset:
    """Return a preset of the table, with some of its rows set otherwise.

    Parameters
    ----------
    backend : str or Preset
        A name of ``PRESETS``.
    overrides : mapping, optional
        Row to value, see :class:`Preset`.

    Raises
    ------
    ConfigurationError
        There is no such preset, row or value.

    Examples
    --------
    >>> preset_of("marquez").granularity
    'operator'
    >>> preset_of("marquez", {"facets": ["parent"]}).facets
    ('parent',)
    """
    if isinstance(backend, Preset):
        preset = backend
    elif isinstance(backend, str) and backend in PRESETS:
        preset = PRESETS[backend]
    else:
        raise ConfigurationError(
            f"no backend preset {backend!r}: there is {', '.join(BACKENDS)}", "openlineage_backend"
        )
    if not overrides:
        return preset
    if not isinstance(overrides, Mapping):
        raise _refused(f"{overrides!r} is no mapping of rows to values")
    return replace(preset, **{row: _checked(row, value) for row, value in overrides.items()})


def parse_overrides(text: str) -> dict[str, Any]:
    """Return overrides written as JSON, or as ``row=value`` pairs with commas between them.

    Several facets are joined by ``+``.

    Raises
    ------
    ConfigurationError
        It is neither.

    Examples
    --------
    >>> parse_overrides("granularity=operator,facets=parent+lineage")
    {'granularity': 'operator', 'facets': ['parent', 'lineage']}
    """
    import orjson

    text = text.strip()
    if text.startswith("{"):
        try:
            found = orjson.loads(text)
        except ValueError as error:
            raise _refused(f"{text!r} is no JSON object ({error})") from None
        return dict(found)
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    if any(not equals for _, equals, _ in pairs):
        raise _refused(f"{text!r} is neither JSON nor row=value pairs")
    found = {row.strip(): value.strip() for row, _, value in pairs}
    return {
        row: [each for each in value.split("+") if each] if row == "facets" else value
        for row, value in found.items()
    }


def _checked(row: str, value: Any) -> Any:
    if row in _CHOICES:
        if value not in _CHOICES[row]:
            raise _refused(f"{row} is {value!r}: use {' or '.join(map(repr, _CHOICES[row]))}")
        return value
    if row not in _READERS:
        raise _refused(f"{row!r} is no row of a preset: there are {', '.join(ROWS)}")
    return _READERS[row](value)


def _path(value: Any) -> str:
    if not isinstance(value, str):
        raise _refused(f"path is {value!r}: use a text")
    return value


def _facets(value: Any) -> tuple[str, ...]:
    names = value.split("+") if isinstance(value, str) else value
    if not isinstance(names, list | tuple | set | frozenset):
        raise _refused(f"facets is {value!r}: use a list of names")
    unknown = [name for name in names if name and name not in STANDARD_FACETS]
    if unknown:
        raise _refused(f"facets has {unknown[0]!r}: there are {', '.join(STANDARD_FACETS)}")
    return tuple(name for name in STANDARD_FACETS if name in names)


_READERS: Final[dict[str, Callable[[Any], Any]]] = {"path": _path, "facets": _facets}


def _refused(what: str) -> ConfigurationError:
    return ConfigurationError(f"openlineage_overrides: {what}", "openlineage_overrides")
