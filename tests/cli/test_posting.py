"""A kept run, posted: each event once, also after an end in the middle, and as the run grows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import hutch_lineage as hl
from hutch_lineage.cli.main import cli
from hutch_lineage.sdk import runtime
from tests.receivers import Answer, Receiver, unused_port


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """A run of four in a line as Hutch JSONL: a seed, three operators."""
    with hl.run("packing", run_id="00000000-0000-4000-8000-000000000001") as run:
        run.log_individual(kind="program", individual_id="i0")
        for number in range(3):
            run.log_individual(
                kind="program", individual_id=f"i{number + 1}", parent_ids=[f"i{number}"]
            )
            run.log_operator(kind="mutate", parent_ids=[f"i{number}"], child_id=f"i{number + 1}")
    path = tmp_path / "run.jsonl"
    path.write_text("".join(f"{event.model_dump_json()}\n" for event in runtime().events))
    return path


def post(source: Path, url: str, *words: str) -> Result:
    """Run ``hutch-lineage post``."""
    return CliRunner().invoke(cli, ["post", str(source), url, *words])


def types(receiver: Receiver) -> list[str]:
    """Return the types of the events that came, in order."""
    return [event["eventType"] for event in receiver.events]


WHOLE = ["START", "RUNNING", "RUNNING", "RUNNING", "COMPLETE"]


def test_a_kept_run_is_posted_once(events: Path) -> None:
    """In order; the same command once more posts nothing, --again all of it."""
    with Receiver() as receiver:
        done = post(events, receiver.url)
        assert done.exit_code == 0, done.output
        assert "sent 5 events to " in done.output
        assert types(receiver) == WHOLE
        assert "5 events of them were given to" in post(events, receiver.url).output
        assert types(receiver) == WHOLE
        assert post(events, receiver.url, "--again").exit_code == 0
        assert types(receiver) == WHOLE * 2


def test_what_a_backend_that_was_away_did_not_get_goes_out_with_the_next_call(
    events: Path,
) -> None:
    """Nothing is lost and nothing comes twice."""
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    cut = post(events, url, "--timeout", "0.3")
    assert (cut.exit_code, "; 5 left in " in cut.output) == (1, True)
    with Receiver(port=port) as receiver:
        done = post(events, url)
        assert done.exit_code == 0, done.output
        assert types(receiver) == WHOLE


def test_what_a_backend_refuses_is_told_also_the_next_time(
    events: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Exit code 1, how many, the first reason, and how to offer them again."""
    with Receiver(201, Answer(422, body=b"bad"), Answer(409, body=b"worse"), then=201) as receiver:
        endpoint = f"{receiver.url}/api/v1/lineage"
        first = post(events, receiver.url)
        told = (
            f"2 refused: 422 Unprocessable Entity: bad; `hutch-lineage flush {endpoint} "
            "--rejected` offers them again"
        )
        assert (first.exit_code, first.output.splitlines()[-1]) == (
            1, f"sent 3 events to {endpoint}, {told}",
        )  # fmt: skip
        again = post(events, receiver.url)
        assert (again.exit_code, again.output.splitlines()[-1]) == (
            1, f"5 events of them were given to {endpoint} before, {told}",
        )  # fmt: skip
        offered = CliRunner().invoke(cli, ["flush", endpoint, "--rejected"])
        assert offered.exit_code == 0, offered.output
        assert len(receiver.events) == 5
        assert post(events, receiver.url).exit_code == 0
    assert "send_rejected" not in caplog.text


def test_a_refusal_is_told_wherever_in_the_run_it_stands(events: Path) -> None:
    """Also where what changed stands before it."""
    with Receiver(201, 201, 201, 201, Answer(422, body=b"bad"), then=201) as receiver:
        assert post(events, receiver.url).exit_code == 1
        events.write_text(events.read_text().replace("i0", "j0"))
        again = post(events, receiver.url)
        assert again.exit_code == 1
        assert "4 events of them were given to" in again.output
        assert "1 refused: 422 Unprocessable Entity: bad" in again.output


def test_of_a_run_that_has_grown_only_what_is_new_is_posted(events: Path, tmp_path: Path) -> None:
    """A file that grows can be posted again and again."""
    lines = events.read_text().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    with Receiver() as receiver:
        for upto in (3, 5, len(lines)):
            growing.write_text("".join(lines[:upto]))
            assert post(growing, receiver.url).exit_code == 0
        assert types(receiver) == WHOLE


def test_of_a_run_that_has_changed_only_what_is_new_is_posted(events: Path) -> None:
    """An event counts as given where its like was; one that stands twice goes out twice."""
    with Receiver() as receiver:
        post(events, receiver.url)
        events.write_text(events.read_text().replace("i0", "j0"))
        assert "4 events of them were given" in post(events, receiver.url).output
        assert types(receiver) == [*WHOLE, "RUNNING"]


def test_an_open_run_that_grows_is_posted_event_by_event_under_a_preset(
    events: Path, tmp_path: Path
) -> None:
    """What a preset holds back for an open run moves; it is not posted anew for that."""
    lines = events.read_text().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    with Receiver() as receiver:
        for upto in range(2, len(lines) + 1, 2):
            growing.write_text("".join(lines[:upto]))
            assert post(growing, receiver.url, "--backend", "marquez").exit_code == 0
        bodies = [json.dumps(event, sort_keys=True) for event in receiver.events]
        assert len(bodies) == len(set(bodies))


def test_the_preset_decides_how_it_is_written(events: Path) -> None:
    """With --backend each operator is a run of its own."""
    with Receiver() as receiver:
        done = post(events, receiver.url, "--backend", "marquez")
        assert done.exit_code == 0, done.output
        assert len({event["run"]["runId"] for event in receiver.events}) > 3
        assert "(marquez)" in done.output


def test_openlineage_events_go_out_as_they_are(tmp_path: Path) -> None:
    """Whoever wrote them."""
    event = {
        "eventType": "COMPLETE",
        "eventTime": "2026-01-01T00:00:00Z",
        "producer": "https://example.org",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json",
        "run": {"runId": "00000000-0000-4000-8000-000000000009"},
        "job": {"namespace": "theirs", "name": "job"},
        "inputs": [],
        "outputs": [{"namespace": "theirs", "name": "table"}],
    }
    source = tmp_path / "theirs.ndjson"
    source.write_text(json.dumps(event))
    with Receiver() as receiver:
        assert post(source, receiver.url, "--backend", "marquez").exit_code == 0
        assert receiver.events == [event]


def test_a_dry_run_posts_and_keeps_nothing(events: Path) -> None:
    """It tells how many events there are."""
    with Receiver() as receiver:
        done = post(events, receiver.url, "--dry-run")
        assert done.output == "run.jsonl: 5 OpenLineage events (generic)\n"
        assert post(events, receiver.url).exit_code == 0
        assert types(receiver) == WHOLE


def test_secrets_of_the_url_are_kept_nowhere(events: Path, tmp_path: Path) -> None:
    """Neither in the output nor in what lies on disk."""
    root = tmp_path / "journals"
    url = f"http://user:hush@127.0.0.1:{unused_port()}/api/v1/lineage?key=hush"
    done = post(events, url, "--journal", str(root), "--timeout", "0.2")
    assert done.exit_code == 1
    assert "hush" not in done.output
    files = [path for path in root.rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert not [path for path in files if b"hush" in path.read_bytes()]


def test_a_journal_that_cannot_be_written_posts_nothing(events: Path, tmp_path: Path) -> None:
    """One line says where and why."""
    (tmp_path / "file").write_text("no folder")
    with Receiver() as receiver:
        done = post(events, receiver.url, "--journal", str(tmp_path / "file"))
        assert done.exit_code == 1
        assert "cannot be written" in done.output
        assert receiver.events == []
