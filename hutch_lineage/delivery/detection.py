"""Which backend answers at an address: asked by reading alone, within a short time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import orjson

from hutch_lineage.errors import ReadError, mask_url
from hutch_lineage.mapping import LINEAGE_PATH, PRESETS, Endpoint, parse_endpoint
from hutch_lineage.plumbing import Credentials, basic

if TYPE_CHECKING:
    from hutch_lineage.plumbing import Answer

TIMEOUT_S: Final = 2.0
_MOST_BYTES: Final = 256 * 1024
_CLOSED: Final = {
    "astro": ("datakin.com", "astronomer.io", "astronomer.run"),
    "datadog": ("datadoghq.com", "datadoghq.eu", "ddog-gov.com"),
}


@dataclass(frozen=True, slots=True)
class Detected:
    """What was found at an address.

    Attributes
    ----------
    url : str
        The address, secrets masked.
    backend : str or None
        The preset to choose; ``generic`` where something answers that is none of the others; None
        where nothing does.
    why : str
        What says so, or why there is no answer: one line for people.
    """

    url: str
    backend: str | None
    why: str

    def __str__(self) -> str:
        return f"{self.url}: {self.why}"


def detect_backend(
    url: str, *, api_key: str | None = None, timeout_s: float = TIMEOUT_S, strict: bool = False
) -> Detected:
    """Find out which backend answers at an address. Blocks for at most about `timeout_s`.

    Marquez, OpenMetadata and DataHub are asked, by GET, for what only they have; Astro and Datadog,
    which say nothing without a key, are known by the names of their hosts and not asked.

    Parameters
    ----------
    url : str
        The root of a backend, or its lineage URL.
    api_key : str, optional
        Sent as a bearer token.
    timeout_s : float
        For all questions together, in seconds.
    strict : bool
        Raise where nothing answers.

    Returns
    -------
    Detected
        What was found, and why.

    Raises
    ------
    EndpointError
        `url` is no http or https URL.
    ReadError
        Only if strict: nothing answers.

    Examples
    --------
    >>> found = detect_backend("http://127.0.0.1:9")
    >>> found.backend, found.why
    (None, 'no answer: Connection refused')
    >>> detect_backend("https://data-obs-intake.datadoghq.com").backend
    'datadog'
    """
    endpoint = _root_of(url)
    shown = _shown(endpoint)
    host = (urlsplit(endpoint.origin).hostname or "").lower()
    for backend, domains in _CLOSED.items():
        for domain in domains:
            if host == domain or host.endswith(f".{domain}"):
                return Detected(shown, backend, f"{host} is a host of {backend.capitalize()}")
    found = _Probe(endpoint, api_key, timeout_s).found()
    if found.backend is None and strict:
        raise ReadError(str(found), shown)
    return found


class _Probe:
    """The questions to one address."""

    def __init__(self, endpoint: Endpoint, api_key: str | None, timeout_s: float) -> None:
        self._shown = _shown(endpoint)
        parts = urlsplit(endpoint.url)
        self._base, self._query = parts.path.removesuffix(LINEAGE_PATH), parts.query
        self._origin = endpoint.origin
        self._until = time.monotonic() + timeout_s
        self._headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        credentials = Credentials(api_key)
        if credentials.api_key:
            self._headers["Authorization"] = f"Bearer {credentials.api_key}"
        elif endpoint.user is not None:
            self._headers["Authorization"] = basic(*endpoint.user)
        self._masked = credentials.masked

    def found(self) -> Detected:
        """Ask until one question is answered as expected."""
        statuses: list[int] = []
        moved = ""
        for backend, path, question in _QUESTIONS:
            answer = self._ask(path)
            if isinstance(answer, str):
                if not statuses:
                    return Detected(self._shown, None, f"no answer: {answer}")
                return self._generic(f"it answered {statuses[0]}, then: {answer}")
            statuses.append(answer.status)
            moved = moved or (
                answer.headers.get("location", "") if answer.status // 100 == 3 else ""
            )
            said = question(_json(answer))
            if answer.status == 200 and said:
                return Detected(self._shown, backend, said)
        if moved:
            return self._generic(f"it points to {mask_url(moved)}, use that address")
        if all(status in (401, 403) for status in statuses):
            return self._generic(f"it wants to know who asks ({statuses[0]}) before it says more")
        return self._generic("it answers, and is none of Marquez, OpenMetadata, DataHub")

    def _generic(self, why: str) -> Detected:
        return Detected(self._shown, "generic", why)

    def _ask(self, path: str) -> Answer | str:
        from hutch_lineage.plumbing import USER_AGENT, Wire, reason_of  # capturing does without

        left_s = self._until - time.monotonic()
        if left_s <= 0:
            return "the time is up"
        wire = Wire(self._origin, left_s)
        target = self._base + path
        if self._query:  # a proxy may want a token there
            target += ("&" if "?" in path else "?") + self._query
        try:
            return wire.get(target, {**self._headers, "User-Agent": USER_AGENT}, _MOST_BYTES)
        except Exception as error:  # whatever a socket, TLS or a host name comes up with
            return self._masked(reason_of(error, left_s))
        finally:
            wire.close()


def _marquez(said: Any) -> str:
    spaces = said.get("namespaces") if isinstance(said, dict) else None
    known = isinstance(spaces, list) and all(
        isinstance(each, dict) and "ownerName" in each for each in spaces
    )
    return "a Marquez: it lists namespaces" if known else ""


def _openmetadata(said: Any) -> str:
    if isinstance(said, dict) and {"version", "revision"} <= said.keys():
        return f"an OpenMetadata: version {str(said['version'])[:20]}"
    return ""


def _datahub(said: Any) -> str:
    versions = said.get("versions") if isinstance(said, dict) else None
    own = versions.get("acryldata/datahub") if isinstance(versions, dict) else None
    if isinstance(own, dict):
        return f"a DataHub: version {str(own.get('version'))[:20]}"
    return "a DataHub" if isinstance(said, dict) and "noCode" in said else ""


_QUESTIONS: Final[tuple[tuple[str, str, Callable[[Any], str]], ...]] = (
    ("marquez", "/api/v1/namespaces?limit=1", _marquez),
    ("openmetadata", "/api/v1/system/version", _openmetadata),
    ("datahub", "/config", _datahub),
)


def _json(answer: Answer) -> Any:
    try:
        return orjson.loads(answer.body)
    except ValueError:
        return None


def _root_of(url: str) -> Endpoint:
    """Return the endpoint whose path is the root's and ``/api/v1/lineage``."""
    text = str(url).strip()
    path = urlsplit(parse_endpoint(text, "").url).path  # refuses what cannot be taken apart
    for own in {preset.path for preset in PRESETS.values()} - {LINEAGE_PATH, ""}:
        if path.endswith(own):
            text = text.replace(own, LINEAGE_PATH)
    return parse_endpoint(text)


def _shown(endpoint: Endpoint) -> str:
    return endpoint.masked.partition("?")[0].removesuffix(LINEAGE_PATH)
