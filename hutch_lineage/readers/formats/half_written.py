"""When a file that cannot be read is no longer taken for one that is being written."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_WAIT_S: Final = 60.0


@dataclass(slots=True)
class Patience:
    """Waits a minute for a file that is not whole, as long as it does not change.

    Examples
    --------
    >>> Patience().ends(Path("nowhere.json"))
    False
    """

    wait_s: float = _WAIT_S
    _since: dict[Path, tuple[int, float]] = field(default_factory=dict)

    def ends(self, path: Path) -> bool:
        """Return whether this file has been as it is for too long to be half written."""
        try:
            size = path.stat().st_size
        except OSError:
            size = -1
        known, since = self._since.get(path, (None, 0.0))
        now = time.monotonic()
        if known != size:
            self._since[path] = (size, now)
            return self.wait_s <= 0
        return now - since >= self.wait_s
