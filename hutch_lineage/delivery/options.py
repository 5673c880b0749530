"""How requests are made: time limits, TLS, compression, batches."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from hutch_lineage.mapping import Accepted, Preset
from hutch_lineage.plumbing import Backoff

from .journal import Limits

BatchForm = Literal["openlineage", "openmetadata"]
"""How a batch is put into a request: a JSON array, or an object with the array in ``events``."""
MAX_CONNECTIONS: Final = 16
USUAL_BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class HttpOptions:
    """The settings of one sender.

    Attributes
    ----------
    timeout_s : float
        The longest time for the connection, and again for the whole of an answer, in seconds.
    ca_bundle : str or None
        A file with the certificates to trust. Without it: REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE,
        SSL_CERT_FILE, else those that requests brings.
    gzip : bool
        Whether bodies are compressed.
    batch : int or None
        How many events one request may carry; 1 posts each by itself. None: what the preset says,
        see :meth:`suited`.
    batch_form : str or None
        How they are put into it: ``openlineage``, a JSON array, or ``openmetadata``. None: as the
        preset has it, else ``openlineage``.
    connections : int
        The most connections at a time; more than one only while the backend is slow and several
        runs have events.
    accepted : str
        What an accepted event takes: ``2xx``, or ``edges``, where the answer to an event that has
        edges must not say that it made none.

    Examples
    --------
    >>> HttpOptions(timeout_s=2.0, gzip=True).connections
    16
    """

    timeout_s: float = 5.0
    ca_bundle: str | None = None
    gzip: bool = False
    batch: int | None = None
    batch_form: BatchForm | None = None
    connections: int = MAX_CONNECTIONS
    accepted: Accepted = "2xx"

    def suited(self, preset: Preset) -> HttpOptions:
        """Return the settings for a backend: what is left open here is as its preset has it.

        Parameters
        ----------
        preset : Preset
            Where it says that the backend has ``/lineage/batch``, a request carries up to 100.

        Examples
        --------
        >>> from hutch_lineage.mapping import preset_of
        >>> HttpOptions().suited(preset_of("openmetadata")).batch
        100
        >>> HttpOptions().suited(preset_of("generic")).batch
        1
        """
        known = None if preset.batches == "none" else preset.batches
        return replace(
            self,
            accepted=preset.accepted,
            batch=self.batch or (USUAL_BATCH if known else 1),
            batch_form=self.batch_form or known,
        )


@dataclass(frozen=True, slots=True)
class DeliveryOptions:
    """Everything about delivery that is not the endpoint itself.

    Attributes
    ----------
    journal : str, path or None
        The folder of the journals, or ``off``. None: HUTCH_OPENLINEAGE_JOURNAL, else
        ``~/.hutch/openlineage``.
    limits : Limits
        How large a journal may grow, and for how long it stays.
    http : HttpOptions
        How requests are made.
    exit_timeout_s : float
        How long the end of the interpreter may be held up by events not sent yet, in seconds.
    backoff : Backoff
        The waits between tries.

    Examples
    --------
    >>> DeliveryOptions(journal="off", http=HttpOptions(batch=100)).exit_timeout_s
    5.0
    """

    journal: str | os.PathLike[str] | None = None
    limits: Limits = field(default_factory=Limits)
    http: HttpOptions = field(default_factory=HttpOptions)
    exit_timeout_s: float = 5.0
    backoff: Backoff = field(default_factory=Backoff)
