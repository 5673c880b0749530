"""What is written in a form that reads back comes back equal, whatever it was read from."""

from __future__ import annotations

import pytest

from hutch_lineage.export import FORMS
from hutch_lineage.session import OpenedSource, write_source

BACK = [form for form in FORMS.values() if form.reads_back]
REAL = (
    "hutch-codeevolve/events.jsonl",
    "hutch-openevolve/events.jsonl",
    "openlineage-dbt/events.ndjson",
    "openlineage-spark-container/events.ndjson",
    "openlineage-airflow/events.ndjson",
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


def test_what_is_two_way_is_in_the_table():
    """Everything that says so is tried above."""
    assert [form.name for form in BACK] == ["node-link", "hutch", "ro-crate"]
