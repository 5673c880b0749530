"""What is written in a form that reads back comes back equal, whatever it was read from."""

from __future__ import annotations

import pytest

from hutch_lineage.export import FORMS
from hutch_lineage.session import OpenedSource, load, write_source

BACK = [form for form in FORMS.values() if form.reads_back]
REAL = (
    "hutch-codeevolve/events.jsonl",
    "hutch-openevolve/events.jsonl",
    "openlineage-dbt/events.ndjson",
    "openlineage-spark-container/events.ndjson",
    "openlineage-airflow/events.ndjson",
    "openlineage-marquez/events.ndjson",
    "openlineage-CLL/events.ndjson",
    "openevolve-direvolve",
    "asi-arch-tree/tree.json",
    "aide-house-prices/journal.json",
    "dgm-initial/output_dgm",
    "alife-avida/asexual_phylogeny_test.csv",
    "alife-toys/example-standard-toy-sexual-phylogeny.csv",
    "hstrat-nk/nk_tournamentselection.csv",
    "phylotrackpy/systematics_snapshot.csv",
)


@pytest.mark.parametrize("name", REAL)
def test_every_two_way_form_gives_an_equal_graph(data_dir, tmp_path, name):
    """And once more, from what was read back: through each form into each other."""
    source = OpenedSource.open(data_dir / name)
    wanted = source.graph.fingerprint()
    for form in BACK:
        written = write_source(source, tmp_path / f"run{form.suffixes[0]}")
        source = OpenedSource.open(written.path)
        assert source.graph.fingerprint() == wanted, form.name


@pytest.mark.parametrize("name", [name for name in REAL if name.endswith(".csv")])
def test_a_phylogeny_comes_back_from_alife_csv(data_dir, tmp_path, name):
    """Under its own name: roots, ancestors, times, and every column."""
    source = OpenedSource.open(data_dir / name)
    written = write_source(source, tmp_path / (data_dir / name).name)
    assert written.notes == ()
    assert load(written.path).equals(source.graph)


@pytest.mark.parametrize("name", [name for name in REAL if name.startswith("openlineage")])
def test_openlineage_events_come_back_as_they_came(data_dir, tmp_path, name):
    """Without a preset nothing is mapped, so nothing is lost."""
    source = OpenedSource.open(data_dir / name)
    assert load(write_source(source, tmp_path / "run.ndjson").path).equals(source.graph)


def test_what_is_two_way_is_in_the_table():
    """Everything that says so is tried above."""
    assert [form.name for form in BACK] == ["node-link", "hutch", "ro-crate"]
