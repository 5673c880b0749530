"""Python environments apart from this one, for peers whose requirements fit no other."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
CACHE: Final = ROOT / "build" / "venvs"


def environment(requirements: Path) -> Path:
    """Return the Python of an environment with exactly these packages; made once, else skip."""
    text = requirements.read_bytes() + sys.version.encode()
    folder = CACHE / f"{requirements.stem}-{hashlib.sha256(text).hexdigest()[:12]}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        done = subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "-r", str(requirements)],
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
        if done.returncode:
            pytest.skip(f"pip could not install {requirements.name}: {done.stderr[-300:]}")
        (folder / "complete").touch()
    return python
