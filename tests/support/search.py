"""A made-up search, the same each time: islands, crossovers, agents that change themselves."""

from __future__ import annotations

import difflib
import random
from typing import Any

from hutch_lineage.model import EVENT_ADAPTER, Event

RUN = "b1d6b1de-0000-4000-8000-000000000001"
START_NS = 1_790_000_000_000_000_000
MODELS = {"small-model": 0.004, "large-model": 0.031, "code-model": 0.012}
PROGRAM = """\
import numpy as np


def pack(n, rng):
    # place {n} circles, then let them grow
    centres = rng.random((n, 2)) * {spread}
    for step in range({steps}):
        centres += rng.normal(0, {sigma}, centres.shape)
        centres = np.clip(centres, {wall}, 1 - {wall})
    return centres, radii(centres, slack={slack})
"""


class Search:
    """Makes the events one after another, a fixed number of seconds apart."""

    def __init__(self, seed: int = 5) -> None:
        self.chance = random.Random(seed)
        self.events: list[Event] = []
        self.genomes: dict[str, dict[str, Any]] = {}
        self.scores: dict[str, float] = {}

    def add(self, kind: str, /, **payload: Any) -> None:
        """Add an event."""
        number = len(self.events) + 1
        event = {
            "event_id": f"00000000-0000-4000-8000-{number:012x}",
            "event_kind": kind,
            "run_id": RUN,
            "timestamp_ns": START_NS + number * 700_000_000,
            "payload": payload,
        }
        self.events.append(EVENT_ADAPTER.validate_python(event))

    def individual(self, name: str, parents: list[str], island: int, generation: int) -> None:
        """Add an individual with its operator, its score and its program."""
        chance = self.chance
        genome: dict[str, Any] = {"n": 26, "spread": 1.0, "steps": 200}
        genome |= {"sigma": 0.05, "wall": 0.04, "slack": 0.01}
        if parents:
            genome = dict(self.genomes[parents[-1]])
            for gene in chance.sample(["steps", "sigma", "wall", "slack", "spread"], 2):
                genome[gene] = round(genome[gene] * chance.uniform(0.7, 1.3), 4)
            genome["steps"] = int(genome["steps"])
        self.genomes[name] = genome
        program = PROGRAM.format(**genome)
        self.add(
            "individual",
            id=name,
            kind="program",
            parent_ids=parents,
            is_seed=not parents,
            island_id=f"island-{island}",
            generation_index=generation,
            genome_lang="python",
            metadata={"genome": program},
        )
        if parents:
            model = chance.choices(list(MODELS), [5, 2, 3])[0]
            before = PROGRAM.format(**self.genomes[parents[0]]).splitlines(True)
            diff = difflib.unified_diff(before, program.splitlines(True), parents[0], name)
            self.add(
                "operator",
                id=f"op-{name}",
                kind="crossover" if len(parents) > 1 else chance.choice(["mutate", "refine"]),
                parent_ids=parents,
                child_id=name,
                llm_id=model,
                cost_usd=round(MODELS[model] * chance.uniform(0.6, 1.6), 5),
                tokens_in=chance.randrange(400, 2400),
                tokens_out=chance.randrange(80, 900),
                diff="".join(diff),
            )
        base = max((self.scores[p] for p in parents), default=2.02 + 0.06 * chance.random())
        room = 2.636 - base
        score = round(base + room * chance.gauss(-0.05, 0.13), 5)
        self.scores[name] = score
        verdict = {"scores": {"sum_radii": score, "seconds": round(9 - 2 * score, 3)}}
        if parents and chance.random() < 0.05:
            verdict = {"scores": {}, "invalid_reason": "two circles overlap"}
            self.scores[name] = base - 0.2
        self.add("fitness", individual_id=name, evaluator_kind="benchmark", **verdict)


def island_search(generations: int = 22, islands: int = 3, children: int = 6) -> list[Event]:
    """Return the events of a finished run: individuals on islands, migrations, agents."""
    search = Search()
    directions = {"sum_radii": "higher"}
    search.add("run_start", name="circle-packing", project="packing", score_directions=directions)
    pools = [[f"i{island}-seed{n}" for n in range(3)] for island in range(islands)]
    for island, pool in enumerate(pools):
        for name in pool:
            search.individual(name, [], island, 0)
    for generation in range(1, generations + 1):
        for island, pool in enumerate(pools):
            fresh = []
            for number in range(children):
                parents = search.chance.sample(pool, 2 if search.chance.random() < 0.25 else 1)
                fresh.append(f"i{island}-g{generation:02d}-{number}")
                search.individual(fresh[-1], parents, island, generation)
            pool[:] = sorted({*pool, *fresh}, key=lambda each: -search.scores[each])[:6]
        if generation % 6 == 0:
            for island in range(islands):
                there = (island + 1) % islands
                best = pools[island][0]
                search.add(
                    "migration",
                    population_id="packings",
                    from_island=f"island-{island}",
                    to_island=f"island-{there}",
                    individual_ids=[best],
                )
                pools[there][-1] = best
    agents(search)
    search.add("run_end", status="finished")
    return search.events


def agents(search: Search) -> None:
    """Add agents that change themselves."""
    names = ["agent-0"]
    score = {"agent-0": 0.22}
    for number in range(1, 13):
        parent = search.chance.choice(names[-4:])
        child = f"agent-{number}"
        after = round(score[parent] + search.chance.gauss(0.02, 0.05), 3)
        accepted = after >= score[parent] - 0.01
        search.add(
            "self_mod",
            parent_agent_id=parent,
            child_agent_id=child,
            target_path=search.chance.choice(["tools/edit.py", "prompts/plan.md", "agent.py"]),
            benchmark="tasks-60",
            score_before=score[parent],
            score_after=after,
            overseer_id="reviewer",
            overseer_verdict="accepted" if accepted else "rejected",
            proposal="Try the failing tests first.",
        )
        score[child] = after
        if accepted:
            names.append(child)
