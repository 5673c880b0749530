"""What is posted next to an endpoint and when, and what an answer changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hutch_lineage.plumbing import Backoff

from .line import Line
from .lines import Lines
from .outage import Outage, Said
from .replies import Reply
from .runs import Event


class Post(NamedTuple):
    """What is posted next: events of one line, and how often the backend had failed by then."""

    line: Line
    events: list[Event]
    setbacks: int

    @property
    def bodies(self) -> list[bytes]:
        """The events as JSON."""
        return [body for _, _, body in self.events]


class Dispatch:
    """Gives out posts and takes in what came of them. Not locked; any number may be under way.

    A failure is the backend's until something is accepted: all wait, later and later, and then one
    post at a time finds out whether it is back. However many were under way when it went, that is
    one outage and one wait.

    Parameters
    ----------
    lines : Lines
        What there is to send.
    outage : Outage
        What to tell of failures.
    backoff : Backoff
        How long to wait after them.

    Attributes
    ----------
    sent, sent_adopted, failed : int
        Events that were accepted, of this process and of former ones; posts that failed.
    refused_adopted : list of str
        Why events of former processes were refused, one reason for each.
    """

    def __init__(self, lines: Lines, outage: Outage, backoff: Backoff) -> None:
        self._lines = lines
        self._outage = outage
        self._backoff = backoff
        self._retry_at = 0.0
        self._hurry = False
        self._probe: Post | None = None
        self._setbacks = 0
        self.sent = self.sent_adopted = self.failed = 0
        self.refused_adopted: list[str] = []

    @property
    def failing(self) -> bool:
        """Whether the backend is away, as far as is known."""
        return self._outage.since is not None

    # what goes out

    def take(self, limit: int, now: float) -> Post | None:
        """Return what goes out now, at most `limit` events; None where nothing does."""
        if self.held_up(now):
            return None
        while (line := self._lines.current()) is not None:
            if self._hurry:
                line.rouse()
            events = line.take(limit, now)
            if events:
                post = Post(line, events, self._setbacks)
                self._hurry = False
                if self.failing:
                    self._probe = post
                return post
            if line.owed:
                return None  # it is under way, or rests
        return None

    def more(self) -> bool:
        """Whether another post could be under way at the same time."""
        if self.failing:
            return False
        line = self._lines.current()
        return line is not None and line.more()

    def held_up(self, now: float) -> bool:
        """Whether nothing goes out for now, whatever comes: in an outage."""
        return self._probe is not None or (self._retry_at > now and not self._hurry)

    def wait_s(self, now: float) -> float | None:
        """Return in how many seconds something may go out; None: when anything changes."""
        line = self._lines.current()
        due_at = max(self._retry_at, line.due_at if line is not None else 0.0)
        return due_at - now if due_at > now and self._probe is None else None

    def hurry(self) -> None:
        """Do not wait with the next post."""
        self._hurry = True

    def go_on(self) -> None:
        """Forget that the backend was to be left alone."""
        self._retry_at = 0.0

    # what came of it

    def settle(
        self, post: Post, replies: Sequence[Reply], now: float, *, awaited: bool = True
    ) -> list[Said]:
        """Take in what came of a post.

        Parameters
        ----------
        post : Post
            What was posted.
        replies : sequence of Reply
            One for each of its events, or for the first ones: the others stay owed.
        now : float
            The time.
        awaited : bool
            Whether anybody waits: a failure is no outage otherwise.

        Returns
        -------
        list of Said
            What there is to log.
        """
        if post is self._probe:
            self._probe = None
        if all(reply.verdict == "retry" for reply in replies):
            said = self._postpone(post, replies[0], now, awaited=awaited)
        else:
            said = self._sort(post, replies, now)
            self._retry_at = 0.0
            if self.failing:
                said.append(self._outage.answered(self._lines.owed))
        return [each for each in said if each is not None]

    def give_back(self, post: Post) -> None:
        """Take back a post that was not made."""
        if post is self._probe:
            self._probe = None
        post.line.put_back(post.events)
        post.line.release(post.events)

    def _postpone(
        self, post: Post, reply: Reply, now: float, *, awaited: bool
    ) -> list[Said | None]:
        self.failed += 1
        line, asked_s = post.line, reply.wait_s or 0.0
        if not awaited:
            self.give_back(post)
            return []
        rest_s = max(self._backoff.wait_s(line.refusals(post.events[0]) + 1), asked_s)
        if line.postponed(post.events, reply):
            line.release(post.events)
            self._retry_at = 0.0
            return [self._refused(line, line.refused.kept[-1].reason)]
        said = None
        if post.setbacks == self._setbacks:  # the others that were under way tell nothing new
            self._setbacks += 1
            said = self._outage.failed(reply.reason)
            wait_s = max(self._backoff.wait_s(self._outage.failures), asked_s)
            self._retry_at = now + wait_s
        line.release(post.events, max(now + rest_s, self._retry_at))
        return [said]

    def _sort(self, post: Post, replies: Sequence[Reply], now: float) -> list[Said | None]:
        """Note replies of which some accept or reject an event."""
        line, until = post.line, 0.0
        said: list[Said | None] = []
        if _all_well(post.events, replies):  # mostly, and then there is nothing to be sorted
            self._accepted(line, post.events)
            line.release(post.events)
            return said
        answered = list(zip(post.events, replies, strict=False))
        accepted = [event for event, reply in answered if reply.verdict == "accepted"]
        back = post.events[len(replies) :]
        for event, reply in answered:
            if reply.reason and reply.verdict == "accepted":
                line.remark(event, reply)
        for event, reply in answered if len(accepted) < len(answered) else ():
            if reply.verdict == "rejected":
                line.reject(event, reply)
                said.append(self._refused(line, reply.reason))
            elif reply.verdict == "retry":
                self.failed += 1
                until = now + max(self._backoff.wait_s(1), reply.wait_s or 0.0)
                back.append(event)
        self._accepted(line, accepted)
        line.put_back(sorted(back))
        line.release(post.events, until)
        return said

    def _accepted(self, line: Line, events: Sequence[Event]) -> None:
        line.accepted(events)
        if line is self._lines.own:
            self.sent += len(events)
        else:
            self.sent_adopted += len(events)

    def _refused(self, line: Line, reason: str) -> Said | None:
        """Count a refusal; return what to log."""
        if line is not self._lines.own:
            self.refused_adopted.append(reason)
        return self._outage.rejected(reason)


def _all_well(events: Sequence[Event], replies: Sequence[Reply]) -> bool:
    """Whether all are accepted and nothing is said of any."""
    first = replies[0]
    if first.verdict != "accepted" or first.reason or len(replies) != len(events):
        return False
    return replies.count(first) == len(replies)  # those of a batch are one object, found at once
