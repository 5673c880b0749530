"""In which order new nodes get their rows in a scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .batches import flat
from .store import Store


def placing_order(store: Store, start: int) -> Iterator[int]:
    """Yield new nodes: parents before children, each ghost right after its first child."""
    parents = store.parents
    opened: set[int] = set()
    done: set[int] = set()
    for root in range(start, len(parents)):
        stack = [] if is_margin(store, root) else [root]
        while stack:
            row = stack[-1]
            if row not in opened:
                opened.add(row)
                ahead = [p for p in parents[row] if p >= start and p not in opened]
                stack.extend(p for p in reversed(ahead) if not is_margin(store, p))
                continue
            stack.pop()
            for each in (row, *(p for p in parents[row] if p >= start and is_margin(store, p))):
                if each not in done:
                    done.add(each)
                    yield each
    yield from (row for row in range(start, len(parents)) if row not in done)


def is_margin(store: Store, row: int) -> bool:
    """Whether a node is a parent that was never seen: it is drawn below the others."""
    return not store.known[row] and not store.parents[row]


def many_in_order(store: Store, start: int) -> Sequence[int]:
    """Return the new nodes in placing order, at once where parents were named in order."""
    parents = store.parents
    count = len(parents)
    lengths = np.fromiter(map(len, parents[start:]), dtype=np.int64, count=count - start)
    heads = flat(parents[start:])
    known = np.frombuffer(bytes(store.known[start:]), dtype=np.uint8)
    margins = (known == 0) & (lengths == 0)
    if margins.any() or np.any(heads > np.repeat(np.arange(start, count), lengths)):
        return list(placing_order(store, start))
    return range(start, count)
