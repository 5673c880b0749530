"""Which operators, and which models, make children that are better than their parents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hutch_lineage.graph import efficacy_frame

from .database import Database

if TYPE_CHECKING:
    import pandas as pd

# $1 metric, $2 1 or -1, $3 run. As graph/efficacy counts: a gain is that of the child's valid
# score over the best of its parents' valid scores, else what a self-modification says itself.
_TRIES: Final = """
WITH valid AS (
    SELECT n, $2 * value AS merit FROM scores JOIN nodes USING (n)
    WHERE metric = $1 AND NOT invalid
),
above AS (
    SELECT op, max(merit) AS best FROM parents_of JOIN valid ON parent = n GROUP BY op
),
tries AS (
    SELECT coalesce(nullif(o.{by}, ''), 'unknown') AS name, o.cost_usd AS cost,
           coalesce(o.tokens_in + o.tokens_out, o.tokens_in, o.tokens_out) AS tokens,
           coalesce(c.merit - a.best,
                    if($1 IS NULL OR $1 = o.benchmark,
                       $2 * (o.score_after - o.score_before), NULL)) AS gain,
           k.invalid
    FROM operators o JOIN nodes k ON k.n = o.child
    LEFT JOIN valid c ON c.n = o.child LEFT JOIN above a ON a.op = o.op
    WHERE ($3 IS NULL OR o.run_id = $3)
),
sums AS (
    SELECT name, count(*) AS tries,
           count(*) FILTER (gain IS NOT NULL OR invalid) AS compared,
           count(*) FILTER (gain > 0) AS improvements,
           median(gain) AS median_gain, fsum(gain) / count(gain) AS mean_gain,
           max(gain) AS best_gain, fsum(cost) AS cost,
           coalesce(fsum(gain) FILTER (gain > 0 AND cost IS NOT NULL), 0) AS paid,
           fsum(tokens) AS tokens,
           coalesce(fsum(gain) FILTER (gain > 0 AND tokens IS NOT NULL), 0) AS token_gain,
           count(*) FILTER (gain > 0 AND cost IS NOT NULL) AS paid_improvements,
           count(*) FILTER (gain > 0 AND tokens IS NOT NULL) AS token_improvements,
           count(*) FILTER (cost IS NULL) AS unknown_cost
    FROM tries GROUP BY name
)
SELECT name, tries, compared, improvements,
       if(compared > 0, improvements / compared, NULL), median_gain, mean_gain, best_gain, cost,
       if(cost > 0, paid / cost, NULL), tokens,
       if(tokens > 0, 1000 * token_gain / tokens, NULL), unknown_cost,
       if(cost > 0, paid_improvements / cost, NULL),
       if(tokens > 0, 1000 * token_improvements / tokens, NULL)
FROM sums ORDER BY name
"""


def table(
    database: Database, by: str, metric: str | None, higher: bool, run: str | None
) -> pd.DataFrame:
    """Return the table of ``LineageGraph.efficacy``."""
    rows = database.rows(_TRIES.replace("{by}", by), [metric, 1 if higher else -1, run])
    return efficacy_frame(by, [row[0] for row in rows], [row[1:] for row in rows])
