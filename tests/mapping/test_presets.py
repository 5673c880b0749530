"""The table of presets, and its rows set otherwise."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import ConfigurationError
from hutch_lineage.mapping import (
    BACKENDS,
    PRESETS,
    ROWS,
    STANDARD_FACETS,
    parse_overrides,
    preset_of,
)
from tests.mapping.preset_events import written
from tests.openlineage.events import operator


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
