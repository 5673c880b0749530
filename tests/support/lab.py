"""A JupyterLab server that shares nothing with the one of the person who runs the tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tests.receivers import unused_port

if TYPE_CHECKING:
    from playwright.sync_api import Page

# True in the page once the kernel of the notebook in front is connected and idle. The indicator
# in the toolbar says "idle" before the kernel exists, too.
KERNEL_READY = """() => {
  const context = globalThis.jupyterapp?.shell.currentWidget?.context?.sessionContext;
  const kernel = context?.session?.kernel;
  return Boolean(context?.isReady && kernel?.connectionStatus === "connected"
                 && kernel.status === "idle");
}"""
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


class JupyterLab:
    """``jupyter lab`` on loopback with its settings, data and notebooks under `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notebooks = folder / "notebooks"
        self.notebooks.mkdir(parents=True)
        self.port = unused_port()
        self.log = folder / "server.log"
        self._settings = folder / "settings" / "@jupyterlab" / "apputils-extension"
        self._settings.mkdir(parents=True)
        self._set("notification", {"fetchNews": "false", "checkForUpdates": False})
        self._process: subprocess.Popen[bytes] | None = None

    def _set(self, name: str, value: dict[str, object]) -> None:
        (self._settings / f"{name}.jupyterlab-settings").write_text(json.dumps(value))

    def set_theme(self, theme: str) -> None:
        """``"light"`` or ``"dark"`` for the pages opened from now on."""
        self._set("themes", {"theme": THEMES[theme]})

    def add(self, notebook: Path, name: str | None = None) -> str:
        """Copy a notebook into the server's folder; return the URL that opens it alone."""
        target = self.notebooks / (name or notebook.name)
        shutil.copy(notebook, target)
        return self.url(target.name)

    def add_kernels(self, specs: Path) -> None:
        """Offer the kernels of a folder of specifications, too."""
        shutil.copytree(specs, self.folder / "data" / "kernels", dirs_exist_ok=True)

    def url(self, name: str) -> str:
        """The URL that opens the notebook `name`, in a workspace of its own."""
        return f"http://127.0.0.1:{self.port}/lab/workspaces/auto-{Path(name).stem}/tree/{name}"

    def wait_until_idle(self, page: Page, timeout_s: float = 90) -> None:
        """Wait until the kernel of the notebook in front is there and has nothing to do."""
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=timeout_s * 1000)
        page.wait_for_function(KERNEL_READY, timeout=timeout_s * 1000)

    def __enter__(self) -> Self:
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                    *("--ip=127.0.0.1", f"--port={self.port}", "--ServerApp.port_retries=0"),
                    *("--IdentityProvider.token=", "--ServerApp.password="),
                    "--LabApp.expose_app_in_browser=True",  # for KERNEL_READY only
                ],
                cwd=self.notebooks,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._wait_until_ready()
        return self

    def _environment(self) -> dict[str, str]:
        own = {
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "IPYTHONDIR": "ipython",
        }
        return {
            **{k: v for k, v in os.environ.items() if not k.startswith(("HUTCH_", "OPENLINEAGE_"))},
            **{name: str(self.folder / place) for name, place in own.items()},
            "JUPYTER_PREFER_ENV_PATH": "1",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        for _ in range(240):
            if self._process.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api", timeout=1).close()
                return
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(0.25)
        self.__exit__()
        raise RuntimeError(f"JupyterLab did not start:\n{self.log.read_text()[-2000:]}")

    def __exit__(self, *_: object) -> None:
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()  # the server ends its kernels before it ends
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
