"""Measures of a phylogeny: what is alive, pruned to its ancestry, as a tree of first parents.

Nothing recurses, and a tree of a hundred thousand takes some tenths of a second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from hutch_lineage.errors import GraphError

from .order import birth_time
from .store import Store
from .views import total

__all__ = ["Tree", "colless_like", "fair_proportions", "latest", "measures", "tree_of"]

_NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Tree:
    """The ancestry of some rows, each with its first parent alone.

    Attributes
    ----------
    tips : list of int
        The rows that are alive.
    parent : dict of int to int
        Row -> the row above; -1 at a root. Parents come before children.
    children : dict of int to list of int
        Row -> the rows below that lead to something alive.
    """

    tips: list[int]
    parent: dict[int, int]
    children: dict[int, list[int]]

    @property
    def roots(self) -> list[int]:
        """The rows without a parent."""
        return [row for row, above in self.parent.items() if above < 0]


def tree_of(store: Store, tips: Sequence[int]) -> Tree:
    """Return the tree above `tips`; a parent that is the child itself is none.

    Raises
    ------
    GraphError
        First parents lead in a circle.
    """
    above: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for tip in tips:
        row = tip
        while row >= 0 and row not in above:
            parent = next((each for each in store.parents[row] if each != row), -1)
            above[row] = parent
            children.setdefault(row, [])
            if parent >= 0:
                children.setdefault(parent, []).append(row)
            row = parent
    order = [row for row, parent in above.items() if parent < 0]
    for row in order:  # grows while it is walked
        order += children[row]
    if len(order) < len(above):
        raise GraphError(
            "first parents lead in a circle, so there is no tree to measure; cycles() lists them"
        )
    return Tree(list(dict.fromkeys(tips)), {row: above[row] for row in order}, children)


def _seconds(store: Store, row: int) -> float:
    """Return when a row was born: Unix seconds, or in the unit of the source; NaN if unknown."""
    born = birth_time(store, row)
    if math.isinf(born):
        return _NAN
    return born / 1e9 if store.births[row] >= 0 else born


def _common(tree: Tree) -> int | None:
    """Return the most recent common ancestor of all that is alive."""
    if len(tree.roots) != 1:
        return None
    row = tree.roots[0]
    alive = set(tree.tips)
    while row not in alive and len(tree.children[row]) == 1:
        row = tree.children[row][0]
    return row


def _depth(tree: Tree, row: int) -> int:
    depth = 0
    while (row := tree.parent[row]) >= 0:
        depth += 1
    return depth


def _below(tree: Tree) -> dict[int, int]:
    """Return how much that is alive is at or below each row."""
    count = dict.fromkeys(tree.parent, 0)
    for row in tree.tips:
        count[row] = 1
    for row in reversed(tree.parent):
        if tree.parent[row] >= 0:
            count[tree.parent[row]] += count[row]
    return count


def fair_proportions(store: Store, tree: Tree, now: float) -> list[float]:
    """Return how much history each tip has for itself: the fair proportion of its ancestry.

    Each branch up to the most recent common ancestor is shared out among what is alive below it:
    ``ED(i) = sum over the branches above i of length / tips below``. A branch is as long as its
    ends' births are apart, and that of a tip goes on until `now` (Isaac et al. 2007, "Mammals on
    the EDGE", PLoS ONE 2(3): e296; as Empirical and phylotrackpy count it).
    """
    below, common = _below(tree), _common(tree)
    born = {row: _seconds(store, row) for row in tree.parent}
    share: dict[int, float] = {}
    for row, parent in tree.parent.items():
        if parent < 0 or row == common:  # above the common ancestor nothing counts
            share[row] = 0.0
        else:
            share[row] = share[parent] + (born[row] - born[parent]) / below[row]
    alone = len(tree.tips) == 1
    return [0.0 if alone else share[tip] + (now - born[tip]) / below[tip] for tip in tree.tips]


def colless_like(tree: Tree) -> float:
    """Return the Colless-like index of balance: 0 for a balanced tree, more the less it is.

    With ``f(n) = ln(n + e)`` for a node of n children, the size of a subtree is the sum of f over
    its nodes, and the index is the sum, over the nodes, of the mean deviation of their children's
    sizes from their median (Mir, Rossello, Rotger 2018, "Sound Colless-like balance indices for
    multifurcating trees", PLoS ONE 13(9): e0203401). Nodes with one child, which it does not know,
    are passed over. NaN for several roots.
    """
    if len(tree.roots) != 1:
        return _NAN
    size: dict[int, float] = {}
    deviations = []
    for row in reversed(tree.parent):
        sizes = [size.pop(child) for child in tree.children[row]]
        if len(sizes) == 1:
            size[row] = sizes[0]
            continue
        size[row] = total(sizes) + math.log(len(sizes) + math.e)
        if sizes:
            middle = median(sizes)
            deviations.append(total(abs(each - middle) for each in sizes) / len(sizes))
    return total(deviations)


def measures(store: Store, tree: Tree, now: float) -> dict[str, object]:
    """Return the measures of a tree; see `Frames.phylogeny`."""
    common = _common(tree)
    lengths = [
        _seconds(store, row) - _seconds(store, parent)
        for row, parent in tree.parent.items()
        if parent >= 0
    ]
    proportions = fair_proportions(store, tree, now)
    return {
        "extant": len(tree.tips),
        "nodes": len(tree.parent),
        "roots": len(tree.roots),
        "mrca": None if common is None else store.keys[common].id,
        "mrca_depth": None if common is None else _depth(tree, common),
        "mrca_age": None if common is None else now - _seconds(store, common),
        "phylogenetic_diversity": len(lengths),
        "branch_length": sum(lengths) if tree.tips else None,
        "mean_distinctiveness": sum(proportions) / len(proportions) if proportions else None,
        "colless_like": colless_like(tree) if tree.tips else None,
    }


def latest(store: Store, rows: Sequence[int]) -> float:
    """Return the latest known birth of some rows; NaN without one."""
    return max((t for row in rows if not math.isnan(t := _seconds(store, row))), default=_NAN)
