"""Files of JSON in every layout that people write."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from hutch_lineage.errors import ReadError
from hutch_lineage.readers.documents import documents

VALUES = [{"a": 1}, {"b": {"c": [1, 2]}}, {"d": "ä\u2028x"}]
COMPACT = [json.dumps(value) for value in VALUES]
PRETTY = [json.dumps(value, indent=2, ensure_ascii=False) for value in VALUES]

LAYOUTS = {
    "lines": "\n".join(COMPACT),
    "lines with CRLF": "\r\n".join(COMPACT) + "\r\n",
    "blank lines": "\n\n" + "\n  \n\n".join(COMPACT) + "\n\n",
    "byte-order mark": "\ufeff" + "\n".join(COMPACT),
    "array on one line": json.dumps(VALUES),
    "array over lines": json.dumps(VALUES, indent=4),
    "array, a member a line": "[\n" + ",\n".join(COMPACT) + "\n]\n",
    "pretty-printed, one after another": "\n".join(PRETTY),
    "pretty-printed with byte-order mark": "\ufeff" + "\n".join(PRETTY),
    "wrapped": json.dumps({"events": VALUES, "totalCount": 3}),
    "wrapped and pretty-printed": json.dumps({"events": VALUES}, indent=2),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
def test_every_layout_gives_the_same_values(tmp_path, layout, packed):
    """However the JSON is laid out, and gzipped or not whatever the name says."""
    data = LAYOUTS[layout].encode()
    path = tmp_path / "any.name"
    path.write_bytes(gzip.compress(data) if packed else data)
    found = list(documents(path))
    assert [document.value for document in found] == VALUES
    assert not any(document.fault for document in found)


def test_lines_are_numbered_from_one_with_blank_lines_counted(tmp_path):
    """The number is the one an editor shows."""
    path = tmp_path / "e.jsonl"
    path.write_text('\n{"a": 1}\n\nnot json\n{"b": 2}\n')
    assert [(d.line, bool(d.fault)) for d in documents(path)] == [(2, False), (4, True), (5, False)]


def test_lines_of_pretty_printed_values(tmp_path):
    """A value over several lines has the number of its first line."""
    path = tmp_path / "e.json"
    path.write_text('{\n  "a": 1\n}\n{\n  "b": 2\n}\n')
    assert [document.line for document in documents(path)] == [1, 4]


def test_a_broken_first_line_does_not_hide_the_others(tmp_path):
    """A torn line at the start of a file of lines is one fault, no more."""
    path = tmp_path / "e.jsonl"
    path.write_text('{"torn": \n{"a": 1}\n{"b": 2}\n')
    found = list(documents(path))
    assert [d.value for d in found if not d.fault] == [{"a": 1}, {"b": 2}]
    assert sum(bool(d.fault) for d in found) == 1


def test_an_array_cut_off_gives_what_is_whole(tmp_path):
    """A writer that was killed leaves an array without an end."""
    path = tmp_path / "e.json"
    path.write_text('[\n  {"a": 1},\n  {"b": 2},\n  {"c": ')
    found = list(documents(path))
    assert [d.value for d in found if not d.fault] == [{"a": 1}, {"b": 2}]
    assert [d.line for d in found if d.fault] == [4]


def test_a_broken_member_of_an_array_is_passed_over(tmp_path):
    """Members after a broken one are read, and inner objects are not taken for members."""
    path = tmp_path / "e.json"
    path.write_text(
        '[\n  {\n    "a": {"x": nope},\n    "z":\n    {}\n  },\n  {\n    "b": 2\n  }\n]'
    )
    assert [d.value for d in documents(path) if not d.fault] == [{"b": 2}]


def test_not_a_number_is_read(tmp_path):
    """NaN and Infinity, which Python writes, do not cost the line."""
    path = tmp_path / "e.jsonl"
    path.write_text('{"a": NaN}\n{"a": Infinity}\n')
    assert [d.fault for d in documents(path)] == ["", ""]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b" \n\r\n\t\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"PAR1\x15\x04", "not a text file"),
        ('{"a": 1}'.encode("utf-16"), "not a text file"),
        (b'{\n "a": "\xff"}', "line 2 is not UTF-8"),
        (gzip.compress(b'{"a": 1}' * 99)[:30], "to its end"),
    ],
)
def test_what_holds_no_text_is_one_clear_error(tmp_path, data, message):
    """Empty, binary, wrongly encoded or cut off: the message says which, with the file."""
    path = tmp_path / "e.jsonl"
    path.write_bytes(data)
    with pytest.raises(ReadError, match=message) as caught:
        list(documents(path))
    assert caught.value.source == str(path)


def test_missing_file_and_folder(tmp_path):
    """A path that names no file is a clear error too."""
    with pytest.raises(ReadError, match="no such file"):
        list(documents(tmp_path / "none.jsonl"))
    with pytest.raises(ReadError, match="is a folder"):
        list(documents(tmp_path))


def test_lines_are_read_as_a_stream(tmp_path):
    """The first value comes before a later fault in the gzip stream is met."""
    path = tmp_path / "e.jsonl.gz"
    line = json.dumps({"a": "x" * 50}).encode() + b"\n"
    whole = gzip.compress(line * 50_000, compresslevel=1)
    path.write_bytes(whole[: len(whole) // 2])
    stream = documents(path)
    assert next(stream).value == {"a": "x" * 50}
    *rest, last = stream
    assert rest[-1].value == {"a": "x" * 50}
    assert (last.value, last.line) == (None, rest[-1].line + 1)
    assert last.fault.startswith("the file breaks off")


@pytest.mark.parametrize("name", ["a\x00b", "x" * 5000, "\ud800"])
def test_a_name_that_no_file_can_have(name):
    """An impossible name is a clear error, not the system's."""
    with pytest.raises(ReadError, match="cannot be opened"):
        list(documents(Path(name)))


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="this system has no /dev/fd")
def test_a_pipe_is_read():
    """What comes through a pipe, as from ``<(zcat run.gz)``, needs no going back."""
    reading, writing = os.pipe()
    os.write(writing, b'{"a": 1}\n')
    os.close(writing)
    try:
        assert [each.value for each in documents(Path(f"/dev/fd/{reading}"))] == [{"a": 1}]
    finally:
        os.close(reading)
