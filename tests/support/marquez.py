"""A Marquez of one's own, on a PostgreSQL of its own: ``make marquez``, and for the tests.

PostgreSQL and Java are Debian's, Marquez is ``io.github.marquezproject:marquez-api`` of Maven
Central. Where it cannot be had from there, HUTCH_MARQUEZ_JARS names a folder with its jars.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final, Self

from tests.receivers import unused_port
from tests.support.running import Running

ROOT: Final = Path(__file__).resolve().parents[2]
VERSION: Final = "0.50.0"
JARS: Final = ROOT / "build" / "marquez" / VERSION
JARS_VARIABLE: Final = "HUTCH_MARQUEZ_JARS"
START_S: Final = 120.0
USER: Final = "postgres"  # who runs the database where root starts it: PostgreSQL refuses root

POM: Final = f"""<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>hutch-lineage</groupId><artifactId>marquez</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.github.marquezproject</groupId>
      <artifactId>marquez-api</artifactId><version>{VERSION}</version>
    </dependency>
  </dependencies>
</project>
"""

CONFIGURATION: Final = """
server:
  applicationConnectors:
    - {{type: http, port: {port}, bindHost: 127.0.0.1, httpCompliance: RFC7230_LEGACY}}
  adminConnectors:
    - {{type: http, port: {admin}, bindHost: 127.0.0.1}}
  requestLog: {{appenders: []}}
db:
  driverClass: org.postgresql.Driver
  url: "jdbc:postgresql://127.0.0.1:{database}/marquez"
  user: marquez
  password: marquez
migrateOnStartup: true
graphql: {{enabled: false}}
search: {{enabled: false}}
logging: {{level: WARN, appenders: [{{type: console}}]}}
"""


class Missing(Exception):  # noqa: N818 - it is no fault of whoever asked
    """A Marquez cannot be started here; says what is missing and how to install it."""


class Marquez(Running):
    """A Marquez; the database goes on while it is stopped and started again.

    Parameters
    ----------
    folder : Path
        Where the data go; made where it is not there.
    port : int
        0 takes a free one.

    Raises
    ------
    Missing
        Something that it needs is not there.
    """

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._jars = jars()
        self._folder = folder
        self._port = port or unused_port()
        self._admin = unused_port()
        self._database = Database(folder / "postgres")
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as started:
            started.enter_context(self._database)
            super().__enter__()
            started.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._database.stop()

    def start(self) -> None:
        """Start Marquez and wait until it answers; what it held before is there again."""
        configuration = self._folder / "marquez.yml"
        configuration.write_text(
            CONFIGURATION.format(
                port=self._port, admin=self._admin, database=self._database.port
            ).lstrip()
        )
        log = self._folder / "marquez.log"
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [
                    *("java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    *("-Duser.timezone=UTC", "-cp", os.pathsep.join(map(str, self._jars))),
                    *("marquez.MarquezApp", "server", str(configuration)),
                ],
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for whoever stops it
            )
        until = time.monotonic() + START_S
        while not _answers(f"{self.url}/api/v1/namespaces"):
            if self._process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError(f"Marquez did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Stop Marquez; the database goes on."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Database(Running):
    """A PostgreSQL on loopback, with its socket and its data in a folder of its own.

    Parameters
    ----------
    folder : Path
        For the data. Nothing here is to outlive a power cut, so the disk is not waited for.
    """

    def __init__(self, folder: Path) -> None:
        self._binaries = postgres_binaries()
        self._folder = folder
        self._data = folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = unused_port()

    def start(self) -> None:
        """Start it, made anew where there are no data; role and database ``marquez``."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(self._folder, USER)
            if closed := [each for each in self._folder.parents if not each.stat().st_mode & 0o001]:
                raise Missing(
                    f"root cannot run PostgreSQL, and the user {USER} may not enter {closed[-1]}: "
                    "name another folder with FOLDER=..."
                )
        fresh = not self._data.exists()
        if fresh:
            self._run("initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "--no-sync")
        with (self._folder.parent / "postgres.log").open("ab") as output:
            self._process = subprocess.Popen(
                self._as_user(
                    *("postgres", "-D", self._data, "-p", self.port, "-k", ""),
                    *("-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"),
                    *("-c", "synchronous_commit=off", "-c", "full_page_writes=off"),
                    *("-c", "shared_buffers=32MB", "-c", "autovacuum_naptime=5s"),
                ),
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                start_new_session=True,
            )
        until = time.monotonic() + START_S
        while self._ask("SELECT 1").returncode != 0:
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"PostgreSQL did not start: see {output.name}")
            time.sleep(0.05)
        if fresh:
            for statement in (
                "CREATE ROLE marquez LOGIN PASSWORD 'marquez'",
                "CREATE DATABASE marquez OWNER marquez",
            ):
                self._ask(statement).check_returncode()

    def stop(self) -> None:
        """Stop it, without waiting for who is connected."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(signal.SIGINT)  # "fast"
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _ask(self, statement: str) -> subprocess.CompletedProcess[bytes]:
        words = ("psql", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "-qc", statement)
        return subprocess.run(
            [str(self._binaries / str(words[0])), *map(str, words[1:])],
            capture_output=True,
            check=False,
            env={**os.environ, "PGCONNECT_TIMEOUT": "5"},
        )

    def _run(self, *words: object) -> None:
        done = subprocess.run(
            self._as_user(*words), capture_output=True, check=False, cwd=self._folder
        )
        if done.returncode:
            raise RuntimeError(f"{words[0]} failed: {done.stderr.decode(errors='replace')[-800:]}")

    def _as_user(self, name: object, *words: object) -> list[str]:
        command = [str(self._binaries / str(name)), *map(str, words)]
        if os.geteuid() != 0:
            return command
        return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command]


def missing() -> str:
    """Return what is missing for a Marquez of one's own, and how to install it; empty for nothing.

    Does not say whether Maven Central has it: see `jars`.
    """
    lacking = []
    if shutil.which("java") is None:
        lacking.append(("Java 17", "default-jre-headless"))
    if _postgres_folder() is None:
        lacking.append(("PostgreSQL", "postgresql"))
    if not os.environ.get(JARS_VARIABLE) and shutil.which("mvn") is None:
        lacking.append(("Maven", "maven"))
    if not lacking:
        return ""
    names = " and ".join(name for name, _ in lacking)
    return f"{names} missing: apt-get install {' '.join(package for _, package in lacking)}"


def postgres_binaries() -> Path:
    """Return the folder that holds ``initdb``."""
    folder = _postgres_folder()
    if folder is None:
        raise Missing(missing())
    return folder


def _postgres_folder() -> Path | None:
    debian = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    versions = sorted(debian, key=lambda path: (len(path.parts[4]), path.parts[4]), reverse=True)
    found = shutil.which("initdb")
    places = [*versions, *([Path(found).resolve()] if found else [])]
    return places[0].parent if places else None


def at_hand() -> bool:
    """Return whether the jars are here already: tests do not wait for Maven."""
    return bool(os.environ.get(JARS_VARIABLE)) or any(JARS.glob("marquez-api-*.jar"))


def jars() -> list[Path]:
    """Return the jars of Marquez, brought from Maven Central where they are not here yet.

    Raises
    ------
    Missing
        They cannot be had.
    """
    if told := missing():
        raise Missing(told)
    if named := os.environ.get(JARS_VARIABLE):
        found = sorted(Path(named).rglob("*.jar")) if Path(named).is_dir() else [Path(named)]
        if not found or not all(path.is_file() for path in found):
            raise Missing(f"{JARS_VARIABLE} names {named}, and there is no jar")
        return found
    if not at_hand():
        _bring(JARS)
    return sorted(JARS.glob("*.jar"))


def _bring(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        pom = Path(scratch) / "pom.xml"
        pom.write_text(POM)
        done = subprocess.run(
            [
                *("mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies"),
                *("-DincludeScope=runtime", f"-DoutputDirectory={folder}"),
            ],
            capture_output=True,
            check=False,
        )
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        said = done.stdout.decode(errors="replace")
        refused = "not find artifact" in said or "was not found" in said
        why = "the registry that Maven asks does not serve it" if refused else said[-400:].strip()
        raise Missing(
            f"Maven did not bring io.github.marquezproject:marquez-api:{VERSION}: {why}. Where you "
            f"have its jars, name their folder with {JARS_VARIABLE}"
        )


def enterable_folder() -> Path:
    """Return a new folder that PostgreSQL may enter, also where root starts it as another user."""
    folder = Path(tempfile.mkdtemp(prefix="hutch-lineage-marquez-"))
    folder.chmod(0o755)
    return folder


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def main() -> int:
    """Run a Marquez until Ctrl-C; its data are kept for the next time."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--port", type=int, default=5000)
    parser.add_argument("--folder", type=Path, default=JARS.parent / "data")
    parser.add_argument("--fetch", action="store_true", help="only have Maven bring the jars")
    arguments = parser.parse_args()
    if arguments.fetch:
        return _fetched()
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", arguments.port)) == 0:
            print(f"something listens on port {arguments.port} already: PORT=... takes another")
            return 1
    began = time.monotonic()
    print("starting PostgreSQL and Marquez (the first time, Maven brings it) ...", flush=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        with Marquez(arguments.folder.absolute(), arguments.port) as marquez:
            print(f"Marquez is at http://localhost:{arguments.port}", end=" ")
            print(f"after {time.monotonic() - began:.0f} s. In a notebook:")
            print(f"    %hutch_lineage live http://localhost:{arguments.port} --backend marquez")
            print(f"Its data are in {arguments.folder}. Ctrl-C stops it.", flush=True)
            del marquez
            signal.pause()
    except KeyboardInterrupt:
        print("\nstopped")
    except Missing as missing_here:
        print(missing_here, file=sys.stderr)
        return 1
    return 0


def _fetched() -> int:
    try:
        print(f"{len(jars())} jars of Marquez are here")
    except Missing as missing_here:
        print(missing_here)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
