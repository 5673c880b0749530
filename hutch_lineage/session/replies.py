"""Keep a kernel's replies from hiding a request.

ipykernel 7.0 to 7.3 reads requests through a stream and writes replies past it, raw, to the same
socket. Such a write takes away the wake-up of a request that comes meanwhile: it stays unread, and
its cell busy, until another request comes (ipython/ipykernel#1554). 7.4 writes through the stream.
The page of an explorer asks often enough for this to happen, so older kernels do the same from the
moment when the extension is loaded or an explorer is shown.
"""

from __future__ import annotations

import logging
from typing import Any

logger = logging.getLogger("hutch_lineage.session")


def reply_through_stream(kernel: Any) -> bool:
    """Have a kernel write its replies through the stream that reads its requests.

    Returns whether anything had to be changed; a kernel of another kind is left alone.

    Examples
    --------
    >>> reply_through_stream(None)
    False
    """
    try:
        manager, stream = kernel.shell_channel_thread.manager, kernel.shell_stream
        if manager._shell_socket is not stream.socket:
            return False
        manager._shell_socket = stream  # of a socket, only send_multipart is used there
    except Exception as error:
        logger.debug("this kernel's replies are left as they are: %s", error)
        return False
    return True
