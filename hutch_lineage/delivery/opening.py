"""How a sender comes into being."""

from __future__ import annotations

from hutch_lineage.mapping import Endpoint
from hutch_lineage.plumbing import Credentials

from .options import HttpOptions
from .seams import Sender


def open_sender(
    endpoint: Endpoint,
    credentials: Credentials | None = None,
    options: HttpOptions | None = None,
) -> Sender:
    """Return what posts to an endpoint; nothing is connected yet.

    The HTTP library is loaded here, on the caller's thread, and not before: capturing in memory
    does without it, and a process that forks while another thread loads a module leaves its child
    with half of it.

    Parameters
    ----------
    endpoint : Endpoint
        Where to post.
    credentials : Credentials, optional
        An API key and headers.
    options : HttpOptions, optional
        Time limits, TLS, compression, batches.

    Examples
    --------
    >>> from hutch_lineage.mapping import parse_endpoint
    >>> sender = open_sender(parse_endpoint("http://localhost:5000"))
    >>> sender.close()
    """
    from .http_sender import HttpSender

    return HttpSender(endpoint, credentials, options)
