"""The lineages that everything is measured on, made up or Avida's, and the files of them."""

from __future__ import annotations

import ast
import csv
import json
import os
import random
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hutch_lineage.graph import LineageGraph, Scene, SceneCursor
from hutch_lineage.model import FitnessRecord, NodeKey, NodeRecord, OperatorRecord, Record, Stamp

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 50
APPENDS, APPENDED = 10, 100
BOX = 1000, 600  # the shape of the picture
Message = tuple[dict[str, object], list[bytes]]


def records(individuals: int, start: int = 0) -> Iterator[Record]:
    """Yield a search: 50 individuals a generation, 30 % of them with two parents."""
    chance = random.Random(start + 1)
    scores = [0.0] * (2 * WIDTH)
    for number in range(start, individuals):
        generation = number // WIDTH
        first = (generation - 1) * WIDTH
        parents: list[int] = []
        if generation:
            parents.append(first + int(WIDTH * chance.random() * chance.random()))
            if chance.random() < 0.3:
                parents.append(first + chance.randrange(WIDTH))
        best = max((scores[parent % len(scores)] for parent in parents), default=0.1)
        score = scores[number % len(scores)] = best + chance.gauss(-0.02, 0.02) + 0.01
        yield from _made(number, list(dict.fromkeys(parents)), generation, score)


def _made(number: int, parents: list[int], generation: int, score: float) -> Iterator[Record]:
    """Yield what is said of one individual: that it is there, what made it, how fit it is."""

    def stamp(part: int) -> Stamp:
        event = 3 * number + part
        return Stamp(1_700_000_000_000_000_000 + event * 1_000_000, f"{event:032x}")

    key = NodeKey("individual", "run", f"ind-{number}")
    keys = tuple(NodeKey("individual", "run", f"ind-{parent}") for parent in parents)
    said = {"kind": "program", "is_seed": not parents, "generation_index": generation}
    yield NodeRecord(key, stamp(0), keys, {**said, "island_id": str(number % 4)})
    if parents:
        kind = "crossover" if len(parents) > 1 else ("mutate", "refine")[number % 2]
        cost = {"llm_id": f"model-{number % 3}", "cost_usd": 0.01 + number % 7 / 1000}
        yield OperatorRecord("run", f"op-{number}", stamp(1), keys, key, {"kind": kind, **cost})
    yield FitnessRecord(key, stamp(2), {"score": score}, {"evaluator_kind": "benchmark"})


def graph_of(individuals: int) -> LineageGraph:
    """Return the graph of a made-up search."""
    graph = LineageGraph()
    graph.apply(records(individuals))
    return graph


def avida_file() -> Path | str:
    """Return the file of the Avida run, or why there is none."""
    folder = Path(os.environ.get("HUTCH_LINEAGE_DATA") or ROOT.parent / "shared" / "data")
    path = folder / "alife-avida" / "asexual_phylogeny_test.csv"
    return path if path.is_file() else f"no {path}; name the folder with HUTCH_LINEAGE_DATA"


def avida(path: Path) -> Iterator[Record]:
    """Yield the records of a phylogeny in the ALife data standard, parents first."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: int(row["id"]))
    number = {row["id"]: place for place, row in enumerate(rows)}
    for place, row in enumerate(rows):
        named = [str(each) for each in ast.literal_eval(row["ancestor_list"])]
        parents = [number[each] for each in named if each in number]
        yield from _made(place, parents, int(row["depth"]), float(row["fitness"]))


@dataclass
class Lineage:
    """A lineage as files that pages fetch, and what making it took."""

    name: str
    nodes: int
    edges: int
    wire: Path
    plain: Path
    wire_appends: list[Path] = field(default_factory=list)
    plain_appends: list[Path] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


def prepare(size: int | Path, folder: Path) -> Lineage:
    """Build a lineage of so many individuals, or of a file, and write its files into `folder`."""
    name = f"n{size}" if isinstance(size, int) else size.parent.name
    graph = LineageGraph()
    timer = time.perf_counter()
    graph.apply(records(size) if isinstance(size, int) else avida(size))
    seconds = {"apply": time.perf_counter() - timer}
    timer = time.perf_counter()
    scene = Scene(graph)
    scene.update()
    seconds["scene"] = time.perf_counter() - timer
    cursor = scene.cursor()
    timer = time.perf_counter()
    messages = pulled(cursor)
    seconds["snapshot"] = time.perf_counter() - timer
    places = Places(scene)
    nodes = len(scene)
    made = Lineage(name, nodes, 0, folder / f"{name}.wire", folder / f"{name}.plain")
    made.seconds = seconds
    made.edges = write_plain(made.plain, scene, places, 0, 0)
    write(made.wire, messages)
    if isinstance(size, int):
        edges = made.edges
        for number in range(APPENDS):
            begin = size + number * APPENDED
            for record in records(begin + APPENDED, start=begin):
                graph.apply(record)
            wire, plain = folder / f"{name}-{number}.wire", folder / f"{name}-{number}.plain"
            write(wire, pulled(cursor))
            edges += write_plain(plain, scene, places, begin, edges)
            made.wire_appends.append(wire)
            made.plain_appends.append(plain)
    return made


def pulled(cursor: SceneCursor) -> list[Message]:
    """Return all that a cursor has, in the messages in which a notebook gets it."""
    return list(cursor.messages())


class Places:
    """Where the peers' nodes stand: the explorer's positions, stretched to the picture's shape."""

    def __init__(self, scene: Scene) -> None:
        x, y = (np.array(scene.nodes.data[name]) for name in "xy")
        side = (max(len(x), 1) / (BOX[0] * BOX[1])) ** 0.5 * 20
        self.scale = [
            extent * side / max(float(np.ptp(values)), 1.0)
            for extent, values in zip(BOX, (x, y), strict=True)
        ]

    def of(self, scene: Scene, first: int) -> list[bytes]:
        """Return x and y from a row on."""
        columns = (np.array(scene.nodes.data[name])[first:] for name in "xy")
        return [
            (values * scale).astype("<f4").tobytes()
            for values, scale in zip(columns, self.scale, strict=True)
        ]


def write_plain(path: Path, scene: Scene, places: Places, first: int, edge: int) -> int:
    """Write what the peers get from a node and an edge on; return how many edges that is."""
    source, target = (np.array(scene.edges.data[name])[edge:] for name in ("src", "dst"))
    shade = (np.arange(first, len(scene)) * 5 // max(len(scene), 1)).clip(0, 4)
    parts = [source.astype("<u4"), target.astype("<u4"), shade.astype("u1")]
    buffers = places.of(scene, first) + [part.tobytes() for part in parts]
    write(path, [({"first": first, "first_edge": edge}, buffers)])
    return len(source)


def write(path: Path, messages: list[Message]) -> None:
    """Write messages as one file: the length of the head, the head as JSON, the buffers."""
    head = [{"content": content, "sizes": [len(b) for b in data]} for content, data in messages]
    text = json.dumps(head).encode()
    with path.open("wb") as file:
        file.write(struct.pack("<I", len(text)) + text)
        for _, buffers in messages:
            file.writelines(buffers)
