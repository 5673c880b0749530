"""The section of docs/performance.md about delivery, from the results: never written by hand."""

from __future__ import annotations

from importlib.metadata import version

from benchmarks.explorer.results import Results, markdown

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
  it. `http.client` posts ready-made bodies on one kept-alive connection and does nothing else.
- **50 ms for an answer**: the events of one run are posted one after the other, those of several
  runs on up to 16 connections. The official client does not keep the order of a run's events.
- Backend and contenders share one machine; each has its turn in each of {rounds} rounds. Of a cost
  the median round counts, of a rate the best, which what else runs on the machine slowed least.
  **ratio** is the better of the two peers against ours, floors left out; above 1 ours is better.
"""


def page(results: Results, rounds: int) -> str:
    """Return the section."""
    return TEXT.format(
        table="\n".join(markdown(results.rows())),
        machine=results.machine(),
        hutch=version("thehutch"),
        official=version("openlineage-python"),
        rounds=rounds,
    )


def lines(results: Results) -> list[str]:
    """Return the results as lines of text: the table, the machine."""
    return [*markdown(results.rows()), "", results.machine()]
