"""One run: ours, the peers and the floor in turn, so that a busy machine slows all alike."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from statistics import median

from benchmarks.backend import Backend, backend
from benchmarks.explorer.results import OURS, Figure, Results
from tests.receivers import unused_port

from . import callers, official, rates

THEIRS = "thehutch"
OFFICIAL = "openlineage async"
FLOOR = "http.client"
WRITE = "os.write"
LATENCY_S = 0.05
RUNS = 16
BATCH = 100


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    rounds: int = 5
    events: int = 2_000
    few: int = 400  # where a peer takes its time
    slow: int = 40  # posts one after the other that take 50 ms each
    peers: bool = True


def run(plan: Plan) -> Results:
    """Measure."""
    logging.disable(logging.CRITICAL)
    results = Results(floors=(FLOOR, WRITE), takes_best=True)
    try:
        with backend("ok") as healthy, backend("hang") as hung, backend(str(LATENCY_S)) as slow:
            for number in range(plan.rounds):
                _callers(results, plan, healthy.url, hung.url, first=number == 0)
                _rates(results, plan, healthy)
                _slow(results, plan, slow)
    finally:
        logging.disable(logging.NOTSET)
    _share(results, IN_MEMORY, THEIRS, Figure(f"{IN_MEMORY.title} of {THEIRS}'s emitter", "x", 1.2))
    for figure, goal in ((SINGLE, 0.5), (DRAINED, 0.3), (ONE_RUN, 0.9)):
        _share(results, figure, FLOOR, Figure(f"{figure.title}, share of {FLOOR}", "of it", goal))
    return results


def _share(results: Results, figure: Figure, other: str, told_as: Figure) -> None:
    """Set ours against that of another."""
    found = results.of(figure)
    results.add(told_as, OURS, found[OURS] / found[other])


def _cost(state: str, percent: int, goal: float | None) -> Figure:
    share = "median" if percent == 50 else f"p{percent}"
    return Figure(f"log_operator, {state}, {share}", "us", goal, seldom=percent == 99)


IN_MEMORY = _cost("in memory", 50, 12.0)
SINGLE = Figure("delivered, one event a post", "events/s")
DRAINED = Figure(f"drained, batches of {BATCH}", "events/s")
AFTER = f"{LATENCY_S * 1000:g} ms for an answer"
ONE_RUN = Figure(f"{AFTER}, one event a post, one run", "events/s")


def _note(results: Results, state: str, name: str, took: list[float]) -> None:
    ordered = sorted(took)
    live = state != "in memory"
    middle = _cost(state, 50, 15.0) if live else IN_MEMORY
    results.add(middle, name, median(ordered) * 1e6)
    if len(ordered) >= 100:
        late = _cost(state, 99, 150.0 if live else None)
        results.add(late, name, ordered[len(ordered) * 99 // 100] * 1e6)


def _callers(results: Results, plan: Plan, healthy: str, hung: str, *, first: bool) -> None:
    down = f"http://127.0.0.1:{unused_port()}"
    _note(results, "in memory", OURS, callers.through_our_sdk("in-memory", plan.events))
    _note(results, "in memory", THEIRS, callers.by_their_emitter("in-memory", plan.events))
    for state, url in (("healthy", healthy), ("hung", hung), ("down", down)):
        state = f"live, backend {state}"
        _note(results, state, OURS, callers.through_our_sdk(url, plan.events))
        _note(results, state, WRITE, callers.one_write(plan.events))
        if not plan.peers:
            continue
        _note(results, state, OFFICIAL, official.costs(url, plan.few))
        if url != hung:
            _note(results, state, THEIRS, callers.by_their_emitter(url, plan.few))
        elif first:  # it waits five seconds for each
            _note(results, state, THEIRS, callers.by_their_emitter(url, 1))


def _rates(results: Results, plan: Plan, healthy: Backend) -> None:
    results.add(SINGLE, OURS, rates.ours(healthy.url, plan.events))
    results.add(SINGLE, FLOOR, rates.floor(healthy.port, plan.events))
    if plan.peers:
        results.add(SINGLE, THEIRS, rates.theirs(healthy.url, plan.few))
        results.add(SINGLE, OFFICIAL, official.rate(healthy.url, plan.few))
    many = 10 * plan.events
    results.add(DRAINED, OURS, rates.after_outage(many, batch=BATCH))
    results.add(DRAINED, FLOOR, rates.floor(healthy.port, many, batch=BATCH))
    figure = Figure(f"delivered, batches of {BATCH}", "events/s")
    results.add(figure, OURS, rates.ours(healthy.url, many, batch=BATCH))


def _slow(results: Results, plan: Plan, slow: Backend) -> None:
    many = plan.slow * BATCH // 2
    figure = Figure(f"{AFTER}, batches of {BATCH}", "events/s", 1_500)
    results.add(figure, OURS, rates.ours(slow.url, many, batch=BATCH))
    results.add(figure, FLOOR, rates.floor(slow.port, many, batch=BATCH))
    figure = Figure(f"{AFTER}, one event a post, {RUNS} runs", "events/s", 250)
    results.add(figure, OURS, rates.ours(slow.url, plan.slow * RUNS, runs=RUNS))
    if plan.peers:
        results.add(figure, OFFICIAL, official.rate(slow.url, plan.slow * RUNS, runs=RUNS))
    results.add(ONE_RUN, OURS, rates.ours(slow.url, plan.slow))
    results.add(ONE_RUN, FLOOR, rates.floor(slow.port, plan.slow))
    if plan.peers:
        results.add(ONE_RUN, THEIRS, rates.theirs(slow.url, max(1, plan.slow // 2)))
