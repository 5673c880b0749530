"""Serving messages during a cell leans on what no kernel promises: without it, nothing happens."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import hutch_lineage as hl
from hutch_lineage.sdk import before_verb, runtime
from hutch_lineage.session import end_serving, serve_during_cells


class Refuses:
    """Has nothing of what is asked for, and says so in its own way."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        raise self._error(name)


USUAL: dict[str, Any] = {
    "session": object(),
    "iopub_socket": object(),
    "comm_manager": object(),
    "get_parent": lambda _: {},
    "shell_handlers": dict.fromkeys(("comm_info_request", "kernel_info_request")),
}
KERNELS = {
    "none": None,
    "nothing is there": SimpleNamespace(),
    "asking fails": Refuses(RuntimeError),
    "no queue": SimpleNamespace(**USUAL),
    "no shell channel": SimpleNamespace(**USUAL, _supports_kernel_subshells=True),
    "a queue without a stream": SimpleNamespace(**USUAL, msg_queue=object()),
    "a manager of another kind": SimpleNamespace(
        **USUAL, _supports_kernel_subshells=True, shell_channel_thread=SimpleNamespace(manager=3)
    ),
    "other handlers": SimpleNamespace(**{**USUAL, "shell_handlers": {}}, msg_queue=object()),
}


@pytest.mark.parametrize("kind", KERNELS)
def test_a_kernel_that_is_not_known_is_left_alone(kind: str) -> None:
    """The pump does not serve, nothing is put before the verbs, and the loop goes on."""
    shell = SimpleNamespace(kernel=KERNELS[kind])
    before = list(before_verb)
    pump = serve_during_cells(shell)
    assert (pump.available, pump.serving) == (False, False)
    assert before_verb == before
    pump()
    with hl.run("r") as run:
        run.log_individual(kind="program")
    assert len(runtime().events) == 3
    end_serving(shell)
