"""Where journals are."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Final

from hutch_lineage.mapping import Endpoint

JOURNAL_VARIABLE: Final = "HUTCH_OPENLINEAGE_JOURNAL"
OFF: Final = "off"


def default_root() -> Path:
    """Return ``~/.hutch/openlineage``."""
    return Path(os.path.expanduser("~/.hutch/openlineage"))  # noqa: PTH111 - never raises


def journal_root(setting: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the folder of all journals, or None where the setting says ``off``.

    Parameters
    ----------
    setting : str or path, optional
        A folder or ``off``. Without it: HUTCH_OPENLINEAGE_JOURNAL, else the default folder.

    Examples
    --------
    >>> journal_root("off") is None
    True
    """
    given = setting if setting is not None else os.environ.get(JOURNAL_VARIABLE, "").strip()
    if not given:
        return default_root()
    if isinstance(given, str) and given.lower() == OFF:
        return None
    return Path(os.path.expanduser(given))  # noqa: PTH111 - never raises without a home


def endpoint_folder(root: Path, endpoint: Endpoint) -> Path:
    """Return the folder of an endpoint's journals; its name holds no secret.

    Examples
    --------
    >>> from hutch_lineage.mapping import parse_endpoint
    >>> endpoint_folder(Path("j"), parse_endpoint("http://localhost:5000")).name
    'localhost-5000-07a876a96b42'
    """
    shown = re.sub(r"[^a-z0-9.]+", "-", endpoint.origin.partition("://")[2].lower()).strip("-.")
    mark = hashlib.sha256(endpoint.masked.encode()).hexdigest()[:12]
    return root / f"{shown[:60]}-{mark}"
