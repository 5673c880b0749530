"""RO-Crates, read by the reference library."""

from __future__ import annotations

import json
import zipfile

import pytest
from rocrate.rocrate import ROCrate

from hutch_lineage.errors import ReadError
from hutch_lineage.export import to_crate, write
from hutch_lineage.session import OpenedSource, load, write_source


def test_the_library_reads_the_folder(tmp_path, graph):
    """The root, its files and the run; every file that is there is described, with its size."""
    written = write(graph, tmp_path / "run.crate", license="https://spdx.org/licenses/MIT")
    assert written.notes == ()
    crate = ROCrate(str(written.path))
    assert crate.name == "Lineage of packing"
    described = {entity.id: entity for entity in crate.get_entities() if entity.type == "File"}
    files = {
        path.relative_to(written.path).as_posix(): path.stat().st_size
        for path in written.path.rglob("*")
        if path.is_file()
    }
    assert files.pop("ro-crate-metadata.json") > 0
    assert {name: int(entity["contentSize"]) for name, entity in described.items()} == files
    [action] = [entity for entity in crate.get_entities() if entity.type == "CreateAction"]
    assert action["name"] == "packing"


def test_an_archive_holds_the_same(tmp_path, graph):
    """.zip is the folder in one file, and the library reads it, too."""
    path = write(graph, tmp_path / "run.zip", name="Mine", author="Ada").path
    crate = ROCrate(str(path))
    assert (crate.name, crate.root_dataset["author"]["name"]) == ("Mine", "Ada")


def test_a_missing_licence_is_said(tmp_path, graph):
    """In the crate and in the notes: nobody is to think that there is one."""
    written = write(graph, tmp_path / "run.crate")
    assert written.notes == ("no licence was stated: license= names one",)
    document = json.loads((written.path / "ro-crate-metadata.json").read_text())
    root = next(each for each in document["@graph"] if each["@id"] == "./")
    named = next(each for each in document["@graph"] if each["@id"] == root["license"]["@id"])
    assert named["name"] == "No licence was stated"


def test_hostile_names(hostile):
    """The metadata is JSON whatever the names are."""
    files = to_crate(hostile, {})
    assert json.loads(files["ro-crate-metadata.json"])["@graph"]


@pytest.mark.parametrize("folder", ["hutch-openevolve"])
def test_the_events_in_it_open_again(data_dir, tmp_path, folder):
    """The crate of a run holds its events as they were logged."""
    source = OpenedSource.open(data_dir / folder / "events.jsonl")
    path = write_source(source, tmp_path / "run.crate").path
    assert load(path / "events.jsonl").equals(source.graph)
    assert load(path).equals(source.graph)


def test_a_zipped_crate_opens_again_and_unpacks_nothing(tmp_path, graph):
    """One file for a colleague: the same graph, and beside it nothing new on the disk."""
    path = write(graph, tmp_path / "run.zip", license="CC0-1.0").path
    assert load(path).equals(graph)
    assert list(tmp_path.iterdir()) == [path]


def test_a_zipped_crate_that_is_broken_is_one_error(tmp_path):
    """Cut within the graph, or with another thing in its place: the file is named."""
    path = tmp_path / "run.zip"
    for content in (b"{", b"[]"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("ro-crate-metadata.json", "{}")
            archive.writestr("lineage.json", content)
        with pytest.raises(ReadError, match=r"run\.zip: line 1: "):
            load(path)
