"""Phylogenies in the ALife data standard."""

from __future__ import annotations

from pathlib import Path

from tests.readers.case import Bad, Case

TREE = """\
id,ancestor_list,origin_time,fitness,merit,genome
3,"['1','2']",7.5,1.25,12,aab
1,['none'],0,1.0,10,aaa
2,[1],3,,11,aab
"""


def text(path: Path, content: str | bytes) -> Path:
    """Write a file."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def many(path: Path) -> Path:
    """A file of more than 4 MB."""
    with path.open("w") as file:
        file.write("id,ancestor_list,origin_time,sequence\n")
        for number in range(50_000):
            file.write(f"{number % 50},[none],{number},{'acgt' * 20}\n")
    return path


CASES = [
    Case(
        "alife-csv",
        lambda folder: text(folder / "a.csv", TREE),
        nodes=3,
        edges=3,
        odd=lambda folder: text(folder / "a.csv", TREE),
        oddity="rows before their parents",
        bad=(
            Bad("other columns", lambda f: text(f / "x", "name,age\nA,3\n"), "it has name, age", 1),
            Bad("empty", lambda f: text(f / "x", ""), "it is empty", 1),
            Bad("no text", lambda f: text(f / "x", TREE.encode() + b"\xff,\n"), "not UTF-8", 5),
        ),
        large=lambda folder: many(folder / "x"),
    ),
]
