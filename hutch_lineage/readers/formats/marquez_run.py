"""A run of a Marquez, read back over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

from hutch_lineage.readers import Feed, Item, Report, Source, is_backend

from .hutch_run import HutchRun


class MarquezRun:
    """What a Marquez holds of a run."""

    kind = "marquez"
    title = "a run of a Marquez, http://host:port or marquez://host"

    def detect(self, source: Source) -> bool:
        """Return whether it is an address at which no Hutch server answers."""
        return is_backend(source.address) and not HutchRun().detect(source)

    def read(self, source: Source, report: Report) -> Iterator[Item]:
        """Yield the events of the run."""
        feed = self.follow(source, report)
        source.name = feed.name
        try:
            yield from feed.poll()
        finally:
            feed.close()

    def follow(self, source: Source, report: Report) -> Feed:
        """Return the feed of the run."""
        from .marquez import Marquez
        from .marquez_feed import open_run

        del report
        marquez = Marquez(source.address, source.api_key)
        try:
            return open_run(marquez, source.run)
        except BaseException:
            marquez.close()
            raise
