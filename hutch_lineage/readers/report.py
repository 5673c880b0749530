"""What was odd in a source: counted, with a few examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

EXAMPLES: Final = 5


class Report(Protocol):
    """Where a reader says what it skipped, repaired or could not know; a graph has one."""

    def add(self, kind: str, example: str = "", count: int = 1) -> None:
        """Note an oddity of a kind: where it is, and how often."""


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

    def add(self, kind: str, example: str = "", count: int = 1) -> None:
        """Count one more oddity of a kind, or several."""
        self.counts[kind] = self.counts.get(kind, 0) + count
        shown = self.examples.setdefault(kind, [])
        if example and len(shown) < EXAMPLES and example not in shown:
            shown.append(example)

    def tell(self, report: Report, known: Mapping[str, int] | None = None) -> None:
        """Put into another report what is in this one, and was not when the counts were `known`.

        Examples
        --------
        >>> found, report = ReadReport(), ReadReport()
        >>> found.add("odd", "line 1", 3)
        >>> found.tell(report, {"odd": 1})
        >>> report.counts, report.examples
        ({'odd': 2}, {'odd': ['line 1']})
        """
        for kind, count in self.counts.items():
            more = count - (known or {}).get(kind, 0)
            if more <= 0:
                continue
            examples = self.examples[kind][-more:]
            for example in examples:
                report.add(kind, example)
            if more > len(examples):
                report.add(kind, count=more - len(examples))

    def lines(self) -> list[str]:
        """Return one line per kind, the most frequent first."""
        kinds = sorted(self.counts, key=lambda kind: (-self.counts[kind], kind))
        return [
            f"{kind}: {self.counts[kind]:,}"
            + (f" ({self.examples[kind][0]})" if self.examples[kind] else "")
            for kind in kinds
        ]

    def __bool__(self) -> bool:
        return bool(self.counts)
