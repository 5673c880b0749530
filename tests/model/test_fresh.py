"""Ids that nobody has had."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from uuid import RFC_4122, UUID

import pytest

from hutch_lineage.model import new_id, new_uuid


def test_a_new_uuid_is_one_of_version_4() -> None:
    """It is a UUID like any other: version, variant, text, hash, order, copy and pickle."""
    made = new_uuid()
    same = UUID(str(made))
    assert (made.version, made.variant) == (4, RFC_4122)
    assert (made, hash(made), repr(made), made.is_safe) == (
        same,
        hash(same),
        repr(same),
        same.is_safe,
    )
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made  # noqa: S301 - our own
    assert made <= same


def test_ids_are_new_whatever_is_seeded() -> None:
    """Seeding `random`, as loops do to be repeatable, repeats no id."""
    made = []
    for _ in range(2):
        random.seed(7)
        made += [new_uuid().hex for _ in range(100)] + [new_id("a-") for _ in range(100)]
    assert len(set(made)) == 400


def test_ids_are_new_in_every_thread() -> None:
    """Threads that draw at once draw different ones."""
    with ThreadPoolExecutor(8) as pool:
        drawn = pool.map(lambda _: [new_uuid() for _ in range(500)], range(8))
    assert len({each for part in drawn for each in part}) == 4000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_ids_are_new_in_a_forked_child() -> None:
    """A child does not repeat its parent's ids, nor its siblings'."""
    code = (
        "import os, sys\n"
        "from hutch_lineage.model import new_uuid\n"
        "new_uuid()\n"
        "for _ in range(2):\n"
        "    if os.fork() == 0:\n"
        "        print(*(new_uuid().hex for _ in range(3)), flush=True)\n"
        "        os._exit(0)\n"
        "    os.wait()\n"
        "print(*(new_uuid().hex for _ in range(3)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(set(done.stdout.split())) == 9
