"""Work in a process of its own, ended when it takes too long."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from queue import Empty
from typing import Any

LIMIT_S = 60.0
PREPARATION_S = 300.0
READY = "ready"
BEYOND = float("inf")


def limited(work: Callable[..., None], *given: Any, limit_s: float = LIMIT_S) -> Any:
    """Return what ``work(put, *given)`` puts; None if it takes longer than the limit.

    The work puts `READY` first, when what it needs is there: from then on the time counts.

    Raises
    ------
    RuntimeError
        The work put a text: what went wrong.
    """
    context = multiprocessing.get_context("spawn")
    answers: Any = context.Queue()
    process = context.Process(target=_guarded, args=(work, answers, *given), daemon=True)
    process.start()
    try:
        answer = answers.get(timeout=PREPARATION_S)
        if answer == READY:
            answer = answers.get(timeout=limit_s)
    except Empty:
        return None
    finally:
        process.terminate()
        process.join()
    if isinstance(answer, str):
        raise RuntimeError(answer)
    return answer


def _guarded(work: Callable[..., None], answers: Any, *given: Any) -> None:
    """Do the work; put what went wrong, if anything does."""
    try:
        work(answers.put, *given)
    except Exception as error:
        answers.put(f"{type(error).__name__}: {error}")
