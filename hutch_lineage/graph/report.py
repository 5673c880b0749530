"""What was odd about a source: counts and a few examples by kind of oddity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hutch_lineage.mapping import FOREIGN_RUN

from .order import find_cycles
from .store import Store

__all__ = ["Report", "oddities"]

_EXAMPLES = 5


class Report:
    """Counts and examples by kind of oddity.

    Attributes
    ----------
    counts : dict of str to int
        Kind of oddity -> how often.
    examples : dict of str to list of str
        Kind of oddity -> up to five examples.

    Examples
    --------
    >>> report = Report()
    >>> report.add("unreadable line", "runs.jsonl:7")
    >>> report.lines()
    ['unreadable line: 1 (runs.jsonl:7)']
    """

    def __init__(self) -> None:
        self._added: Counter[str] = Counter()
        self._added_examples: dict[str, list[str]] = {}
        self._derived: Mapping[str, tuple[int, list[str]]] = {}

    def add(self, kind: str, example: str = "", count: int = 1) -> None:
        """Note an oddity that a reader met."""
        self._added[kind] += count
        examples = self._added_examples.setdefault(kind, [])
        if example and len(examples) < _EXAMPLES and example not in examples:
            examples.append(example)

    def replace(self, derived: Mapping[str, tuple[int, list[str]]]) -> None:
        """Set what the graph itself shows, in place of what it showed before."""
        self._derived = derived

    @property
    def counts(self) -> dict[str, int]:
        """Kind of oddity -> how often, the graph's own first."""
        counts = {kind: count for kind, (count, _) in self._derived.items()}
        for kind, count in self._added.items():
            counts[kind] = counts.get(kind, 0) + count
        return counts

    @property
    def examples(self) -> dict[str, list[str]]:
        """Kind of oddity -> up to five examples."""
        examples = {kind: list(shown) for kind, (_, shown) in self._derived.items()}
        for kind, shown in self._added_examples.items():
            examples[kind] = [*examples.get(kind, []), *shown][:_EXAMPLES]
        return examples

    def lines(self) -> list[str]:
        """Return one line per kind; an empty list when nothing was odd."""
        examples = self.examples
        lines = []
        for kind, count in self.counts.items():
            shown = ", ".join(examples[kind])
            more = ", ..." if shown and count > len(examples[kind]) else ""
            lines.append(f"{kind}: {count:,}" + (f" ({shown}{more})" if shown else ""))
        return lines

    def __bool__(self) -> bool:
        return bool(self._derived or self._added)

    def __repr__(self) -> str:
        return f"Report({', '.join(self.lines()) or 'nothing odd'})"


def oddities(store: Store) -> dict[str, tuple[int, list[str]]]:
    """Return what the graph itself shows, whatever the order in which it came."""
    keys = store.keys
    cycles = [group for group in find_cycles(store) if len(group) > 1]
    found: dict[str, list[str]] = {
        "ghost (named but never introduced)": [
            keys[row].id for row, known in enumerate(store.known) if not known
        ],
        "stated with different parents": [
            keys[row].id
            for row in store.disagreeing.union(
                row for row in store.called_seeds if store.parents[row]
            )
        ],
        "on several islands": [
            keys[row].id for row, islands in store.islands.items() if len(islands) > 1
        ],
        "its own parent": [keys[row].id for row in store.self_loops],
        "cycle": [
            " -> ".join(sorted(keys[row].id for row in group)[:_EXAMPLES]) for group in cycles
        ],
        "born before its parent": _reversed(store),
        "operator id used for several children": [
            operator_id for _, operator_id in _reused_operators(store)
        ],
    }
    return {
        kind: (len(examples), sorted(examples)[:_EXAMPLES])
        for kind, examples in found.items()
        if examples
    }


def _reused_operators(store: Store) -> list[tuple[str, str]]:
    """Return operator ids that several events use for different children.

    One event with several children is one operator; so is one job run of another producer.
    """
    if len(set(store.operator_ids)) == len(store.operator_ids):
        return []
    events: dict[tuple[str, str], set[bytes]] = {}
    for identity, stamp in zip(store.operator_ids, store.operator_stamps, strict=True):
        if identity[0] != FOREIGN_RUN:
            events.setdefault(identity, set()).add(stamp)
    return [identity for identity, stamps in events.items() if len(stamps) > 1]


def _reversed(store: Store) -> list[str]:
    births, keys = store.births, store.keys
    found = []
    for child, parents in enumerate(store.parents):
        born = births[child]
        if born >= 0 and any(births[parent] > born for parent in parents):
            found.append(keys[child].id)
    return found
