"""The session's side of its folder: made, told, taken from, removed."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import threading
from pathlib import Path

from hutch_lineage.plumbing import LOCKS, lock

from .facts import SessionFacts
from .inbox import Inbox
from .place import LETTERS, OWNER, make_root, own_folder, session_roots

logger = logging.getLogger("hutch_lineage.workers")


class SessionFolder:
    """The folder of this process. It is made once and serves each session of the process.

    Attributes
    ----------
    path : Path
        Where it is.
    inbox : Inbox
        What the workers have left in it.
    """

    def __init__(self, path: Path, owner_fd: int) -> None:
        self.path = path
        self.inbox = Inbox(path)
        self._owner_fd = owner_fd
        self._mutex = threading.Lock()
        self._told: SessionFacts | None = None

    @classmethod
    def make(cls, facts: SessionFacts) -> SessionFolder | None:
        """Make the folder; None where HUTCH_LINEAGE_SESSIONS is ``off``.

        Raises
        ------
        OSError
            It cannot be made anywhere.
        """
        trouble: OSError | None = None
        for root in session_roots():
            try:
                return cls._make(root, facts)
            except OSError as error:
                trouble = trouble or error
        if trouble is not None:
            raise trouble
        return None

    @classmethod
    def _make(cls, root: Path, facts: SessionFacts) -> SessionFolder:
        make_root(root)
        path = own_folder(root)
        if path.exists():  # of a former process with this number, and the same fixed authkey
            path.rename(path.with_name(f"{path.name}-{secrets.token_hex(4)}"))
        # hidden until it is whole; what has an open file in it cannot be renamed on Windows
        hidden = path.with_name(f".{path.name}-{secrets.token_hex(4)}") if LOCKS else path
        hidden.mkdir(mode=0o700)
        fd = os.open(hidden / OWNER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            lock(fd)
            facts.write(hidden)
            if hidden is not path:
                hidden.rename(path)
        except OSError:
            os.close(fd)
            shutil.rmtree(hidden, ignore_errors=True)
            raise
        folder = cls(path, fd)
        folder._told = facts
        return folder

    def tell(self, facts: SessionFacts) -> None:
        """Tell the workers of new facts.

        Raises
        ------
        OSError
            They cannot be written.
        """
        if self.mend(facts) or facts != self._told:
            facts.write(self.path)
            self._told = facts

    def mend(self, facts: SessionFacts | None = None) -> bool:
        """Make the folder anew where somebody has removed it; return whether that was so.

        It gets the same name, so that workers which live find it.

        Raises
        ------
        OSError
            It cannot be made.
        """
        with self._mutex:
            facts = facts or self._told
            if self.path.exists() or facts is None:
                return False
            fresh = self._make(self.path.parent, facts)
            os.close(self._owner_fd)
            self._owner_fd = fresh._owner_fd
        logger.warning(
            "%s was removed while workers wrote to it: what had not been taken is lost. It is "
            "made anew",
            self.path,
        )
        return True

    def remove(self) -> bool:
        """Remove it where everything was taken and no worker lives; return whether it is gone.

        Otherwise it stays, and what is written to it later is found by the next session.
        """
        if self.inbox.has_workers():
            return False
        # Under another name nobody can begin a file in it; one that was begun just before shows.
        gone = self.path.with_name(f".{self.path.name}-{secrets.token_hex(4)}")
        try:
            self.path.rename(gone)
            if any(entry.name.endswith(LETTERS) for entry in os.scandir(gone)):
                gone.rename(self.path)
                return False
        except OSError:
            return False
        shutil.rmtree(gone, ignore_errors=True)
        self.let_go()
        return True

    def let_go(self) -> None:
        """Close what is open; in a forked child the parent keeps its hold."""
        self.inbox.close()
        fd, self._owner_fd = self._owner_fd, -1
        if fd >= 0:
            os.close(fd)
