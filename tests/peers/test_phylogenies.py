"""Measures of phylogenies, against phylotrackpy and DendroPy, on files that others published."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from phylotrackpy.systematics import Systematics

import hutch_lineage as hl
from hutch_lineage.graph import LineageGraph

with warnings.catch_warnings():  # it looks for packages that Python is about to drop
    warnings.simplefilter("ignore")
    from alifedata_phyloinformatics_convert import alife_dataframe_to_dendropy_tree

FILES = [
    "alife-toys/example-standard-toy-asexual-phylogeny.csv",
    "alife-avida/asexual_phylogeny_test.csv",
    "hstrat-nk/nk_tournamentselection.csv",
    "hstrat-nk/nk_lexicaseselection.csv",
    "phylotrackpy/systematics_snapshot.csv",
]


@pytest.fixture(scope="module", params=FILES)
def graph(request: pytest.FixtureRequest, data_dir: Path) -> LineageGraph:
    """A phylogeny with one root and one parent each."""
    return hl.load(data_dir / request.param)


def tree_of(graph: LineageGraph) -> pd.DataFrame:
    """Every individual with its parent, and when it was born, parents first."""
    rows = graph.frames.individuals()
    parents = [
        ids[0] if ids and ids[0] != own else ""
        for own, ids in zip(rows["id"], rows["parent_ids"], strict=True)
    ]
    return pd.DataFrame({"id": rows["id"], "parent": parents, "born": rows["origin_time"]})


def without_single_children(tree: pd.DataFrame) -> pd.DataFrame:
    """The same tree, each node with one child replaced by that child."""
    parent = dict(zip(tree["id"], tree["parent"], strict=True))
    children = tree["parent"].value_counts().to_dict()

    def above(node: str) -> str:
        up: str = parent[node]
        while up and children[up] == 1:
            up = parent[up]
        return up

    kept = tree[[children.get(node, 0) != 1 for node in tree["id"]]]
    return kept.assign(parent=[above(node) for node in kept["id"]])


def tracked(tree: pd.DataFrame) -> Systematics:
    """The tree as phylotrackpy has it: born one by one; what has offspring has died."""
    system, taxa = Systematics(lambda name: name, True, True, False, False), {}
    alive = set(tree["id"]) - set(tree["parent"])
    for node, parent, born in tree.itertuples(index=False):
        system.set_update(0 if math.isnan(born) else max(0, int(born)))  # it counts from 0
        taxa[node] = system.add_org(node, taxa[parent]) if parent else system.add_org(node)
    for node, taxon in taxa.items():
        if node not in alive:
            system.remove_org(taxon)
    return system


def test_as_phylotrackpy_has_it(graph: LineageGraph) -> None:
    """Counts, common ancestor, diversity and distinctiveness, and balance where it is defined."""
    tree = tree_of(graph)
    system, now = tracked(tree), float(tree["born"].max())
    ours = graph.frames.phylogeny().iloc[0]
    assert ours["extant"] == system.get_num_active()
    assert ours["nodes"] == system.get_num_taxa()
    assert ours["mrca"] == system.get_mrca().get_info()
    assert ours["mrca_depth"] == system.mrca_depth()
    assert ours["phylogenetic_diversity"] == system.get_phylogenetic_diversity()
    if math.isnan(now):  # the file has no times
        assert math.isnan(ours["mrca_age"])
        assert math.isnan(ours["mean_distinctiveness"])
    else:
        assert ours["mrca_age"] == now - system.get_mrca().get_origination_time()
        theirs = system.get_mean_evolutionary_distinctiveness(now)
        assert ours["mean_distinctiveness"] == pytest.approx(theirs)
    balance = tracked(without_single_children(tree)).colless_like_index()
    assert ours["colless_like"] == pytest.approx(balance)


def test_branches_are_as_long_as_dendropy_has_them(graph: LineageGraph) -> None:
    """Over the conversion that artificial life uses."""
    tree = tree_of(graph)
    standard = pd.DataFrame(
        {
            "id": range(len(tree)),
            "ancestor_list": _ancestor_lists(tree),
            "origin_time": tree["born"],
        }
    )
    made: Any = alife_dataframe_to_dendropy_tree(standard, setup_edge_lengths=True)
    ours = graph.frames.phylogeny().iloc[0]["branch_length"]
    if tree["born"].isna().any():  # the file has no times
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(made.length() - (made.seed_node.edge_length or 0.0))


def _ancestor_lists(tree: pd.DataFrame) -> list[str]:
    number = {node: place for place, node in enumerate(tree["id"])}
    return ["[none]" if not up else f"[{number[up]}]" for up in tree["parent"]]
