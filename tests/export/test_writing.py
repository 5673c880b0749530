"""Files: the form by the name, whole or not at all."""

from __future__ import annotations

import os
import zipfile
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings

from hutch_lineage.errors import ExportError
from hutch_lineage.export import FORMS, to_graphml, to_svg, write
from hutch_lineage.export.job import Job
from tests.graph.lineages import any_records, graph_of

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
    written = write(graph, tmp_path / name, events=EVENTS).path
    assert written == tmp_path / name
    assert written.read_text().startswith(begin)


@pytest.mark.parametrize("name", ["a.gif", "a", "a.jso", ".svg"])
def test_unknown_forms_name_the_known_ones(tmp_path, graph, name):
    """The error lists what can be written, and no file is made."""
    with pytest.raises(ExportError, match=r"\.html \(html\), \.svg \(svg\).*\.md \(markdown\)"):
        write(graph, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_a_form_stands_above_the_suffix(tmp_path, graph):
    """Where both are given; a name that is none is told with those that there are."""
    assert write(graph, tmp_path / "a.txt", "markdown").path.read_text().startswith("# packing")
    with pytest.raises(ExportError, match="no format 'gif': one of html, svg, png"):
        write(graph, tmp_path / "a.svg", "gif")


def test_options_are_those_of_the_form(tmp_path, graph):
    """An unknown one is told with those that there are, and so is a preset that says nothing."""
    written = write(graph, tmp_path / "a.nwk", first_parent=True)
    assert written.notes == (
        "further parents left out: 2",
        "no branch lengths: not every node has a time",
    )
    with pytest.raises(ExportError, match="no option 'x' of newick: there is run, kind, first_p"):
        write(graph, tmp_path / "a.nwk", x=1)
    with pytest.raises(ExportError, match="no option 'x' of gexf: there is none"):
        write(graph, tmp_path / "a.gexf", x=1)
    with pytest.raises(ExportError, match="a preset is for OpenLineage"):
        write(graph, tmp_path / "a.gexf", preset="marquez")


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_is_written_the_same_twice(tmp_path, graph, form):
    """The same graph gives the same bytes, and what was written before is replaced."""
    path = tmp_path / f"run{form.suffixes[0]}"
    options = {"first_parent": True} if form.name == "newick" else {}
    found = []
    for _ in range(2):
        assert write(graph, path, **options).form is form
        files = sorted(path.rglob("*")) if form.is_folder else [path]
        found.append([each.read_bytes() for each in files if each.is_file()])
    assert found[0] == found[1] != []
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_takes_hostile_texts(tmp_path, hostile, form):
    """Markup, control characters and broken Unicode in ids stop no form."""
    assert write(hostile, tmp_path / f"run{form.suffixes[0]}").path.exists()


# PNG and Parquet cost a tenth of a second each; the picture and the frames are in others, too.
QUICK = [form for form in FORMS.values() if form.name not in ("png", "parquet", "html")]


@settings(max_examples=25)
@given(any_records)
def test_no_form_breaks_on_contradictions(records):
    """Cycles, loops, agents among individuals, other runs' parents: a file, or a clear word."""
    graph = graph_of(records)
    for form in QUICK:
        options = {"first_parent": True} if form.name == "newick" else {}
        if form.name == "newick" and graph.cycles():
            with suppress(ExportError):  # the first parents alone may make a tree
                form.make(Job(graph, options=options))
        else:
            form.make(Job(graph, options=options))


def test_a_folder_with_other_files_is_left_alone(tmp_path, graph):
    """It is replaced only where nothing would be lost; else nothing changes."""
    folder = tmp_path / "out.frames"
    write(graph, folder)
    (folder / "mine.txt").write_text("precious")
    with pytest.raises(ExportError, match=r"holds mine\.txt, which would be lost"):
        write(graph, folder)
    assert (folder / "mine.txt").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["out.frames"]


def test_a_folder_as_an_archive(tmp_path, graph):
    """With .zip behind its suffix the files of a folder are one file."""
    path = write(graph, tmp_path / "a.frames.zip").path
    with zipfile.ZipFile(path) as archive:
        assert sorted(archive.namelist())[-1] == "runs.csv"


def test_an_existing_file_is_replaced_and_keeps_its_mode(tmp_path, graph):
    """The file is replaced whole; nothing else is left in the folder."""
    path = tmp_path / "a.svg"
    path.write_text("old")
    path.chmod(0o640)
    write(graph, path)
    assert path.read_text() == to_svg(graph)
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_mode(tmp_path, graph):
    """Others may read it as far as the umask says, as with any file that Python opens."""
    (tmp_path / "plain").write_text("")
    written = write(graph, tmp_path / "a.graphml").path
    assert written.stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert written.read_text() == to_graphml(graph)


def test_a_link_stays_a_link(tmp_path, graph):
    """Exporting to a link writes the file that it names."""
    (tmp_path / "real.svg").write_text("old")
    (tmp_path / "link.svg").symlink_to("real.svg")
    write(graph, tmp_path / "link.svg")
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "real.svg").read_text() == to_svg(graph)


@pytest.mark.parametrize("where", ["missing/a.svg", "a-folder.svg"])
def test_what_cannot_be_written_is_one_clear_error(tmp_path, graph, where):
    """No folder, or a folder of that name: said with the path, and nothing is left behind."""
    (tmp_path / "a-folder.svg").mkdir()
    with pytest.raises(ExportError, match="cannot be written"):
        write(graph, tmp_path / where)
    assert [path.name for path in tmp_path.iterdir()] == ["a-folder.svg"]


def test_a_failed_export_leaves_the_old_file(tmp_path, graph):
    """An error while the text is made does not touch the file."""
    path = tmp_path / "a.ndjson"
    path.write_text("old")
    with pytest.raises(ExportError):
        write(graph, path, events=[{"no": "event"}])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be(tmp_path, graph):
    """Links in a circle, unknown homes and impossible names are errors of the export."""
    (tmp_path / "a.svg").symlink_to(tmp_path / "b.svg")
    (tmp_path / "b.svg").symlink_to(tmp_path / "a.svg")
    for place in (tmp_path / "a.svg", "~no-such-user-here/a.svg", tmp_path / "a\x00.svg"):
        with pytest.raises(ExportError):
            write(graph, place)


def test_a_name_as_long_as_names_may_be(tmp_path, graph):
    """The file that is written first does not need a longer name."""
    assert write(graph, tmp_path / f"{'n' * 251}.svg").path.exists()


def test_a_pipe_is_written_to_and_stays_one(tmp_path, graph):
    """As is a device: neither is replaced by a file."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    got = []
    reader = Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(graph, pipe)
    reader.join(20)
    assert got == [write(graph, tmp_path / "file.json").path.read_bytes()]
    assert pipe.is_fifo()


def test_ctrl_c_leaves_nothing_behind(tmp_path, graph, monkeypatch):
    """Neither half a file beside the old one, nor a folder out of the way."""
    for name in ("run.json", "run.frames"):
        write(graph, tmp_path / name)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(graph, tmp_path / "run.json")
    rename = Path.rename
    monkeypatch.setattr(
        Path,
        "rename",
        lambda self, to: interrupted() if self.name.startswith(".") else rename(self, to),
    )
    with pytest.raises(KeyboardInterrupt):
        write(graph, tmp_path / "run.frames")
    left = sorted(each.name for each in tmp_path.iterdir())
    assert [name for name in left if "run.json" in name] == ["run.json"]


def test_two_exports_of_a_folder_at_once(tmp_path, graph, monkeypatch):
    """Whichever comes last, the folder is whole, and nothing is left beside it."""
    write(graph, tmp_path / "run.frames")
    rename, others = Path.rename, []

    def overtaken(self, to):
        if self.name.startswith(".run.frames") and not others:  # just before it is put there
            others.append(to)
            write(graph, tmp_path / "run.frames")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", overtaken)
    write(graph, tmp_path / "run.frames")
    assert [each.name for each in tmp_path.iterdir()] == ["run.frames"]
    assert {"runs.csv", "edges.csv"} <= {each.name for each in (tmp_path / "run.frames").iterdir()}


@pytest.mark.parametrize(
    ("form", "options", "message"),
    [
        ("markdown", {"title": 3}, "title is a text, not 3"),
        ("svg", {"width": "x"}, "width is a number, not 'x'"),
        ("svg", {"width": float("nan")}, "width is a number, not nan"),
        ("newick", {"first_parent": "no"}, "first_parent is true or false, not 'no'"),
        ("newick", {"run": "nope"}, "no run 'nope'; run ids are: "),
        ("svg", {"metric": "nope"}, "no metric 'nope'; metrics are: "),
        ("svg", {"run": "nope"}, "no run 'nope'; run ids are: "),
        ("alife", {"kind": "x"}, "kind is individual or agent, not 'x'"),
    ],
)
def test_values_that_an_option_cannot_have(tmp_path, graph, form, options, message):
    """One clear error, and never an empty file for a run that there is not."""
    with pytest.raises(ExportError, match=message):
        write(graph, tmp_path / "out", form, **options)
    assert list(tmp_path.iterdir()) == []


def test_no_temporary_folder_for_parquet(tmp_path, graph, monkeypatch):
    """One clear error that says what to do."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(ExportError, match="TMPDIR names another place"):
        write(graph, tmp_path / "run.parquet")


def test_the_root_of_all_folders(graph):
    """It has no name, and nothing beside it."""
    with pytest.raises(ExportError, match="is the root of all folders"):
        write(graph, "/", "csv-frames")


def test_a_name_of_wide_characters(tmp_path, graph):
    """It may have 255 bytes, which are fewer characters; the name beside it is no longer."""
    path = tmp_path / ("\U0001f600" * 61 + ".json")
    assert write(graph, path).path.is_file()
