"""Java programs of the tests, and the jars that they need from Maven Central."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
CACHE: Final = ROOT / "build" / "java"

POM: Final = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>hutch-lineage</groupId><artifactId>tests</artifactId><version>1</version>
  <dependencies>{dependencies}</dependencies>
</project>
"""
DEPENDENCY: Final = (
    "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"
)


def jars(*artifacts: str) -> Path:
    """Return a folder with artifacts (``group:name:version``) and what they need; else skip."""
    if shutil.which("javac") is None or shutil.which("mvn") is None:
        pytest.skip("Java and Maven are not installed (Debian: default-jdk-headless, maven)")
    folder = CACHE / hashlib.sha256(" ".join(artifacts).encode()).hexdigest()[:16]
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        dependencies = "".join(DEPENDENCY.format(*each.split(":")) for each in artifacts)
        (folder / "pom.xml").write_text(POM.format(dependencies=dependencies), encoding="utf-8")
        done = _maven(folder, "--offline") or _maven(folder)
        if not done:
            pytest.skip(f"Maven could not get {', '.join(artifacts)}: no network and no copy")
        (folder / "complete").touch()
    return folder / "lib"


def run_java(program: Path, libraries: Path, *arguments: str) -> str:
    """Run one source file and return what it printed."""
    done = subprocess.run(
        ["java", "-cp", f"{libraries}/*", str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def _maven(folder: Path, *options: str) -> bool:
    done = subprocess.run(
        [
            *("mvn", "--batch-mode", "--quiet", *options, "dependency:copy-dependencies"),
            *("-DincludeScope=runtime", "-DoutputDirectory=lib"),
        ],
        cwd=folder,
        capture_output=True,
        timeout=200,
        check=False,
    )
    return done.returncode == 0
