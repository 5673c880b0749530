"""Which formats there are, and which one a source has."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Final, cast

from hutch_lineage.errors import ReadError

from .format import Format
from .report import Report
from .source import Source

GROUP: Final = "hutch_lineage.readers"
"""The group of entry points through which other packages add formats."""

BUILT_IN: Final = (
    ("hutch-duckdb", "hutch_duckdb:HutchDuckDB"),
    ("hutch-jsonl", "hutch_jsonl:HutchJsonl"),
    ("openlineage-ndjson", "openlineage:OpenLineage"),
    ("node-link", "node_link:NodeLink"),
    ("openevolve", "openevolve:OpenEvolve"),
    ("shinka", "shinka:Shinka"),
    ("journal", "event_folder:JournalFolder"),
    ("event-folder", "event_folder:EventFolder"),
    ("aide", "aide:Aide"),
    ("ai-scientist-v2", "ai_scientist:AIScientist"),
    ("dgm", "dgm:Dgm"),
    ("asi-arch", "asi_arch:AsiArch"),
    ("alife-csv", "alife:ALife"),
    ("hutch-server", "hutch_run:HutchRun"),
    ("marquez", "marquez_run:MarquezRun"),
)
"""Kind and class below ``formats``. Where several fit, the first is taken, and the report says so.
"""


def built_in(kind: str) -> Format:
    """Return a format of this package; KeyError if there is none of that kind.

    Examples
    --------
    >>> built_in("hutch-jsonl").title
    'Hutch events, one JSON a line'
    """
    module, _, name = dict(BUILT_IN)[kind].partition(":")
    found = getattr(import_module(f"{__package__}.formats.{module}"), name)
    return cast("Format", found())


def third_party(report: Report) -> Iterator[Format]:
    """Yield the formats of other packages; one that cannot be loaded is in the report.

    Examples
    --------
    >>> from hutch_lineage.readers import ReadReport
    >>> list(third_party(ReadReport()))
    []
    """
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            found = point.load()
            made = found() if isinstance(found, type) else found
            missing = [
                name for name in ("kind", "title", "detect", "read") if not hasattr(made, name)
            ]
            if missing:
                raise TypeError(f"it has no {', '.join(missing)}")
        except Exception as error:  # whatever an import of somebody else's comes up with
            report.add(
                "formats that cannot be loaded",
                f"{point.name} ({point.value}): {type(error).__name__}: {error}",
            )
        else:
            yield cast("Format", made)


def all_formats(report: Report) -> Iterator[Format]:
    """Yield all formats, those of this package first.

    Examples
    --------
    >>> from hutch_lineage.readers import ReadReport
    >>> next(all_formats(ReadReport())).kind
    'hutch-duckdb'
    """
    for kind, _ in BUILT_IN:
        yield built_in(kind)
    yield from third_party(report)


def format_of(source: Source, kind: str | None, report: Report) -> Format | None:
    """Return the format that was asked for, or the one that fits; None where none does.

    Raises
    ------
    ReadError
        There is no format of that kind; the message lists those there are.
    """
    if kind is not None:
        if kind in dict(BUILT_IN):
            return built_in(kind)
        for each in third_party(report):
            if each.kind == kind:
                return each
        raise ReadError(f"no kind {kind!r}: {kinds_line(report)}", source.name)
    fitting = [each for name, _ in BUILT_IN if (each := built_in(name)).detect(source)]
    if not fitting:  # others come last: they cannot take over what this package reads
        fitting = [each for each in third_party(report) if _detects(each, source, report)]
    if len(fitting) > 1:
        others = ", ".join(each.kind for each in fitting[1:])
        report.add(
            "several kinds fit", f"read as {fitting[0].kind}; kind= chooses another: {others}"
        )
    return fitting[0] if fitting else None


def kinds_line(report: Report) -> str:
    """Return what can be read, in a line."""
    return "readable are " + "; ".join(
        f"{each.kind} ({each.title})" for each in all_formats(report)
    )


def _detects(format_: Format, source: Source, report: Report) -> bool:
    try:
        return bool(format_.detect(source))
    except Exception as error:  # somebody else's code must not keep the others from being asked
        report.add(
            "formats that failed to look", f"{format_.kind}: {type(error).__name__}: {error}"
        )
        return False
