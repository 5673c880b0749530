"""Files: the form by the name, whole or not at all."""

from __future__ import annotations

import pytest

from hutch_lineage.errors import ExportError
from hutch_lineage.export import export_graph, to_graphml, to_svg

EVENTS = [{"eventType": "START", "run": {"runId": "r"}}]


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("a.svg", "<svg"),
        ("a.SVG", "<svg"),
        ("a.html", "<!doctype html>"),
        ("a.graphml", "<?xml"),
        ("b.c.ndjson", '{"eventType"'),
    ],
)
def test_the_suffix_chooses_the_form(tmp_path, graph, name, begin):
    """Each suffix gives its form, and the file's path comes back."""
    written = export_graph(graph, tmp_path / name, events=EVENTS)
    assert written == tmp_path / name
    assert written.read_text().startswith(begin)


@pytest.mark.parametrize("name", ["a.gif", "a", "a.json", ".svg"])
def test_unknown_forms_name_the_known_ones(tmp_path, graph, name):
    """The error lists what can be written, and no file is made."""
    with pytest.raises(ExportError, match=r"\.html, \.svg, \.png, \.graphml, \.ndjson"):
        export_graph(graph, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_events_are_needed_for_ndjson(tmp_path, graph):
    """A graph alone does not know the events it came from."""
    with pytest.raises(ExportError, match="events are needed"):
        export_graph(graph, tmp_path / "a.ndjson")


def test_an_existing_file_is_replaced_and_keeps_its_mode(tmp_path, graph):
    """The file is replaced whole; nothing else is left in the folder."""
    path = tmp_path / "a.svg"
    path.write_text("old")
    path.chmod(0o640)
    export_graph(graph, path)
    assert path.read_text() == to_svg(graph)
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_mode(tmp_path, graph):
    """Others may read it as far as the umask says, as with any file that Python opens."""
    (tmp_path / "plain").write_text("")
    written = export_graph(graph, tmp_path / "a.graphml")
    assert written.stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert written.read_text() == to_graphml(graph)


def test_a_link_stays_a_link(tmp_path, graph):
    """Exporting to a link writes the file that it names."""
    (tmp_path / "real.svg").write_text("old")
    (tmp_path / "link.svg").symlink_to("real.svg")
    export_graph(graph, tmp_path / "link.svg")
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "real.svg").read_text() == to_svg(graph)


@pytest.mark.parametrize("where", ["missing/a.svg", "a-folder.svg"])
def test_what_cannot_be_written_is_one_clear_error(tmp_path, graph, where):
    """No folder, or a folder of that name: said with the path, and nothing is left behind."""
    (tmp_path / "a-folder.svg").mkdir()
    with pytest.raises(ExportError, match="cannot be written"):
        export_graph(graph, tmp_path / where)
    assert [path.name for path in tmp_path.iterdir()] == ["a-folder.svg"]


def test_a_failed_export_leaves_the_old_file(tmp_path, graph):
    """An error while the text is made does not touch the file."""
    path = tmp_path / "a.ndjson"
    path.write_text("old")
    with pytest.raises(ExportError):
        export_graph(graph, path, events=[{"no": "event"}])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be(tmp_path, graph):
    """Links in a circle, unknown homes and impossible names are errors of the export."""
    (tmp_path / "a.svg").symlink_to(tmp_path / "b.svg")
    (tmp_path / "b.svg").symlink_to(tmp_path / "a.svg")
    for place in (tmp_path / "a.svg", "~no-such-user-here/a.svg", tmp_path / "a\x00.svg"):
        with pytest.raises(ExportError):
            export_graph(graph, place)


def test_a_name_as_long_as_names_may_be(tmp_path, graph):
    """The file that is written first does not need a longer name."""
    assert export_graph(graph, tmp_path / f"{'n' * 251}.svg").exists()
