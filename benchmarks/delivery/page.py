"""The section of docs/performance.md about delivery, from the results: never written by hand."""

from __future__ import annotations

from importlib.metadata import version

from benchmarks.explorer.results import Results, markdown

from .measure import IN_MEMORY, THEIRS

TEXT = """\
## Delivery

What an event costs the loop that logs it, and how fast events reach a backend.

{table}

Measured {machine}.

Peers: thehutch {hutch}, openlineage-python {official} with its `async_http` transport.

### How to read it

- **log_operator** is timed at the caller, the whole way through the SDK; live, with the journal on.
  Beside it stand the reference's emitter without its SDK, and the official client's `emit` with the
  making of its event. `os.write` writes the bytes of one event to a file: what is kept over a crash
  cannot cost less.
- **hung** accepts connections and never answers; **down** refuses them. The reference waits for
  its time-out, five seconds, with each event.
- **delivered** runs from going live with a backlog until the last answer: writing the journal is in
  it. **drained** runs from the return of a backend that was away while the events came, which is
  when they were written to the journal. `http.client` posts ready-made bodies on one kept-alive
  connection and does nothing else.
- **50 ms for an answer**: the events of one run are posted one after the other, those of several
  runs on up to 16 connections. The official client does not keep the order of a run's events.
- The goals in µs were set on a machine on which the reference's emitter takes {was:.0f} µs for an
  event in memory; on this one it took {times:.1f} times as long in this run.
- Backend and contenders share one machine; each has its turn in each of {rounds} rounds. The best
  round counts, which what else runs on the machine slowed least; of a p99 the median round.
  **ratio** is the better of the two peers against ours, floors left out; above 1 ours is better.
"""
THEIRS_US = 10.0


def page(results: Results, rounds: int) -> str:
    """Return the section."""
    took_us = results.of(IN_MEMORY)[THEIRS]
    return TEXT.format(
        was=THEIRS_US,
        times=took_us / THEIRS_US,
        table="\n".join(markdown(results.rows())),
        machine=results.machine(),
        hutch=version("thehutch"),
        official=version("openlineage-python"),
        rounds=rounds,
    )


def lines(results: Results) -> list[str]:
    """Return the results as lines of text: the table, the machine."""
    return [*markdown(results.rows()), "", results.machine()]
