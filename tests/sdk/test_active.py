"""Which run a module function logs to: own context first, else the only open run."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import hutch_lineage as hl
from hutch_lineage.errors import AmbiguousRunError, NoActiveRunError
from hutch_lineage.sdk import active_run, runtime

COUNT = 50


def _labels(run_id: str) -> Counter[str]:
    return Counter(
        event.payload.label
        for event in runtime().events
        if event.event_kind == "stream_event" and event.run_id == run_id
    )


def _in_thread(function: object, *arguments: object) -> object:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *arguments).result()


def test_no_run() -> None:
    """Without a run, the verbs say how to start one."""
    with pytest.raises(NoActiveRunError, match="start_run"):
        hl.log_stream_event(label="x")
    with pytest.raises(NoActiveRunError):
        hl.end_run()
    with pytest.raises(RuntimeError):
        hl.log_stream_event(label="x")


def test_after_the_end() -> None:
    """After the end of the only run there is none."""
    hl.start_run()
    hl.end_run()
    with pytest.raises(NoActiveRunError):
        hl.log_stream_event(label="x")


def test_only_open_run_in_a_thread() -> None:
    """In a thread where no run was started, the only open run is meant."""
    with hl.run("r") as run:
        assert _in_thread(active_run) is run


def test_several_open_runs_in_a_thread() -> None:
    """With several open runs the call names them and says what to do."""
    hl.start_run(name="one", run_id="1")
    hl.start_run(name="two", run_id="2")
    with pytest.raises(AmbiguousRunError, match=r"one \(1\), two \(2\).*run.log_") as caught:
        _in_thread(active_run)
    assert caught.value.run_ids == ("1", "2")


def test_newest_in_one_thread() -> None:
    """In one thread the run started last is the active one, and afterwards the one around it."""
    with hl.run("outer") as outer:
        with hl.run("inner") as inner:
            assert active_run() is inner
        assert active_run() is outer


def test_threads_do_not_mix() -> None:
    """Two threads with two runs, logging at the same time, each log to their own."""
    barrier = threading.Barrier(2)

    def work(name: str) -> str:
        with hl.run(name) as run:
            barrier.wait(10)
            for _ in range(COUNT):
                hl.log_stream_event(label=name)
            barrier.wait(10)
        return run.id

    with ThreadPoolExecutor(2) as pool:
        ids = dict(zip("ab", pool.map(work, "ab"), strict=True))
    assert {name: _labels(id_) for name, id_ in ids.items()} == {
        "a": Counter(a=COUNT),
        "b": Counter(b=COUNT),
    }


def test_tasks_do_not_mix() -> None:
    """Two asyncio tasks with two runs each log to their own, with awaits in between."""

    async def work(name: str) -> str:
        with hl.run(name) as run:
            for _ in range(COUNT):
                hl.log_stream_event(label=name)
                await asyncio.sleep(0)
        return run.id

    async def both() -> list[str]:
        return await asyncio.gather(work("a"), work("b"))

    one, other = asyncio.run(both())
    assert (_labels(one), _labels(other)) == (Counter(a=COUNT), Counter(b=COUNT))


def test_tasks_inherit() -> None:
    """Tasks and threads started from a task inherit its run, also when others are open."""

    async def search(name: str) -> str:
        with hl.run(name) as run:
            await asyncio.gather(*(asyncio.to_thread(_log, name) for _ in range(COUNT)))
        return run.id

    def _log(name: str) -> None:
        hl.log_stream_event(label=name)

    async def both() -> list[str]:
        return await asyncio.gather(search("a"), search("b"))

    one, other = asyncio.run(both())
    assert (_labels(one), _labels(other)) == (Counter(a=COUNT), Counter(b=COUNT))


def test_copied_context() -> None:
    """A copy of the context carries the active run into a thread."""
    with hl.run("one") as one:
        context = contextvars.copy_context()
        with hl.run("two"):
            assert _in_thread(context.run, active_run) is one


def test_straggler_does_not_mix() -> None:
    """A context whose run has ended does not log to another run that was open meanwhile."""
    hl.start_run(name="other")
    context = contextvars.Context()
    with context.run(hl.run, "mine"):
        pass
    with pytest.raises(AmbiguousRunError, match="has ended here"):
        context.run(active_run)


def test_next_cell() -> None:
    """A context that still holds a run which ended elsewhere uses the run started after it.

    Notebook kernels run some cells in a copy of the context, so what such a cell ends stays
    active for the cells after it.
    """
    hl.start_run(name="first")
    contextvars.copy_context().run(hl.end_run)
    second = contextvars.copy_context().run(lambda: hl.start_run(name="second"))
    assert active_run() is second


def test_reset_forgets() -> None:
    """After reset the former run is not meant any more."""
    hl.start_run(name="former")
    hl.reset()
    with pytest.raises(NoActiveRunError):
        active_run()
    with hl.run("new") as new:
        assert active_run() is new


def test_generator_blocks() -> None:
    """Blocks that do not end in the order in which they began leave the open run active."""
    first, second = hl.run("first"), hl.run("second")
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert active_run() is second
    second.__exit__(None, None, None)
    with pytest.raises(NoActiveRunError):
        active_run()
