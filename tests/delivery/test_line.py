"""The line: order run by run, refusals, what is set aside."""

from __future__ import annotations

import itertools

from hutch_lineage.delivery import MemoryOutbox, Reply
from hutch_lineage.delivery.line import MAX_REFUSALS, SPAN, WINDOW, Line

OK = Reply("accepted", 201)
BROKEN = Reply("retry", 500, "500 Internal Server Error")
AWAY = Reply("retry", None, "Connection refused")
BUSY = Reply("retry", 429, "429 Too Many Requests")
CLOCK = itertools.count(1.0)
LATER = 1e9


def outbox_of(*runs):
    """Return an outbox with an event of each of these runs."""
    outbox = MemoryOutbox()
    for run in runs:
        outbox.append(b'{"run":{"runId":"%s"}}' % run.encode())
    return outbox


def line_of(*runs):
    """Return a line of events of these runs."""
    return Line(outbox_of(*runs))


def numbers(events):
    """Return the numbers of events."""
    return [number for number, _, _ in events]


def settle(line, events, reply, until=0.0):
    """Say what came of a post."""
    if reply.verdict == "retry":
        until = 0.0 if line.postponed(events, reply) else until
    elif reply.verdict == "accepted":
        line.accepted(events)
    else:
        line.reject(events[0], reply)
    line.release(events, until)


def post(line, answer, limit=1):
    """Post what is next; `answer` maps a number to a reply. Return the number."""
    events = line.take(limit, now=LATER)
    reply = answer(numbers(events)[0])
    settle(line, events, reply, until=next(CLOCK) if reply.verdict == "retry" else 0.0)
    return numbers(events)[0]


def test_runs_may_overtake_one_another_and_events_of_a_run_may_not():
    """While an event is under way those of other runs may go out, its own run's wait."""
    line = line_of("a", "a", "b", "a", "b")
    first, second = line.take(), line.take()
    assert (numbers(first), numbers(second), line.take()) == ([0], [2], [])
    settle(line, second, OK)
    third = line.take()
    assert (numbers(third), line.owed, line.first_owed) == ([4], 4, 0)
    settle(line, first, OK)
    assert numbers(line.take()) == [1]


def test_operators_that_are_runs_of_their_own_keep_the_order_of_their_search():
    """Where an event names a parent, the order is that of the parent's events."""
    outbox = outbox_of("a", "b")
    for run in ("o1", "o2"):
        outbox.append(
            b'{"run":{"runId":"%s","facets":{"parent":{"run":{"runId":"a"}}}}}' % run.encode()
        )
    line = Line(outbox)
    first = line.take()
    assert (numbers(first), numbers(line.take()), line.take()) == ([0], [1], [])
    settle(line, first, OK)
    assert (numbers(line.take()), line.take()) == ([2], [])


def test_events_of_one_run_in_a_row_go_where_each_says():
    """One that names a parent waits for the parent's, also between others that name none."""
    child = b'{"run":{"runId":"o1","facets":{"parent":{"run":{"runId":"a"}}}}}'
    alone = b'{"run":{"runId":"o1","facets":{"hutchOperator":{}}}}'
    outbox = outbox_of("a")
    for body in (alone, alone, child, alone):
        outbox.append(body)
    line = Line(outbox)
    first = line.take()
    assert (numbers(first), numbers(line.take(limit=9))) == ([0], [1, 2, 4])
    settle(line, first, OK)
    assert numbers(line.take(limit=9)) == [3]


def test_events_that_begin_alike_are_told_apart():
    """What has no run, and a run whose id begins another's: each goes its way."""
    outbox = MemoryOutbox()
    outbox.append(b'{"a":1}')
    outbox.append(b'{"a":2,"run":{"runId":"r"}}')
    for run in ("r1", "r11", "q"):
        outbox.append(b'{"run":{"runId":"%s"}}' % run.encode())
    line = Line(outbox)
    assert [numbers(line.take()) for _ in range(5)] == [[0], [1], [2], [3], [4]]


def test_what_follows_a_damaged_event_does_not_count_as_its_run():
    """A run id without end tells nothing of the events behind it."""
    outbox = MemoryOutbox()
    outbox.append(b'{"eventType":"RUNNING","run":{"runId":"torn}')
    for run in ("a", "b"):
        outbox.append(b'{"eventType":"RUNNING","run":{"runId":"%s"}}' % run.encode())
    line = Line(outbox)
    assert [numbers(line.take()) for _ in range(3)] == [[0], [1], [2]]


def test_a_batch_takes_whole_runs():
    """As many of the first run as there are, then of the next; the rest of a run stays behind."""
    line = line_of("a", "b", "a", "b", "a")
    events = line.take(4)
    assert numbers(events) == [0, 2, 4, 1]
    assert line.take(4) == []
    settle(line, events, OK)
    assert numbers(line.take(4)) == [3]


def test_an_event_that_only_it_is_refused_is_set_aside():
    """Other runs go on meanwhile; after the eighth refusal it is the event's fault."""
    line = line_of("a", "a", *["b"] * MAX_REFUSALS)
    order = []
    while line.owed:
        order.append(post(line, lambda index: BROKEN if index == 0 else OK))
    assert order == [0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 1, 9]
    assert [(item.index, item.status) for item in line.refused.kept] == [(0, 500)]
    assert "8 times while others were accepted" in line.refused.kept[0].reason


def test_where_there_is_one_run_its_next_event_tells():
    """After 8 refusals in a row the next one is tried; it is taken, so the first is the fault."""
    line = line_of("a", "a", "a")
    order = []
    while line.owed:
        order.append(post(line, lambda index: BROKEN if index == 0 else OK))
    assert order == [0] * MAX_REFUSALS + [1, 0, 2]
    assert [item.index for item in line.refused.kept] == [0]


def test_a_backend_that_refuses_all_loses_nothing():
    """Where the other one is refused as well it is the backend: the place in line is kept."""
    line = line_of("a", "a", "a")
    order = [post(line, lambda _: BROKEN) for _ in range(30)]
    assert set(order) == {0, 1}
    assert order.count(1) <= 4
    assert (line.refused.count, line.owed, numbers(line.take(3, LATER))) == (0, 3, [0])


def test_an_event_that_gets_through_in_the_end_stays():
    """When the head is accepted after the other one, nothing was set aside."""
    line = line_of("a", "b")
    assert [post(line, lambda _: BROKEN) for _ in range(4)] == [0, 1, 0, 1]
    assert [post(line, lambda _: OK), post(line, lambda _: OK)] == [0, 1]
    assert (line.refused.count, line.owed) == (0, 0)


def test_absence_and_overload_are_never_the_event():
    """Without an answer, or with 429, no event is doubted, however long it lasts."""
    line = line_of("a", "b", *["b"] * 40)
    for answer in (AWAY, BUSY):
        for _ in range(20):
            post(line, lambda index, answer=answer: answer if index == 0 else OK)
    assert (line.refused.count, line.first_owed) == (0, 0)


def test_a_batch_that_is_refused_twice_is_taken_apart():
    """Its events go by themselves, until all of them are done."""
    line = line_of(*"aaaaaa")
    for _ in range(2):
        assert post(line, lambda _: BROKEN, limit=3) == 0
    sizes = []
    while events := line.take(3, now=LATER):
        sizes.append(len(events))
        settle(line, events, OK)
    assert sizes == [1, 1, 1, 3]


def test_one_that_fails_within_a_batch_is_next():
    """Of a batch, what is to be tried again comes before what followed it."""
    line = line_of(*"aaaa")
    events = line.take(3)
    line.accepted([events[0], events[2]])
    line.put_back([events[1]])
    line.release(events)
    assert (line.owed, numbers(line.take(1))) == (2, [1])


def test_a_run_that_rests_lets_the_others_go():
    """Until its time has come it is passed over; then it is its turn at once."""
    line = line_of("a", "b", "b", "b")
    settle(line, line.take(now=0.0), AWAY, until=5.0)
    settle(line, line.take(now=1.0), OK)
    assert (line.due_at, line.more()) == (5.0, True)
    assert numbers(line.take(now=5.0)) == [0]


def test_what_goes_out_ahead_is_bounded():
    """Only so much is read ahead; beyond that all wait for the oldest event that is owed."""
    line = line_of("a", *["b"] * (SPAN + 10))
    settle(line, line.take(), AWAY, until=9.0)
    while events := line.take(WINDOW):
        settle(line, events, OK)
    assert (line.first_owed, line.owed) == (0, 12)


def test_what_was_refused_comes_first_when_it_is_offered_again():
    """It stands before what waits of its run, in order, and other runs do not wait for it."""
    line = line_of("a", "a", "b", "a")
    for _ in range(2):
        settle(line, line.take(), Reply("rejected", 401, "no"))
    assert line.offer_again() == 2
    events = line.take(9)
    assert (numbers(events), line.owed, line.first_owed) == ([0, 1, 3, 2], 4, 0)
    settle(line, events, OK)
    assert (line.owed, line.first_owed, line.refused.count) == (0, 4, 0)
