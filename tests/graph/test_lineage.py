"""Questions about descent: ancestors, paths, common ancestors, comparison, cost."""

from __future__ import annotations

import math
import threading

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hutch_lineage.errors import MetricChoiceError
from hutch_lineage.graph import CostSummary, LineageGraph
from hutch_lineage.model import (
    FitnessRecord,
    NodeRecord,
    OperatorRecord,
    RunRecord,
    parse_event,
)
from tests.graph.lineages import any_records, at, born, graph_of, ids, key, made, scored


@pytest.fixture
def diamond():
    """A seed, two children, a crossover of both and a copy of it; b is the better child."""
    return graph_of(
        born("a", 1, is_seed=True),
        born("b", 2, "a"),
        born("c", 3, "a"),
        born("d", 4, "c", "b"),
        born("e", 5, "d"),
        made("b", 2, "a", kind="mutate", llm_id="m1", cost_usd=0.5, tokens_in=10, tokens_out=1),
        made("c", 3, "a", kind="mutate", llm_id="m2", cost_usd=0.25),
        made("d", 4, "c", "b", kind="crossover", llm_id="m1", tokens_in=5),
        made("e", 5, "d", kind="refine", cost_usd=1.0, tokens_out=2),
        scored("a", 11, x=1.0),
        scored("b", 12, x=3.0),
        scored("c", 13, x=2.0),
        scored("d", 14, x=5.0),
        scored("e", 15, x=4.0),
    )


def test_ancestors_and_descendants_come_in_birth_order(diamond):
    """Each once, without the node itself, parents before children."""
    assert ids(diamond.ancestors("e")) == ["a", "b", "c", "d"]
    assert ids(diamond.descendants("a")) == ["b", "c", "d", "e"]
    assert (diamond.ancestors("a"), diamond.descendants("e")) == ([], [])


def test_parents_come_as_named_and_children_as_born(diamond):
    """The first parent stays first though the second was born before it."""
    assert ids(diamond.parents("d")) == ["c", "b"]
    assert ids(diamond.children("a")) == ["b", "c"]


@given(any_records)
def test_ancestors_agree_with_networkx(records):
    """On any graph, cyclic ones too, the walks find what networkx finds."""
    graph = graph_of(records)
    for node in graph:
        assert set(graph.ancestors(node)) == nx.ancestors(graph.nx, node)
        assert set(graph.descendants(node)) == nx.descendants(graph.nx, node)


def test_seeds_are_where_lineages_begin():
    """Nodes without parents and declared seeds; ghosts are not known to begin anything."""
    graph = graph_of(born("a", 1), born("b", 2, "ghost"), born("c", 3, "a"))
    assert ids(graph.seeds()) == ["a"]
    assert graph.seeds(run="other") == []


def test_the_path_to_the_best_takes_the_better_parent(diamond):
    """At the crossover the path goes by the parent with the higher score, not the first."""
    assert ids(diamond.path_to_best("x")) == ["a", "b", "d"]
    assert ids(diamond.path_to_seed("e")) == ["a", "b", "d", "e"]


def test_a_path_without_scores_takes_the_first_parent():
    """Unknown scores leave the order of the parents."""
    graph = graph_of(born("x", 2, "b", "a"))
    assert ids(graph.path_to_seed("x")) == ["b", "x"]
    assert graph.path_to_best() == []


def test_a_path_ends_where_it_would_run_in_a_circle():
    """A cycle without seed gives a finite path."""
    graph = graph_of(born("a", 1, "b"), born("b", 2, "a"), born("c", 3, "c", "b"))
    assert ids(graph.path_to_seed("c")) == ["a", "b", "c"]


def test_lower_is_better_where_declared_or_named_so():
    """Best and path follow the direction of the metric."""
    records = [born("a", 1), born("b", 2, "a"), scored("a", 3, q=1.0), scored("b", 4, q=2.0)]
    assert graph_of(records).best("q") == key("b")
    declared = RunRecord("r", at(1), {"score_directions": {"q": "lower"}})
    assert graph_of(records, declared).best("q") == key("a")


def test_the_best_of_equals_is_the_first_born_and_never_invalid():
    """Ties go by birth order; a node that was found invalid cannot win."""
    graph = graph_of(
        born("b", 1),
        born("a", 2),
        born("c", 3),
        scored("a", 4, x=1.0),
        scored("b", 5, x=1.0),
        FitnessRecord(key("c"), at(6), {"x": 9.0}, {"invalid_reason": "timeout"}),
    )
    assert graph.best() == key("b")


def test_without_scores_there_is_no_best():
    """None, not an error, until something was evaluated."""
    assert graph_of(born("a", 1)).best() is None
    assert LineageGraph().best(kind="agent") is None


def test_several_metrics_without_a_sign_ask_for_a_choice():
    """The error lists the metrics and says what to pass."""
    graph = graph_of(scored("a", 1, p=1.0, q=2.0))
    with pytest.raises(MetricChoiceError, match=r"pass metric=, one of: p, q$") as error:
        graph.best()
    assert error.value.metrics == ("p", "q")
    with pytest.raises(MetricChoiceError, match="no node has a score on 'z'"):
        graph.path_to_best("z")


def test_the_common_ancestor_is_the_latest_born(diamond):
    """A node is its own ancestor; of several common ancestors the latest in birth order counts."""
    assert diamond.mrca("b", "c") == key("a")
    assert diamond.mrca("b", "e") == key("b")
    assert diamond.mrca("e", "e") == key("e")
    assert graph_of(born("a", 1), born("b", 1)).mrca("a", "b") is None


@given(any_records, st.data())
def test_the_common_ancestor_does_not_depend_on_the_side(records, data):
    """It lies above both nodes, and no common ancestor comes later."""
    graph = graph_of(records)
    nodes = graph.nodes()
    assume(nodes)
    a, b = data.draw(st.sampled_from(nodes)), data.draw(st.sampled_from(nodes))
    common = {a, *graph.ancestors(a)} & {b, *graph.ancestors(b)}
    expected = max(common, key=nodes.index) if common else None
    assert graph.mrca(a, b) == graph.mrca(b, a) == expected


def test_comparing_two_says_what_they_share_and_where_they_differ(diamond):
    """Steps to the common ancestor, shares, scores with the better side, cost of each ancestry."""
    compared = diamond.compare("b", "e")
    assert (compared.mrca, compared.steps_a, compared.steps_b) == (key("b"), 0, 2)
    assert (ids(compared.shared_ancestors), compared.only_a, compared.only_b) == (["a", "b"], 0, 3)
    assert compared.scores.to_dict("records") == [
        {"metric": "x", "a": 3.0, "b": 4.0, "difference": 1.0, "better": "b"}
    ]
    assert (compared.cost_a.cost_usd, compared.cost_b.cost_usd) == (0.5, 1.75)


def test_comparing_strangers(diamond):
    """Without a common ancestor or scores there are no steps and no differences."""
    diamond.apply(born("z", 9))
    compared = diamond.compare("z", "a")
    assert (compared.mrca, compared.steps_a, compared.shared_ancestors) == (None, None, ())
    assert compared.scores["difference"].isna().all()
    assert compared.scores.dtypes.astype(str).to_dict() == {
        "metric": "string",
        "a": "float64",
        "b": "float64",
        "difference": "float64",
        "better": "string",
    }


def test_an_ancestry_counts_each_operator_once(diamond):
    """Both ways from d lead to a, the crossover has two edges: four operators, not six."""
    cost = diamond.cost("e")
    assert cost == CostSummary(
        cost_usd=1.75,
        tokens_in=15,
        tokens_out=3,
        operators=4,
        seconds=4e-9,
        unknown_cost=1,
        unknown_tokens=1,
    )
    assert diamond.cost() == diamond.cost(run="r") == cost
    assert diamond.cost("a").operators == 0


def test_unknown_cost_is_not_zero():
    """Where no operator says a cost the sum is None, and where there is no operator at all."""
    graph = graph_of(made("b", 1, "a"), made("c", 2, "b", cost_usd=math.nan))
    cost = graph.cost("c")
    assert (cost.cost_usd, cost.tokens_in, cost.operators, cost.unknown_cost) == (None, None, 2, 2)
    for cost in (graph.cost("a"), graph_of(born("x", 1)).cost(), graph_of().cost()):
        assert (cost.cost_usd, cost.tokens_in, cost.tokens_out) == (None, None, None)
        assert (cost.operators, cost.unknown_cost, cost.unknown_tokens) == (0, 0, 0)


def test_one_event_with_several_children_costs_once():
    """An operator whose single event names two children is paid once."""
    twins = [
        OperatorRecord("r", "o", at(1, "e"), (key("a"),), key(child), {"cost_usd": 1.0})
        for child in "bc"
    ]
    graph = graph_of(twins)
    assert (graph.cost().cost_usd, graph.cost().operators) == (1.0, 1)


def test_efficacy_compares_a_child_with_its_best_parent(diamond):
    """d (5) beats the better of its parents (3) by 2; e (4) falls behind d (5) by 1."""
    table = diamond.efficacy("kind")
    assert list(table.index) == ["crossover", "mutate", "refine"]
    assert table["tries"].to_list() == table["compared"].to_list() == [1, 2, 1]
    assert table["improvements"].to_list() == [1, 2, 0]
    assert table["mean_gain"].to_list() == [2.0, 1.5, -1.0]
    assert table["median_gain"].to_list() == [2.0, 1.5, -1.0]
    assert table["best_gain"].to_list() == [2.0, 2.0, -1.0]
    assert table["gain_per_usd"].to_list()[1:] == [4.0, 0.0]
    assert table["unknown_cost"].to_list() == [1, 0, 0]


def test_efficacy_by_model_names_the_unknown(diamond):
    """Operators without a model are a group of their own; tokens count in and out."""
    table = diamond.efficacy("llm_id", metric="x")
    assert table["improvement_rate"].to_dict() == {"m1": 1.0, "m2": 1.0, "unknown": 0.0}
    assert table["tokens"].fillna(-1).to_dict() == {"m1": 16.0, "m2": -1.0, "unknown": 2.0}


def test_efficacy_follows_the_direction():
    """Where lower is better, a smaller child is an improvement with a positive gain."""
    graph = graph_of(made("b", 1, "a"), scored("a", 2, loss=3.0), scored("b", 3, loss=1.0))
    assert graph.efficacy()["best_gain"].to_list() == [2.0]


def test_an_invalid_child_is_a_compared_failure():
    """A try that broke the child counts against its operator; one without any score does not."""
    graph = graph_of(
        made("b", 1, "a", kind="mutate"),
        made("c", 2, "a", kind="mutate"),
        scored("a", 3, x=1.0),
        FitnessRecord(key("b"), at(4), {}, {"invalid_reason": "crash"}),
    )
    row = graph.efficacy().loc["mutate"]
    assert (row["tries"], row["compared"], row["improvement_rate"]) == (2, 1, 0.0)


def test_self_modifications_bring_their_own_scores():
    """Before and after, as the event says them, where agents have no other score."""
    parent, child = key("g0", kind="agent"), key("g1", kind="agent")
    said = {"kind": "self_modify", "score_before": 0.25, "score_after": 0.75}
    graph = graph_of(OperatorRecord("r", "s", at(1), (parent,), child, said))
    assert graph.efficacy()["best_gain"].to_dict() == {"self_modify": 0.5}


def test_efficacy_of_nothing_has_its_columns():
    """An empty table with the documented dtypes."""
    table = LineageGraph().efficacy()
    assert (len(table), table.index.name) == (0, "kind")
    assert table.dtypes.astype(str).to_dict() == {
        "tries": "int64",
        "compared": "int64",
        "improvements": "int64",
        "improvement_rate": "float64",
        "median_gain": "float64",
        "mean_gain": "float64",
        "best_gain": "float64",
        "cost_usd": "float64",
        "gain_per_usd": "float64",
        "tokens": "float64",
        "gain_per_1k_tokens": "float64",
        "unknown_cost": "int64",
        "improvements_per_usd": "float64",
        "improvements_per_1k_tokens": "float64",
    }


def test_efficacy_by_something_else_is_refused():
    """The two ways to group are named in the error."""
    with pytest.raises(ValueError, match="'kind' or 'llm_id', not 'colour'"):
        LineageGraph().efficacy("colour")


def test_events_and_their_json_say_the_same():
    """Event objects, canonical dicts and records of them build equal graphs."""
    said = [
        {"event_kind": "run_start", "run_id": "r", "timestamp_ns": 1, "payload": {"name": "n"}},
        {
            "event_kind": "individual",
            "run_id": "r",
            "timestamp_ns": 2,
            "payload": {"id": "a", "kind": "program", "is_seed": True},
        },
        {
            "event_kind": "operator",
            "run_id": "r",
            "timestamp_ns": 3,
            "payload": {"id": "o", "kind": "refine", "parent_ids": ["a"], "child_id": "b"},
        },
    ]
    events = [parse_event(each) for each in said]
    dicts = [event.model_dump(mode="json") for event in events]
    assert graph_of(events).equals(graph_of(*dicts))
    assert repr(graph_of(events)) == "LineageGraph(2 individuals, 0 agents, 1 edge, 1 run)"
    assert LineageGraph().apply(events, [dicts], iter(dicts)) == 9


def test_openlineage_events_become_lineage():
    """A RunEvent of the default mapping brings its operator."""
    event = {
        "eventType": "RUNNING",
        "eventTime": "2026-05-05T12:34:56.123456Z",
        "run": {"runId": "r", "facets": {"hutchOperator": {"operator_id": "o", "cost_usd": 0.5}}},
        "job": {"namespace": "hutch", "name": "j"},
        "inputs": [{"namespace": "hutch", "name": "individual:a"}],
        "outputs": [{"namespace": "hutch", "name": "individual:b"}],
        "producer": "https://github.com/xyin-anl/hutch/v0.1.0",
    }
    graph = graph_of(event, event)
    assert (graph.parents("b"), graph.cost("b").cost_usd) == ([key("a")], 0.5)


@pytest.mark.parametrize("item", ["a path", b"bytes", 7, None])
def test_what_says_nothing_about_lineage_is_refused(item):
    """The error names the type; what came before is kept."""
    graph = LineageGraph()
    with pytest.raises(TypeError, match=f"cannot apply {type(item).__name__}"):
        graph.apply(born("a", 1), [item])
    assert ids(graph) == ["a"]


def test_equal_graphs_have_equal_fingerprints(diamond):
    """A fingerprint tells whether two graphs say the same."""
    before = diamond.fingerprint()
    diamond.apply(born("a", 1))
    assert diamond.fingerprint() == before
    diamond.apply(scored("a", 99, x=0.0))
    assert diamond.fingerprint() != before


def test_many_threads_may_apply_and_ask():
    """Writers and readers at once lose nothing and see whole states."""
    graph = LineageGraph()
    failures = []

    def write(number):
        for n in range(200):
            graph.apply(
                born(f"{number}-{n}", n, f"{number}-{n - 1}") if n else born(f"{number}-0", 0)
            )

    def read():
        try:
            for _ in range(30):
                graph.frames.edges()
                len(graph.nx)
                graph.report.lines()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(3)]
    threads += [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert repr(graph) == "LineageGraph(600 individuals, 0 agents, 597 edges, 1 run)"


def test_counts_in_the_repr_keep_their_number():
    """One of a kind is singular; the text is the same at every call."""
    graph = graph_of(NodeRecord(key("g", kind="agent"), at(1)))
    assert repr(graph) == "LineageGraph(0 individuals, 1 agent, 0 edges, 1 run)"
    assert repr(LineageGraph()) == "LineageGraph(0 individuals, 0 agents, 0 edges, 0 runs)"
