"""The IPython extension: ``%load_ext hutch_lineage``."""

from __future__ import annotations

from typing import Any

from hutch_lineage.session import current_session, end_serving

from .magics import LineageMagics

__all__ = ["LineageMagics", "load_ipython_extension", "unload_ipython_extension"]

_loaded: dict[int, LineageMagics] = {}


def load_ipython_extension(shell: Any) -> None:
    """Add the magics to a shell and switch the in-memory emitter on.

    Nothing is sent anywhere: posting starts with ``%hutch_lineage live``, with the explorer's
    toggle, or where ``HUTCH_OPENLINEAGE_ENDPOINT`` is set.
    """
    if id(shell) in _loaded:
        return
    magics = LineageMagics(shell)
    shell.register_magics(magics)
    _loaded[id(shell)] = magics
    current_session()


def unload_ipython_extension(shell: Any) -> None:
    """Take the magics out again; what was captured stays."""
    magics = _loaded.pop(id(shell), None)
    if magics is None:
        return
    end_serving(shell)
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("hutch_lineage", None)
