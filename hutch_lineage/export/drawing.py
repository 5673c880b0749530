"""How a picture is drawn, whatever with: SVG and PNG share every line of this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias

from .palette import Theme
from .picture import NARROW, Curve, Mark, Picture, Scale

CHAR = 6.2
LINE = 17
CROWDED = 300
FADED = 0.6
SMALL, MIDDLE, LARGE = 11, 12, 13

Block: TypeAlias = tuple[float, float, float, float, str, float | None]
"""Left, top, width, height, fill and opacity; without an opacity it is no part of the data."""


class Pen(Protocol):
    """What draws: one method for each shape. Lengths are CSS pixels, colours ``#rrggbb``."""

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
        """Write one line; `y` is its base line, `anchor` is ``start``, ``middle`` or ``end``."""

    def line(
        self, x: float, y: float, to_x: float, stroke: str, dash: Sequence[float] = ()
    ) -> None:
        """Draw a horizontal hairline."""

    def curves(
        self,
        curves: Sequence[Curve],
        stroke: str,
        *,
        width: float = 1.0,
        opacity: float = 1.0,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw curves as one stroke: where they overlap the colour does not add up."""

    def blocks(self, blocks: Iterable[Block]) -> None:
        """Fill rectangles with sharp borders."""

    def circle(
        self,
        mark: Mark,
        fill: str | None,
        stroke: str,
        width: float = 1.0,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw a mark as a circle."""

    def cross(self, mark: Mark, stroke: str, width: float) -> None:
        """Draw a mark as a cross."""


Item: TypeAlias = tuple[float, Callable[[float, float], None]]
"""How wide a piece of the foot is, and what draws it at a place."""


def draw(picture: Picture, colours: Theme, pen: Pen) -> None:
    """Draw all of `picture` but its ground."""
    _header(picture, colours, pen)
    _axis(picture, colours, pen)
    pen.blocks(_cells(picture, colours))
    _edges(picture, colours, pen)
    for mark in picture.marks:
        _mark(mark, colours, pen)
    if picture.best is not None:
        best = picture.best
        ring = Mark("", best.x, best.y, best.r + 5, None, "ring", False, "")
        pen.circle(ring, None, colours.warm, 1.5)
    _Foot(picture, colours, pen).draw()


def cross_arm(mark: Mark) -> float:
    """Return how far the arms of a cross reach to each side, in pixels."""
    return max(mark.r * 0.7, 1.2)


def _header(picture: Picture, colours: Theme, pen: Pen) -> None:
    pen.text(16, 24, picture.title, colours.ink, size=LARGE, bold=True)
    if not picture.story:
        return
    if picture.width < NARROW:
        pen.text(16, 42, picture.story, colours.mute)
    else:
        place = picture.width - 16
        pen.text(place, 24, picture.story, colours.mute, size=MIDDLE, anchor="end")


def _axis(picture: Picture, colours: Theme, pen: Pen) -> None:
    y = 66 if picture.width < NARROW else 48
    for x, label in picture.ticks:
        pen.text(x, y, label, colours.faint, anchor="middle")


def _cells(picture: Picture, colours: Theme) -> Iterator[Block]:
    for cell in picture.cells:
        fill = colours.unknown if cell.share is None else colours.ramp(cell.share)
        yield cell.x, cell.y, cell.width, cell.height, fill, cell.opacity


def _edges(picture: Picture, colours: Theme, pen: Pen) -> None:
    edges, pale, opacity = picture.edges, colours.edge, colours.edge_opacity
    thin = 0.8 if len(edges.plain) > CROWDED else 1.0
    pen.curves(edges.faded, pale, width=0.8, opacity=opacity * FADED)
    pen.curves(edges.plain, pale, width=thin, opacity=opacity)
    pen.curves(edges.dashed, pale, width=thin, opacity=opacity, dash=(3, 3))
    pen.curves(edges.rejected, pale, width=thin, opacity=opacity, dash=(1, 4))
    pen.curves(edges.path, colours.warm, width=2.4)
    pen.curves(edges.path_dashed, colours.warm, width=2.4, dash=(3, 4))


def _mark(mark: Mark, colours: Theme, pen: Pen) -> None:
    fill = colours.unknown if mark.share is None else colours.ramp(mark.share)
    if mark.hue >= 0:
        fill = colours.name(mark.hue)
    if mark.faded:
        pen.circle(mark, colours.line, colours.line)
    elif mark.style == "invalid":
        pen.cross(mark, colours.warm if mark.on_path else colours.faint, 1.6)
    elif mark.style == "ghost":
        pen.circle(mark, None, colours.faint, dash=(2, 2))
    elif mark.style == "rejected":
        pen.circle(mark, colours.background, fill, 1.6)
    elif mark.on_path:
        pen.circle(mark, fill, colours.warm, 2)
    else:
        pen.circle(mark, fill, colours.background)


class _Foot:
    """Scale, key and counts, in as many lines as they need, upwards from the last."""

    def __init__(self, picture: Picture, colours: Theme, pen: Pen) -> None:
        self.picture, self.colours, self.pen = picture, colours, pen

    def draw(self) -> None:
        picture, colours, pen = self.picture, self.colours, self.pen
        items = [self._ramp(picture.scale)] if picture.scale else []
        items += [self._key_item(style, label, hue) for style, label, hue in picture.key]
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
        pen.line(0, top - 18.5, picture.width, colours.line)
        if own_line:
            pen.text(16, top, picture.counts, colours.mute)
        else:
            right, last = picture.width - 16, picture.height - 12
            pen.text(right, last, picture.counts, colours.mute, anchor="end")
        for number, line in enumerate(lines):
            x = 16.0
            for width, paint in line:
                paint(round(x), y + number * LINE)
                x += width

    def _ramp(self, scale: Scale) -> Item:
        title_width = round(len(scale.title) * CHAR + 8)
        width = title_width + 18 * 5 + 8 + len(scale.range) * CHAR + 16
        colours, pen = self.colours, self.pen

        def paint(x: float, y: float) -> None:
            pen.text(x, y, scale.title, colours.mute)
            left = x + title_width
            pen.blocks((left + n * 5, y - 8, 5, 8, colours.ramp(n / 17), None) for n in range(18))
            pen.text(left + 98, y, scale.range, colours.mute)

        return width, paint

    def _key_item(self, style: str, label: str, hue: int) -> Item:
        colours, pen = self.colours, self.pen

        def paint(x: float, y: float) -> None:
            if style == "second parent":
                pen.line(x, y - 4, x + 10, colours.mute, (3, 2))
            else:
                r = 5.0 if style == "seed" else 4.0
                _mark(Mark("", x + 5, y - 4, r, None, style, False, "", hue), colours, pen)
            pen.text(x + 14, y, label, colours.mute)

        return 28 + len(label) * CHAR, paint
