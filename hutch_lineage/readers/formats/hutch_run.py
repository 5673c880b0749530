"""A run that a ``hutch serve`` holds, read over HTTP, also while it grows."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from hutch_lineage.errors import ReadError
from hutch_lineage.readers import Item, Report, Source, checked_event, is_backend, is_marquez

if TYPE_CHECKING:
    from .hutch_server import HutchServer

ASKING_S: Final = 5.0


class HutchRun:
    """What a running ``hutch serve`` holds of a run."""

    kind = "hutch-server"
    title = "a run of a running `hutch serve`, http://host:port"

    def detect(self, source: Source) -> bool:
        """Return whether a Hutch server answers at the address; asks it, once for a source."""
        if not is_backend(source.address) or is_marquez(source.address):
            return False
        if "hutch-server" not in source.found_out:
            from .hutch_server import HutchServer  # with the HTTP library, which no file needs

            server = HutchServer(source.address, source.api_key, ASKING_S)
            source.found_out["hutch-server"] = server.is_there()
            server.close()
        return source.found_out["hutch-server"]

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the events of the run."""
        feed = self.follow(source, report)
        source.name = feed.name
        try:
            yield from feed.events()
        finally:
            feed.close()

    def follow(self, source: Source, report: Report) -> HutchRunFeed:
        """Return the feed of the run.

        Raises
        ------
        ReadError
            There is no such run, or there are several and none is named; the message lists them.
        """
        from .hutch_server import HutchServer

        server = HutchServer(source.address, source.api_key)
        try:
            return HutchRunFeed(server, chosen(server, source.run), report)
        except BaseException:
            server.close()
            raise


class HutchRunFeed:
    """The events of one run, read from a Hutch server as they come.

    Parameters
    ----------
    server : HutchServer
        Where to read.
    run : dict
        The server's summary of it.
    report : Report
        What is odd goes there.
    """

    period_s = 1.0

    def __init__(self, server: HutchServer, run: dict[str, Any], report: Report) -> None:
        self._server = server
        self._report = report
        self._run_id = str(run["run_id"])
        self._seen: set[str] = set()
        self._newest_ns = -1
        self.ended = False
        self.name = f"{run.get('name') or self._run_id} at {server.place.name}"

    def poll(self) -> Sequence[Item]:
        """Return the events that have come since the last call, in order.

        Raises
        ------
        ReadError
            The server does not answer, or not as it should; call again later.
        """
        run = next((each for each in self._server.runs() if each["run_id"] == self._run_id), {})
        count = run.get("event_count")
        if count == len(self._seen) and self._seen:
            self.ended = run.get("ended_at_ns") is not None
            return []
        found = list(self.events(self._newest_ns - 1))
        if isinstance(count, int) and len(self._seen) < count:
            found += self.events()  # some have come in late, with an earlier time
        return found

    def events(self, after_ns: int = -1) -> Iterator[Item]:
        """Yield the events after a moment that were not yielded before."""
        for number, value in enumerate(self._server.events(self._run_id, after_ns), start=1):
            event_id = str(value.get("event_id"))
            if event_id in self._seen:
                continue
            event, _ = checked_event(value, f"event {number} ({event_id})", self._report)
            self._seen.add(event_id)
            if event is not None:
                self._newest_ns = max(self._newest_ns, event.timestamp_ns)
                yield event

    def close(self) -> None:
        """Close the connection."""
        self._server.close()


def chosen(server: HutchServer, name: str | None) -> dict[str, Any]:
    """Return the run that is meant, by name or id; the only one where none is named.

    Raises
    ------
    ReadError
        There is no such run, or there are several; the message lists them.
    """
    runs = server.runs()
    if not runs:
        raise _unclear(server, "has no runs yet", [])
    from .http_place import MOST_NAMED

    if name is None:
        if len(runs) > 1:
            raise _unclear(server, "has several runs: name one with run=", runs)
        return runs[0]
    found = [run for run in runs if run.get("run_id") == name] or [
        run for run in runs if run.get("name") == name
    ]
    if len(found) > 1:
        raise _unclear(server, f"has several runs {name!r}: take the id as run=", found)
    if found:
        return found[0]
    names = {str(run.get(key)): run for run in runs for key in ("name", "run_id") if run.get(key)}
    close = difflib.get_close_matches(name, names, n=MOST_NAMED, cutoff=0.5)
    likely = list({str(names[each]["run_id"]): names[each] for each in close}.values())
    if likely:
        raise _unclear(server, f"has no run {name!r}; did you mean", likely)
    raise _unclear(server, f"has no run {name!r}; it has", runs)


def _unclear(server: HutchServer, what: str, runs: list[dict[str, Any]]) -> ReadError:
    told = [f"{run.get('name')} (run_id {run['run_id']})" for run in runs]
    return server.place.unclear(what, told)
