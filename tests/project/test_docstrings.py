"""The docstrings: what they show is true, and whoever looks up a function finds an example."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import hutch_lineage

MODULES = [each.name for each in pkgutil.walk_packages(hutch_lineage.__path__, "hutch_lineage.")]
WITH_EXAMPLES = [name for name in MODULES if ">>>" in inspect.getsource(pkgutil.resolve_name(name))]
ROOMS = [name for name in MODULES if name.count(".") == 1 and not name.endswith("_version")]
# IPython and the shell show what these do; their own tests run them.
SHELLS = ["hutch_lineage.cli", "hutch_lineage.magic"]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_run(name: str) -> None:
    """What an example prints is what its docstring says."""
    failed, tried = doctest.testmod(importlib.import_module(name), verbose=False)
    assert (failed, tried > 0) == (0, True)


def test_every_public_function_has_an_example() -> None:
    """Each function that a room offers shows a call and what comes back."""
    functions = [
        function
        for room in ROOMS
        if room not in SHELLS
        for name in importlib.import_module(room).__all__
        if inspect.isroutine(function := getattr(importlib.import_module(room), name))
    ]
    bare = {each.__qualname__ for each in functions if ">>>" not in (each.__doc__ or "")}
    assert len(functions) > 40
    assert bare == {"register", "tell_of_forks"}  # they act at forks and the end only
