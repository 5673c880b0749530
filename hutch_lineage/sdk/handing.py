"""A run that arrives in another process."""

from __future__ import annotations

from pathlib import Path

from .opening import foreign_run
from .process import runtime_for
from .runs import Run


def received(
    folder: str, run_id: str, name: str | None, project: str | None, of_session: bool
) -> Run:
    """Return the handle of a run that was pickled; in the process it came from, the run itself.

    Parameters
    ----------
    folder : str
        The session folder.
    run_id, name, project : str
        The run.
    of_session : bool
        Whether the session itself started it, and tells of its end; not one of its workers.

    Raises
    ------
    RunError
        The session that it belongs to has ended, or its folder is not to be reached from here.

    Examples
    --------
    >>> import pickle
    >>> import hutch_lineage as hl
    >>> with hl.run("demo") as run:
    ...     pickle.loads(pickle.dumps(run)) is run
    True
    """
    sdk = runtime_for(Path(folder))
    if of_session and sdk.ties.membership is not None:
        sdk.ties.membership.told.add(run_id)
    return sdk.runs.get(run_id) or foreign_run(sdk, run_id, name, project)
