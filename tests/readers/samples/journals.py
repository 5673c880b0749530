"""Journals of AIDE and of AI-Scientist-v2, and a tree of ASI-ARCH."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.readers.case import Bad, Case

START_S = 1_700_000_000.0
STAGES = ("stage_1_initial_implementation_1_preliminary", "stage_2_baseline_tuning_1_first_attempt")


def node(number: int, value: Any = None, *, maximize: Any = False, **said: Any) -> dict[str, Any]:
    """A node as the journals hold it: `value` is its metric; without one it is buggy."""
    return {
        "plan": f"plan {number}",
        "code": f"print({number})",
        "step": number,
        "id": f"{number:032x}",
        "ctime": START_S + 10 * number,
        "parent": None,
        "children": [],
        "_term_out": ["line\n", "Execution time: a moment"],
        "exec_time": 0.5,
        "exc_type": None if value is not None else "TypeError",
        "exc_info": None if value is not None else {"args": ["fit() got an unexpected keyword"]},
        "exc_stack": None,
        "analysis": "it ran",
        "metric": {"value": value, "maximize": None if value is None else maximize},
        "is_buggy": value is None,
        **said,
    }


def datasets(name: str, *, lower: bool | None, **values: float) -> dict[str, Any]:
    """A metric in the spelling of AI-Scientist-v2."""
    data = [
        {"dataset_name": dataset, "final_value": value, "best_value": value}
        for dataset, value in values.items()
    ]
    return {
        "metric_names": [
            {"metric_name": name, "lower_is_better": lower, "description": "", "data": data}
        ]
    }


def journal(*nodes: dict[str, Any], **parents: int) -> dict[str, Any]:
    """A journal; `parents` are ``n3=1`` for the third node under the first."""
    table = {f"{int(child[1:]):032x}": f"{parent:032x}" for child, parent in parents.items()}
    return {"nodes": list(nodes), "node2parent": table, "__version": "2"}


AIDE = journal(node(1, 0.5), node(2), node(3, 0.4), node(4, 0.45), n3=2, n4=1)
FIRST = journal(
    node(1), node(2, datasets("loss", lower=True, mnist=0.4, cifar=0.6), is_buggy_plots=False), n2=1
)
SECOND = journal(
    node(2, datasets("loss", lower=True, mnist=0.4, cifar=0.6), is_buggy_plots=False, step=0),
    node(3, datasets("loss", lower=True, mnist=0.3, cifar=0.5), hyperparam_name="lr", step=1),
    node(4, datasets("loss", lower=True, mnist=0.31, cifar=0.5), is_seed_node=True, step=2),
    n2=1,
    n3=2,
    n4=3,
)
TREE = {
    "total_records": 4,
    "results": [
        {"index": 1, "name": "a", "parent": None, "score": 1.5, "name_new": "A"},
        {"index": 2, "name": "b", "parent": 1, "score": 1.75},
        {"index": 3, "name": "c", "parent": 1, "score": 0.5},
        {"index": 6, "name": "c", "parent": 3, "score": 2.0},
    ],
}


def written(path: Path, value: Any, indent: int | None = None) -> Path:
    """Write a JSON value to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=indent))
    return path


def stages(folder: Path, first: Any = FIRST, second: Any = SECOND) -> Path:
    """A run of AI-Scientist-v2, in the folder of its experiment."""
    run = folder / "2026-01-01_idea_attempt_0" / "logs" / "0-run"
    for name, value in zip(STAGES, (first, second), strict=True):
        written(run / name / "journal.json", value)
    (run / "manager.pkl").write_bytes(b"cos\nsystem\n(S'touch unpickled'\ntR.")
    return folder / "2026-01-01_idea_attempt_0"


def torn(path: Path, value: Any) -> Path:
    """A file whose writer was killed within its tenth line."""
    kept = json.dumps(value, indent=1).splitlines()[:9]
    path.write_text("\n".join([*kept, '  "torn']))
    return path


CASES = [
    Case(
        "aide",
        lambda folder: written(folder / "journal.json", AIDE),
        nodes=4,
        edges=2,
        odd=lambda folder: written(folder / "journal.json", AIDE),
        oddity="buggy nodes without a metric: invalid",
        bad=(
            Bad("torn", lambda folder: torn(folder / "j", AIDE), "not JSON", 10),
            Bad("no journal", lambda folder: written(folder / "j", {"nodes": 3}), "no journal", 1),
        ),
    ),
    Case(
        "ai-scientist-v2",
        stages,
        nodes=4,
        edges=3,
        odd=stages,
        oddity="nodes carried over into a later stage: joined",
        bad=(Bad("no stages", lambda folder: folder, "no stage_*/journal.json"),),
    ),
    Case(
        "asi-arch",
        lambda folder: written(folder / "tree.json", TREE, indent=2),
        nodes=4,
        edges=3,
        odd=lambda folder: written(folder / "tree.json", TREE),
        oddity="gaps in the index",
        bad=(
            Bad("torn", lambda folder: torn(folder / "t", TREE), "not JSON", 10),
            Bad("no tree", lambda folder: written(folder / "t", {"results": [1]}), "no tree", 1),
        ),
    ),
]
