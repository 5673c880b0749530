"""What a session tells its workers, and whoever finds its folder later."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

FACTS: Final = "session.json"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """An open run as workers need to know it.

    Examples
    --------
    >>> RunFacts("r1", name="my-search", project=None).name
    'my-search'
    """

    id: str
    name: str | None
    project: str | None


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """A session: its process, its runs, and where its OpenLineage events go.

    Attributes
    ----------
    host, pid : str, int
        The process.
    strict : bool
        Whether failures raise, in the workers too.
    runs : tuple of RunFacts
        Those that are open, in the order in which they were started.
    endpoint : str or None
        The masked URL of the live endpoint; None in memory.
    namespace : str
        Of its jobs and datasets.
    journal : str or None
        The folder of that endpoint's journals.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> SessionFacts("myhost", 4711).write(folder)
    >>> SessionFacts.read(folder) == SessionFacts("myhost", 4711)
    True
    """

    host: str
    pid: int
    strict: bool = False
    runs: tuple[RunFacts, ...] = ()
    endpoint: str | None = None
    namespace: str = "hutch"
    journal: str | None = None

    def write(self, folder: Path) -> None:
        """Put them into a session folder, whole or not at all.

        Raises
        ------
        OSError
            It cannot be written.
        """
        fresh = folder / f".{FACTS}.{secrets.token_hex(4)}"
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "w", encoding="ascii") as file:
            json.dump(asdict(self), file)  # which writes a path that is no Unicode, too
        fresh.replace(folder / FACTS)

    @classmethod
    def read(cls, folder: Path) -> SessionFacts | None:
        """Return those of a session folder; None where they cannot be read."""
        try:
            data = json.loads((folder / FACTS).read_bytes())
            data["runs"] = tuple(RunFacts(**each) for each in data["runs"])
            return cls(**data)
        except (OSError, ValueError, KeyError, TypeError):
            return None
