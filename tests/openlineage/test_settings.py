"""The variables as a process has them: where its journal is, and for how long its end may wait."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time

import pytest

import hutch_lineage as hl
from hutch_lineage.delivery import DeliveryOptions, HttpOptions, Limits
from hutch_lineage.openlineage import building
from hutch_lineage.sdk import SDKConfig
from tests.receivers import Receiver, unused_port

SEARCH = """
import time
import hutch_lineage as hl
with hl.run("r") as run:
    run.log_operator(kind="refine", child_id="c")
print(time.monotonic())
"""


def search(url, home, **env):
    """Run a search that posts to `url` in a process of that home; return for how long it ended."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HUTCH_")}
    variables = {"HOME": str(home), "HUTCH_OPENLINEAGE_ENDPOINT": url, **env}
    done = subprocess.run(
        [sys.executable, "-c", SEARCH],
        env=kept | variables, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return time.monotonic() - float(done.stdout)


def test_without_a_setting_the_journal_is_in_the_home_folder(tmp_path):
    """It is on by default, under ~/.hutch/openlineage, and for its owner only."""
    dead = f"http://127.0.0.1:{unused_port()}"
    search(dead, tmp_path, HUTCH_OPENLINEAGE_EXIT_TIMEOUT_S="0")
    (events,) = (tmp_path / ".hutch" / "openlineage").glob("*/*/events-*.ndjson")
    assert len(events.read_bytes().splitlines()) == 3
    assert stat.S_IMODE(events.stat().st_mode) == 0o600
    assert stat.S_IMODE(events.parent.stat().st_mode) == 0o700


def test_off_leaves_no_file(tmp_path):
    """HUTCH_OPENLINEAGE_JOURNAL=off: everything arrives, and nothing was on disk."""
    with Receiver() as receiver:
        search(receiver.url, tmp_path, HUTCH_OPENLINEAGE_JOURNAL="off")
        assert len(receiver.events) == 3
    assert list(tmp_path.rglob("*.ndjson")) == []
    assert not (tmp_path / ".hutch" / "openlineage").exists()


@pytest.mark.parametrize(("limit", "least_s", "most_s"), [("0", 0.0, 2.8), ("3", 2.8, 20.0)])
def test_the_end_of_a_process_waits_as_long_as_is_set(tmp_path, limit, least_s, most_s):
    """O1, O12: on a backend that hangs; what is left stays in the journal."""
    with Receiver(then="hang") as receiver:
        lasted_s = search(receiver.url, tmp_path, HUTCH_OPENLINEAGE_EXIT_TIMEOUT_S=limit)
    assert least_s <= lasted_s < most_s
    (events,) = tmp_path.rglob("events-*.ndjson")
    assert len(events.read_bytes().splitlines()) == 3


def test_every_setting_of_delivery_reaches_it(monkeypatch, tmp_path):
    """None of them is read and then forgotten."""
    built = []
    make = building.OpenLineageEmitter
    monkeypatch.setattr(
        building, "OpenLineageEmitter", lambda **given: built.append(given) or make(**given)
    )
    bundle = str(tmp_path / "ca.pem")
    hl.configure(
        SDKConfig(
            openlineage_endpoint="in-memory",
            request_timeout_s=3.0,
            openlineage_journal=str(tmp_path),
            openlineage_journal_max_mb=64,
            openlineage_journal_keep_days=2,
            openlineage_exit_timeout_s=0.5,
            openlineage_batch=7,
            openlineage_batch_form="openmetadata",
            openlineage_connections=3,
            openlineage_gzip=True,
            openlineage_ca_bundle=bundle,
        )
    )
    hl.start_run(name="r")
    (given,) = built
    assert given["timeout_s"] == 3.0
    assert given["options"] == DeliveryOptions(
        journal=str(tmp_path),
        limits=Limits(max_bytes=64 << 20, segment_bytes=8 << 20, keep_s=2 * 86_400.0),
        http=HttpOptions(
            ca_bundle=bundle, gzip=True, batch=7, batch_form="openmetadata", connections=3
        ),
        exit_timeout_s=0.5,
    )
