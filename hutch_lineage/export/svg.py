"""The static picture of a lineage, as SVG text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from .composing import compose
from .palette import Theme, theme_of
from .picture import NARROW, Mark, Picture, Scale
from .wording import xml_text

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph, Scene
    from hutch_lineage.model import NodeKind

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
CHAR = 6.2
LINE = 17
CROWDED = 300
Item: TypeAlias = tuple[float, Callable[[float, float], Iterable[str]]]


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
        The metric of the colours; the run's default metric if not given.
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
    picture = compose(
        graph,
        scene=scene,
        metric=metric,
        run=run,
        kind=kind,
        width=width,
        height=height,
        max_marks=max_marks,
    )
    w, h = picture.width, picture.height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
        f'viewBox="0 0 {w} {h}" role="img" aria-label={quoteattr(xml_text(picture.label))} '
        f'font-family="{FONT}" font-size="11">',
        f'<rect width="{w}" height="{h}" rx="6" fill="{colours.background}"/>',
        *_header(picture, colours),
        *_axis(picture, colours),
        *_cells(picture, colours),
        *_edges(picture, colours),
        *_marks(picture, colours),
        *_foot(picture, colours),
        "</svg>",
    ]
    return "\n".join(parts)


def _text(x: float, y: float, content: str, fill: str, extra: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{fill}"{extra}>{escape(xml_text(content))}</text>'


def _header(picture: Picture, colours: Theme) -> Iterable[str]:
    bold = ' font-size="13" font-weight="600"'
    yield _text(16, 24, picture.title, colours.ink, bold)
    if not picture.story:
        return
    if picture.width < NARROW:
        yield _text(16, 42, picture.story, colours.mute)
    else:
        place = ' font-size="12" text-anchor="end"'
        yield _text(picture.width - 16, 24, picture.story, colours.mute, place)


def _axis(picture: Picture, colours: Theme) -> Iterable[str]:
    y = 66 if picture.width < NARROW else 48
    for x, label in picture.ticks:
        yield _text(x, y, label, colours.faint, ' text-anchor="middle"')


def _edges(picture: Picture, colours: Theme) -> Iterable[str]:
    thin = ' stroke-width="0.8"' if len(picture.edges.plain) > CROWDED else ""
    style = f'fill="none" stroke="{colours.edge}" stroke-opacity="{colours.edge_opacity}"{thin}'
    groups = picture.edges
    if groups.plain:
        yield f'<path {style} d="{" ".join(groups.plain)}"/>'
    if groups.dashed:
        yield f'<path {style} stroke-dasharray="3 3" d="{" ".join(groups.dashed)}"/>'
    if groups.rejected:
        yield f'<path {style} stroke-dasharray="1 4" d="{" ".join(groups.rejected)}"/>'
    warm = f'fill="none" stroke="{colours.warm}" stroke-width="2.4" stroke-linecap="round"'
    if groups.path:
        yield f'<path {warm} d="{" ".join(groups.path)}"/>'
    if groups.path_dashed:
        yield f'<path {warm} stroke-dasharray="3 4" d="{" ".join(groups.path_dashed)}"/>'


def _cells(picture: Picture, colours: Theme) -> Iterable[str]:
    size = picture.cell_size
    if picture.cells:
        yield '<g shape-rendering="crispEdges">'
    for x, y, share, opacity in picture.cells:
        fill = colours.unknown if share is None else colours.ramp(share)
        yield (
            f'<rect x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" fill="{fill}" '
            f'fill-opacity="{opacity:.2f}"/>'
        )
    if picture.cells:
        yield "</g>"


def _marks(picture: Picture, colours: Theme) -> Iterable[str]:
    for mark in picture.marks:
        yield _mark(mark, colours)
    best = picture.best
    if best is not None:
        yield (
            f'<circle cx="{best.x:.1f}" cy="{best.y:.1f}" r="{best.r + 5:.1f}" fill="none" '
            f'stroke="{colours.warm}" stroke-width="1.5"/>'
        )


def _mark(mark: Mark, colours: Theme) -> str:
    node = f"data-node={quoteattr(xml_text(mark.id))}"
    x, y, r = f"{mark.x:.1f}", f"{mark.y:.1f}", f"{mark.r:.1f}"
    fill = colours.unknown if mark.share is None else colours.ramp(mark.share)
    title = f"<title>{escape(xml_text(mark.title))}</title>"
    if mark.style == "invalid":
        stroke = colours.warm if mark.on_path else colours.faint
        arm = max(mark.r * 0.7, 1.2)
        return (
            f'<path {node} fill="none" stroke="{stroke}" stroke-width="1.6" '
            f'd="M{mark.x - arm:.1f} {mark.y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}'
            f'm0 {-2 * arm:.1f}l{-2 * arm:.1f} {2 * arm:.1f}">{title}</path>'
        )
    if mark.style == "ghost":
        paint = f'fill="none" stroke="{colours.faint}" stroke-dasharray="2 2"'
    elif mark.style == "rejected":
        paint = f'fill="{colours.background}" stroke="{fill}" stroke-width="1.6"'
    elif mark.on_path:
        paint = f'fill="{fill}" stroke="{colours.warm}" stroke-width="2"'
    else:
        paint = f'fill="{fill}" stroke="{colours.background}"'
    return f'<circle {node} cx="{x}" cy="{y}" r="{r}" {paint}>{title}</circle>'


def _foot(picture: Picture, colours: Theme) -> Iterable[str]:
    """Draw scale, key and counts, in as many lines as they need, upwards from the last."""
    items = [_ramp(picture.scale, colours)] if picture.scale else []
    items += [_key_item(style, label, colours) for style, label in picture.key]
    lines: list[list[Item]] = [[]]
    used = 16.0
    for item in items:
        if used + item[0] > picture.width - 16 and lines[-1]:
            lines.append([])
            used = 16.0
        lines[-1].append(item)
        used += item[0]
    own_line = used + len(picture.counts) * CHAR + 16 > picture.width
    y = picture.height - 12 - LINE * (len(lines) - 1)
    top = y - LINE if own_line else y
    yield f'<path d="M0 {top - 18.5:g}H{picture.width}" stroke="{colours.line}"/>'
    if own_line:
        yield _text(16, top, picture.counts, colours.mute)
    else:
        place = ' text-anchor="end"'
        last = picture.height - 12
        yield _text(picture.width - 16, last, picture.counts, colours.mute, place)
    for number, line in enumerate(lines):
        x = 16.0
        for width, draw in line:
            yield from draw(round(x), y + number * LINE)
            x += width


def _ramp(scale: Scale, colours: Theme) -> Item:
    title_width = round(len(scale.title) * CHAR + 8)
    width = title_width + 18 * 5 + 8 + len(scale.range) * CHAR + 16

    def draw(x: float, y: float) -> Iterable[str]:
        yield _text(x, y, scale.title, colours.mute)
        yield '<g shape-rendering="crispEdges">'
        for step in range(18):
            yield (
                f'<rect x="{x + title_width + step * 5:g}" y="{y - 8:g}" width="5" height="8" '
                f'fill="{colours.ramp(step / 17)}"/>'
            )
        yield "</g>"
        yield _text(x + title_width + 98, y, scale.range, colours.mute)

    return width, draw


def _key_item(style: str, label: str, colours: Theme) -> Item:
    def draw(x: float, y: float) -> Iterable[str]:
        sample = Mark("", x + 5, y - 4, 5.0 if style == "seed" else 4.0, None, style, False, "")
        yield _sample(sample, colours)
        yield _text(x + 14, y, label, colours.mute)

    return 28 + len(label) * CHAR, draw


def _sample(mark: Mark, colours: Theme) -> str:
    """Draw a mark of the key: as in the picture, but not a node."""
    if mark.style == "second parent":
        return (
            f'<path d="M{mark.x - 5:g} {mark.y:g}h10" stroke="{colours.mute}" '
            f'stroke-dasharray="3 2"/>'
        )
    return _mark(mark, colours).replace('data-node="" ', "").replace("<title></title>", "")
