"""Output folders of the Darwin Goedel Machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.readers.case import Bad, Case

INITIAL = "initial"
GOOD = "20250101_120000_000001"
WORSE = "20250101_120500_000002"
EMPTY = "20250101_121000_000003"
PATCH = "--- a/tools/edit.py\n+++ b/tools/edit.py\n@@ -1 +1 @@\n-old\n+new\n"


def performance(resolved: int, submitted: int = 10) -> dict[str, Any]:
    """What an evaluation gives."""
    return {
        "accuracy_score": resolved / submitted,
        "total_resolved_instances": resolved,
        "total_submitted_instances": submitted,
        "total_resolved_ids": [f"task-{n}" for n in range(resolved)],
        "total_unresolved_ids": [f"task-{n}" for n in range(resolved, submitted)],
        "total_emptypatch_ids": [],
    }


def agent(run: Path, name: str, parent: str | None, score: Any, patch: str = "") -> None:
    """Write the folder of an agent."""
    said = {"run_id": name, "entry": "task-9", "problem_statement": f"improve {parent}"}
    if parent is None:
        said = {"run_id": name}
    else:
        said["parent_commit"] = parent
    if score is not None:
        said["overall_performance"] = score
    folder = run / name
    folder.mkdir(parents=True)
    (folder / "metadata.json").write_text(json.dumps(said, indent=4))
    if patch:
        (folder / "model_patch.diff").write_text(patch)


def generation(
    number: int,
    entries: Sequence[tuple[str, str]],
    children: Sequence[str],
    compiled: Sequence[str],
    archive: Sequence[str],
) -> str:
    """A line of ``dgm_metadata.jsonl``, which is laid out over several."""
    said = {
        "generation": number,
        "selfimprove_entries": entries,
        "children": children,
        "children_compiled": compiled,
        "archive": archive,
    }
    return json.dumps(said, indent=2) + "\n"


GENERATIONS = generation(
    0, [(INITIAL, "task-9"), (INITIAL, "task-8")], [GOOD], [GOOD], [INITIAL, GOOD]
) + generation(
    1,
    [(GOOD, "task-9"), (INITIAL, "task-7")],
    [WORSE, EMPTY],
    [WORSE],
    [INITIAL, GOOD],
)


def outputs(folder: Path) -> Path:
    """A run of two generations: one agent better, one worse, one that made no patch."""
    run = folder / "20250101115900_000000"
    agent(run, INITIAL, None, performance(2))
    agent(run, GOOD, INITIAL, performance(5), PATCH)
    agent(run, WORSE, GOOD, performance(1), PATCH)
    agent(run, EMPTY, INITIAL, None)
    (run / "dgm_metadata.jsonl").write_text(GENERATIONS)
    return run


def no_generation(folder: Path) -> Path:
    """A file of generations with something else in it."""
    path = folder / "dgm_metadata.jsonl"
    path.write_text('\n{"a": 1}\n')
    return path


CASES = [
    Case(
        "dgm",
        outputs,
        nodes=4,
        edges=3,
        odd=outputs,
        oddity="agents that do not count: not among children_compiled",
        bad=(
            Bad("no generation", no_generation, "no generation", 2),
            Bad("nothing", lambda folder: folder, "no agents of DGM"),
        ),
    ),
]
