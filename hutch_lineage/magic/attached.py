"""Run the body of a cell on a worker thread while the cell itself stays in charge.

The main thread waits, serves the browser's messages, and turns an interrupt into a request to
stop. Output, ``display``, the value of the last expression and tracebacks land in the cell, as if
the body ran there.
"""

from __future__ import annotations

import ast
import asyncio
import contextvars
import ctypes
import inspect
import threading
from collections.abc import Callable
from typing import Any

from hutch_lineage.sdk import runtime
from hutch_lineage.session import current_session

PERIOD_S = 0.05


def compiled_body(shell: Any, source: str) -> list[Any]:
    """Compile a cell's text; a last expression without ``;`` is compiled so that it is displayed.

    Tracebacks show the source lines, and top-level ``await`` is allowed.
    """
    text = shell.transform_cell(source)
    name = shell.compile.cache(text, shell.execution_count)
    tree = ast.parse(text, name)
    last: list[ast.stmt] = []
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = [tree.body.pop()]
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    codes = [compile(tree, name, "exec", flags)] if tree.body else []
    if last:
        codes.append(compile(ast.Interactive(last), name, "single", flags))
    return codes


def run_codes(codes: list[Any], namespace: dict[str, Any]) -> None:
    """Run compiled code; coroutines run on an event loop of their own."""
    __tracebackhide__ = True  # IPython shows only the frames of the user's cell
    for code in codes:
        result = eval(code, namespace)  # noqa: S307 - the user's own cell
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(result)


def run_attached(body: Callable[[], None], serve: Callable[[], None]) -> None:
    """Run `body` on a worker thread and wait for it, calling `serve` all the while.

    The first interrupt asks the run to stop at its next SDK call; the second raises
    KeyboardInterrupt in the worker; the third gives the cell back while the worker may go on.

    Raises
    ------
    BaseException
        What `body` raised, with its traceback.
    """
    __tracebackhide__ = True
    sdk = runtime()
    failed: list[BaseException] = []
    done = threading.Event()  # not Thread.join: interrupted, it takes a living thread for ended

    def work() -> None:
        try:
            body()
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(work,), name="hutch-run", daemon=True)
    interrupts = 0
    with current_session().attached():
        thread.start()
        while not done.is_set():
            try:
                done.wait(PERIOD_S)
                serve()
            except KeyboardInterrupt:
                interrupts += 1
                sdk.request_stop()
                if interrupts == 2:
                    _raise_in(thread, KeyboardInterrupt)
                if interrupts > 2:
                    raise
    if failed:
        error = failed[0]
        raise error.with_traceback(error.__traceback__.tb_next if error.__traceback__ else None)


def _raise_in(thread: threading.Thread, kind: type[BaseException]) -> None:
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident), ctypes.py_object(kind)
        )
