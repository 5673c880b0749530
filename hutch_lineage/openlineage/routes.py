"""The endpoints of an emitter: how each is reached, and how far it has come."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from hutch_lineage.delivery import (
    Courier,
    Credentials,
    Delivery,
    DeliveryOptions,
    Journal,
    Orphans,
    Outbox,
    endpoint_folder,
    journal_root,
    open_sender,
)
from hutch_lineage.mapping import Endpoint, Preset

logger = logging.getLogger("hutch_lineage.openlineage")


class Route:
    """One endpoint under one preset: who posts to it with which credentials, and its journal."""

    def __init__(
        self,
        endpoint: Endpoint,
        credentials: Credentials,
        preset: Preset,
        outbox: Outbox,
        delivery: Delivery,
        folder: Path | None,
    ) -> None:
        self.endpoint = endpoint
        self.credentials = credentials
        self.preset = preset
        self.outbox = outbox
        self.delivery = delivery
        self.folder = folder
        self.journal: Journal | None = None

    @property
    def wants_journal(self) -> bool:
        """Whether there should be a journal and is none: never opened, ended, or the parent's."""
        return self.folder is not None and (self.journal is None or self.journal.ended)

    def open_journal(self, options: DeliveryOptions) -> None:
        """Go on with the journal, or begin one with the first event that is owed."""
        assert self.folder is not None  # noqa: S101 - it is wanted
        if self.journal is None or not self.journal.reopen():
            first = self.delivery.owed_from()
            self.journal = Journal(
                self.folder,
                self.endpoint.masked,
                first,
                options.limits,
                accepted=self.preset.accepted,
            )
        self.delivery.write_to(self.journal)

    def after_fork(self) -> None:
        """In a forked child: the journal and what is owed are the parent's."""
        if self.journal is not None:
            self.journal.after_fork()
            self.journal = None
        self.delivery.after_fork()


class Routes:
    """The endpoints so far.

    Parameters
    ----------
    credentials : Credentials
        Those given to the emitter.
    options : DeliveryOptions
        Time limits, TLS, batches, the journal.
    journaled : bool
        Whether there may be journals.
    """

    def __init__(
        self, credentials: Credentials, options: DeliveryOptions, *, journaled: bool
    ) -> None:
        self._credentials = credentials
        self._options = options
        self._root = journal_root(options.journal) if journaled else None
        self._all: dict[tuple[str, Preset], Route] = {}
        self.credentials_for: str | None = None

    def all(self) -> list[Route]:
        """Return the endpoints in the order in which they came."""
        return list(self._all.values())

    def find(
        self,
        target: Endpoint,
        preset: Preset,
        given: Credentials,
        *,
        outbox: Outbox,
        start: int,
        on_change: Callable[[], None],
    ) -> Route:
        """Return the way to an endpoint, a known one where there is one.

        Parameters
        ----------
        target, preset, given
            The endpoint, its preset, and credentials, which may be empty.
        outbox, start, on_change
            For a new one: what is sent, from where on, and whom to tell.
        """
        http = self._options.http.suited(preset)
        known = self._all.get((target.key, preset))
        if known is not None:
            credentials = given or known.credentials
            if credentials != known.credentials or target.user != known.endpoint.user:
                known.delivery.use(open_sender(target, credentials, http))
            known.endpoint, known.credentials = target, credentials
            return known
        given = given or self._of_the_same_place(target)
        if not given and self.credentials_for in (None, target.origin):
            given = self._credentials
        folder = None if self._root is None else endpoint_folder(self._root, target)
        delivery = Courier(
            outbox,
            open_sender(target, given, http),
            name=target.masked,
            start=start,
            on_change=on_change,
            adoption=None if folder is None else Orphans(folder, self._options.limits),
            journal=None if folder is None else str(folder),
            exit_timeout_s=self._options.exit_timeout_s,
            backoff=self._options.backoff,
            lanes=self._options.http.connections,
        )
        route = Route(target, given, preset, outbox, delivery, folder)
        self._all[target.key, preset] = route
        return route

    def supersede(self, route: Route) -> None:
        """Drop what its endpoint is owed under other presets: it gets all of it in another form."""
        for (key, _), other in self._all.items():
            if key == route.endpoint.key and other is not route and other.journal is not None:
                other.journal.done(other.journal.end)

    def _of_the_same_place(self, target: Endpoint) -> Credentials:
        """Return the credentials that the endpoint has under another preset, or none."""
        for (key, _), route in self._all.items():
            if key == target.key and route.credentials:
                return route.credentials
        return Credentials()
