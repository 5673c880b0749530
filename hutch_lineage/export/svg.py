"""The static picture of a lineage, as SVG text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from .choosing import Wanted
from .composing import compose
from .drawing import SMALL, Block, cross_arm, draw
from .palette import Theme, theme_of
from .picture import Curve, Mark, Picture
from .wording import xml_text

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph, Scene
    from hutch_lineage.model import NodeKind

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"


def to_svg(
    graph: LineageGraph,
    *,
    metric: str | None = None,
    run: str | None = None,
    kind: NodeKind | None = None,
    theme: str = "light",
    width: int = 1000,
    height: int | None = None,
    max_marks: int = 2000,
    scene: Scene | None = None,
    view: Mapping[str, Any] | None = None,
    notes: list[str] | None = None,
) -> str:
    """Draw a graph as a static picture.

    Left to right is descent. Colour is `metric`, from dark (worst) to yellow (best); the path from
    a seed to the best is drawn in one warm colour. Seeds are larger, second parents dashed, invalid
    individuals crossed, rejected self-modifications and parents that were not seen hollow.

    Parameters
    ----------
    graph : LineageGraph
        What to draw.
    metric : str, optional
        The metric of the colours. If not given, the one that the explorer begins with: the run's
        default; where that is open the first declared, else the first by name.
    run : str, optional
        Draw this run alone; all runs, one below the other, if not given.
    kind : {"individual", "agent"}, optional
        Which nodes; individuals if there are any, else agents.
    theme : {"light", "dark"}
        The colours.
    width, height : int
        Size in CSS pixels; the height follows from the content if it is not given.
    max_marks : int
        With more nodes than this the picture shows cells, coloured by their best node, and only
        the path to the best as single marks; the line at the foot says so.
    scene : Scene, optional
        A scene of `graph` whose positions to use; a new one is made if it is not given.
    view : mapping, optional
        What an explorer shows, as its ``view`` has it, with rows of `scene`: layout, kind, run,
        colours, what is left out, the focus. The arguments above stand above it.
    notes : list of str, optional
        Gets a line for each thing of `view` that is not in the picture.

    Returns
    -------
    str
        An ``<svg>`` element: no script, no reference to anything outside. Every single mark carries
        ``data-node="<id>"``. The same graph gives the same text.

    Raises
    ------
    ExportError
        `theme`, `width` or `max_marks` cannot be used.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> to_svg(LineageGraph()).startswith("<svg")
    True
    """
    colours = theme_of(theme)
    wanted = Wanted(
        metric=metric,
        run=run,
        kind=kind,
        width=width,
        height=height,
        max_marks=max_marks,
        scene=scene,
        view=view,
    )
    return picture_svg(compose(graph, wanted, notes), colours)


def picture_svg(picture: Picture, colours: Theme) -> str:
    """Return a composed picture as SVG text."""
    w, h = picture.width, picture.height
    pen = _SvgPen()
    draw(picture, colours, pen)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
            f'viewBox="0 0 {w} {h}" role="img" aria-label={quoteattr(xml_text(picture.label))} '
            f'font-family="{FONT}" font-size="{SMALL}">',
            f'<rect width="{w}" height="{h}" rx="6" fill="{colours.background}"/>',
            *pen.parts,
            "</svg>",
        ]
    )


class _SvgPen:
    """Draws as SVG elements, one string each."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        content: str,
        fill: str,
        *,
        size: int = SMALL,
        bold: bool = False,
        anchor: str = "start",
    ) -> None:
        """Write one line."""
        extra = f' font-size="{size}"' if size != SMALL else ""
        extra += ' font-weight="600"' if bold else ""
        extra += f' text-anchor="{anchor}"' if anchor != "start" else ""
        said = escape(xml_text(content))
        self.parts.append(f'<text x="{x:g}" y="{y:g}" fill="{fill}"{extra}>{said}</text>')

    def line(
        self, x: float, y: float, to_x: float, stroke: str, dash: Sequence[float] = ()
    ) -> None:
        """Draw a horizontal hairline."""
        self.parts.append(f'<path d="M{x:g} {y:g}H{to_x:g}" stroke="{stroke}"{_dashes(dash)}/>')

    def curves(
        self,
        curves: Sequence[Curve],
        stroke: str,
        *,
        width: float = 1.0,
        opacity: float = 1.0,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw curves as one path."""
        if not curves:
            return
        paint = f'fill="none" stroke="{stroke}"'
        paint += f' stroke-opacity="{opacity:g}"' if opacity != 1 else ""
        paint += f' stroke-width="{width:g}"' if width != 1 else ""
        paint += ' stroke-linecap="round"' if width > 2 else ""
        data = " ".join(_path_data(curve) for curve in curves)
        self.parts.append(f'<path {paint}{_dashes(dash)} d="{data}"/>')

    def blocks(self, blocks: Iterable[Block]) -> None:
        """Fill rectangles."""
        found = [
            f'<rect x="{_short(x)}" y="{_short(y)}" width="{_short(w)}" height="{_short(h)}" '
            f'fill="{fill}"' + (f' fill-opacity="{opacity:.2f}"/>' if opacity is not None else "/>")
            for x, y, w, h, fill, opacity in blocks
        ]
        if found:
            self.parts += ['<g shape-rendering="crispEdges">', *found, "</g>"]

    def circle(
        self,
        mark: Mark,
        fill: str | None,
        stroke: str,
        width: float = 1.0,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw a mark as a circle."""
        node, end = _named(mark, "circle")
        wide = f' stroke-width="{width:g}"' if width != 1 else ""
        self.parts.append(
            f'<circle {node}cx="{mark.x:.1f}" cy="{mark.y:.1f}" r="{mark.r:.1f}" '
            f'fill="{fill or "none"}" stroke="{stroke}"{wide}{_dashes(dash)}{end}'
        )

    def cross(self, mark: Mark, stroke: str, width: float) -> None:
        """Draw a mark as a cross."""
        node, end = _named(mark, "path")
        arm = cross_arm(mark)
        self.parts.append(
            f'<path {node}fill="none" stroke="{stroke}" stroke-width="{width:g}" '
            f'd="M{mark.x - arm:.1f} {mark.y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}'
            f'm0 {-2 * arm:.1f}l{-2 * arm:.1f} {2 * arm:.1f}"{end}'
        )


def _short(number: float) -> str:
    return f"{round(number, 2):g}"


def _path_data(curve: Curve) -> str:
    x, y, *rest = curve
    return f"M{x:.1f} {y:.1f}C" + " ".join(f"{number:.1f}" for number in rest)


def _dashes(dash: Sequence[float]) -> str:
    return f' stroke-dasharray="{" ".join(f"{length:g}" for length in dash)}"' if dash else ""


def _named(mark: Mark, tag: str) -> tuple[str, str]:
    """Return what names a mark's node at the start and the end of its element."""
    if not mark.id and not mark.title:
        return "", "/>"
    title = f"<title>{escape(xml_text(mark.title))}</title>"
    return f"data-node={quoteattr(xml_text(mark.id))} ", f">{title}</{tag}>"
