"""Every frame of a graph as a file: CSV, or Parquet with its types."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hutch_lineage.errors import ExportError, GraphError
from hutch_lineage.model import clean_text

from .losses import losses

if TYPE_CHECKING:
    import pandas as pd

    from hutch_lineage.graph import LineageGraph

FRAMES: Final = (
    *("individuals", "agents", "edges", "operators", "runs"),
    *("path", "phylogeny", "distinctiveness"),
)
_TYPES: Final = {
    "string": "VARCHAR",
    "object": "VARCHAR[]",
    "bool": "BOOLEAN",
    "boolean": "BOOLEAN",
    "int64": "BIGINT",
    "Int64": "BIGINT",
    "float64": "DOUBLE",
    "datetime64[ns, UTC]": "TIMESTAMP WITH TIME ZONE",
}


def to_csv_frames(graph: LineageGraph, notes: list[str] | None = None) -> dict[str, bytes]:
    r"""Return each frame of ``graph.frames`` as CSV, by the name of its file.

    One that the graph cannot answer, such as the path to the best where it is open which metric
    counts, is empty. `notes` gets a line that says why, and one for each thing that no frame has.

    Ids that belong together stand as a JSON list in one cell, times in UTC by ISO 8601; what
    nobody said is an empty cell.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> to_csv_frames(LineageGraph())["distinctiveness.csv"]
    b'run_id,id,evolutionary_distinctiveness\n'
    """
    _note_losses(graph, notes)
    return csv_files(graph, notes)


def csv_files(graph: LineageGraph, notes: list[str] | None = None) -> dict[str, bytes]:
    """Return the frames as CSV; `notes` gets a line for each that is empty for a reason."""
    return {
        f"{name}.csv": _plain(frame).to_csv(index=False).encode("utf-8", "replace")
        for name, frame in _frames(graph, notes)
    }


def to_parquet_frames(graph: LineageGraph, notes: list[str] | None = None) -> dict[str, bytes]:
    """Return each frame of ``graph.frames`` as Parquet, by the name of its file.

    Every column has its type, also where the graph is empty. Times have microseconds. What the
    graph cannot answer is empty, and `notes` gets lines, as for :func:`to_csv_frames`.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> to_parquet_frames(LineageGraph())["runs.parquet"][:4]
    b'PAR1'
    """
    import duckdb

    _note_losses(graph, notes)
    files = {}
    with duckdb.connect() as database, _temporary() as folder:
        for name, frame in _frames(graph, notes):
            path = Path(folder) / f"{name}.parquet"
            target = str(path).replace("'", "''")
            database.register("frame", _numbered(_plain(frame)))
            query = f"SELECT {_typed(frame)} FROM frame"  # noqa: S608 - names are quoted
            database.execute(f"COPY ({query}) TO '{target}' (FORMAT parquet)")
            files[path.name] = path.read_bytes()
    return files


@contextmanager
def _temporary() -> Iterator[str]:
    """Have a folder for a while.

    Raises
    ------
    ExportError
        There is no place for one, or no room in it.
    """
    import duckdb

    try:
        with tempfile.TemporaryDirectory(prefix="hutch-lineage-") as folder:
            yield folder
    except (OSError, duckdb.IOException) as error:
        told = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise ExportError(
            f"Parquet is made in a temporary folder, and there is none or no room in it ({told}): "
            "TMPDIR names another place"
        ) from error


def _note_losses(graph: LineageGraph, notes: list[str] | None) -> None:
    if notes is not None:
        notes += losses(graph, "genomes", "metadata", "migrations", "diffs")


def _frames(graph: LineageGraph, notes: list[str] | None) -> Iterator[tuple[str, pd.DataFrame]]:
    from hutch_lineage.graph import LineageGraph

    with graph.lock:
        for name in FRAMES:
            try:
                yield name, getattr(graph.frames, name)()
            except GraphError as error:
                if notes is not None:
                    notes.append(f"the table {name} is empty: {error}")
                yield name, getattr(LineageGraph().frames, name)()


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose tuples are JSON lists, and whose texts are valid Unicode."""
    made: dict[str, Callable[[Any], str]] = {"object": _json, "string": clean_text}
    texts = {
        str(name): frame[name].map(made[str(dtype)], na_action="ignore").astype("string")
        for name, dtype in frame.dtypes.items()
        if str(dtype) in made
    }
    return frame.assign(**texts)


def _json(ids: tuple[str, ...]) -> str:
    return clean_text(json.dumps(ids, ensure_ascii=False))


def _numbered(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with columns by place: DuckDB takes names apart without their capitals."""
    return frame.set_axis([f"c{place}" for place in range(frame.shape[1])], axis=1)


def _typed(frame: pd.DataFrame) -> str:
    """Return the columns in SQL, each with its type and its name."""
    columns = []
    for place, (name, dtype) in enumerate(frame.dtypes.items()):
        column = f"c{place}::JSON" if str(dtype) == "object" else f"c{place}"
        quoted = clean_text(str(name)).replace('"', '""').replace("\0", "")
        columns.append(f'CAST({column} AS {_TYPES[str(dtype)]}) AS "{quoted}"')
    return ", ".join(columns)
