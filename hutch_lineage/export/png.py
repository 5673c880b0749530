"""The static picture as PNG: for paper, and for hosts that show neither HTML nor SVG."""

from __future__ import annotations

import functools
import importlib.util
import io
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hutch_lineage.errors import ExportError

from .choosing import Wanted
from .composing import compose
from .drawing import SMALL, Block, cross_arm, draw
from .palette import Theme, theme_of
from .picture import Curve, Mark, Picture

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

    from hutch_lineage.graph import LineageGraph, Scene
    from hutch_lineage.model import NodeKind

DENSITY = 2
MAX_PIXELS = 40_000_000
SMOOTH = 2  # drawn so many times larger, and averaged: Pillow's own shapes have hard edges
SEGMENTS = 20
# Found by name in the font folders of Linux, macOS and Windows; regular and bold.
FONTS = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
    ("arial.ttf", "arialbd.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
)
# What the font inside Pillow, which has to do where no other is, cannot write.
PLAIN = str.maketrans({"↑": "(higher)", "↓": "(lower)", "≤": "<=", "≥": ">="})


def to_png(
    graph: LineageGraph,
    *,
    metric: str | None = None,
    run: str | None = None,
    kind: NodeKind | None = None,
    theme: str = "light",
    width: int = 1000,
    height: int | None = None,
    max_marks: int = 2000,
    density: int = DENSITY,
    scene: Scene | None = None,
    view: Mapping[str, Any] | None = None,
    notes: list[str] | None = None,
) -> bytes:
    """Draw a graph as a static picture; it shows what :func:`to_svg` shows.

    Parameters
    ----------
    graph : LineageGraph
        What to draw.
    metric, run, kind, theme, width, height, max_marks, scene, view, notes
        As for :func:`to_svg`.
    density : int
        Pixels of the image for each CSS pixel of `width` and `height`, 1 to 4.

    Returns
    -------
    bytes
        A PNG file that carries its resolution, so that it is printed in the right size.

    Raises
    ------
    ExportError
        Pillow is not installed, or the options cannot be used.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> to_png(LineageGraph())[1:4]
    b'PNG'
    """
    colours = theme_of(theme)
    if not 1 <= density <= 4:
        raise ExportError("the density is 1 to 4 pixels of the image for one of the picture")
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
    return picture_png(compose(graph, wanted, notes), colours, density)


def can_draw() -> bool:
    """Return whether Pillow is there, which draws the pixels."""
    return importlib.util.find_spec("PIL") is not None


def picture_png(picture: Picture, colours: Theme, density: int = DENSITY) -> bytes:
    """Return a composed picture as the bytes of a PNG file."""
    if not can_draw():
        raise ExportError("a PNG is drawn with Pillow: pip install pillow")
    if picture.width * picture.height * density**2 > MAX_PIXELS:
        raise ExportError(f"a PNG has at most {MAX_PIXELS:,} pixels")
    from PIL import Image

    pen = _PngPen(picture, colours, density * SMOOTH)
    draw(picture, colours, pen)
    image = pen.image.reduce(SMOOTH).quantize(
        256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
    )
    file = io.BytesIO()
    image.save(file, "PNG", dpi=(96 * density, 96 * density))
    return file.getvalue()


class _PngPen:
    """Draws into an image that is `scale` times as large as the picture."""

    def __init__(self, picture: Picture, colours: Theme, scale: int) -> None:
        from PIL import Image, ImageDraw

        self.scale, self.ground = scale, colours.background
        size = (picture.width * scale, picture.height * scale)
        self.image = Image.new("RGB", size, colours.background)
        self._draw = ImageDraw.Draw(self.image)

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
        font, complete = _font(size * self.scale, bold)
        said = content if complete else _plain(content)
        place = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
        self._draw.text((x * self.scale, y * self.scale), said, fill, font, anchor=place)

    def line(
        self, x: float, y: float, to_x: float, stroke: str, dash: Sequence[float] = ()
    ) -> None:
        """Draw a horizontal hairline."""
        ends = np.array([[x, y], [to_x, y]]) * self.scale
        for piece in _pieces(ends, [length * self.scale for length in dash]):
            self._draw.line(piece, stroke, self.scale)

    def curves(
        self,
        curves: Sequence[Curve],
        stroke: str,
        *,
        width: float = 1.0,
        opacity: float = 1.0,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw curves in the colour that they have on the ground: a mask for each would be slow."""
        if not curves:
            return
        colour = _mixed(stroke, self.ground, opacity)
        wide = max(round(width * self.scale), 1)
        dashes = [length * self.scale for length in dash]
        joint = "curve" if width > 2 else None
        for points in _flattened(curves) * self.scale:
            for piece in _pieces(points, dashes):
                self._draw.line(piece, colour, wide, joint)

    def blocks(self, blocks: Iterable[Block]) -> None:
        """Fill rectangles; nothing is under them but the ground."""
        for x, y, w, h, fill, opacity in blocks:
            colour = fill if opacity is None else _mixed(fill, self.ground, opacity)
            left, top = round(x * self.scale), round(y * self.scale)
            right, bottom = round((x + w) * self.scale) - 1, round((y + h) * self.scale) - 1
            self._draw.rectangle((left, top, right, bottom), colour)

    def circle(
        self,
        mark: Mark,
        fill: str | None,
        stroke: str,
        width: float = 1.0,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw a mark as a circle; the stroke lies half outside of it."""
        wide = max(round(width * self.scale), 1)
        box = self._box(mark, mark.r + width / 2)
        if not dash:
            self._draw.ellipse(box, fill, stroke, wide)
            return
        along, gap = (np.degrees(length / mark.r) for length in dash)
        for start in np.arange(0.0, 360.0, along + gap):
            self._draw.arc(box, start, min(start + along, 360.0), stroke, wide)

    def cross(self, mark: Mark, stroke: str, width: float) -> None:
        """Draw a mark as a cross."""
        left, top, right, bottom = self._box(mark, cross_arm(mark))
        wide = max(round(width * self.scale), 1)
        self._draw.line((left, top, right, bottom), stroke, wide)
        self._draw.line((left, bottom, right, top), stroke, wide)

    def _box(self, mark: Mark, reach: float) -> tuple[float, float, float, float]:
        x, y, r = mark.x * self.scale, mark.y * self.scale, reach * self.scale
        return x - r, y - r, x + r, y + r


def _flattened(curves: Sequence[Curve]) -> npt.NDArray[np.float64]:
    """Return the curves as polylines: shape (curves, points, 2)."""
    controls = np.array(curves, dtype=np.float64).reshape(-1, 4, 2)
    t = np.linspace(0.0, 1.0, SEGMENTS + 1)
    weights = np.stack([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3])
    points: npt.NDArray[np.float64] = np.einsum("kp,ckd->cpd", weights, controls)
    return points


def _pieces(points: npt.NDArray[np.float64], dashes: Sequence[float]) -> Iterator[list[Any]]:
    """Cut a polyline (points, 2) into what a dashed stroke leaves of it, as flat x, y, x, y ..."""
    if not dashes:
        yield points.ravel().tolist()
        return
    steps = np.hypot(*np.diff(points, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    dash, gap = dashes
    starts = np.arange(0.0, along[-1], dash + gap)
    ends = np.minimum(starts + dash, along[-1])
    at = np.stack([starts, (starts + ends) / 2, ends], axis=1)  # short: three points follow a curve
    x, y = np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])
    yield from np.stack([x, y], axis=2).reshape(len(starts), -1).tolist()


def _mixed(colour: str, ground: str, opacity: float) -> str:
    """Return `colour` as it looks on `ground`."""
    pairs = ((int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * opacity + b * (1 - opacity)):02x}" for a, b in pairs)


@functools.lru_cache(maxsize=16)
def _font(size: int, bold: bool) -> tuple[FreeTypeFont | Any, bool]:
    """Return a font, and whether it has all the signs that a picture uses."""
    from PIL import ImageFont

    for names in FONTS:
        try:
            return ImageFont.truetype(names[bold], size), True
        except OSError:
            continue
    return ImageFont.load_default(size), False


def _plain(text: str) -> str:
    """Return `text` in signs that every font has."""
    parts = unicodedata.normalize("NFKD", text.translate(PLAIN))
    kept = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return "".join(sign if sign in "·…" or " " <= sign <= "~" else "?" for sign in kept)
