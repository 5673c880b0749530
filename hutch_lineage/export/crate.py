"""An RO-Crate: a run as a research object, with its events, frames, report and picture.

https://www.researchobject.org/ro-crate/specification/1.1/
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from hutch_lineage._version import __version__
from hutch_lineage.mapping import iso_from_ns

from .markdown import to_markdown
from .nodelink import to_node_link
from .svg import to_svg
from .tables import FRAMES, csv_files
from .text import to_text
from .wording import one_line

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph, RunInfo

METADATA: Final = "ro-crate-metadata.json"
_CONTEXT: Final = "https://w3id.org/ro/crate/1.1/context"
_SOFTWARE: Final = "https://pypi.org/project/hutch-lineage/"
_TYPES: Final = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".ndjson": "application/x-ndjson",
    ".svg": "image/svg+xml",
}
_ABOUT: Final = {
    "lineage.json": "The whole graph as node-link JSON",
    "report.md": "The best, its path, its cost, and what was odd",
    "lineage.svg": "The picture of the lineage",
    "events.jsonl": "The Hutch events of the run, one a line",
    "events.ndjson": "The OpenLineage events of the run, one a line",
    **{f"frames/{name}.csv": f"The {name} as a table" for name in FRAMES},
}


def to_crate(
    graph: LineageGraph,
    events: Mapping[str, str],
    *,
    name: str | None = None,
    license: str | None = None,  # noqa: A002 - the word of the standard
    author: str | None = None,
    notes: list[str] | None = None,
) -> dict[str, bytes]:
    """Return the files of an RO-Crate 1.1, by path.

    Parameters
    ----------
    graph : LineageGraph
        What to describe.
    events : mapping of str to str
        Files of events, by name: ``events.jsonl``, ``events.ndjson``.
    name, license, author : str, optional
        The title of the crate, the URL or words of its licence, and who made it. Without a licence
        the crate says that none was stated, and so do the notes.
    notes : list of str, optional
        Gets a line for each thing that is missing.

    Returns
    -------
    dict of str to bytes
        ``ro-crate-metadata.json`` and the files that it describes: ``lineage.json`` (all of it),
        ``lineage.svg``, ``report.md``, ``frames/*.csv`` and the events.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> sorted(to_crate(LineageGraph(), {}))[-1]
    'ro-crate-metadata.json'
    """
    said = [] if notes is None else notes
    with graph.lock:
        files = {
            "lineage.json": to_node_link(graph, said).encode(),
            "lineage.svg": to_svg(graph).encode("utf-8", "replace"),
            "report.md": to_markdown(graph).encode("utf-8", "replace"),
            **{f"frames/{file}": data for file, data in csv_files(graph, said).items()},
        }
        for file, text in events.items():
            files[file] = text.encode("utf-8", "replace")
        entities = _entities(graph, files, name, license, author)
    if license is None:
        said.append("no licence was stated: license= names one")
    document = {"@context": _CONTEXT, "@graph": entities}
    metadata = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return {**files, METADATA: metadata.encode("utf-8", "replace")}


def _entities(
    graph: LineageGraph,
    files: Mapping[str, bytes],
    name: str | None,
    licence: str | None,
    author: str | None,
) -> list[dict[str, Any]]:
    runs = graph.runs
    licence_entity = _licence(licence)
    names = [run.name or run_id for run_id, run in runs.items()]
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": one_line(name or f"Lineage of {', '.join(names[:3]) or 'nothing'}"),
        "description": one_line(to_text(graph).replace("\n", "; ")),
        "datePublished": _newest(graph),
        "license": {"@id": licence_entity["@id"]},
        "hasPart": [{"@id": file} for file in files],
        "mentions": [{"@id": f"#run-{place}"} for place in range(len(runs))],
    }
    entities: list[dict[str, Any]] = [
        {
            "@id": METADATA,
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        },
        root,
        licence_entity,
        {
            "@id": _SOFTWARE,
            "@type": "SoftwareApplication",
            "name": "hutch_lineage",
            "url": _SOFTWARE,
            "version": __version__,
        },
    ]
    if author:
        root["author"] = {"@id": "#author"}
        entities.append({"@id": "#author", "@type": "Person", "name": author})
    entities += [_file(file, data) for file, data in files.items()]
    entities += [_action(place, run) for place, run in enumerate(runs.values())]
    return entities


def _licence(licence: str | None) -> dict[str, Any]:
    is_url = licence is not None and licence.startswith(("http://", "https://"))
    return {
        "@id": licence if is_url else "#licence",
        "@type": "CreativeWork",
        "name": licence or "No licence was stated",
        "description": "The licence of what is in this crate",
    }


def _action(place: int, run: RunInfo) -> dict[str, Any]:
    said: dict[str, Any] = {
        "@id": f"#run-{place}",
        "@type": "CreateAction",
        "name": one_line(run.name or run.run_id),
        "identifier": one_line(run.run_id),
        "startTime": _time(run.started_ns),
        "endTime": _time(run.ended_ns),
        "actionStatus": _STATUS.get(run.status or ""),
        "description": run.summary,
        "result": {"@id": "./"},
        "instrument": {"@id": _SOFTWARE},
    }
    return {key: value for key, value in said.items() if value is not None}


_STATUS: Final = {
    "finished": "http://schema.org/CompletedActionStatus",
    "failed": "http://schema.org/FailedActionStatus",
    "running": "http://schema.org/ActiveActionStatus",
}


def _file(file: str, data: bytes) -> dict[str, Any]:
    path = PurePosixPath(file)
    return {
        "@id": file,
        "@type": "File",
        "name": path.name,
        "description": _ABOUT.get(file, path.name),
        "encodingFormat": _TYPES.get(path.suffix, "application/octet-stream"),
        "contentSize": str(len(data)),
    }


def _time(time_ns: object) -> str | None:
    try:
        return iso_from_ns(time_ns) if isinstance(time_ns, int) and time_ns > 0 else None
    except ValueError:  # beyond the year 9999
        return None


def _newest(graph: LineageGraph) -> str:
    """Return the day of the newest statement, so that the same run gives the same crate."""
    ends = [run.ended_ns for run in graph.runs.values()]
    moments = [*ends, *(operator.stamp.timestamp_ns for operator in graph.operators.values())]
    known = [moment for moment in map(_time, moments) if moment is not None]
    return max(known, default=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))[:10]
