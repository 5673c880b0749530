"""A page of several sections, each written by a benchmark of its own."""

from __future__ import annotations

from pathlib import Path

HEAD = """\
# Performance

<!-- Each section is written by its own benchmark: `python -m benchmarks NAME --write PAGE`;
     do not edit. -->
"""


def write_section(page: Path, name: str, text: str) -> None:
    """Write one section of a page anew, at its place, or at the end; leave the others alone.

    Parameters
    ----------
    page : Path
        It is made where there is none.
    name : str
        The name of the benchmark.
    text : str
        The section, in Markdown.
    """
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    section = f"{begin}\n{text.strip()}\n{end}"
    before = page.read_text(encoding="utf-8") if page.is_file() else HEAD
    if begin in before and end in before:
        head, _, rest = before.partition(begin)
        whole = head + section + rest.partition(end)[2]
    else:
        whole = f"{before.rstrip()}\n\n{section}\n"
    page.write_text(whole, encoding="utf-8")
