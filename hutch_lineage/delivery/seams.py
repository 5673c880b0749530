"""The seams of delivery: what the emitter needs, and what a courier needs.

The emitter knows an outbox and a delivery, and nothing of HTTP. A courier knows an outbox and a
sender. A journal on disk is another outbox, a batch endpoint another sender.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from .replies import Reply

DeliveryState = Literal["ok", "waiting", "failing"]


@dataclass(frozen=True, slots=True)
class Rejected:
    """An event that a backend refused: its position in the outbox, the HTTP status, the reason."""

    index: int
    status: int | None
    reason: str


PostingState = Literal["memory", "queued", "sent", "rejected"]


@dataclass(frozen=True, slots=True)
class Posting:
    """Where one event of the outbox is: see `Delivery.postings`."""

    state: PostingState
    status: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DeliveryStats:
    """The figures of one endpoint.

    Attributes
    ----------
    sent : int
        Events that the backend accepted.
    queued : int
        Events that the backend is still owed.
    failed : int
        Posts that failed and were, or will be, tried again.
    rejected : int
        Events that the backend refused for good.
    last_error : str or None
        The reason of the present outage, else of the last rejection.
    state : str
        ``ok`` (nothing is owed), ``waiting`` (events are on their way) or ``failing``.
    adopted : int
        Events of former processes that were sent; `adopted_left`, how many are known to wait;
        `adopted_refused`, how many were refused, and `adopted_why`, the reason of the first.
    """

    sent: int = 0
    queued: int = 0
    failed: int = 0
    rejected: int = 0
    last_error: str | None = None
    state: DeliveryState = "ok"
    adopted: int = 0
    adopted_left: int = 0
    adopted_refused: int = 0
    adopted_why: str = ""


class Outbox(Protocol):
    """An append-only sequence of event bodies (JSON, one event each)."""

    def __len__(self) -> int:
        """Return how many bodies were ever appended."""

    def read(self, index: int) -> bytes:
        """Return the body at a position; LookupError where it is kept no more."""

    def read_from(self, index: int, limit: int) -> Sequence[bytes | None]:
        """Return bodies from a position on, one at least and at most `limit`.

        Fewer come where they are large or kept in several places. None stands for one that is kept
        no more.
        """


class Record(Protocol):
    """Where the progress of a line is noted, so that it outlives the process."""

    def done(self, index: int) -> None:
        """Note that every event before `index` was accepted, or set aside."""

    def waiting(self) -> None:
        """Note that somebody still tries."""

    def set_aside(self, index: int, body: bytes, status: int | None, reason: str) -> bool:
        """Keep a refused event with the reason; return whether that outlives the process."""

    def taken_back(self, indices: Collection[int]) -> None:
        """Forget the refusal of events that were accepted after all."""

    def finish(self) -> bool:
        """Let go; return whether nothing is left to be sent."""


class LeftBehind(Outbox, Record, Protocol):
    """The events of a process that is gone."""

    @property
    def start(self) -> int:
        """The first one that is owed."""

    def after_fork(self) -> None:
        """In a forked child: the parent sends them."""


class Adoption(Protocol):
    """Finds what processes that are gone have left for an endpoint."""

    def any(self) -> bool:
        """Whether there may be something; quick."""

    def take(self) -> LeftBehind | None:
        """Take the oldest; None where there is none."""


class Sender(Protocol):
    """Posts one body and says what came of it. Blocks; never raises."""

    @property
    def batch(self) -> int:
        """How many bodies one post may carry; 1 where each has its own."""

    def send(self, body: bytes) -> Reply:
        """Post one event."""

    def send_batch(self, bodies: Sequence[bytes]) -> list[Reply]:
        """Post several events at once; one reply for each."""

    def twin(self) -> Sender:
        """Return another one for the same endpoint, with a connection of its own."""

    def close(self) -> None:
        """Free the connection; a later `send` opens a new one."""

    def forget(self) -> None:
        """Drop the connection without touching it: a forked child shares it with its parent."""


class Delivery(Protocol):
    """Brings the bodies of an outbox to one endpoint, in order, each once where possible."""

    def resume(self, *, background: bool = True) -> None:
        """Start, or go on, from the first body that is still owed."""

    def pause(self) -> None:
        """Stop after the post under way; what is left stays owed."""

    def wake(self) -> None:
        """Say that the outbox has grown. Cheap, never blocks on the network."""

    def drain(self) -> None:
        """Post what is owed on the caller's thread; raise DeliveryError at the first failure."""

    def flush(self, timeout_s: float | None) -> bool:
        """Wait until all is accepted; return whether it is."""

    def close(self, timeout_s: float | None) -> bool:
        """Flush, then pause and free the connection; return whether all was accepted."""

    def use(self, sender: Sender) -> None:
        """Post through another sender from now on, and offer once more what was refused."""

    def owed_from(self) -> int:
        """Return the position of the first event that is owed, or will be."""

    def write_to(self, record: Record) -> None:
        """Note progress in another journal from now on."""

    def release(self) -> None:
        """Stop, and let go of the journal: the next start may send what is left."""

    def stats(self) -> DeliveryStats:
        """Return the figures of this endpoint."""

    def rejected(self) -> list[Rejected]:
        """Return what was refused, oldest first, as far as it is kept."""

    def postings(self, start: int, stop: int) -> list[Posting]:
        """Return where the events at these positions of the outbox are.

        ``memory`` is what this delivery was never owed, such as the events of a forked child's
        parent.
        """

    def send_rejected(self) -> int:
        """Offer once more what was refused; return how many events that is."""

    def after_fork(self) -> None:
        """In a forked child: what is in the outbox now stays the parent's to send."""


OnChange = Callable[[], None]
