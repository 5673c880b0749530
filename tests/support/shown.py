"""Which edges a backend shows, found by asking it as a person at its page does."""

from __future__ import annotations

import json
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hutch_lineage.model import NodeKey

Edge = tuple[NodeKey, NodeKey]
Named = Callable[[str], Iterable[NodeKey]]


@dataclass(frozen=True)
class Shown:
    """The edges that a backend shows, and what it took to see them.

    Attributes
    ----------
    edges : frozenset of (NodeKey, NodeKey)
        Parent and child. Where a name does not tell of which run it is, the edge is shown for each
        run that has such a name.
    requests : int
        Requests to the backend.
    seconds : float
        How long they took.
    """

    edges: frozenset[Edge]
    requests: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Score:
    """What is shown, measured against the truth."""

    true: int
    shown: int
    right: int

    @property
    def precision(self) -> float:
        """The share of what is shown that is true; 1 where nothing is shown."""
        return self.right / self.shown if self.shown else 1.0

    @property
    def recall(self) -> float:
        """The share of what is true that is shown; 1 where nothing is true."""
        return self.right / self.true if self.true else 1.0


def score(shown: Shown, truth: Iterable[Edge]) -> Score:
    """Return the score of what is shown."""
    true = frozenset(truth)
    return Score(len(true), len(shown.edges), len(shown.edges & true))


def marquez_shows(url: str, namespace: str, named: Named) -> Shown:
    """Ask Marquez's lineage API for one hop around each dataset of a namespace.

    A job links each of its inputs to each of its outputs: that is what its page draws.

    Parameters
    ----------
    url : str
        Marquez.
    namespace : str
        Of the datasets.
    named : callable
        The nodes that a dataset name may stand for.
    """
    began = time.monotonic()
    requests = 0

    def ask(path: str) -> Any:
        nonlocal requests
        requests += 1
        with urllib.request.urlopen(f"{url}/api/v1{path}", timeout=60) as answer:
            return json.load(answer)

    names: list[str] = []
    space = urllib.parse.quote(namespace, safe="")
    while True:
        page = ask(f"/namespaces/{space}/datasets?limit=500&offset={len(names)}")["datasets"]
        names += [each["name"] for each in page]
        if len(page) < 500:
            break
    jobs: dict[str, tuple[set[str], set[str]]] = {}
    for name in names:
        node = urllib.parse.quote(f"dataset:{namespace}:{name}", safe="")
        for each in ask(f"/lineage?nodeId={node}&depth=1")["graph"]:
            if each["type"] == "JOB":
                inputs, outputs = jobs.setdefault(each["id"], (set(), set()))
                inputs |= {edge["origin"] for edge in each["inEdges"]}
                outputs |= {edge["destination"] for edge in each["outEdges"]}
    prefix = f"dataset:{namespace}:"
    edges = {
        (parent, child)
        for inputs, outputs in jobs.values()
        for source in inputs
        for parent in named(source.removeprefix(prefix))
        for target in outputs
        for child in named(target.removeprefix(prefix))
        if parent.run_id == child.run_id
    }
    return Shown(frozenset(edges), requests, time.monotonic() - began)
