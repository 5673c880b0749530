"""The questions, and how a source is opened for them."""

from __future__ import annotations

import weakref
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from hutch_lineage.errors import ConfigurationError, GraphError, ReadError
from hutch_lineage.graph import CostSummary, MetricInfo, chosen_metric, judged, meant

from . import efficacy
from .costs import summary
from .database import Database, Integers
from .found import NodeList
from .links import Links
from .naming import number_of
from .order import in_birth_order
from .sources import bring_events, is_frames
from .tables import from_events, from_frames

if TYPE_CHECKING:
    import pandas as pd

_ENOUGH = 10


class LineageQuery:
    """Questions to a log, answered by DuckDB; made by :func:`query`.

    The answers are those of :class:`~hutch_lineage.graph.LineageGraph`, for events that keep to
    Hutch's schema. Thread-safe, one question at a time. Usable in a ``with`` statement; else the
    temporary folder goes with the object.

    Attributes
    ----------
    source : str
        What was opened.
    individuals, agents, edges, operators : int
        How many there are.
    skipped : int
        Lines of the source that are no Hutch events.
    """

    def __init__(self, database: Database, skipped: int) -> None:
        self._database = database
        self._end = weakref.finalize(self, database.close)
        self.source = database.source
        self.skipped = skipped
        counts = dict(database.rows("SELECT kind, count(*) FROM nodes GROUP BY kind"))
        self.individuals = int(counts.get("individual", 0))
        self.agents = int(counts.get("agent", 0))
        ((self.edges,),) = database.rows("SELECT count(*) FROM edges")
        ((self.operators,),) = database.rows("SELECT count(*) FROM operators")
        nodes = self.individuals + self.agents
        self._up = Links(database, "child", "parent", nodes)
        self._down = Links(database, "parent", "child", nodes)

    # descent

    def ancestors(self, node: Any) -> NodeList:
        """Return all ancestors in birth order, without the node itself.

        Raises
        ------
        GraphError
            `node` names no node, or several.
        """
        row = number_of(self._database, node)
        return self._answer(self._up.reach([row]), row)

    def descendants(self, node: Any) -> NodeList:
        """Return all descendants in birth order, without the node itself.

        Raises
        ------
        GraphError
            As for :meth:`ancestors`.
        """
        row = number_of(self._database, node)
        return self._answer(self._down.reach([row]), row)

    def _answer(self, rows: Integers, without: int) -> NodeList:
        rows = rows[rows != without]
        if self._is_disordered:
            rows = in_birth_order(rows, self._up)
        return NodeList(self._database, rows)

    @cached_property
    def _is_disordered(self) -> bool:
        """Whether a child is said to be older than a parent: numbers are no order of birth then."""
        return bool(self._database.rows("SELECT 1 FROM edges WHERE parent > child LIMIT 1"))

    # costs

    def cost(self, node: Any = None, run: str | None = None) -> CostSummary:
        """Return what an ancestry (the node included) or a whole run cost; without both, all runs.

        Each operator counts once.

        Raises
        ------
        GraphError
            There is no such run, or no such node in it.
        """
        if run is not None:
            known = [row[0] for row in self._database.rows("SELECT run_id FROM runs ORDER BY 1")]
            if run not in known:
                raise GraphError(f"no run {run!r}; run ids are: {', '.join(known[:5]) or 'none'}")
        if node is None:
            return summary(self._database, run)
        rows = self._up.reach([number_of(self._database, node, run)])
        with self._database.picked(rows):
            return summary(self._database, run, of_picked=True)

    # metrics

    def metrics(self, run: str | None = None) -> list[str]:
        """Return the names of all metrics with a value, sorted; ``composite`` among them."""
        return self._metrics(run)

    def _metrics(self, run: str | None, kind: str | None = None) -> list[str]:
        rows = self._database.rows(
            "SELECT DISTINCT metric FROM scores JOIN nodes USING (n) "
            "WHERE ($1 IS NULL OR run_id = $1) AND ($2 IS NULL OR kind = $2)",
            [run, kind],
        )
        return sorted(row[0] for row in rows)

    def metric_info(self, metric: str, run: str | None = None) -> MetricInfo:
        """Return which way is better and how that is known.

        Raises
        ------
        MetricChoiceError
            Runs declare opposite directions and `run` is not given.
        """
        declared = self._declared(run).get(metric, set())
        return judged(metric, declared, lambda: self.metrics(run))

    def _declared(self, run: str | None) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for metric, direction in self._database.rows(
            "SELECT metric, direction FROM directions WHERE direction IN ('higher', 'lower') "
            "AND ($1 IS NULL OR run_id = $1)",
            [run],
        ):
            found.setdefault(metric, set()).add(direction)
        return found

    def default_metric(self, run: str | None = None) -> str | None:
        """Return the metric that is meant when none is named, or None where that is open."""
        names = self._metrics(run, "individual") or self.metrics(run)
        return meant(names, self._declared(run), lambda: self._composite_tells(run))

    def _composite_tells(self, run: str | None) -> bool:
        ((count, different),) = self._database.rows(
            "SELECT count(*), count(DISTINCT value) FROM scores JOIN nodes USING (n) "
            "WHERE metric = 'composite' AND ($1 IS NULL OR run_id = $1)",
            [run],
        )
        return bool(different > 1 or count < _ENOUGH)

    def efficacy(
        self,
        by: Literal["kind", "llm_id"] = "kind",
        metric: str | None = None,
        run: str | None = None,
    ) -> pd.DataFrame:
        """Return how well each kind of operator, or each model, improved on its parents.

        Returns
        -------
        DataFrame
            The table of :meth:`LineageGraph.efficacy`.

        Raises
        ------
        MetricChoiceError
            The metric is unknown, or none is named and there is no default.
        ConfigurationError
            `by` is neither ``kind`` nor ``llm_id``.
        """
        if by not in ("kind", "llm_id"):
            raise ConfigurationError(f"by is 'kind' or 'llm_id', not {by!r}", "by")
        names = self.metrics(run)
        chosen = None
        if metric is not None or names:
            chosen = chosen_metric(names, metric, self.default_metric(run))
        higher = chosen is None or self.metric_info(chosen, run).direction == "higher"
        return efficacy.table(self._database, by, chosen, higher, run)

    # the end

    def close(self) -> None:
        """Close it and remove what it had on disk; lists of nodes cannot be looked at any more."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        counts = ((self.individuals, "individual"), (self.agents, "agent"), (self.edges, "edge"))
        told = ", ".join(f"{count:,} {word}{'' if count == 1 else 's'}" for count, word in counts)
        return f"<LineageQuery of {self.source}: {told}>"


def query(
    source: str | Path, *, memory: str = "1GB", folder: str | Path | None = None
) -> LineageQuery:
    """Open a log for questions without building a graph of it.

    For logs that do not fit into memory. The source is read once, and only read; what questions
    need of it stands in a temporary folder meanwhile, about a fifth of the log. :func:`load` makes
    a graph, which answers more.

    Parameters
    ----------
    source : str or Path
        A DuckDB file with Hutch's event log, Hutch events as lines of JSON or as a JSON array
        (``.gz`` too), or a folder of frames as Parquet (``edges.parquet``, and ``individuals``,
        ``agents``, ``operators``, ``runs`` where there are any). Frames know no directions of
        metrics: their names decide.
    memory : str
        How much DuckDB may keep in memory. Beside it an answer takes a byte for each node of the
        log and eight for each that is found.
    folder : str or Path, optional
        Where the temporary folder is made; the system's place by default.

    Returns
    -------
    LineageQuery
        Ancestors, descendants, costs and efficacy.

    Raises
    ------
    ReadError
        There is no such file, nothing in it is a Hutch event, or another process has it open.
    ConfigurationError
        `memory` is no amount, or `folder` cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> line = '{"event_kind": "%s", "run_id": "r", "timestamp_ns": %d, "payload": %s}'
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     print(line % ("individual", 1, '{"id": "a", "kind": "program"}'), file=file)
    ...     made = '{"id": "b", "kind": "program", "parent_ids": ["a"]}'
    ...     print(line % ("individual", 2, made), file=file, flush=True)
    ...     with query(file.name) as asked:
    ...         asked.ancestors("b")
    <1 nodes: 'a'>
    """
    try:
        path = Path(source).expanduser()
    except RuntimeError as error:
        raise ReadError(f"{source}: {error}", str(source)) from error
    place = None if folder is None else Path(folder).expanduser()
    database = Database(str(path), memory, place)
    try:
        skipped = 0
        if is_frames(path):
            from_frames(database, path)
        else:
            skipped = bring_events(database, path)
            from_events(database)
        return LineageQuery(database, skipped)
    except BaseException:
        database.close()
        raise
