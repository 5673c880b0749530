"""Checkpoints of OpenEvolve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.readers.case import Bad, Case


def program(id_: str, parent: str | None = None, island: int = 0, **more: Any) -> dict[str, Any]:
    """A program as its file has it."""
    metadata = {"island": island, **more.pop("metadata", {})}
    return {
        "id": id_,
        "code": f"print({more.pop('says', id_)!r})",
        "language": "python",
        "parent_id": parent,
        "generation": 1,
        "timestamp": 1_755_000_000.5 + more.pop("at", 0),
        "iteration_found": 3,
        "metrics": more.pop("metrics", {"combined_score": 0.5}),
        "metadata": metadata,
        **more,
    }


def migrant(of: dict[str, Any], number: int, island: int, **more: Any) -> dict[str, Any]:
    """A copy of a program on another island, as OpenEvolve writes it."""
    copy = {**of, "id": f"{of['id']}_migrant_{number}", "parent_id": of["id"], **more}
    return {**copy, "metadata": {"island": island, "migrant": True}, "timestamp": 1_755_000_100.0}


A = program("a", prompts={"diff_user": {"user": "improve it"}})
B = program("b", "a", 1, at=1, metadata={"changes": "Change 1", "parent_metrics": {"x": 1}})
MIGRANT = migrant(A, 2, 2)
C = program("c", MIGRANT["id"], 2, at=2, metrics={"combined_score": 0.9})


def checkpoint(folder: Path, *programs: dict[str, Any] | str, **metadata: Any) -> Path:
    """Write a checkpoint; a text stands in its file as it is."""
    (folder / "programs").mkdir(parents=True)
    for number, each in enumerate(programs):
        name = f"torn-{number}" if isinstance(each, str) else each["id"]
        text = each if isinstance(each, str) else json.dumps(each)
        (folder / "programs" / f"{name}.json").write_text(text)
    said = {"islands": [], "archive": [], "last_iteration": 5, **metadata}
    (folder / "metadata.json").write_text(json.dumps(said))
    return folder


def odd(folder: Path) -> Path:
    """A run with two checkpoints and a program file that is no JSON."""
    run = folder / "run"
    checkpoint(run / "checkpoints" / "checkpoint_9", A, B)
    checkpoint(run / "checkpoints" / "checkpoint_10", B, MIGRANT, C, '{"id": "torn')
    return run


CASES = [
    Case(
        "openevolve",
        lambda folder: checkpoint(folder / "thing", A, B, MIGRANT, C),
        nodes=3,
        edges=2,
        odd=odd,
        oddity="program files skipped",
        bad=(
            Bad(
                "no program",
                lambda folder: checkpoint(folder / "x", '{"id": '),
                "no checkpoint of OpenEvolve with a program in it",
            ),
        ),
    )
]
