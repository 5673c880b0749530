"""The repository of the Hutch SDK, for its example scripts, which its distributions lack.

HUTCH_REPOSITORY names a checkout. Else ``python -m tests.support.hutch_repository`` clones it into
``build/hutch``; it may be given another place to clone from.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
CLONE: Final = ROOT / "build" / "hutch"
VARIABLE: Final = "HUTCH_REPOSITORY"
ADDRESS: Final = "https://github.com/xyin-anl/hutch"
PATIENCE_S: Final = 60
PLACES: Final = ("examples/*/run*.py", "hutch-skill/examples/*.py")


def example_scripts() -> list[Path]:
    """The scripts, sorted; none where the repository is not at hand."""
    folder = Path(os.environ.get(VARIABLE) or CLONE)
    return sorted(path for place in PLACES for path in folder.glob(place))


def fetch(address: str) -> int:
    """Clone the repository, unless it is there already; return git's code."""
    if CLONE.is_dir():
        return 0
    CLONE.parent.mkdir(exist_ok=True)
    command = ["git", "clone", "--quiet", "--depth", "1", address, str(CLONE)]
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    try:
        return subprocess.run(command, check=False, env=environment, timeout=PATIENCE_S).returncode
    except subprocess.TimeoutExpired:
        return 1


if __name__ == "__main__":
    sys.exit(fetch(sys.argv[1] if len(sys.argv) > 1 else ADDRESS))
