"""What an endpoint wants to know about who posts."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Final

from hutch_lineage.errors import ConfigurationError

_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class Credentials:
    """An API key and extra headers. The repr shows header names only.

    Parameters
    ----------
    api_key : str, optional
        Sent as ``Authorization: Bearer <api_key>``.
    headers : mapping, optional
        Further headers of every request.
    setting : str
        Where the key came from, for errors.

    Raises
    ------
    ConfigurationError
        The key or a header cannot stand in an HTTP request.

    Examples
    --------
    >>> Credentials("secret", {"X-Team": "a"})
    Credentials(api_key=***, headers=[X-Team])
    """

    def __init__(
        self,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        setting: str = "openlineage_api_key",
    ) -> None:
        self.api_key = str(api_key).strip() if api_key else None
        self.headers = {str(name): str(value) for name, value in (headers or {}).items()}
        if self.api_key is not None and not _sendable(self.api_key):
            raise ConfigurationError(
                f"{setting} holds characters that no HTTP header can carry; copy it again",
                setting,
            )
        for name, value in self.headers.items():
            if not _NAME.fullmatch(name) or not _sendable(value):
                raise ConfigurationError(
                    f"the header {name!r} cannot stand in an HTTP request; "
                    "names are letters, digits and dashes, values one line of Latin-1 text",
                    "openlineage_headers",
                )

    def __bool__(self) -> bool:
        return self.api_key is not None or bool(self.headers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Credentials):
            return NotImplemented
        return (self.api_key, self.headers) == (other.api_key, other.headers)

    __hash__ = None  # type: ignore[assignment]  # it is compared, never looked up

    def __repr__(self) -> str:
        key = "***" if self.api_key else None
        return f"Credentials(api_key={key}, headers=[{', '.join(self.headers)}])"

    def masked(self, text: str) -> str:
        """Return `text` with the key and the header values replaced by ``***``."""
        for secret in (self.api_key, *self.headers.values()):
            if secret and len(secret) > 3:
                text = text.replace(secret, "***")
        return text


def basic(user: str, password: str) -> str:
    """Return a user's name and password as the value of ``Authorization``.

    Examples
    --------
    >>> basic("me", "pw")
    'Basic bWU6cHc='
    """
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _sendable(value: str) -> bool:
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return not re.search(r"[\r\n\x00]", value) and value == value.strip()
