"""The ALife data standard for phylogenies: a CSV with a row per individual.

The standard is https://alife-data-standards.github.io/alife-data-standards/phylogeny.html.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hutch_lineage.errors import ExportError

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import NodeKey, NodeKind

ROOT = '["none"]'
_TEXTS = ("kind", "island_id", "population_id", "genome_lang", "genome_uri", "genome_hash")
_FACTS = ("generation_index", "composite", "invalid_reason", "evaluator_kind")
_GENOMES = ("genome", "genotype", "sequence")
_ELSEWHERE = ("ghost", "is_seed", "birth_ns", "origin_time", "metadata", "scores", "operators")
_FIRST = ("id", "ancestor_list", "origin_time")


def to_alife(
    graph: LineageGraph,
    *,
    run: str | None = None,
    kind: NodeKind | None = None,
    notes: list[str] | None = None,
) -> str:
    """Return a run as a CSV file in the ALife data standard.

    Parameters
    ----------
    graph : LineageGraph
        What to write. One that was read from such a file is written with the columns of that file.
    run : str, optional
        The run to write. Without it all; ids that occur in several runs become ``run/id``.
    kind : {"individual", "agent"}, optional
        Which nodes; individuals if there are any, else agents.
    notes : list of str, optional
        Gets a line for each thing that was left out.

    Returns
    -------
    str
        ``id, ancestor_list, origin_time``, then what is known of any individual: kind, island,
        genome, generation, each metric, and the metadata that is text or a number. ``origin_time``
        is in the source's own unit; where there is none, the seconds since the first birth. A
        root's ancestors are ``["none"]``. Parents stand before their children.

    Raises
    ------
    ExportError
        The graph has no such run.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> from hutch_lineage.model import NodeKey, NodeRecord, Stamp
    >>> a, b = (NodeKey("individual", "r", name) for name in "ab")
    >>> graph = LineageGraph()
    >>> graph.apply(NodeRecord(a, Stamp(0, "")), NodeRecord(b, Stamp(10**9, ""), (a,)))
    2
    >>> print(to_alife(graph), end="")
    id,ancestor_list,origin_time
    a,"[""none""]",0
    b,"[""a""]",1
    """
    said = [] if notes is None else notes
    with graph.lock:
        if run is not None and run not in graph.runs:
            raise ExportError(f"no run {run!r}; run ids are: {', '.join(list(graph.runs)[:5])}")
        if kind is None:
            kind = "individual" if graph.nodes("individual") else "agent"
        keys = graph.nodes(kind, run)
        rows = _Rows(graph, keys)
        columns = rows.columns()
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        for key in keys:
            if not graph.node(key)["ghost"]:
                writer.writerow(rows.row(key, columns))
        said += rows.notes(columns)
    return stream.getvalue()


class _Rows:
    """The rows of some nodes of a graph."""

    def __init__(self, graph: LineageGraph, keys: list[NodeKey]) -> None:
        self.graph, self.keys = graph, keys
        self._views = {key: graph.node(key) for key in keys}
        ids = {key.id for key in keys}
        self._unique = len(ids) == len(keys)
        self._ids = {key: key.id if self._unique else f"{key.run_id}/{key.id}" for key in keys}
        births = [view["birth_ns"] for view in self._views.values() if "birth_ns" in view]
        self._timed = any("origin_time" in view for view in self._views.values())
        self._first_ns = min(births, default=0)
        self._outside = 0

    def columns(self) -> list[str]:
        """Return the columns: those of the file that it was read from, or all that is known."""
        if (told := self._told()) is not None:
            return told
        views = self._views.values()
        known = [
            name for name in (*_TEXTS, "genome", *_FACTS) if any(name in view for view in views)
        ]
        metrics = sorted({name for view in views for name in view.get("scores", ())})
        further = sorted(
            {
                name
                for view in views
                for name, value in view.get("metadata", {}).items()
                if isinstance(value, str | int | float)
            }
        )
        names = (*_FIRST, *known, *metrics, *further)
        return [name for name in dict.fromkeys(names) if name != "origin_time" or self._has_time()]

    def _told(self) -> list[str] | None:
        """Return the columns of the file that it was read from."""
        runs = {key.run_id for key in self.keys}
        if len(runs) == 1:
            metadata = self.graph.runs[next(iter(runs))].attributes.get("metadata", {})
            told = metadata.get("columns") if isinstance(metadata, Mapping) else None
            if isinstance(told, list) and "id" in told and "ancestor_list" in told:
                return [str(name) for name in told]
        return None

    def row(self, key: NodeKey, columns: list[str]) -> list[Any]:
        """Return the cells of one node."""
        view = self._views[key]
        return [self._cell(name, key, view) for name in columns]

    def notes(self, columns: list[str]) -> list[str]:
        """Return what is not in the rows."""
        lost: Counter[str] = Counter()
        taken = {*_ELSEWHERE, *columns}
        taken |= {"genome"} if set(_GENOMES) & set(columns) else set()
        for key, view in self._views.items():
            if view["ghost"]:
                lost["parents that were not seen: named, without a row"] += 1
            for name in view:
                only = name == "islands" and view[name] == (view.get("island_id"),)
                if name not in taken and not only:
                    lost[f"{name} of a node, left out"] += 1
            for name in view.get("metadata", ()):
                if name not in columns:
                    lost["metadata that is neither text nor number, left out"] += 1
            if any(
                self.graph.edge(above, key)["relation"] != "parent" for above in self._above(key)
            ):
                lost["relations of a parent, left out"] += 1
        notes = [f"{what}: {count:,}" for what, count in lost.items()]
        if self._outside:
            notes.append(f"parents of another run or kind, left out: {self._outside:,}")
        operators = sum(operator.child in self._views for operator in self.graph.operators.values())
        if operators:
            notes.append(f"operators, with their costs and diffs, left out: {operators:,}")
        if not self._unique:
            notes.append("ids occur in several runs: written as run/id")
        if not self._timed and self._has_time():
            notes.append("origin_time: seconds since the first birth, which the file does not say")
        if self._told() is None:
            notes += self._of_reading_back()
        return notes

    def _of_reading_back(self) -> Iterator[str]:
        """Yield what the file does not say of a run that was not read from such a one."""
        metrics = {name for view in self._views.values() for name in view.get("scores", ())}
        metrics -= {"fitness"}  # which reading knows
        if metrics:
            named = ", ".join(sorted(metrics))
            yield f"which columns are metrics; read back, they are metadata: {named}"
        if self._views:
            yield "the id of the run; read back, it is the name of the file"

    def _has_time(self) -> bool:
        return self._timed or any("birth_ns" in view for view in self._views.values())

    def _above(self, key: NodeKey) -> list[NodeKey]:
        return [parent for parent in self.graph.parents(key) if parent in self._views]

    def _cell(self, name: str, key: NodeKey, view: Mapping[str, Any]) -> Any:
        if name == "id":
            return self._ids[key]
        if name in ("ancestor_list", "ancestor_id"):
            above = self._above(key)
            if name == "ancestor_list":
                self._outside += len(self.graph.parents(key)) - len(above)
                return _listed([self._ids[parent] for parent in above])
            return self._ids[above[0]] if above else "none"
        if name == "origin_time":
            return self._time(view)
        if name in view.get("scores", {}):
            return _plain(view["scores"][name])
        if name in _GENOMES and "genome" in view:
            return view["genome"]
        if name in (*_TEXTS, *_FACTS) and name in view:
            return _plain(view[name])
        value = view.get("metadata", {}).get(name)
        return _plain(value) if isinstance(value, str | int | float) else ""

    def _time(self, view: Mapping[str, Any]) -> Any:
        if self._timed:
            return _plain(view.get("origin_time", ""))
        born = view.get("birth_ns")
        return "" if born is None else _plain((born - self._first_ns) / 1e9)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value


def _listed(ids: list[str]) -> str:
    if not ids:
        return ROOT
    if all(each.isdecimal() and str(int(each)) == each for each in ids):
        return f"[{','.join(ids)}]"
    return json.dumps(ids, ensure_ascii=False)
