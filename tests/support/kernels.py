"""Kernels of several ipykernel versions, in one environment.

Each version is installed without its dependencies into a folder of its own, which comes first on
the path of that kernel; all else is the environment's.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

VERSIONS = ("6.31.0", "7.3.0", "7.4.0")


def kernel_name(version: str) -> str:
    """The name by which a notebook asks for the kernel of a version."""
    return f"ipykernel-{version}"


class Kernels:
    """The kernels of :data:`VERSIONS`.

    Parameters
    ----------
    cache : Path
        Where they are installed; what is there already is used again.
    specs : Path
        Where the specifications go that name them.
    """

    def __init__(self, cache: Path, specs: Path) -> None:
        self.cache, self.specs = cache, specs
        for version in VERSIONS:
            self._install(version)
            self._specify(version)

    def _install(self, version: str) -> None:
        """Install a version; whole, or not at all."""
        target = self.cache / kernel_name(version)
        if target.is_dir():
            return
        half = target.with_name(f"{target.name}.{os.getpid()}")
        needs = [f"ipykernel=={version}"]
        if version.startswith("6."):
            needs.append("nest_asyncio")  # version 7 does not need it
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", "--target", str(half), *needs], check=True)
        try:
            half.rename(target)
        except OSError:  # another run of the tests was faster
            shutil.rmtree(half)

    def _specify(self, version: str) -> None:
        folder = self.specs / kernel_name(version)
        folder.mkdir(parents=True, exist_ok=True)
        path = [str(self.cache / kernel_name(version)), os.environ.get("PYTHONPATH", "")]
        specification = {
            "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": f"Python 3 (ipykernel {version})",
            "language": "python",
            "interrupt_mode": "signal",
            "metadata": {"debugger": False},
            "env": {"PYTHONPATH": os.pathsep.join(filter(None, path))},
        }
        (folder / "kernel.json").write_text(json.dumps(specification))
