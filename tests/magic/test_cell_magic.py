"""``%%hutch_lineage run``: the cell as a run, with Stop and interrupts."""

from __future__ import annotations

import time

from tests.support.kernel import Kernel

STATUS = "[(r.name, r.status) for r in hl.sdk.runtime().runs.values()]"
FOREVER = """%%hutch_lineage run search --project packing
for number in range(10_000):
    _ = hl.log_individual(kind="program", individual_id=f"i{number}")
    time.sleep(0.01)
"""


def test_runs_the_cell_inside_a_run(kernel: Kernel):
    """The verbs of the body belong to a run of that name, which ends with the cell."""
    kernel.run("%%hutch_lineage run search\n_ = hl.log_individual(kind='program')")
    assert kernel.run(STATUS) == "[('search', 'finished')]\n"


def test_output_lands_in_the_cell(kernel: Kernel):
    """Prints, the last expression and top-level await work as in a plain cell."""
    code = "%%hutch_lineage run x\nimport asyncio\nprint('p')\nawait asyncio.sleep(0)\n6 * 7"
    assert kernel.run(code) == "p\n42\n"


def test_a_semicolon_hides_the_last_value(kernel: Kernel):
    """As in a plain cell."""
    assert kernel.run("%%hutch_lineage run x\n6 * 7;") == ""


def test_error_shows_the_users_lines_and_fails_the_run(kernel: Kernel):
    """The traceback has the cell's lines and none of ours; the run ends as failed."""
    text = kernel.run("%%hutch_lineage run x\ndef f():\n    1 / 0\nf()")
    assert "ZeroDivisionError" in text
    assert "magics.py" not in text
    assert "attached.py" not in text
    assert kernel.run(STATUS) == "[('x', 'failed')]\n"


def test_names_stay_in_the_notebook(kernel: Kernel):
    """What the body defines is there for the next cell."""
    kernel.run("%%hutch_lineage run x\nanswer = 42")
    assert kernel.run("answer") == "42\n"


def test_main_keeps_the_main_thread(kernel: Kernel):
    """--main is for code that may only run on the main thread."""
    code = "import threading\nthreading.current_thread() is threading.main_thread()"
    assert kernel.run(f"%%hutch_lineage run x --main\n{code}") == "True\n"
    assert kernel.run(f"%%hutch_lineage run x\n{code}") == "False\n"


def test_stop_button_while_the_cell_runs(kernel: Kernel):
    """Stop in the view ends the loop at its next call, and the run as cancelled."""
    kernel.run("explorer = hl.explore(); explorer")
    view = kernel.widget()
    cell = kernel.start(FOREVER)
    kernel.wait_for(lambda m: any(s["running"] for s in kernel.state(view, "status")))
    kernel.post(view, {"op": "stop"})
    kernel.wait_idle(cell, 20)
    assert kernel.text_of(cell) == "stopped\n"
    assert kernel.run(STATUS) == "[('search', 'cancelled')]\n"


def test_interrupt_while_the_cell_runs(kernel: Kernel):
    """The kernel's interrupt does what Stop does, and the kernel lives on."""
    cell = kernel.start(FOREVER)
    time.sleep(1)
    kernel.manager.interrupt_kernel()
    kernel.wait_idle(cell, 20)
    assert kernel.text_of(cell) == "stopped\n"
    assert kernel.run(STATUS) == "[('search', 'cancelled')]\n"


def test_second_interrupt_reaches_a_loop_without_calls(kernel: Kernel):
    """A body that calls no verb is interrupted by asking twice."""
    cell = kernel.start("%%hutch_lineage run x\nwhile True:\n    pass")
    for _ in range(2):
        time.sleep(1)
        kernel.manager.interrupt_kernel()
    kernel.wait_idle(cell, 20)
    assert "KeyboardInterrupt" in kernel.text_of(cell)
    assert kernel.run("1 + 2") == "3\n"
