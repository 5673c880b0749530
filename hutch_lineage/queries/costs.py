"""What an ancestry or a run cost, each operator counted once."""

from __future__ import annotations

from typing import Final

from hutch_lineage.graph import CostSummary

from .database import Database

_OF_PICKED: Final = "WHERE child IN (SELECT n FROM picked)"
_OF_RUN: Final = "WHERE ($1 IS NULL OR run_id = $1)"
# One event that names several children is one operator, though each child keeps its own row.
_ONCE: Final = """
SELECT count(*), fsum(cost_usd), fsum(tokens_in), fsum(tokens_out),
       count(*) FILTER (cost_usd IS NULL),
       count(*) FILTER (tokens_in IS NULL AND tokens_out IS NULL)
FROM (SELECT any_value(cost_usd) AS cost_usd, any_value(tokens_in) AS tokens_in,
             any_value(tokens_out) AS tokens_out
      FROM operators {which} GROUP BY run_id, id, stamp)
"""


def summary(database: Database, run: str | None, *, of_picked: bool = False) -> CostSummary:
    """Return what the operators of a run cost, of all runs, or of the nodes in ``picked``."""
    which = _OF_PICKED if of_picked else _OF_RUN
    given = [] if of_picked else [run]
    ((count, cost, read, written, unknown_cost, unknown_tokens),) = database.rows(
        _ONCE.replace("{which}", which), given
    )
    times = (
        "SELECT born AS t FROM nodes WHERE n IN (SELECT n FROM picked)"
        if of_picked
        else f"SELECT born AS t FROM nodes {_OF_RUN} "
        f"UNION ALL SELECT unnest([started, ended]) FROM runs {_OF_RUN}"
    )
    ((first, last),) = database.rows(
        f"SELECT min(t), max(t) FROM ({times}) WHERE t >= 0",
        given,
    )
    return CostSummary(
        cost_usd=cost,
        tokens_in=None if read is None else int(read),
        tokens_out=None if written is None else int(written),
        operators=count,
        seconds=None if first is None else (last - first) / 1e9,
        unknown_cost=unknown_cost,
        unknown_tokens=unknown_tokens,
    )
