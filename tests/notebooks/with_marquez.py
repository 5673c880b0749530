"""Run a command with a Marquez that the notebooks can send to: the real one, or its stand-in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tests.support.marquez import Marquez, at_hand, enterable_folder
from tests.support.marquez_standin import StandIn

VARIABLE = "HUTCH_MARQUEZ_URL"


def main(command: list[str]) -> int:
    """Run `command`; return its exit code."""
    if os.environ.get(VARIABLE):
        return subprocess.run(command, check=False).returncode
    folder = enterable_folder()
    try:
        with Marquez(folder) if at_hand() else StandIn() as marquez:
            environment = {**os.environ, VARIABLE: marquez.url}
            return subprocess.run(command, check=False, env=environment).returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
