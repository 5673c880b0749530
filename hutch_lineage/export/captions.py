"""The words of a picture: its title, the story of the best, the counts and the key."""

from __future__ import annotations

import numpy as np

from hutch_lineage.plumbing import counted

from .choosing import GHOST, INVALID, REJECTED, SEED, Choice
from .picture import EdgePaths
from .viewing import Hues
from .wording import dollars, number

MOST_NAMES = 10


def title(choice: Choice) -> str:
    """Return the names of the runs, or how many there are."""
    runs = choice.graph.runs
    shown = (
        [choice.run]
        if choice.run
        else sorted({choice.scene.key(int(r)).run_id for r in choice.rows})
    )
    names = [(runs[run].name or run) if run in runs else run for run in shown]
    if len(names) > 2:
        return f"{len(names):,} runs"
    return " and ".join(_cut(name, 48) for name in names) or "an empty graph"


def story(choice: Choice) -> str:
    """Return which is the best, how many steps led to it and what they cost."""
    if not choice.path or choice.metric is None:
        return ""
    best = choice.path[-1]
    value = float(choice.values[choice.scene.row(best)])
    parts = [f"best {_cut(best.id, 40)}", f"{choice.metric} {number(value)}"]
    steps = len(choice.path) - 1
    if steps:
        parts.append(counted(steps, "step"))
    cost = choice.graph.cost(best).cost_usd
    if cost:
        parts.append(f"{dollars(cost)} of lineage")
    return " · ".join(parts)


def counts(choice: Choice, many: bool, single: int, cells: int, edges_left_out: int) -> str:
    """Return how much there is, and how much of it is drawn in which way."""
    total = len(choice.rows)
    ghosts = int(np.sum((choice.flags[choice.rows] & GHOST) > 0))
    inside = np.zeros(len(choice.ids), dtype=bool)
    inside[choice.rows] = True
    src, dst = (np.array(choice.scene.edges.data[name]) for name in ("src", "dst"))
    edges = int(np.sum(inside[src] & inside[dst])) if src.size else 0
    parts = [counted(total - ghosts, choice.kind), counted(edges, "edge")]
    if ghosts:
        parts.append(f"{ghosts:,} not seen")
    if many:
        colour = ", each in the colour of its best" if choice.scale else ""
        parts.append(f"drawn as {cells:,} cells{colour}")
        parts += [f"single marks: {single:,}, the path to the best"] if single else []
    if edges_left_out:
        parts.append(f"{edges_left_out:,} edges not drawn")
    elif total and not many:
        parts.append("all drawn")
    return " · ".join(parts)


def key(choice: Choice, many: bool, edges: EdgePaths) -> list[tuple[str, str, int]]:
    """Return the marks that need a word, only those that occur."""
    if many:
        return []
    flags = int(np.bitwise_or.reduce(choice.flags[choice.rows])) if choice.rows.size else 0
    words = ["seed"] if flags & SEED else []
    words += ["ghost"] if flags & GHOST else []
    words += ["invalid"] if flags & INVALID else []
    words += ["rejected"] if flags & REJECTED else []
    further = edges.dashed or edges.path_dashed
    words += ["second parent"] if further else []
    marks = [(word, "parent not seen" if word == "ghost" else word, -1) for word in words]
    return [*_named(choice), *marks]


def _named(choice: Choice) -> list[tuple[str, str, int]]:
    """Return the names that marks are coloured by, those beyond the palette as one."""
    hues = choice.seen.hues
    if hues is None:
        return []
    present = np.unique(hues.of[choice.rows]).tolist()
    names = [
        ("node", _cut(_run_name(choice, hues, code), 28), code)
        for code in present
        if 0 <= code < MOST_NAMES
    ]
    more = sum(code >= MOST_NAMES for code in present)
    return names + ([("node", f"{more:,} more", MOST_NAMES)] if more else [])


def _run_name(choice: Choice, hues: Hues, code: int) -> str:
    name = hues.names[code]
    run = choice.graph.runs.get(name) if hues.category == "run" else None
    return run.name or name if run else name


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
