"""The tree of architectures that ASI-ARCH found: one JSON object with a list of results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from hutch_lineage.model import (
    FitnessRecord,
    NodeKey,
    NodeRecord,
    Record,
    RunRecord,
    Stamp,
    clean_json,
)
from hutch_lineage.readers import Report

from .directions import KNOWN
from .finite import finite

RESULTS: Final = "results"
INDEX: Final = "index"
METRIC: Final = "score"
MANY: Final = 100
_BEYOND: Final = 2**63  # no time is that far, and no format holds it
_OWN: Final = frozenset({INDEX, "parent", METRIC})


def is_tree(value: Any) -> bool:
    """Return whether a JSON value is such a tree.

    Examples
    --------
    >>> is_tree({"results": [{"index": 1, "name": "a", "parent": None, "score": 1.5}]})
    True
    """
    if not isinstance(value, Mapping) or not isinstance(value.get(RESULTS), list):
        return False
    first = next(iter(value[RESULTS]), None)
    return isinstance(first, Mapping) and {INDEX, "name", "parent"} <= set(first)


def tree_records(value: Mapping[str, Any], run_id: str, report: Report) -> Iterator[Record]:
    """Yield the records of a tree: each result an architecture under the index of its parent.

    There are no times; the index, which counts what was found, stands for one as `origin_time`.

    Parameters
    ----------
    value : dict
        The tree.
    run_id : str
        The run that its architectures belong to.
    report : Report
        Where oddities go.
    """
    results = [each for each in value[RESULTS] if _is_result(each, report)]
    metadata = {"system": "ASI-ARCH", "origin_time_unit": "index of the result"}
    said = {
        "name": run_id,
        "score_directions": dict(KNOWN["asi-arch"]),
        "metadata": metadata,
    }
    yield RunRecord(run_id, Stamp(-1, run_id), said)
    for result in results:
        yield from _result(result, run_id, report)
    _note_oddities(value, results, report)


def _is_result(value: Any, report: Report) -> bool:
    index = value.get(INDEX) if isinstance(value, Mapping) else None
    if isinstance(index, int | str) and not isinstance(index, bool):
        return True
    report.add("results without an index: skipped", str(value)[:80])
    return False


def _result(result: Mapping[str, Any], run_id: str, report: Report) -> Iterator[Record]:
    index = result[INDEX]
    key = NodeKey("individual", run_id, str(index))
    parent = _parent(result)
    above = () if parent is None else (NodeKey("individual", run_id, str(parent)),)
    said: dict[str, Any] = {
        "kind": "architecture",
        "is_seed": not above,
        "metadata": clean_json({name: each for name, each in result.items() if name not in _OWN})[
            0
        ],
    }
    if isinstance(index, int) and abs(index) < _BEYOND:
        said["origin_time"] = index
    stamp = Stamp(-1, key.id)
    yield NodeRecord(key, stamp, above, said)
    score = finite(result.get(METRIC))
    if score is not None:
        yield FitnessRecord(key, stamp, {METRIC: score})
    else:
        report.add("results without a score", key.id)


def _parent(result: Mapping[str, Any]) -> int | str | None:
    parent = result.get("parent")
    return parent if isinstance(parent, int | str) and not isinstance(parent, bool) else None


def _note_oddities(
    value: Mapping[str, Any], results: list[Mapping[str, Any]], report: Report
) -> None:
    report.add("no times: the index of a result stands for one")
    told = value.get("total_records")
    if isinstance(told, int) and told != len(value[RESULTS]):
        report.add("total_records is not the number of results", f"{told}, not {len(results)}")
    held = sorted({each[INDEX] for each in results if isinstance(each[INDEX], int)})
    for before, after in pairwise(held):
        if after > before + 1:
            report.add("gaps in the index", f"after {before}", after - before - 1)
    for place, times in Counter(str(each[INDEX]) for each in results).items():
        if times > 1:
            report.add("indices that stand twice", place, times - 1)
    for name, times in Counter(str(each.get("name")) for each in results).items():
        if times > 1:
            report.add("names that several results share: told apart by index", f"{times} x {name}")
    for each in results:
        if each.get("parent") is not None and _parent(each) is None:
            report.add(
                "parents that are no index: left out", f"{each[INDEX]}: {each['parent']}"[:80]
            )
    children = Counter(parent for each in results if (parent := _parent(each)) is not None)
    known = {str(each[INDEX]) for each in results}
    for parent, count in children.items():
        if count > MANY:
            report.add(f"results with more than {MANY} children", f"{parent} has {count}")
        if str(parent) not in known:
            report.add("parents that are not in the tree", str(parent))
