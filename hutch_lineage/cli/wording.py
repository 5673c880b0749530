"""Notes and reports, as a terminal shows them."""

from __future__ import annotations


def line_of(text: str) -> str:
    """Return a note or a line of a report as one line, in the words of a shell."""
    from hutch_lineage.export import one_line
    from hutch_lineage.session import in_shell_words

    return one_line(in_shell_words(text))
