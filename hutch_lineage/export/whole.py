"""Files and folders that are there whole or not at all."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import zipfile
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from hutch_lineage.errors import ExportError

BINARY = getattr(os, "O_BINARY", 0)  # Windows would translate line ends


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, a text as UTF-8, so that it is there whole or not at all.

    Raises
    ------
    ExportError
        The file cannot be written.
    """
    target = _resolved(path)
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    temporary = _beside(target)
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        with suppress(FileNotFoundError):
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise ExportError(f"{path}: cannot be written: {error.strerror or error}") from error


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
    temporary = _beside(target)
    try:
        _refuse_others(path, target, {*files, *own})
        temporary.mkdir()
        for name, data in files.items():
            file = temporary / name
            file.parent.mkdir(exist_ok=True, parents=True)
            file.write_bytes(data)
        _swap(temporary, target)
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


def _swap(fresh: Path, target: Path) -> None:
    if not target.exists():
        fresh.rename(target)
        return
    old = _beside(target)
    target.rename(old)
    try:
        fresh.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


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


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}")
