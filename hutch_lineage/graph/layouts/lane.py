"""The slots of one layer in one band, and which of them are taken."""

from __future__ import annotations

from bisect import bisect_right


class Lane:
    """Gives out the free slot nearest to where a node would like to stand.

    Slots lie on lattices with the offsets 0, 1/2, 1/4, 3/4, 1/8, ... from the integers. The next
    lattice is used only where the lane is bounded and the lattices before are full. Bounds only
    ever come closer, so a full lattice stays full. Taken slots are kept as runs, so a compact lane
    takes next to no memory.
    """

    __slots__ = ("_full", "_lattices")

    def __init__(self) -> None:
        self._lattices: list[tuple[list[int], list[int]]] = [([], [])]
        self._full = 0

    def take(self, target: float, low: float, high: float, *, downward: bool = False) -> float:
        """Take the free slot nearest to `target` (or the first at or after it) in [low, high]."""
        target = low if target < low else min(target, high)
        level = self._full
        offset = _offset(level)
        while True:
            starts, stops = self._lattices[level]
            slot = round(target - offset)
            if slot + offset > high:
                slot -= 1
            elif slot + offset < low:
                slot += 1
            place = bisect_right(starts, slot)
            above = below = slot
            if place and slot < stops[place - 1]:
                above, below = stops[place - 1], starts[place - 1] - 1
            up_fits, down_fits = above + offset <= high, below + offset >= low
            if up_fits or down_fits:
                nearer_up = above + offset - target <= target - below - offset
                if above != below and not (up_fits and (nearer_up or downward or not down_fits)):
                    above, place = below, place - 1
                elif above == below:
                    above = slot
                _mark(starts, stops, place, above)
                return above + offset
            level += 1
            self._full = level
            offset = _offset(level)
            if level == len(self._lattices):
                self._lattices.append(([], []))

    def fill(self, slot: int) -> None:
        """Take a slot that is not smaller than any taken one; twice is once."""
        starts, stops = self._lattices[0]
        if stops and slot <= stops[-1]:
            stops[-1] = max(stops[-1], slot + 1)
        else:
            starts.append(slot)
            stops.append(slot + 1)

    @classmethod
    def of(cls, starts: list[int], stops: list[int]) -> Lane:
        """Return a lane in which these runs are taken: sorted, apart, each stop exclusive."""
        lane = cls()
        lane._lattices = [(starts, stops)]
        return lane


def _mark(starts: list[int], stops: list[int], place: int, slot: int) -> None:
    """Note a slot as taken; `place` is the index of the first run after it."""
    joins = place > 0 and stops[place - 1] == slot
    if place < len(starts) and starts[place] == slot + 1:
        if joins:
            stops[place - 1] = stops.pop(place)
            del starts[place]
        else:
            starts[place] = slot
    elif joins:
        stops[place - 1] = slot + 1
    else:
        starts.insert(place, slot)
        stops.insert(place, slot + 1)


def _offset(level: int) -> float:
    """Return the offset of a lattice: 0, 1/2, 1/4, 3/4, 1/8, 5/8, 3/8, 7/8, ..."""
    offset, part = 0.0, 0.5
    while level:
        offset += part * (level & 1)
        level >>= 1
        part /= 2
    return offset
