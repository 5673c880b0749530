"""``%hutch_lineage`` and its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from hutch_lineage.export import FORMS
from hutch_lineage.magic.arguments import SUFFIXES
from tests.receivers import Receiver
from tests.support.kernel import Kernel

A_RUN = """
with hl.run("demo") as run:
    seed = run.log_individual(kind="program", individual_id="s")
    child = run.log_individual(kind="program", individual_id="c", parent_ids=["s"])
    _ = run.log_operator(kind="refine", parent_ids=["s"], child_id="c")
"""


def test_status_in_memory(kernel: Kernel):
    """The default is capture in memory, and status says how much there is."""
    kernel.run(A_RUN)
    assert kernel.run("%hutch_lineage status") == "in memory: 3 OpenLineage events captured\n"


def test_live_and_memory(kernel: Kernel):
    """Going live sends what was captured, in order; going back to memory stops posting."""
    with Receiver() as receiver:
        kernel.run(A_RUN)
        assert f"live to {receiver.url}" in kernel.run(f"%hutch_lineage live {receiver.url}")
        assert kernel.run("hl.emitter().flush(10)") == "True\n"
        assert "in memory: 3" in kernel.run("%hutch_lineage memory")
        kernel.run(A_RUN)
        assert [e["eventType"] for e in receiver.events] == ["START", "RUNNING", "COMPLETE"]


def test_live_again_without_url(kernel: Kernel):
    """Without a URL, live goes to the endpoint used last and sends what came in between."""
    with Receiver() as receiver:
        kernel.run(f"%hutch_lineage live {receiver.url}\n%hutch_lineage memory")
        kernel.run(A_RUN)
        kernel.run("%hutch_lineage live")
        assert kernel.run("hl.emitter().flush(10)") == "True\n"
        assert len(receiver.events) == 3


def test_live_again_without_a_backend_is_as_before(kernel: Kernel):
    """The preset of an endpoint is remembered: it is not sent another form unasked."""
    with Receiver() as receiver:
        kernel.run(A_RUN)
        kernel.run(f"%hutch_lineage live {receiver.url} --backend marquez")
        assert kernel.run("hl.emitter().flush(10)") == "True\n"
        sent = len(receiver.events)
        kernel.run("%hutch_lineage memory")
        assert "(marquez)" in kernel.run("%hutch_lineage live")
        assert kernel.run("hl.emitter().flush(10)") == "True\n"
        assert len(receiver.events) == sent


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("%hutch_lineage bogus", "invalid choice: 'bogus'"),
        ("%hutch_lineage live", "no endpoint to post to"),
        ("%hutch_lineage live ftp://host", "'ftp://host' cannot be an OpenLineage endpoint"),
        ("%hutch_lineage live http://127.0.0.1:9 --backend nope", "invalid choice: 'nope'"),
        ("%hutch_lineage open", "the following arguments are required: path"),
        ("%hutch_lineage open /no/such/file.jsonl", "/no/such/file.jsonl"),
        ('%hutch_lineage open "a', "No closing quotation"),
        ("%%hutch_lineage\n1", "the following arguments are required: WORD"),
        ("%%hutch_lineage walk x\n1", "invalid choice: 'walk'"),
    ],
)
def test_bad_usage_is_one_line(kernel: Kernel, line: str, told: str):
    """A mistake prints what is wrong in one line, without a traceback."""
    text = kernel.run(line)
    assert told in text
    assert len(text.strip().splitlines()) == 1
    assert "Traceback" not in text


@pytest.mark.parametrize("line", ["%hutch_lineage --help", "%hutch_lineage help"])
def test_help(kernel: Kernel, line: str):
    """Help lists every word."""
    text = kernel.run(line)
    for word in ("show", "live", "memory", "status", "open", "attach", "detach", "export"):
        assert f"\n    {word} " in text


def test_open_and_export(kernel: Kernel, tmp_path: Path):
    """What is exported as OpenLineage NDJSON opens again with the same lineage."""
    kernel.run(A_RUN)
    path = tmp_path / "a run.ndjson"
    told = kernel.run(f'%hutch_lineage export "{path}"')
    assert told.splitlines()[0] == f"wrote {path}: 2 individuals of this session"
    shown = kernel.run(f"%hutch_lineage open {path}")
    assert "2 individuals · 1 edge · 1 run" in shown


def test_export_takes_the_view_that_is_open(kernel: Kernel, tmp_path: Path):
    """A page opens as the explorer that was shown last, until that is closed."""
    page = tmp_path / "run.html"
    kernel.run(A_RUN + "\nimport hutch_lineage as hl\nview = hl.explore()\nview.arrange('radial')")
    kernel.run(f"%hutch_lineage export {page}")
    assert '"layout":"radial"' in page.read_text()
    kernel.run(f"view.close()\n%hutch_lineage export {page}")
    assert '"layout":"radial"' not in page.read_text()


@pytest.mark.parametrize("opened", ["%hutch_lineage open {}", "e = hl.explore({!r}); e"])
def test_export_writes_what_was_opened_last(kernel: Kernel, tmp_path: Path, opened: str):
    """Its events, graph and view, until it is closed; and the answer says whose they are."""
    source, target = tmp_path / "other.jsonl", tmp_path / "out.jsonl"
    kernel.run("%hutch_lineage\n" + A_RUN)
    kernel.run(f"%hutch_lineage export {source}")
    kernel.begin_anew()
    kernel.run("hl.run('mine').__enter__().log_individual(kind='program')\n%hutch_lineage")
    kernel.run(opened.format(str(source)))
    wrote = f"wrote {target}: 2 individuals of other.jsonl\n"
    assert kernel.run(f"%hutch_lineage export {target}") == wrote
    assert target.read_text() == source.read_text()
    kernel.run("from ipywidgets import Widget; Widget.close_all()")
    wrote = f"wrote {target}: 1 individual of this session\n"
    assert kernel.run(f"%hutch_lineage export {target}") == wrote


@pytest.mark.parametrize("first", ["", "%hutch_lineage"])
def test_a_session_without_events_is_not_written(kernel: Kernel, tmp_path: Path, first: str):
    """It says what to do next, and leaves no empty file; so does one whose former run is over."""
    kernel.run(A_RUN + "\nview = hl.explore()")
    kernel.begin_anew()
    kernel.run(first)
    told = kernel.run(f"%hutch_lineage export {tmp_path}/run.jsonl")
    assert "nothing was captured: open a run or log one" in told
    assert list(tmp_path.iterdir()) == []


def test_export_takes_a_form_and_its_options(kernel: Kernel, tmp_path: Path):
    """The words are those of the command line; a mistake is one line."""
    kernel.run(A_RUN)
    path = tmp_path / "tree.txt"
    kernel.run(f"%hutch_lineage export {path} --format newick -o lengths=none")
    assert path.read_text().endswith(";\n")
    assert "is no NAME=VALUE" in kernel.run(f"%hutch_lineage export {path} -o lengths")
    told = kernel.run(f"%hutch_lineage export {tmp_path}/run.ndjson --preset nothing")
    assert "there is generic, marquez" in told
    assert "no export for .xyz" in kernel.run(f"%hutch_lineage export {tmp_path}/run.xyz")


def test_what_it_advises_can_be_typed(kernel: Kernel, tmp_path: Path):
    """Errors and notes name options of the magic, not arguments of Python."""
    crossed = 'run.log_individual(kind="program", individual_id="d", parent_ids=["s", "c"])'
    kernel.run(f"{A_RUN}    _ = {crossed}\n")
    kernel.run("%hutch_lineage show")
    export = f"%hutch_lineage export {tmp_path}/run"
    assert "-o first_parent=true keeps" in kernel.run(f"{export}.nwk")
    assert "no licence was stated: -o license=NAME names one" in kernel.run(f"{export}.zip")


def test_the_help_names_every_suffix():
    """The list in the help is that of the forms."""
    listed = [suffix for form in FORMS.values() for suffix in form.suffixes]
    assert sorted(SUFFIXES.split()) == sorted(listed)


def test_show_displays_view_and_static_picture(kernel: Kernel):
    """The explorer is shown as two outputs: the view, and a picture for where no widget runs."""
    kernel.run(A_RUN + "\n%hutch_lineage --help")
    kernel.seen.clear()
    kernel.run("%hutch_lineage")
    view, static = (m["content"]["data"] for m in kernel.messages("display_data"))
    assert {"text/plain", "application/vnd.jupyter.widget-view+json"} == set(view)
    assert view["text/plain"] == "Lineage explorer, live while its kernel runs"
    assert {"text/plain", "text/html", "image/png"} == set(static)
    assert "data:image/svg+xml;base64," in static["text/html"]


def test_extension_can_be_unloaded(kernel: Kernel):
    """After unload the magic is gone; loading twice does no harm."""
    kernel.run("%unload_ext hutch_lineage")
    assert "not found" in kernel.run("%hutch_lineage status")
    kernel.run("%load_ext hutch_lineage\n%load_ext hutch_lineage")
    assert "in memory: 0" in kernel.run("%hutch_lineage status")


def test_attach_and_detach(kernel: Kernel):
    """What the real Hutch SDK logs in the kernel is seen from one line to the other."""
    kernel.run("import hutch\nhutch.configure(hutch.SDKConfig(mode='embedded', db_path=None))")
    assert kernel.run("%hutch_lineage attach").startswith("attached to Hutch 0.1.1")
    kernel.run("hutch.start_run(name='real'); hutch.log_individual(kind='program')")
    assert kernel.run("%hutch_lineage detach").startswith("not attached to Hutch")
    kernel.run("hutch.log_individual(kind='program'); hutch.reset()")
    assert kernel.run("print(len(hl.lineage()))") == "1\n"
