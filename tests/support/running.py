"""What tests start and stop: a server, a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self


class Running(ABC):
    """Something that runs inside a ``with`` block; there it may be stopped and started again."""

    @abstractmethod
    def start(self) -> None:
        """Start it, and wait until it answers."""

    @abstractmethod
    def stop(self) -> None:
        """End it and wait; harmless where it does not run."""

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
