"""What a format has to bring so that the contract can be held against it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

SAMPLES = Path(__file__).with_name("samples")


@dataclass(frozen=True)
class Bad:
    """A source that cannot be read.

    `write` makes it in a folder and returns what to open; the error names `line`, where that is
    not None, and says `message`.
    """

    name: str
    write: Callable[[Path], Path]
    message: str
    line: int | None = None


@dataclass(frozen=True)
class Case:
    """A format under the contract.

    `write` makes a small source in a folder, under a name that says nothing, and returns what to
    open: `nodes` individuals and agents and `edges` edges. `odd` makes one that can be read, and
    of which the report says `oddity`. `large` makes one of at least 4 MB, of many small parts.
    """

    kind: str
    write: Callable[[Path], Path]
    nodes: int
    edges: int
    odd: Callable[[Path], Path]
    oddity: str
    bad: tuple[Bad, ...] = field(default=())
    large: Callable[[Path], Path] | None = None


def all_cases() -> list[Case]:
    """The cases of each module in ``samples``, by kind."""
    names = sorted(each.name for each in pkgutil.iter_modules([str(SAMPLES)]))
    modules = [importlib.import_module(f"tests.readers.samples.{name}") for name in names]
    return sorted((case for module in modules for case in module.CASES), key=lambda case: case.kind)
