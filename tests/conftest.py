"""Fixtures and rules that every test shares: data, environment, network, browser, JupyterLab.

Under ``CI=true`` nothing may be left out: a skipped test is turned into a failure, except the
ones named with their reason in ``ALLOWED_SKIPS``.
"""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.browser import Visit, chromium_path, launched
from tests.support.kernels import Kernels
from tests.support.lab import JupyterLab

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

# Test id -> why it may be skipped even in CI. Kept empty: CI has every part.
ALLOWED_SKIPS: dict[str, str] = {}

# No test writes to the home of whoever runs it. Processes that tests start inherit this.
JOURNALS = Path(tempfile.mkdtemp(prefix="hutch-lineage-journals-"))
atexit.register(shutil.rmtree, JOURNALS, ignore_errors=True)
JOURNAL_VARIABLE = "HUTCH_OPENLINEAGE_JOURNAL"
SESSIONS_VARIABLE = "HUTCH_LINEAGE_SESSIONS"
os.environ[JOURNAL_VARIABLE] = str(JOURNALS / "shared")
os.environ[SESSIONS_VARIABLE] = str(JOURNALS / "sessions")
_numbers = itertools.count()

# Settings of the test suite itself; every other HUTCH_* variable is cleared for each test.
KEPT_VARIABLES = {
    *("HUTCH_LINEAGE_DATA", "HUTCH_LINEAGE_SPEC"),
    *("HUTCH_MARQUEZ_JARS", "HUTCH_REPOSITORY"),
}

settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")


# -- rules ---------------------------------------------------------------------------------------


def _refused_skip(report: pytest.TestReport | pytest.CollectReport) -> bool:
    return (
        IN_CI
        and report.outcome == "skipped"
        and not hasattr(report, "wasxfail")
        and report.nodeid not in ALLOWED_SKIPS
    )


def _as_failure(report: Any) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid}: nothing may be skipped under CI=true ({reason})"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Turn a skipped test into a failed one under CI=true."""
    report = yield
    if _refused_skip(report):
        _as_failure(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Turn a module that skips itself into a failed one under CI=true."""
    report = yield
    if _refused_skip(report):
        _as_failure(report)
    return report


@pytest.fixture(autouse=True)
def reset_sdk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test starts and ends with an unconfigured SDK and without settings from outside."""
    for name in list(os.environ):
        if name.startswith(("HUTCH_", "OPENLINEAGE_")) and name not in KEPT_VARIABLES:
            monkeypatch.delenv(name)
    number = next(_numbers)
    monkeypatch.setenv(JOURNAL_VARIABLE, str(JOURNALS / str(number)))
    monkeypatch.setenv(SESSIONS_VARIABLE, str(JOURNALS / f"sessions-{number}"))
    _reset_loaded()
    yield
    _reset_loaded()


def _reset_loaded() -> None:
    """Reset the SDK if it is loaded; a test that never imports it does not pay for that."""
    sdk = sys.modules.get("hutch_lineage.sdk")
    if sdk is not None:
        sdk.reset()


# -- data ----------------------------------------------------------------------------------------


def _folder(variable: str, *default: str) -> Path:
    path = Path(os.environ.get(variable) or ROOT.parent.joinpath("shared", *default))
    if not path.is_dir():
        pytest.skip(f"no folder {path}; name one with {variable}")
    return path


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder that holds pyproject.toml."""
    return ROOT


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Real files of other projects: HUTCH_LINEAGE_DATA, or ``shared/data`` beside the clone."""
    return _folder("HUTCH_LINEAGE_DATA", "data")


@pytest.fixture(scope="session")
def spec_dir() -> Path:
    """The OpenLineage schemas: HUTCH_LINEAGE_SPEC, or ``shared/spec/openlineage``."""
    return _folder("HUTCH_LINEAGE_SPEC", "spec", "openlineage")


# -- browser and JupyterLab ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Headless Chromium for one test module.

    Not for the whole session: Playwright keeps an event loop on this thread while it is open,
    and a test elsewhere that calls ``asyncio.run`` could not.
    """
    path = chromium_path()
    if path is None:
        pytest.skip("no Chromium found; name one with CHROMIUM")
    with launched(path) as browser:
        yield browser


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Callable[..., Visit]]:
    """Open pages, ``visit(url, theme="dark", width=1280, height=760, scale=1) -> Visit``.

    ``Visit.page`` is Playwright's page. A request that leaves the machine is refused, and fails
    the test in the end.
    """
    visits: list[Visit] = []

    def open_page(url: str = "about:blank", **options: Any) -> Visit:
        visits.append(Visit.open(chromium, url, **options))
        return visits[-1]

    yield open_page
    outside = [url for each in visits for url in each.outside]
    for each in visits:
        each.close()
    assert outside == []


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Kernels:
    """Kernels of each ipykernel that is supported; installed once, into ``build/kernels``."""
    try:
        return Kernels(ROOT / "build" / "kernels", tmp_path_factory.mktemp("specs"))
    except subprocess.CalledProcessError as error:
        pytest.skip(f"the kernels cannot be installed: {error}")


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterLab]:
    """A JupyterLab of its own: free port, no settings of the user, ended with its kernels."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    with JupyterLab(tmp_path_factory.mktemp("lab")) as server:
        yield server
