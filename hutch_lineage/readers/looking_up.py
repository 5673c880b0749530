"""What a reader left in its file, such as prompts and artifacts, read when somebody asks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import orjson

from hutch_lineage.errors import ReadError

from .places import is_folder
from .source import bytes_of

MOST_BYTES: Final = 64 << 20


def look_up(pointer: str) -> Any:
    """Return what a node's or an operator's metadata points at.

    Parameters
    ----------
    pointer : str
        ``<file>#/<name>/<name>``: a value in a JSON file (RFC 6901). ``<file>``: its text.
        ``<folder>``: the pointers of what stands in it.

    Returns
    -------
    object
        JSON as Python has it, a text, or a list of pointers.

    Raises
    ------
    ReadError
        The file is gone or larger than 64 MiB, or has no such value.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     _ = file.write('{"prompts": {"diff_user": "improve it"}}')
    ...     file.flush()
    ...     look_up(f"{file.name}#/prompts/diff_user")
    'improve it'
    """
    name, sign, way = pointer.partition("#/")
    path = Path(name)
    try:
        if is_folder(path):
            return sorted(map(str, path.iterdir()))
        if path.stat().st_size > MOST_BYTES:
            raise ReadError(f"{path}: is larger than 64 MiB: open it yourself", str(path))
        data = bytes_of(path)
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {error.strerror}", str(path)) from error
    if not sign:
        return data.decode("utf-8", "replace")
    try:
        value = orjson.loads(data)
        for part in way.split("/"):
            step = part.replace("~1", "/").replace("~0", "~")
            value = value[int(step) if isinstance(value, list) else step]
    except (orjson.JSONDecodeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise ReadError(f"{path}: has nothing at /{way}", str(path)) from error
    return value
