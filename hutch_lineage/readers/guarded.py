"""What a format lets through about content that nobody thought of, as one clear error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hutch_lineage.errors import HutchLineageError, ReadError

from .format import Format, Item
from .report import Report
from .source import Source

_UNFORESEEN: Final = (
    *(ArithmeticError, AttributeError, LookupError, MemoryError),
    *(OSError, RecursionError, TypeError, ValueError),
)
_LONGEST: Final = 200


def guarded(format_: Format, source: Source, report: Report) -> Iterator[Item]:
    """Yield what a source says.

    Raises
    ------
    ReadError
        It cannot be read; with the format and the reason where its format did not foresee that.

    Examples
    --------
    >>> import tempfile
    >>> from hutch_lineage.readers import ReadReport
    >>> class Hasty:
    ...     kind = title = "hasty"
    ...     def detect(self, source): return True
    ...     def read(self, source, report): yield {}["nothing"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     list(guarded(Hasty(), Source(folder), ReadReport()))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    hutch_lineage.errors.ReadError: ...: is not laid out as hasty is (KeyError: 'nothing'); ...
    """
    try:
        yield from format_.read(source, report)
    except HutchLineageError:
        raise
    except _UNFORESEEN as error:
        raise ReadError(
            f"{source.name}: is not laid out as {format_.kind} is "
            f"({type(error).__name__}: {str(error)[:_LONGEST]}); kind= reads it as another kind",
            source.name,
        ) from error
