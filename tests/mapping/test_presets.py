"""The backend presets: what they write is valid, keeps runs apart, and can be read back."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator, FormatChecker

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.mapping import (
    BACKENDS,
    PRESETS,
    ROWS,
    STANDARD_FACETS,
    JobNames,
    encode,
    facet_schema,
    mapper_of,
    named_node,
    ns_from_iso,
    open_runs,
    parse_overrides,
    preset_of,
    read_run_events,
    records_of,
    to_run_event,
)
from hutch_lineage.model import EdgeRecord, NodeKey, NodeRecord, OperatorRecord, RunRecord
from hutch_lineage.readers import read
from tests.mapping.histories import histories, lineages
from tests.mapping.test_runevents import RESTORED
from tests.openlineage.events import RUN_ID, end, event, operator, start
from tests.support.official import Official, standard_facets

OTHERS = [name for name in PRESETS if name != "generic"]


def written(history, backend="marquez", *, rest=False, **overrides):
    """Return the RunEvents that a preset makes of events."""
    mapper = mapper_of(preset_of(backend, overrides), "hutch")
    bodies = [body for event in history for body, _ in mapper.map(event)]
    if rest:
        bodies += [body for body, _ in mapper.rest()]
    return [json.loads(body) for body in bodies]


def self_mod(parent="a1", child="a2", verdict="accepted", run_id=RUN_ID, **payload):
    """Return a new ``self_mod``."""
    fields = {"parent_agent_id": parent, "child_agent_id": child, "overseer_verdict": verdict}
    return event("self_mod", run_id, **fields, **payload)


def individual(node_id, parents=(), run_id=RUN_ID, **payload):
    """Return a new ``individual``, a seed where it has no parents."""
    return event(
        "individual",
        run_id,
        id=node_id,
        kind="program",
        parent_ids=list(parents),
        is_seed=not parents,
        **payload,
    )


def told(document):
    """Return the ``hutchLineage`` facet of an event."""
    return document["run"]["facets"]["hutchLineage"]


def names(datasets):
    """Return the ids behind dataset names."""
    return [named_node(each["name"]).id for each in datasets]


def whats(documents):
    """Return what each event tells of."""
    return [told(document)["what"] for document in documents]


def operations(records):
    """Return what operators and self-modifications say, NUL as the presets write it."""
    return [
        (
            record.run_id,
            record.id.replace("\0", "\ufffd"),
            record.parents,
            record.child,
            record.stamp,
            {
                name: value.replace("\0", "\ufffd") if isinstance(value, str) else value
                for name in RESTORED
                if (value := record.attributes.get(name)) is not None
            },
        )
        for record in records
        if isinstance(record, OperatorRecord)
    ]


def run_ids(records):
    """Return the runs that records tell of."""
    return {record.run_id for record in records if isinstance(record, RunRecord)}


def edges(records):
    """Return every edge that records say, of whatever kind."""
    found = set()
    for record in records:
        if isinstance(record, OperatorRecord):
            found |= {(parent, record.child) for parent in record.parents}
        elif isinstance(record, NodeRecord):
            found |= {(parent, record.key) for parent in record.parents}
        elif isinstance(record, EdgeRecord):
            found.add((record.parent, record.child))
    return found


# -- reading back ---------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_what_was_mapped_reads_back(backend, history):
    """Operators and self-modifications read from a preset's RunEvents are those of the events."""
    expected = [record for event in history for record in records_of(event)]
    read = list(read_run_events(written(history, backend)))
    assert operations(read) == operations(expected)


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_no_edge_is_lost_or_made_up(backend, history):
    """With what was held back, the edges read are those of all events, of any kind."""
    expected = [record for event in history for record in records_of(event)]
    assert edges(read_run_events(written(history, backend, rest=True))) == edges(expected)


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_every_run_reads_back_under_its_own_id(backend, history):
    """Whatever a run is called, its start and its end are read as those of that run."""
    expected = [record for event in history for record in records_of(event)]
    assert run_ids(read_run_events(written(history, backend))) == run_ids(expected)


@pytest.mark.parametrize("names", ["plain", "dotted"])
def test_ids_that_a_database_cannot_keep_read_back(names):
    """Where an id has a NUL, the facet holds all of them escaped, however long that becomes."""
    history = [operator(1, parent_ids=["\0" * 90, "~00", "~00"], child_id="c", run_id="r\0")]
    (document,) = written(history, names=names)
    assert "\0" not in str(document)
    assert told(document)["escaped"] is True
    assert operations(records_of(document)) == operations(records_of(history[0]))
    assert "escaped" not in told(written([operator(1)])[0])


@pytest.mark.parametrize("backend", OTHERS)
@pytest.mark.parametrize("folder", ["hutch-openevolve", "hutch-codeevolve"])
def test_real_runs_read_back(backend, folder, data_dir):
    """Two published runs, under every preset: the same operators and the same edges."""
    events = list(read(data_dir / folder / "events.jsonl").events())
    expected = [record for each in events for record in records_of(each)]
    read_back = list(read_run_events(written(events, backend)))
    assert operations(read_back) == operations(expected)
    assert edges(read_back) == edges(expected)


@pytest.mark.parametrize("field", ["run_id", "parents", "child"])
def test_without_the_facet_names_give_the_ids_back(field):
    """Where a backend lost an id from the facet, it is read from the dataset's name."""
    (document,) = written([operator(1, parent_ids=["v1.2 (é)"], child_id="c/1")])
    told(document)[field] = None
    (record,) = [each for each in records_of(document) if isinstance(each, OperatorRecord)]
    assert (record.parents[0].id, record.child) == (
        "v1.2 (é)",
        NodeKey("individual", RUN_ID, "c/1"),
    )


def test_without_any_facet_names_still_give_the_edge():
    """A backend that kept nothing but names still gives the edge, in the run it belongs to."""
    (document,) = written([operator(1, child_id="b", run_id="r")])
    document["run"]["facets"] = {}
    assert edges(records_of(document)) == {
        (NodeKey("individual", "r", "a"), NodeKey("individual", "r", "b"))
    }


# -- the default mapping stays --------------------------------------------------------------------


@given(histories)
def test_generic_is_the_mapping_of_the_specification(history):
    """The preset ``generic`` writes what the default mapping writes, byte for byte."""
    jobs = JobNames()
    expected = []
    for each in history:
        if each.event_kind == "run_start":
            jobs.started(each.run_id, each.payload.name)
        document = to_run_event(each, namespace="hutch", job_name=jobs.of(each.run_id))
        expected += [] if document is None else [encode(document)[0]]
    mapper = mapper_of(preset_of("generic"), "hutch")
    assert [body for each in history for body, _ in mapper.map(each)] == expected
    assert mapper.rest() == []


# -- valid OpenLineage ----------------------------------------------------------------------------

FULL = [
    start(project="p", started_by="ada", git_commit="4f2a", metadata={"repository": "https://x/r"}),
    individual("s"),
    individual("c", ["s"]),
    operator(1, parent_ids=["s"], child_id="c", llm_id="m", cost_usd=0.1),
    individual("d", ["c"]),
    event("lineage_edge", parent_id="s", child_id="d", relation="inspiration"),
    self_mod(verdict="rejected", target_path="t.py"),
    end(status="failed", summary="out of money"),
]


@pytest.fixture(scope="module")
def official(spec_dir):
    """The official schemas."""
    return Official(spec_dir)


@pytest.mark.parametrize("backend", OTHERS)
@given(history=lineages)
@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_every_event_and_every_facet_is_valid(official, backend, history):
    """Events pass OpenLineage.json, run ids of any form included; facets pass their schemas."""
    for document in written(history, backend, rest=True):
        assert official.errors(document) == []
        assert official.facet_errors(document) == []
        for name in ("hutchLineage", "hutchOperator", "hutchSelfMod", "hutchRun"):
            facet = document["run"]["facets"].get(name)
            checker = Draft202012Validator(facet_schema(name), format_checker=FormatChecker())
            assert facet is None or list(checker.iter_errors(facet)) == []


def test_a_full_run_has_every_facet_that_the_preset_asks_for(official):
    """The run above leaves no standard facet of the table unwritten, and all are valid."""
    documents = written(FULL, "datahub")
    assert [official.facet_errors(each) for each in documents] == [[]] * len(documents)
    found = {name for each in documents for name, _ in standard_facets(each)}
    assert found == set(STANDARD_FACETS)


@pytest.mark.parametrize("name", STANDARD_FACETS)
def test_a_facet_that_is_not_asked_for_is_not_there(name):
    """Each facet can be left out by itself."""
    kept = [each for each in STANDARD_FACETS if each != name]
    documents = written(FULL, "datahub", facets=kept)
    assert {found for each in documents for found, _ in standard_facets(each)} == set(kept)


# -- an operator is a job and a run of its own ----------------------------------------------------


def test_an_operator_is_a_job_and_a_run_of_its_own():
    """Besides START and COMPLETE of the run, each operator completes under the run as parent."""
    first, applied, last = written([start(), operator(1, child_id="b"), end()])
    assert [each["eventType"] for each in (first, applied, last)] == ["START"] + ["COMPLETE"] * 2
    assert first["run"]["runId"] == last["run"]["runId"] == RUN_ID
    assert (first["inputs"], first["outputs"], first["job"]["name"]) == ([], [], "circle-packing")
    assert (names(applied["inputs"]), names(applied["outputs"])) == (["a"], ["b"])
    parent = applied["run"]["facets"]["parent"]
    assert (parent["run"]["runId"], parent["job"]) == (
        RUN_ID,
        {"namespace": "hutch", "name": "circle-packing"},
    )
    assert applied["job"]["name"].startswith(f"circle-packing.{RUN_ID}.op-1.")
    assert applied["job"]["facets"]["lineage"]["entries"][0]["inputs"][0]["transformations"] == [
        {"type": "DIRECT", "subtype": "REFINE", "description": "refine: b from a"}
    ]


@pytest.mark.parametrize("backend", ["astro", "datadog"])
def test_where_the_standard_is_kept_to_the_letter_a_run_starts(backend):
    """START and COMPLETE of an operator say the same of the same run; it is read once."""
    documents = written([operator(1)], backend)
    assert [each["eventType"] for each in documents] == ["START", "COMPLETE"]
    assert documents[0]["run"] == documents[1]["run"]
    read_back = [each for each in read_run_events(documents) if isinstance(each, OperatorRecord)]
    assert len(read_back) == 1


def test_an_operator_id_used_twice_makes_two_jobs():
    """A backend keeps a job's last inputs only; the same application twice is one job."""
    history = [
        operator(1, child_id="b"),
        operator(1, child_id="c"),
        operator(1, child_id="c", parent_ids=["x"]),
        operator(1, child_id="c"),
    ]
    jobs = [each["job"]["name"] for each in written(history)]
    assert len(set(jobs[:3])) == 3
    assert jobs[3] == jobs[1]
    assert len({each["run"]["runId"] for each in written(history)}) == 4


def test_the_same_events_always_have_the_same_names():
    """Mapping anew, for another endpoint or in another process, gives the same documents."""
    assert written(FULL, rest=True) == written(FULL, rest=True)


@given(lineages)
def test_run_ids_are_uuids_and_times_increase(history):
    """Whatever was logged, run ids are UUIDs and each event of a run is later than the last."""
    by_run = {}
    for document in written(history, rest=True):
        UUID(document["run"]["runId"])
        by_run.setdefault(told(document)["run_id"], []).append(ns_from_iso(document["eventTime"]))
    last = 253_402_300_799_999_999_000
    for moments in by_run.values():
        assert all(one < other or other == last for one, other in pairwise(moments))


@pytest.mark.parametrize("backend", OTHERS)
@pytest.mark.parametrize(
    ("status", "event_type"),
    [("finished", "COMPLETE"), ("running", "COMPLETE"), ("failed", "FAIL"), ("cancelled", "ABORT")],
)
def test_a_cancelled_run_is_told_from_a_failed_one(backend, status, event_type):
    """D11, cured: OpenLineage has a word for it, and it is no error; it is read back as it was."""
    last = written([start(), end(status=status)], backend)[-1]
    assert last["eventType"] == event_type
    assert ("errorMessage" in last["run"]["facets"]) == (event_type == "FAIL")
    assert [
        each.attributes["status"] for each in records_of(last) if isinstance(each, RunRecord)
    ] == [status]


@pytest.mark.parametrize("backend", OTHERS)
def test_what_a_consumer_infers_are_the_true_edges(backend):
    """D13, cured: inputs times outputs, added up over each run and over each job, as the standard
    has it: of 200 operators, most with two parents, no edge more, and each facet is kept.
    """
    parents = {f"c{n}": {f"c{n - 1}", f"c{n // 2}"} for n in range(200)}
    history = [operator(n, parent_ids=sorted(parents[f"c{n}"])) for n in range(200)]
    documents = written([start(), *history, end()], backend)
    true = {(parent, child) for child, own in parents.items() for parent in own}
    for identity in (lambda each: each["run"]["runId"], lambda each: each["job"]["name"]):
        sides = defaultdict(lambda: (set(), set()))
        for each in documents:
            for side, found in zip(("inputs", "outputs"), sides[identity(each)], strict=True):
                found.update(names(each[side]))
        assert {(p, c) for inputs, made in sides.values() for p in inputs for c in made} == true
    told_of = [each["run"]["facets"].get("hutchOperator") for each in documents]
    assert {each["operator_id"] for each in told_of if each} == {f"op-{n}" for n in range(200)}


def test_a_rejected_modification_is_told_from_an_accepted_one():
    """D11, cured: verdict in the tags, in the sentence, in the transformation and in the facet."""
    for verdict in ("accepted", "rejected", "pending"):
        document = written([self_mod(verdict=verdict)])[-1]
        facets = document["job"]["facets"]
        assert {"key": "overseer_verdict", "value": verdict, "source": "HUTCH"} in facets["tags"][
            "tags"
        ]
        assert facets["documentation"]["description"].startswith(verdict)
        assert document["run"]["facets"]["hutchSelfMod"]["overseer_verdict"] == verdict


def test_what_the_start_said_is_said_again_at_the_end():
    """A consumer that keeps the last event only loses nothing."""
    documents = written(FULL, "datahub")
    first, last = documents[0], documents[-1]
    assert last["run"]["facets"]["hutchRun"] == first["run"]["facets"]["hutchRun"]
    assert last["job"]["facets"] == first["job"]["facets"]
    assert last["run"]["facets"]["errorMessage"]["message"] == "out of money"
    assert last["eventType"] == "FAIL"
    assert first["job"]["facets"]["sourceCodeLocation"]["version"] == "4f2a"


# -- seeds, and parents that nobody named ---------------------------------------------------------


def test_seeds_are_operators_without_inputs():
    """A seed is written when it is first a parent, the others at the end of the run."""
    history = [start(), individual("s"), individual("t"), operator(1, parent_ids=["s"]), end()]
    documents = written(history)
    assert whats(documents) == ["run", "seed", "operator", "seed", "run"]
    assert [names(each["outputs"]) for each in documents] == [[], ["s"], ["c1"], ["t"], []]
    assert documents[1]["inputs"] == documents[3]["inputs"] == []


def test_what_an_operator_made_is_no_seed():
    """An individual that was logged without parents, and then made by an operator, is no seed."""
    history = [start(), individual("c1"), operator(1, parent_ids=["s"]), end()]
    assert whats(written(history)) == ["run", "operator", "run"]


def test_the_first_agent_is_a_seed():
    """Agents have no event of their own: the first of a line is written before its modification."""
    history = [self_mod("a1", "a2"), self_mod("a2", "a3"), self_mod("a1", "a4")]
    assert whats(written(history)) == ["seed", "self_mod", "self_mod", "self_mod"]


def test_an_agent_that_was_made_before_the_end_is_no_seed_of_what_follows():
    """A run that is begun again goes on with the agents that it had."""
    history = [start(), self_mod("a1", "a2"), end(), start(), self_mod("a2", "a3"), end()]
    assert whats(written(history)) == ["run", "seed", "self_mod", "run", "run", "self_mod", "run"]


@pytest.mark.parametrize("first", ["individual", "operator"])
def test_an_operator_may_come_before_or_after_its_individual(first):
    """In either order the parents are named, and nothing is unknown."""
    pair = [individual("c1", ["a"]), operator(1)]
    history = [start(), *(pair if first == "individual" else pair[::-1]), end()]
    assert whats(written(history)) == ["run", "operator", "run"]


def test_parents_that_no_operator_named_are_not_lost():
    """D12, cured: at the run's end they become operators of kind unknown, with what is missing."""
    history = [
        start(),
        individual("c1", ["a", "b"]),
        operator(1, parent_ids=["a"]),
        individual("d", ["c1"]),
        event("lineage_edge", parent_id="a", child_id="d", relation="inspiration"),
        end(),
    ]
    documents = written(history)
    assert whats(documents) == ["run", "operator", "unknown", "unknown", "unknown", "run"]
    found = [(names(each["inputs"]), names(each["outputs"])) for each in documents[2:5]]
    assert found == [(["b"], ["c1"]), (["c1"], ["d"]), (["a"], ["d"])]
    assert [told(each)["relation"] for each in documents[2:5]] == [None, None, "inspiration"]


def test_a_run_that_never_ends_gives_the_rest_when_asked():
    """What is held back comes once with `rest`, and what comes after the end comes at once."""
    mapper = mapper_of(preset_of("marquez"), "hutch")
    assert mapper.map(individual("c", ["a"])) == []
    assert [len(mapper.rest()), len(mapper.rest())] == [1, 0]
    late = written([start(), end(), individual("c", ["a"]), individual("s")])
    assert whats(late) == ["run", "run", "unknown", "seed"]


def test_only_so_much_is_held_back(monkeypatch):
    """Beyond the limit the oldest is written at once, and none is lost."""
    monkeypatch.setattr(open_runs, "MOST_HELD", 5)
    history = [individual(f"c{n}", ["a"]) for n in range(8)]
    assert [names(each["outputs"]) for each in written(history)] == [["c0"], ["c1"], ["c2"]]
    assert len(written(history, rest=True)) == 8


def test_a_migration_makes_nothing():
    """Individuals that move keep their parents; no event is written for it."""
    moved = event(
        "migration", population_id="p", from_island="0", to_island="1", individual_ids=["a"]
    )
    assert written([moved]) == []


# -- runs apart, and joined -----------------------------------------------------------------------


@pytest.mark.parametrize("backend", OTHERS)
def test_equal_ids_in_two_runs_are_two_datasets(backend):
    """D14, cured: names hold the run, and the edges of the runs do not mix."""
    one, other = (
        {
            dataset["name"]
            for each in written([operator(1, run_id=run)], backend)
            for dataset in each["inputs"] + each["outputs"]
        }
        for run in ("r1", "r2")
    )
    assert not one & other


@pytest.mark.parametrize("kind", ["individual", "agent"])
def test_a_seed_from_another_run_is_joined_to_it(kind):
    """Its seed operator has the original as its input, under the name it has there."""
    origin = {"origin_run_id": "r1", "origin_id": "a2"}
    if kind == "agent":
        there = written([self_mod("a1", "a2", run_id="r1")])[-1]
        here = written([self_mod("b1", "b2", run_id="r2", metadata=origin)])[0]
    else:
        there = written([operator(1, child_id="a2", run_id="r1")])[-1]
        here = written([individual("b1", run_id="r2", metadata=origin), end("r2")])[0]
    assert whats([here]) == ["seed"]
    assert [each["name"] for each in here["inputs"]] == [each["name"] for each in there["outputs"]]
    assert names(here["outputs"]) == ["b1"]
    (read_back,) = (each for each in records_of(here) if isinstance(each, NodeRecord))
    assert (read_back.parents, read_back.attributes) == ((), {"is_seed": True, "metadata": origin})


@pytest.mark.parametrize("backend", OTHERS)
@pytest.mark.parametrize(
    "node_id", ["x" * 300, "a.b/c,(d)%:#", "\0", "", "Ind_A", "é漢🙂", "~7e", "None"]
)
def test_any_id_survives(backend, node_id):
    """Names hold only what every backend takes, are short enough, and give the id back."""
    *_, document = written(
        [operator(1, parent_ids=[node_id], child_id="c", run_id="Run 1")], backend
    )
    (dataset,) = document["inputs"]
    assert re.fullmatch(r"[A-Za-z0-9_~.-]{1,255}", dataset["name"])
    assert dataset["name"].count(".") == 2
    assert len(document["job"]["name"]) <= 255
    (record,) = [each for each in records_of(document) if isinstance(each, OperatorRecord)]
    assert record.parents == (NodeKey("individual", "Run 1", node_id),)


def test_names_for_openmetadata_have_no_capitals():
    """Its connector folds case: ids that differ in case only stay apart."""
    documents = written([operator(1, parent_ids=["A", "a"], child_id="c")], "openmetadata")
    found = [each["name"].lower() for each in documents[0]["inputs"]]
    assert len(set(found)) == 2


def test_a_namespace_that_marquez_refuses_is_written_otherwise():
    """Spaces, colons and letters beyond ASCII become what its pattern allows; a scheme may stay."""
    mapper = mapper_of(preset_of("marquez"), "my lab: é")
    (body, _) = mapper.map(operator(1))[0]
    assert re.fullmatch(r"[a-zA-Z:;=/0-9_.@+-]+", json.loads(body)["job"]["namespace"])
    kept = mapper_of(preset_of("marquez"), "hutch://lab").map(operator(1))[0][0]
    assert json.loads(kept)["job"]["namespace"] == "hutch://lab"


# -- the table ------------------------------------------------------------------------------------


def test_the_table_in_the_documentation_is_the_table(project_root):
    """docs/backends.md lists every row of every preset with its value."""
    text = (project_root / "docs" / "backends.md").read_text(encoding="utf-8")
    header, *rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith(("| `", "| row"))
    ]
    table = {row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in rows if row[0] in ROWS}

    def said(preset, row):
        value = getattr(preset, row)
        if row != "facets":
            return value
        missing = [name for name in STANDARD_FACETS if name not in value]
        if not value:
            return "none"
        return "all" if not missing else "all but `" + "`, `".join(missing) + ""

    assert tuple(table) == ROWS
    assert table == {
        row: {name: said(preset, row) for name, preset in PRESETS.items()} for row in ROWS
    }
    assert (*PRESETS, "auto") == BACKENDS


def test_each_row_can_be_overridden():
    """A row of one preset does in another what it does in its own."""
    assert written([operator(1)], "generic", granularity="operator")[0]["eventType"] == "COMPLETE"
    assert written([operator(1)], "marquez", granularity="run")[0]["eventType"] == "RUNNING"
    assert (
        written([operator(1)], "marquez", names="plain")[0]["inputs"][0]["name"] == "individual:a"
    )
    assert (
        written([operator(1, run_id="r")], granularity="run", run_id="verbatim")[0]["run"]["runId"]
        == "r"
    )
    assert len(written([operator(1)], lifecycle="start+complete")) == 2
    assert preset_of("marquez", {"path": "", "accepted": "edges"}).path == ""


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("granularity=run, names=plain", {"granularity": "run", "names": "plain"}),
        ('{"facets": ["parent"]}', {"facets": ["parent"]}),
        ("facets=parent+lineage,path=", {"facets": ["parent", "lineage"], "path": ""}),
        ("facets=", {"facets": []}),
    ],
)
def test_overrides_are_read_from_text(text, rows):
    """As an environment variable has them: JSON, or pairs."""
    assert parse_overrides(text) == rows
    preset_of("marquez", rows)


@pytest.mark.parametrize(
    "rows",
    [
        {"granularity": "island"},
        {"colour": "red"},
        {"facets": ["lineages"]},
        {"facets": 5},
        {"path": 5},
    ],
)
def test_a_row_that_cannot_be_is_refused(rows):
    """The message names the row and what it may be."""
    with pytest.raises(ConfigurationError, match=f"openlineage_overrides: .*{next(iter(rows))}"):
        preset_of("marquez", rows)


@pytest.mark.parametrize(("backend", "rows"), [(["marquez"], None), ("marquez", ["path"])])
def test_what_is_no_table_is_refused(backend, rows):
    """Neither a name nor rows."""
    with pytest.raises(ConfigurationError, match=r"openlineage_overrides|no backend preset"):
        preset_of(backend, rows)


@pytest.mark.parametrize("text", ["granularity", "{", '["a"]'])
def test_text_that_is_no_override_is_refused(text):
    """Neither JSON nor pairs."""
    with pytest.raises(ConfigurationError, match="openlineage_overrides"):
        parse_overrides(text)
