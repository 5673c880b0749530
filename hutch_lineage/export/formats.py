"""The table of forms: what each is called, which suffix asks for it, what makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from hutch_lineage.graph import Scene

from .alife import to_alife
from .crate import to_crate
from .gexf import to_gexf
from .graphml import to_graphml
from .job import Job
from .markdown import to_markdown
from .newick import to_newick
from .nodelink import to_node_link
from .page import to_html
from .png import to_png
from .prov import to_prov
from .svg import to_svg
from .tables import to_csv_frames, to_parquet_frames

Content: TypeAlias = str | bytes | Mapping[str, bytes]
"""What is written: a file, or the files of a folder by their paths in it."""

_PICTURE: Final = ("metric", "run", "kind", "theme", "width", "height", "max_marks")


@dataclass(frozen=True, slots=True)
class Form:
    """A row of the table.

    Attributes
    ----------
    name : str
        As in ``format=``.
    suffixes : tuple of str
        Ends of a file's name that ask for it.
    title : str
        What it is, in a few words.
    make : callable
        Makes the content; what it cannot carry goes to the job's notes.
    options : tuple of str
        The names of the options it takes.
    reads_back : bool
        Whether :func:`hutch_lineage.load` makes an equal graph of it.
    is_folder : bool
        Whether it is a folder, or a zip archive where the name ends in ``.zip``.
    own : tuple of str
        Files that such a folder may hold, not each time.
    """

    name: str
    suffixes: tuple[str, ...]
    title: str
    make: Callable[[Job], Content]
    options: tuple[str, ...] = ()
    reads_back: bool = False
    is_folder: bool = False
    own: tuple[str, ...] = ()


def _html(job: Job) -> str:
    return to_html(job.graph, events=job.events, shown=job.shown, **job.options)


def _picture(job: Job) -> dict[str, Any]:
    """Return the arguments of a picture: with what a view shows, where one does."""
    view: dict[str, Any] = {"notes": job.notes}
    if job.shown is not None:
        scene = Scene(job.graph)
        view |= {"scene": scene, "view": job.shown(scene)["view"]}
    return {**view, **job.options}


def _crate(job: Job) -> Mapping[str, bytes]:
    files = {}
    if job.events:
        hutch = not any(isinstance(event, Mapping) for event in job.events)
        files = (
            {"events.jsonl": job.hutch_events()} if hutch else {"events.ndjson": job.run_events()}
        )
    return to_crate(job.graph, files, notes=job.notes, **job.options)


FORMS: Final[Mapping[str, Form]] = {
    form.name: form
    for form in (
        Form(
            "html",
            (".html",),
            "Page that works offline (HTML)",
            _html,
            ("title", "theme"),
        ),
        Form(
            "svg",
            (".svg",),
            "Picture (SVG)",
            lambda job: to_svg(job.graph, **_picture(job)),
            _PICTURE,
        ),
        Form(
            "png",
            (".png",),
            "Picture (PNG)",
            lambda job: to_png(job.graph, **_picture(job)),
            (*_PICTURE, "density"),
        ),
        Form(
            "graphml",
            (".graphml",),
            "Graph (GraphML)",
            lambda job: to_graphml(job.graph, job.notes),
        ),
        Form("gexf", (".gexf",), "Graph (GEXF)", lambda job: to_gexf(job.graph, job.notes)),
        Form(
            "node-link",
            (".json",),
            "Graph, all of it (node-link JSON)",
            lambda job: to_node_link(job.graph, job.notes),
            reads_back=True,
        ),
        Form("hutch", (".jsonl",), "Hutch events (JSONL)", Job.hutch_events, reads_back=True),
        Form(
            "openlineage",
            (".ndjson",),
            "OpenLineage events (NDJSON)",
            Job.run_events,
            ("namespace",),
        ),
        Form(
            "alife",
            (".csv", ".alife.csv"),
            "Phylogeny (ALife standard CSV)",
            lambda job: to_alife(job.graph, notes=job.notes, **job.options),
            ("run", "kind"),
        ),
        Form(
            "newick",
            (".nwk", ".newick"),
            "Trees (Newick)",
            lambda job: to_newick(job.graph, notes=job.notes, **job.options),
            ("run", "kind", "first_parent", "lengths"),
        ),
        Form(
            "prov",
            (".provjson", ".prov.json"),
            "Provenance (W3C PROV-JSON)",
            lambda job: to_prov(job.graph),
        ),
        Form(
            "ro-crate",
            (".crate", ".zip"),
            "Research object (RO-Crate)",
            _crate,
            ("name", "license", "author"),
            reads_back=True,
            is_folder=True,
            own=("events.jsonl", "events.ndjson"),
        ),
        Form(
            "parquet",
            (".parquet",),
            "Every frame (Parquet)",
            lambda job: to_parquet_frames(job.graph, job.notes),
            is_folder=True,
        ),
        Form(
            "csv-frames",
            (".frames",),
            "Every frame (CSV)",
            lambda job: to_csv_frames(job.graph, job.notes),
            is_folder=True,
        ),
        Form(
            "markdown",
            (".md",),
            "Report (Markdown)",
            lambda job: to_markdown(job.graph, **job.options),
            ("title",),
        ),
    )
}
"""Name -> form, in the order of menus."""


def form_of(name: str) -> Form | None:
    """Return the form that a file's name asks for, by its longest known suffix; None for none.

    Examples
    --------
    >>> form_of("run.prov.json").name, form_of("run.json").name, form_of("run.gif")
    ('prov', 'node-link', None)
    >>> form_of("run.parquet.zip").name
    'parquet'
    """
    lowered = name.lower()
    found = [
        (len(suffix), form)
        for form in FORMS.values()
        for suffix in suffixes_of(form)
        if lowered.endswith(suffix) and len(lowered) > len(suffix)
    ]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def suffixes_of(form: Form) -> tuple[str, ...]:
    """Return the ends of names that ask for a form: those of a folder as an archive among them."""
    zips = (f"{each}.zip" for each in form.suffixes if form.is_folder and each != ".zip")
    return (*form.suffixes, *zips)
