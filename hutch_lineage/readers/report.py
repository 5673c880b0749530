"""What was odd in a source: counted, with a few examples."""

from __future__ import annotations

from dataclasses import dataclass, field

EXAMPLES = 5


@dataclass
class ReadReport:
    """What a reader skipped or repaired, by kind of oddity.

    Attributes
    ----------
    counts : dict of str to int
        How often each kind came up.
    examples : dict of str to list of str
        Up to five examples of each kind, with their line.
    """

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, example: str) -> None:
        """Count one more oddity of a kind."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        shown = self.examples.setdefault(kind, [])
        if len(shown) < EXAMPLES:
            shown.append(example)

    def lines(self) -> list[str]:
        """Return one line per kind, the most frequent first."""
        kinds = sorted(self.counts, key=lambda kind: (-self.counts[kind], kind))
        return [f"{kind}: {self.counts[kind]:,} ({self.examples[kind][0]})" for kind in kinds]

    def __bool__(self) -> bool:
        return bool(self.counts)
