"""The texts behind a scene's numbers: categories, metrics, runs, counts and notes."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from hutch_lineage.errors import MetricChoiceError
from hutch_lineage.model import NodeKind, clean_text

from .metrics import default_metric, metric_info

if TYPE_CHECKING:
    from .core import GraphCore

SMALL = 500
CATEGORIES = ("run", "operator", "model", "island", "kind", "agent", "benchmark", "target")


def as_text(value: Any) -> str:
    """Return what stands where a text is expected as one.

    Examples
    --------
    >>> as_text(7), as_text(10**5000)
    ('7', 'a number of 16,610 bits')
    """
    try:
        return str(value)
    except ValueError:  # Python writes no whole number of more than some thousand digits
        return f"a number of {value.bit_length():,} bits"


class Legend:
    """Numbers texts as they come, and says what a front end needs beside the rows.

    Attributes
    ----------
    categories : dict of str to list of str
        ``run``, ``operator``, ``model``, ``island``, ``kind``, ``agent``, ``benchmark``,
        ``target``: text by number.
    """

    def __init__(self, graph: GraphCore) -> None:
        self._graph = graph
        self._store = graph._store
        self.categories: dict[str, list[str]] = {name: [] for name in CATEGORIES}
        self._codes: dict[str, dict[str, int]] = {name: {} for name in self.categories}
        self._scored: defaultdict[tuple[str, NodeKind], dict[str, str]] = defaultdict(dict)
        self._notes: list[str] = []
        self._unnoted = 0

    def code(self, category: str, text: Any) -> int:
        """Return the number of a text in its category, a new one if need be; -1 for None."""
        if text is None:
            return -1
        codes, said = self._codes[category], as_text(text)
        code = codes.get(said)
        if code is None:
            code = codes[said] = len(codes)
            self.categories[category].append(clean_text(said))
        return code

    def metric(self, run_id: str, kind: NodeKind, name: str) -> str:
        """Note that nodes of a run have a metric; return the name of its node column."""
        scored = self._scored[run_id, kind]
        column = scored.get(name)
        if column is None:
            column = scored[name] = f"m:{clean_text(name)}"
        return column

    def first_metrics(self, run_id: str | None = None) -> list[str]:
        """Return metrics in the order in which a picture takes the first that is shown in it.

        The one of the run, if one is chosen or there is but one; those of all runs; any. The front
        end has the same order: ``metric`` in ``picture/scene.js``.
        """
        runs = self._store.run_ids
        chosen = [run_id] if run_id in runs else runs if len(runs) == 1 else []
        first = [self._first_metric(run) for run in (*chosen, *runs) if run is not None]
        every: set[str] = set().union(*self._scored.values())
        return list(dict.fromkeys([*(name for name in first if name is not None), *sorted(every)]))

    def _first_metric(self, run_id: str) -> str | None:
        """Return the metric that is meant in a run; where that is open, the first declared."""
        store = self._store
        scored = self._scored.get((run_id, "individual")) or self._scored.get((run_id, "agent"))
        names = sorted(scored or ())
        said = store.run_maps["score_directions"].values[store.run_rows[run_id]] or {}
        declared = (name for name in said if name in names)
        return default_metric(store, names, run_id) or next(declared, None)

    def note(self, changed: int) -> None:
        """Count changed rows, so that the notes are made anew in time."""
        self._unnoted += changed

    @property
    def is_settled(self) -> bool:
        """Whether the notes were made since the last change."""
        return not self._unnoted

    def settle(self) -> None:
        """Make the notes anew: a pass over the graph."""
        self._notes = [clean_text(line) for line in self._graph.report.lines()]
        self._unnoted = 0

    def describe(self, **counts: int) -> dict[str, Any]:
        """Return ``categories``, ``metrics``, ``runs`` and ``summary`` (the counts and notes)."""
        notes = self._noted()
        scored: set[str] = set().union(*self._scored.values())
        metrics = [self._metric(name, notes) for name in sorted(scored)]
        return {
            "categories": {name: list(texts) for name, texts in self.categories.items()},
            "metrics": metrics,
            "runs": [self._run(run_id) for run_id in self._store.run_ids],
            "summary": {**counts, "notes": notes},
        }

    def _noted(self) -> list[str]:
        """Return the report's lines. Making them is a pass over the graph: not for each change."""
        size = len(self._store.keys)
        if size < SMALL or self._unnoted * 8 >= size:
            self.settle()
        return list(self._notes)

    def _metric(self, name: str, notes: list[str]) -> dict[str, Any]:
        store = self._store
        try:
            info = metric_info(store, name)
        except MetricChoiceError as error:  # runs disagree: the first one counts, and that is said
            notes.append(clean_text(str(error)))
            first = next(run for (run, _), scored in self._scored.items() if name in scored)
            info = metric_info(store, name, first)
        return {"name": clean_text(name), "direction": info.direction, "declared": info.declared}

    def _run(self, run_id: str) -> dict[str, Any]:
        store = self._store
        said = store.run_attributes.values[store.run_rows[run_id]] or {}
        default = self._first_metric(run_id)
        return {
            "id": clean_text(run_id),
            **{name: _text(said.get(name)) for name in ("name", "project", "status")},
            "default_metric": None if default is None else clean_text(default),
        }


def _text(value: Any) -> str | None:
    return None if value is None else clean_text(as_text(value))
