"""The line: order, refusals, what is set aside."""

from __future__ import annotations

from hutch_lineage.delivery import MemoryOutbox, Reply
from hutch_lineage.delivery.line import MAX_REFUSALS, Line

OK = Reply("accepted", 201)
BROKEN = Reply("retry", 500, "500 Internal Server Error")
AWAY = Reply("retry", None, "Connection refused")
BUSY = Reply("retry", 429, "429 Too Many Requests")


def line_of(*runs):
    """Return a line of events of these runs."""
    outbox = MemoryOutbox()
    for run in runs:
        outbox.append(b'{"run":{"runId":"%s"}}' % run.encode())
    return Line(outbox)


def post(line, answer):
    """Post what is next; `answer` maps a number to a reply. Return the number."""
    (index,) = line.choose()
    reply = answer(index)
    if reply.verdict == "retry":
        line.postponed(index, reply)
    elif reply.verdict == "accepted":
        line.accepted([index])
    else:
        line.reject(index, reply)
    return index


def test_an_event_that_only_it_is_refused_is_set_aside():
    """After 8 refusals another run's event is tried; it is taken, so the first one is the fault."""
    line = line_of("a", "a", "b")
    order = []
    while line.owed:
        order.append(post(line, lambda index: BROKEN if index == 0 else OK))
    assert order == [0] * MAX_REFUSALS + [2, 0, 1]
    assert [(item.index, item.status) for item in line.rejected] == [(0, 500)]
    assert "9 times while others were accepted" in line.rejected[0].reason


def test_a_backend_that_refuses_all_loses_nothing():
    """Where the other one is refused as well it is the backend: the place in line is kept."""
    line = line_of("a", "b")
    order = [post(line, lambda _: BROKEN) for _ in range(30)]
    assert set(order) == {0, 1}
    assert order.count(1) <= 4
    assert (line.refused, line.owed, line.choose()) == (0, 2, [0])


def test_an_event_that_gets_through_in_the_end_stays():
    """When the head is accepted after the other one, nothing was set aside."""
    line = line_of("a", "b")
    for _ in range(MAX_REFUSALS):
        post(line, lambda _: BROKEN)
    assert [post(line, lambda _: OK), post(line, lambda _: OK)] == [1, 0]
    assert (line.refused, line.owed) == (0, 0)


def test_absence_and_overload_are_never_the_event():
    """Without an answer, or with 429, no event is doubted, however long it lasts."""
    line = line_of("a", "b")
    order = [post(line, lambda _: AWAY) for _ in range(20)]
    order += [post(line, lambda _: BUSY) for _ in range(20)]
    assert set(order) == {0}


def test_one_that_fails_within_a_batch_is_next():
    """Of a batch, what is to be tried again comes before what followed it."""
    line = line_of("a", "a", "a", "a")
    assert line.choose(3) == [0, 1, 2]
    line.accepted([0])
    line.put_back(1)
    line.accepted([2])
    assert (line.owed, line.choose(3)) == (2, [1])
    line.accepted([1])
    assert line.choose(3) == [3]
