"""The explorer: a Jupyter widget that shows lineage while it grows."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from hutch_lineage.export import FORMS, ExportWarning, Written, asset, form_of
from hutch_lineage.graph import LineageGraph, Scene
from hutch_lineage.model import NodeKey
from hutch_lineage.session import MessagePump, Source, serve_during_cells, write_source

from .delivery_feed import DeliveryFeed
from .details import DetailFeed
from .driving import Driving
from .feeder import Feeder
from .file_feed import FileFeed
from .hearing import Hearing
from .late_assets import LateAssets
from .newest import note_opened
from .remembering import Remembering
from .static_picture import StaticPicture, after_cells, bundle_of, text_of
from .view_state import LAYOUTS, THEMES, checked_view, first_view

MIN_HEIGHT_PX, MAX_HEIGHT_PX = 320, 2000
UNHEARD_S = 1.0
LARGE_ROWS = 5_000  # what is larger is built and sent on the feeder's thread alone
LOOP_SHARE, LATE_S = 22, 0.2  # rest as long as keeps the loop's share, but show in time
HEARD_S = 1.5  # a browser that shows the cell has spoken by then
BUSY_S, IDLE_S = 0.002, 0.05  # for details, while the graph grows and while it does not
DRAWN_S, DRAWN_ROWS_PER_S = 2.0, 100_000  # by then a browser has drawn a large graph
DETAILS_S = 1.0  # between details while the graph grows
STATUS_S = 0.5  # between counts of events while it does: each costs the page a frame
# What stands above the picture where no widget runs. No counts: they would stay as they were.
VIEW_TEXT = "Lineage explorer, live while its kernel runs"


class Explorer(Driving, Remembering, Hearing, anywidget.AnyWidget):
    """Shows the lineage of a source, live; made by :func:`hutch_lineage.explore`.

    Several explorers of one session share its graph; what each shows is its own, see
    :attr:`state`.

    The browser holds the graph: hovering, selecting, searching, colouring and focusing go on while
    the kernel is busy. What needs Python (the live toggle, Stop) travels as a message, and only
    Python writes the synced traits.

    Parameters
    ----------
    source : Source
        What to show.
    height : int
        Height of the view in CSS pixels, 320 to 2000.
    theme : {"auto", "light", "dark", "contrast"}
        ``auto`` follows JupyterLab, or else the system; so does ``contrast``, in high contrast.

    Attributes
    ----------
    selected : NodeKey or None
        The node chosen in the view. Observe it, or set it to a node or its id.
    group : list of NodeKey
        The nodes marked in the view, as by a frame drawn with Shift. Observe it, or set it.
    """

    _esm = asset("loader.js")
    _css = asset("explorer.css")

    # Beside _esm, so that a page runs it once: see loader.js.
    _bundle = traitlets.Unicode(asset("explorer.js")).tag(sync=True)
    height = traitlets.Int(640).tag(sync=True)
    theme = traitlets.Enum(THEMES, default_value="auto").tag(sync=True)
    static_class = traitlets.Unicode("").tag(sync=True)
    status = traitlets.Dict().tag(sync=True)
    view = traitlets.Dict().tag(sync=True)
    selected_row = traitlets.Int(-1).tag(sync=True)
    selected = traitlets.Any(None, allow_none=True)
    group = traitlets.List()

    def __init__(self, source: Source, *, height: int = 640, theme: str = "auto") -> None:
        super().__init__(
            height=min(max(height, MIN_HEIGHT_PX), MAX_HEIGHT_PX),
            theme=theme,
            status=dict(source.status()),
            view=dict(first_view()),
        )
        self._source = source
        self._scene = Scene.of(source.graph)
        self._relayouts: dict[str, None] = {}  # an ordered set
        self._cursor = self._scene.cursor()
        self._answered = False  # whether a browser has spoken,
        self._greeted = False  # and has had the graph since it spoke last
        self._unheard = 0  # how often the graph was due before one spoke
        self._detailed = 0.0  # when details were last sent, on the monotonic clock,
        self._told = 0.0  # and when the status was
        self._pump: MessagePump | None = None
        self._camera: list[float] | None = None
        self._push_lock = threading.RLock()
        self._details = DetailFeed(self._scene, source)
        self._delivery = DeliveryFeed(source)
        self._late = LateAssets()
        self._files = FileFeed(self.write, self._send_if_open)
        self._static = StaticPicture()
        self._feeder = Feeder(self._feed)
        feeder = self._feeder
        self._end_watch = source.watch(feeder.wake)
        self.on_msg(self._on_message)
        self.observe(self._follow_view, "view")
        note_opened(self)

    # --- what notebooks use -------------------------------------------------------------

    @property
    def source(self) -> Source:
        """What is looked at: the running session, or what was opened."""
        return self._source

    @property
    def graph(self) -> LineageGraph:
        """The graph that is shown, up to date."""
        self._source.sync()
        return self._source.graph

    @property
    def frames(self) -> Any:
        """The graph's DataFrames; see :attr:`LineageGraph.frames`."""
        return self.graph.frames

    def select(self, node: NodeKey | str | None) -> None:
        """Select a node, or nothing; the view follows.

        Raises
        ------
        UnknownNodeError, AmbiguousNodeError
            The id names no node, or several.
        """
        self.selected = node

    def on_select(self, callback: Callable[[NodeKey | None], None]) -> Callable[[], None]:
        """Call `callback` with the node whenever another one is selected; returns the way to end.

        Examples
        --------
        >>> end = explorer.on_select(print)  # doctest: +SKIP
        """

        def handler(change: Any) -> None:
            callback(change["new"])

        self.observe(handler, "selected")
        return lambda: self.unobserve(handler, "selected")

    def to_svg(self, **options: Any) -> str:
        """Return a static SVG; see :func:`hutch_lineage.export.to_svg` for `options`."""
        from hutch_lineage.export import to_svg

        return to_svg(self.graph, **options)

    def to_png(self, **options: Any) -> bytes:
        """Return a static PNG; see :func:`hutch_lineage.export.to_png` for `options`."""
        from hutch_lineage.export import to_png

        return to_png(self.graph, **options)

    def export(
        self,
        path: str | Path,
        format: str | None = None,  # noqa: A002 - what it is called everywhere
        **options: Any,
    ) -> Path:
        """Write the lineage in any form of :data:`hutch_lineage.export.FORMS`, by suffix or name.

        A page (``.html``) opens with what this view shows: layout, colours, filters, focus; a
        picture (``.svg``, ``.png``) draws it. What the form cannot carry is said in an
        :class:`~hutch_lineage.export.ExportWarning`.

        Parameters
        ----------
        path, format, options
            As for :func:`hutch_lineage.export.write`; ``preset`` among them.

        Examples
        --------
        >>> import tempfile
        >>> import hutch_lineage as hl
        >>> hl.explore().export(tempfile.mkdtemp() + "/run.graphml").name
        'run.graphml'
        """
        written = self.write(path, format, **options)
        if written.notes:
            text = f"{written.path.name}: {'; '.join(written.notes)}"
            warnings.warn(text, ExportWarning, stacklevel=2)
        return written.path

    def write(
        self,
        path: str | Path,
        format: str | None = None,  # noqa: A002 - what it is called everywhere
        **options: Any,
    ) -> Written:
        """Write the lineage as :meth:`export` does, and return path and notes without a warning.

        Examples
        --------
        >>> import tempfile
        >>> import hutch_lineage as hl
        >>> hl.explore().write(tempfile.mkdtemp() + "/run.graphml").notes
        ()
        """
        form = FORMS.get(format) if format else form_of(Path(path).name)
        if form is not None and "theme" in form.options and self.theme in ("light", "dark"):
            options.setdefault("theme", self.theme)
        return write_source(self._source, path, format, shown=self._first_shown, **options)

    def freeze(self) -> None:
        """Leave only the static picture in the notebook, and end the view."""
        self._push()
        self.refresh_static()
        self.static_class = ""
        self._static.end_view(repr(self))
        self.close()

    # --- display -------------------------------------------------------------------------

    def __repr__(self) -> str:
        graph = self._source.graph
        return repr(graph).replace("LineageGraph", "Explorer", 1)

    def _repr_mimebundle_(  # type: ignore[override]  # the base's adds metadata
        self, **_: Any
    ) -> dict[str, Any]:
        return {
            "text/plain": repr(self),
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self.model_id,
            },
        }

    def _ipython_display_(self, **_: Any) -> None:
        from IPython import get_ipython

        self._source.sync()
        if self.comm is None:  # closed or frozen: only the picture is left
            self._static.show({"text/plain": repr(self)}, self._static_bundle)
            return
        self.static_class = self._static.css_class
        view = {**self._repr_mimebundle_(), "text/plain": VIEW_TEXT}
        # The picture of a large graph takes seconds, and the end of the cell shall not wait for it.
        self._static.show(view, partial(text_of, self) if self._is_large() else self._static_bundle)
        after_cells.add(self)
        self._pump = serve_during_cells(get_ipython())
        self._feeder.wake()

    def refresh_static(self) -> None:
        """Bring the static picture up to date; it is done after each cell, and in long ones."""
        self._static.refresh(self._static_bundle)

    def after_cell(self) -> None:
        """Bring the static picture up to date after a cell.

        That of a large graph follows on the feeder's thread, where a browser shows the view. Where
        none does, as in nbconvert, the notebook may be saved at any moment: it is done at once.
        """
        if self._is_large() and self._is_heard():
            if self._greeted:
                self._static.hasten()
                self._feeder.wake(now=True)
        else:
            self.refresh_static()

    def _is_large(self) -> bool:
        return len(self._source.graph) > LARGE_ROWS

    def _is_heard(self) -> bool:
        """Whether a browser has spoken; after the display one is given the time to."""
        pump, self._pump = self._pump, None
        until = time.monotonic() + HEARD_S
        while pump is not None and pump.available and not self._answered:
            if time.monotonic() >= until:
                break
            pump()
            time.sleep(0.02)
        return self._answered

    def _static_bundle(self) -> dict[str, Any]:
        return bundle_of(self.graph, self._scene)

    # --- feeding the browser -------------------------------------------------------------

    def _feed(self) -> float | None:
        """Send what is new, and bring the static picture up to date when it is time."""
        rest_s = self._push()
        if self._static.is_due and (self._answered or not self._is_large()):
            self.refresh_static()
        return rest_s

    def _push(self) -> float | None:
        """Send what is new.

        A browser that has not spoken yet may have missed what was sent: until then each sending
        is whole, there is at most one a second, and details wait. A large graph is not sent before
        that second is over, since by then most browsers have spoken. Returns how many seconds to
        rest at least: while the graph grows, the loop that feeds it keeps 95 % of its time.
        """
        began = time.thread_time()
        with self._push_lock:
            if self.comm is None:
                return None
            self._source.sync()
            late = not self._tell_status(at_once=not self._cursor.is_behind())
            self._lay_out()
            if not self._answered:
                # What comes in from now on wakes the feeder again: it is not for this cursor.
                if not self._cursor.is_behind():
                    return UNHEARD_S
                self._cursor = self._scene.cursor()
                self._unheard += 1
                if self._unheard == 1 and len(self._scene) > LARGE_ROWS:
                    self._feeder.wake()
                    return UNHEARD_S
            grown = self._cursor.is_behind()
            if not grown:
                self._scene.settle()
            self._send_graph()
            if grown:
                for message in self._late.due(heard=self._answered):
                    self.send(message)
            if not self._answered:
                return UNHEARD_S
            if not self._greeted and self._is_large():
                # The browser has its hands full, and the picture would take a core of its own.
                drawn_s = DRAWN_S + len(self._scene) / DRAWN_ROWS_PER_S
                self._static.hasten(drawn_s)
                self._feeder.wake_in(drawn_s)
            self._greeted = True
            if not grown or time.monotonic() - self._detailed >= DETAILS_S:
                self._send_details(self._details.due(BUSY_S if grown else IDLE_S))
                self._detailed = time.monotonic()
            if (news := self._delivery.due()) is not None:
                self.send(news)
            more = self._details.pending or self._delivery.pending
            if late or more or not self._scene.is_settled:
                self._feeder.wake()
            return min(LOOP_SHARE * (time.thread_time() - began), LATE_S) if grown else None

    def _tell_status(self, *, at_once: bool) -> bool:
        """Bring the status up to date, unless that was done a moment ago; return whether it was."""
        now = time.monotonic()
        due = at_once or now - self._told >= STATUS_S
        if due:
            self.status = dict(self._source.status())
            self._told = now
        return due

    def _send_graph(self) -> None:
        """Send what the cursor has."""
        try:
            for content, buffers in self._cursor.messages():
                self.send(content, buffers)
                self._details.note(content, buffers)
        except BaseException as error:
            self._cursor = self._scene.cursor()  # what was on its way comes again, with all else
            if not isinstance(error, Exception):  # an interrupt: it was not for the view
                self._feeder.wake()
            raise

    def _lay_out(self) -> None:
        """Compute the layouts that were asked for."""
        layout = self.view.get("layout")
        if layout in LAYOUTS:
            self._scene.arrange(str(layout))
        wanted, self._relayouts = self._relayouts, {}
        for name in wanted:
            self._scene.relayout(name)

    def _follow_view(self, change: Any) -> None:
        old, new = (change[name] or {} for name in ("old", "new"))
        if old.get("layout") != new.get("layout"):
            self._feeder.wake(now=True)

    def _send_details(self, details: dict[str, Any]) -> None:
        if details:
            self.send({"op": "details", "details": details})

    def _send_if_open(self, content: dict[str, Any], buffers: list[bytes]) -> None:
        if self.comm is not None:
            self.send(content, buffers)

    # --- selection -----------------------------------------------------------------------

    @traitlets.validate("view")
    def _valid_view(self, proposal: Any) -> dict[str, Any]:
        return checked_view(first_view(), proposal["value"])

    @traitlets.validate("selected")
    def _valid_selected(self, proposal: Any) -> NodeKey | None:
        value = proposal["value"]
        return None if value is None else self.graph.resolve(value)

    @traitlets.observe("selected")
    def _follow_selected(self, change: Any) -> None:
        key = change["new"]
        self.selected_row = -1 if key is None else self._row_of(key)

    @traitlets.validate("group")
    def _check_group(self, proposal: Any) -> list[NodeKey]:
        return self._valid_group(proposal["value"])

    @traitlets.observe("group")
    def _follow_group(self, change: Any) -> None:
        del change
        self._show_group()

    def _row_of(self, node: NodeKey | str) -> int:
        return self._rows_of([node])[0]

    def _rows_of(self, nodes: Iterable[NodeKey | str]) -> list[int]:
        """Return the rows of nodes, which are sent before they are named."""
        graph = self.graph
        keys = [graph.resolve(node) for node in nodes]
        self._push()
        return [self._scene.row(key) for key in keys]

    def close(self) -> None:
        """End the view and free what it holds. The source goes on."""
        after_cells.discard(self)
        self._end_watch()
        self._feeder.close()
        self._files.close()
        layout = self.layout
        super().close()
        layout.close()  # ipywidgets leaves it behind
