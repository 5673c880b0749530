"""Files and folders that are there whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import secrets
import shutil
import stat
import zipfile
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from hutch_lineage.errors import ExportError

BINARY = getattr(os, "O_BINARY", 0)  # Windows would translate line ends


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, a text as UTF-8, so that it is there whole or not at all.

    A pipe or a device, such as ``/dev/stdout``, is written to as it stands.

    Raises
    ------
    ExportError
        The file cannot be written.
    """
    target = _resolved(path)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    if _is_stream(path):
        _into_stream(path, data)
        return
    temporary = _beside(path, target)
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        with suppress(FileNotFoundError):
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except OSError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:  # also where Ctrl-C came in between
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_folder(path: Path, files: Mapping[str, bytes], own: Iterable[str] = ()) -> None:
    """Write a folder, so that it is there whole or not at all.

    A folder that exists is replaced, but only where it holds nothing but files that are written, or
    whose names are in `own`.

    Raises
    ------
    ExportError
        The folder cannot be written, or holds other files.
    """
    target = _resolved(path)
    temporary = _beside(path, target)
    try:
        _refuse_others(path, target, {*files, *own})
        temporary.mkdir()
        for name, data in files.items():
            file = temporary / name
            file.parent.mkdir(exist_ok=True, parents=True)
            file.write_bytes(data)
        _swap(path, temporary, target)
    except OSError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as one zip archive; the same files give the same bytes.

    Examples
    --------
    >>> zipped({"a.txt": b"a"})[:2]
    b'PK'
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return stream.getvalue()


def _swap(path: Path, fresh: Path, target: Path) -> None:
    """Put a folder in the place of another one, which somebody else may replace just now."""
    old = _beside(path, target)
    try:
        with suppress(FileNotFoundError):
            target.rename(old)
        try:
            fresh.rename(target)
        except BaseException as error:
            if not _lost_race(error, target):
                with suppress(FileNotFoundError):
                    old.rename(target)
                raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _lost_race(error: BaseException, target: Path) -> bool:
    """Whether another export was faster: then its folder stands, as whole as this one."""
    return (
        isinstance(error, OSError)
        and error.errno in (errno.ENOTEMPTY, errno.EEXIST)
        and target.is_dir()
    )


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _into_stream(path: Path, data: bytes) -> None:
    try:
        with path.open("wb", buffering=0) as stream:
            left = memoryview(data)
            while left:
                left = left[stream.write(left) or 0 :]
    except OSError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror or error}") from error


def _refuse_others(path: Path, target: Path, files: Container[str]) -> None:
    if not target.is_dir():
        if target.exists():
            raise ExportError(f"{path}: is a file, and this form is a folder")
        return
    found = (each.relative_to(target).as_posix() for each in target.rglob("*") if not each.is_dir())
    other = next((name for name in found if name not in files), None)
    if other is not None:
        raise ExportError(f"{path}: holds {other}, which would be lost: name a new folder")


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()  # through a link, so that the link stays
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, no possible name
        raise ExportError(f"{path}: cannot be written: {error}") from error


def _beside(path: Path, target: Path) -> Path:
    if not target.name:
        raise ExportError(f"{path}: is the root of all folders: name one in it")
    short = os.fsdecode(os.fsencode(target.name)[:200])  # a name has 255 bytes, not characters
    return target.with_name(f".{short}.{secrets.token_hex(4)}")
