"""From events, or from frames, to the tables that questions are put to.

``nodes`` (n, kind, run_id, id, born, invalid) numbered in the order of birth, ``edges`` (child,
parent), ``operators`` (op, child, ...), ``parents_of`` (op, parent), ``scores`` (n, metric,
value), ``directions`` (run_id, metric, direction) and ``runs`` (run_id, started, ended). The rules
are those of the graph: edges unite, and of an attribute the newest statement holds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hutch_lineage.graph import FRAME_COLUMNS
from hutch_lineage.readers import is_file

from .database import Database, quoted

_STAMP: Final = "row(timestamp_ns, event_id)"
_SELF_MOD: Final = "'self-mod:' || parent_agent_id || '->' || child_agent_id"


def _newest(value: str) -> str:
    """Return the SQL for the newest statement of an attribute; NULL says nothing."""
    return f"arg_max({value}, {_STAMP}) FILTER ({value} IS NOT NULL)"


def _finite(value: str) -> str:
    return f"CASE WHEN isfinite({value}) THEN {value} END"


_OPERATOR: Final = (
    *("kind", "llm_id", "cost_usd", "tokens_in", "tokens_out"),
    *("benchmark", "score_before", "score_after"),
)
_IDENTITY: Final = "by_agent, run_id, id, child_id"
_MADE: Final = f"""
    CREATE TABLE made AS
    SELECT {_IDENTITY}, {", ".join(f"{_newest(name)} AS {name}" for name in _OPERATOR)},
           max(timestamp_ns) AS stamp, flatten(list(parent_ids)) AS parent_ids
    FROM stated GROUP BY {_IDENTITY}
    """
# As a rule each operator is stated once; then nothing has to be merged, which takes long.
_REPEATED: Final = f"SELECT 1 FROM stated GROUP BY {_IDENTITY} HAVING count(*) > 1 LIMIT 1"
_MADE_ONCE: Final = f"""
    CREATE TABLE made AS
    SELECT {_IDENTITY}, {", ".join(_OPERATOR)}, timestamp_ns AS stamp, parent_ids FROM stated
    """

_FROM_EVENTS: Final = (
    # who is named, and when it was born: by its own event, and by that of the operator
    """
    CREATE TABLE named AS
    SELECT 'individual' AS kind, run_id, id, timestamp_ns AS born FROM events
    WHERE event_kind = 'individual' AND id IS NOT NULL
    UNION ALL
    SELECT 'individual', run_id, unnest(parent_ids), NULL FROM events
    WHERE event_kind IN ('individual', 'operator')
    UNION ALL
    SELECT 'individual', run_id, child_id, if(event_kind = 'operator', timestamp_ns, NULL)
    FROM events WHERE event_kind IN ('operator', 'lineage_edge')
    UNION ALL
    SELECT 'individual', run_id, parent_id, NULL FROM events WHERE event_kind = 'lineage_edge'
    UNION ALL
    SELECT 'individual', run_id, individual_id, NULL FROM events WHERE event_kind = 'fitness'
    UNION ALL
    SELECT 'individual', run_id, unnest(individual_ids), NULL FROM events
    WHERE event_kind = 'migration'
    UNION ALL
    SELECT 'agent', run_id, child_agent_id, timestamp_ns FROM events WHERE event_kind = 'self_mod'
    UNION ALL
    SELECT 'agent', run_id, parent_agent_id, NULL FROM events WHERE event_kind = 'self_mod'
    """,
    """
    CREATE TABLE links AS
    SELECT 'individual' AS kind, run_id, id AS child, run_id AS parent_run,
           unnest(parent_ids) AS parent
    FROM events WHERE event_kind = 'individual'
    UNION ALL
    SELECT 'individual', run_id, child_id, run_id, unnest(parent_ids)
    FROM events WHERE event_kind = 'operator'
    UNION ALL
    SELECT 'individual', run_id, child_id, run_id, parent_id
    FROM events WHERE event_kind = 'lineage_edge'
    UNION ALL
    SELECT 'agent', run_id, child_agent_id, run_id, parent_agent_id
    FROM events WHERE event_kind = 'self_mod'
    """,
    f"""
    CREATE VIEW stated AS
    SELECT event_kind = 'self_mod' AS by_agent, run_id,
           if(event_kind = 'self_mod', {_SELF_MOD}, id) AS id,
           if(event_kind = 'self_mod', child_agent_id, child_id) AS child_id,
           if(event_kind = 'self_mod', 'self_modify', kind) AS kind, llm_id, cost_usd,
           tokens_in, tokens_out, benchmark, score_before, score_after,
           if(event_kind = 'self_mod', [parent_agent_id], coalesce(parent_ids, [])) AS parent_ids,
           timestamp_ns, event_id
    FROM events WHERE event_kind IN ('operator', 'self_mod')
    """,
    "{made}",
    "DROP VIEW stated",
    f"""
    CREATE TABLE scored AS
    WITH said AS (
        SELECT 'individual' AS kind, run_id, individual_id AS id, timestamp_ns, event_id,
               unnest(map_entries(scores), recursive := true)
        FROM events WHERE event_kind = 'fitness'
        UNION ALL
        SELECT 'agent', run_id, parent_agent_id, -1, event_id,
               coalesce(nullif(benchmark, ''), 'score'), score_before
        FROM events WHERE event_kind = 'self_mod'
        UNION ALL
        SELECT 'agent', run_id, child_agent_id, timestamp_ns, event_id,
               coalesce(nullif(benchmark, ''), 'score'), score_after
        FROM events WHERE event_kind = 'self_mod'
    )
    SELECT kind, run_id, id, key AS metric, {_newest("value")} AS value,
           max({_STAMP}) AS stamp
    FROM said WHERE isfinite(value) GROUP BY kind, run_id, id, key
    """,
    f"""
    CREATE TABLE judged AS
    SELECT run_id, individual_id AS id, {_newest(_finite("composite"))} AS composite,
           max({_STAMP}) FILTER (invalid_reason IS NOT NULL) AS invalid
    FROM events WHERE event_kind = 'fitness' GROUP BY run_id, individual_id
    """,
    """
    CREATE TABLE spoiled AS
    SELECT 'individual' AS kind, run_id, id FROM judged WHERE invalid IS NOT NULL
    AND invalid >= coalesce(
        (SELECT max(stamp) FROM scored s
         WHERE s.kind = 'individual' AND s.run_id = judged.run_id AND s.id = judged.id),
        invalid)
    """,
    """
    INSERT INTO scored
    SELECT 'individual', run_id, id, 'composite', composite, NULL FROM judged
    WHERE composite IS NOT NULL AND NOT EXISTS (
        FROM scored s WHERE s.kind = 'individual' AND s.run_id = judged.run_id
        AND s.id = judged.id AND s.metric = 'composite')
    """,
    f"""
    CREATE TABLE directions AS
    WITH said AS (
        SELECT run_id, timestamp_ns, event_id,
               unnest(map_entries(score_directions), recursive := true)
        FROM events WHERE event_kind IN ('run_start', 'run_update')
    )
    SELECT run_id, key AS metric, {_newest("value")} AS direction
    FROM said GROUP BY run_id, key
    """,
    f"""
    CREATE TABLE told AS
    SELECT run_id,
           arg_max(timestamp_ns, {_STAMP}) FILTER (event_kind = 'run_start') AS started,
           arg_max(timestamp_ns, {_STAMP}) FILTER (event_kind = 'run_end') AS ended
    FROM events WHERE event_kind IN ('run_start', 'run_update', 'run_end') GROUP BY run_id
    """,
    "DROP TABLE events",
)

_NUMBERED: Final = (
    """
    CREATE TABLE nodes AS
    SELECT row_number() OVER (ORDER BY coalesce(born::DOUBLE, origin, '-inf'::DOUBLE),
                              born NULLS FIRST, id, kind, run_id) - 1 AS n,
           kind, run_id, id, born,
           EXISTS (FROM spoiled s WHERE s.kind = g.kind AND s.run_id = g.run_id AND s.id = g.id)
               AS invalid
    FROM (SELECT kind, run_id, id, min(born) AS born, min({origin}) AS origin
          FROM named WHERE id IS NOT NULL GROUP BY kind, run_id, id) g
    ORDER BY n
    """,
    "DROP TABLE named",
    """
    CREATE TABLE edges AS
    SELECT DISTINCT c.n AS child, p.n AS parent FROM links l
    JOIN nodes c ON c.kind = l.kind AND c.run_id = l.run_id AND c.id = l.child
    JOIN nodes p ON p.kind = l.kind AND p.run_id = l.parent_run AND p.id = l.parent
    ORDER BY child, parent
    """,
    "DROP TABLE links",
    """
    CREATE TABLE operators AS
    SELECT row_number() OVER () AS op, m.* EXCLUDE (by_agent, child_id, parent_ids),
           c.n AS child, m.parent_ids, m.by_agent
    FROM made m JOIN nodes c ON c.run_id = m.run_id AND c.id = m.child_id
    AND c.kind = if(m.by_agent, 'agent', 'individual')
    """,
    "DROP TABLE made",
    """
    CREATE TABLE parents_of AS
    SELECT DISTINCT l.op, p.n AS parent
    FROM (SELECT op, by_agent, run_id, unnest(parent_ids) AS id FROM operators) l
    JOIN nodes p ON p.run_id = l.run_id AND p.id = l.id
    AND p.kind = if(l.by_agent, 'agent', 'individual')
    """,
    "ALTER TABLE operators DROP COLUMN parent_ids",
    """
    CREATE TABLE scores AS
    SELECT n.n, s.metric, s.value FROM scored s
    JOIN nodes n ON n.kind = s.kind AND n.run_id = s.run_id AND n.id = s.id
    """,
    "DROP TABLE scored",
    """
    CREATE TABLE runs AS
    SELECT run_id, any_value(started) AS started, any_value(ended) AS ended
    FROM (SELECT run_id, started, ended FROM told UNION ALL
          SELECT DISTINCT run_id, NULL, NULL FROM nodes UNION ALL
          SELECT DISTINCT run_id, NULL, NULL FROM operators)
    GROUP BY run_id
    """,
    "DROP TABLE told",
)


def from_events(database: Database) -> None:
    """Make the tables of the table ``events``."""
    for statement in _FROM_EVENTS:
        if statement == "{made}":
            statement = _MADE if database.rows(_REPEATED) else _MADE_ONCE
        database.run(statement)
    _number(database, "NULL::DOUBLE")


def from_frames(database: Database, folder: Path) -> None:
    """Make the tables of frames as Parquet: ``edges``, and whichever of the others there are."""
    link = database.folder / "frames"
    link.symlink_to(folder.absolute())  # DuckDB takes brackets in a name for a pattern
    for name, make in _FRAMES.items():
        path = link / f"{name}.parquet"
        frame = f"read_parquet({quoted(str(path))})" if is_file(path) else _EMPTY[name]
        database.run(f"CREATE VIEW {name}_ AS SELECT * FROM {frame}")
        for statement in make:
            database.run(statement)
    for kind, name in (("individual", "individuals"), ("agent", "agents")):
        _bring_scores(database, kind, name)
    database.run("CREATE TABLE directions (run_id VARCHAR, metric VARCHAR, direction VARCHAR)")
    _number(database, "origin")
    for name in _FRAMES:
        database.run(f"DROP VIEW {name}_")


def _number(database: Database, origin: str) -> None:
    for statement in _NUMBERED:
        database.run(statement.replace("{origin}", origin))
    database.run("DROP TABLE IF EXISTS judged")
    database.run("DROP TABLE spoiled")


# The overall score is a column of every frame, and a metric.
_NO_METRICS: Final = FRAME_COLUMNS["nodes"].keys() - {"composite"}
_EMPTY: Final = {
    "individuals": "(SELECT NULL::VARCHAR AS run_id, NULL::VARCHAR AS id, NULL::TIMESTAMPTZ AS "
    "birth, NULL::DOUBLE AS origin_time, NULL::VARCHAR AS invalid_reason LIMIT 0)",
    "edges": "(SELECT 1 LIMIT 0)",
    "operators": "(SELECT NULL::VARCHAR AS run_id, NULL::VARCHAR AS id, NULL::VARCHAR AS kind, "
    "NULL::VARCHAR AS node_kind, NULL::VARCHAR AS child_id, NULL::VARCHAR[] AS parent_ids, "
    "NULL::VARCHAR AS llm_id, NULL::DOUBLE AS cost_usd, NULL::BIGINT AS tokens_in, NULL::BIGINT AS "
    "tokens_out, NULL::TIMESTAMPTZ AS time, NULL::VARCHAR AS benchmark, NULL::DOUBLE AS "
    "score_before, NULL::DOUBLE AS score_after LIMIT 0)",
    "runs": "(SELECT NULL::VARCHAR AS run_id, NULL::TIMESTAMPTZ AS started, NULL::TIMESTAMPTZ AS "
    "ended LIMIT 0)",
}
_EMPTY["agents"] = _EMPTY["individuals"]


def _nodes(kind: str, name: str) -> tuple[str, ...]:
    return (
        f"INSERT INTO named SELECT '{kind}', run_id, id, epoch_ns(birth), origin_time FROM {name}_",
        f"INSERT INTO spoiled SELECT '{kind}', run_id, id FROM {name}_ "
        "WHERE invalid_reason IS NOT NULL",
    )


_FRAMES: Final = {
    "edges": (
        "CREATE TABLE links AS SELECT node_kind AS kind, run_id, child_id AS child, "
        "parent_run_id AS parent_run, parent_id AS parent FROM edges_",
        "CREATE TABLE named AS SELECT kind, run_id, child AS id, NULL::BIGINT AS born, "
        "NULL::DOUBLE AS origin FROM links "
        "UNION ALL SELECT kind, parent_run, parent, NULL, NULL FROM links",
        "CREATE TABLE spoiled (kind VARCHAR, run_id VARCHAR, id VARCHAR)",
    ),
    "individuals": _nodes("individual", "individuals"),
    "agents": _nodes("agent", "agents"),
    "operators": (
        "CREATE TABLE made AS SELECT node_kind = 'agent' AS by_agent, run_id, id, child_id, kind, "
        "llm_id, cost_usd, tokens_in::DOUBLE AS tokens_in, tokens_out::DOUBLE AS tokens_out, "
        "benchmark, score_before, score_after, epoch_ns(time) AS stamp, parent_ids "
        "FROM operators_",
        "INSERT INTO named SELECT if(by_agent, 'agent', 'individual'), run_id, child_id, NULL, "
        "NULL FROM made",
    ),
    "runs": (
        "CREATE TABLE told AS SELECT run_id, epoch_ns(started) AS started, "
        "epoch_ns(ended) AS ended FROM runs_",
    ),
}


def _bring_scores(database: Database, kind: str, name: str) -> None:
    """Add the columns of a frame that are metrics."""
    database.run(
        "CREATE TABLE IF NOT EXISTS scored (kind VARCHAR, run_id VARCHAR, id VARCHAR, "
        "metric VARCHAR, value DOUBLE)"
    )
    for column, kind_of, *_ in database.rows(f"DESCRIBE {name}_"):
        if column in _NO_METRICS or kind_of != "DOUBLE":
            continue
        quoted_name = '"' + column.replace('"', '""') + '"'
        metric = quoted(column.removeprefix("score:"))
        database.run(
            f"INSERT INTO scored SELECT '{kind}', run_id, id, {metric}, "
            f"{quoted_name} FROM {name}_ WHERE isfinite({quoted_name})"
        )
