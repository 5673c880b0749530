"""What a run holds, from a shell: for people, for programs, and as a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import hutch_lineage as hl
from hutch_lineage.cli.main import cli
from hutch_lineage.sdk import runtime


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """A run of three as Hutch JSONL; lower is better."""
    with hl.run("packing", score_directions={"error": "lower"}) as run:
        for name, parents, error in [("a", [], 3.0), ("b", ["a"], 2.0), ("c", ["b"], 2.5)]:
            made = run.log_individual(
                kind="program",
                individual_id=name,
                parent_ids=parents,
                metadata={"genome": f"x = {error}\n"},
            )
            if parents:
                run.log_operator(
                    kind="mutate", parent_ids=parents, child_id=name, cost_usd=0.5, llm_id="m1"
                )
            run.log_fitness(individual=made, scores={"error": error})
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(event.model_dump_json() for event in runtime().events))
    return path


def call(*words: str | Path) -> Result:
    """Run the command with these words."""
    return CliRunner().invoke(cli, [str(word) for word in words])


def answer(*words: str | Path) -> Any:
    """Return what a command answers to a program."""
    done = call(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_load_counts_and_tells_what_was_odd(events: Path) -> None:
    """With --strict, what was odd is an exit code of its own."""
    assert call("load", events).output == (
        "hutch-jsonl, 10 events: 3 individuals · 2 edges · 1 run\n"
    )
    assert call("load", "--strict", events).exit_code == 0
    with events.open("a") as file:
        file.write("\nno json\n")
    told = answer("load", events)
    assert (told["kind"], told["events"]) == ("hutch-jsonl", 10)
    assert (told["individuals"], told["edges"], told["run_count"]) == (3, 2, 1)
    assert [odd["count"] for odd in told["report"]] == [1]
    assert call("load", "--strict", events).exit_code == 3


def test_stats_answers_a_program(events: Path) -> None:
    """Costs, the best of each run and the path to it are plain data."""
    (run,) = answer("stats", events)["runs"]
    assert (run["name"], run["status"], run["cost_usd"]) == ("packing", "finished", 1.0)
    best = run["best_individual"]
    assert (best["id"], best["score"], best["direction"]) == ("b", 2.0, "lower")
    assert (best["path"], best["declared"]) == (["a", "b"], True)


def test_best_tells_each_step(events: Path) -> None:
    """From the seed: the score, its change, what made it and what that cost."""
    assert call("best", events).output.splitlines() == [
        "a  error 3  seed",
        "b  error 2  (gain 1)  mutate  m1  $0.500",
    ]
    told = answer("best", events)
    assert (told["id"], told["metric"], told["lineage_cost_usd"]) == ("b", "error", 0.5)
    assert [step["operator_kind"] for step in told["path"]] == [None, "mutate"]


def test_best_prints_the_genome_alone(events: Path) -> None:
    """So that it can be written to a file and run."""
    assert call("best", events, "--genome").output == "x = 2.0\n"


def test_best_says_what_there_is_instead(events: Path) -> None:
    """An unknown metric names those that exist; without a scored agent it says so."""
    unknown = call("best", events, "--metric", "speed")
    assert unknown.exit_code == 1
    assert "error" in unknown.output.removeprefix("Error:")
    assert "there is no agent in" in call("best", events, "--agents").output


def test_view_writes_a_page_and_opens_it(
    events: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is named, and a browser is asked to open just that."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    page = tmp_path / "page.html"
    assert call("view", events, "-o", page).output == f"{page}\n"
    assert opened == [page.as_uri()]
    assert "packing" in page.read_text()
    assert call("view", events, "--no-browser").output.endswith("lineage.html\n")
    assert len(opened) == 1


def test_view_says_so_without_a_browser(events: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is written all the same."""
    monkeypatch.setattr("webbrowser.open", lambda url: False)
    done = call("view", events)
    assert done.exit_code == 0
    assert "open the file yourself" in done.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion(shell: str) -> None:
    """The script names the program and the variable that click listens to."""
    done = call("completion", shell)
    assert done.exit_code == 0
    assert "hutch-lineage" in done.output
    assert "_HUTCH_LINEAGE_COMPLETE" in done.output


def test_a_run_is_chosen_among_those_of_a_file(events: Path) -> None:
    """By name or id; without a choice the best of all is told, with its run."""
    with hl.run("other", run_id="r2", score_directions={"error": "lower"}) as run:
        run.log_fitness(
            individual=run.log_individual(kind="program", individual_id="z"), scores={"error": 9.0}
        )
    events.write_text("\n".join(event.model_dump_json() for event in runtime().events))
    assert call("best", events, "--run", "other").output == "z  error 9  seed\n"
    assert call("best", events, "--run", "r2").output == "z  error 9  seed\n"
    assert "of 2 runs, in " in call("best", events).output.splitlines()[0]
    told = call("stats", events, "--run", "other").output
    assert ("other" in told, "packing" in told) == (True, False)
    unknown = call("best", events, "--run", "third")
    assert (unknown.exit_code, "no run 'third'; run ids are:" in unknown.output) == (1, True)


def test_agents_alone_need_no_word(tmp_path: Path) -> None:
    """Where there are no individuals, the best is an agent."""
    with hl.run("agents"):
        hl.log_self_modification(
            parent_agent_id="a0",
            child_agent_id="a1",
            score_before=1.0,
            score_after=2.0,
            proposal="p",
            overseer_verdict="accepted",
        )
        hl.log_fitness(individual="a1", scores={"score": 2.0})
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(event.model_dump_json() for event in runtime().events))
    assert call("best", path).output == "a1  score 2  seed\n"
