"""What an import costs: the heavy libraries wait until somebody looks at something."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = [
    "IPython",
    "anywidget",
    "duckdb",
    "ipywidgets",
    "networkx",
    "numpy",
    "opentelemetry",
    "pandas",
    "requests",
]

IMPORT = "import hutch_lineage"
ROOMS = "import hutch_lineage.sdk, hutch_lineage.openlineage, hutch_lineage.session"
CAPTURE = """
import hutch_lineage as hl
with hl.run("search") as run:
    seed = run.log_individual(kind="program")
    child = run.log_individual(kind="program", parent_ids=[seed.id])
    run.log_operator(kind="refine", parent_ids=[seed.id], child_id=child.id)
    run.log_fitness(individual=child, scores={"score": 1.0})
"""
IN_MEMORY = f"""
import hutch_lineage as hl
hl.configure(hl.SDKConfig(openlineage_endpoint="in-memory"))
{CAPTURE}
assert len(hl.emitter().captured_events) == 3
"""


@pytest.mark.parametrize("code", [IMPORT, ROOMS, CAPTURE, IN_MEMORY])
def test_capturing_loads_no_heavy_library(code: str) -> None:
    """A search that only captures does not wait for what draws, posts or reads."""
    probe = f"import json, sys\nprint(json.dumps([n for n in {HEAVY} if n in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{probe}"], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == []


def test_openlineage_python_is_never_loaded() -> None:
    """The emitter speaks the format itself; the official client is for the tests alone."""
    code = f"{IN_MEMORY}\nhl.explore()\nimport sys\nprint('openlineage' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_opening_a_file_loads_no_http_library(tmp_path: Path) -> None:
    """Formats behind an address are looked at, too, but only an address needs them whole."""
    path = tmp_path / "tree.csv"
    path.write_text("id,ancestor_list\n1,[none]\n2,[1]\n")
    probe = "print([n for n in ('requests', 'urllib3') if n in sys.modules])"
    code = f"import sys\nimport hutch_lineage as hl\nhl.load({str(path)!r})\n{probe}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
