"""The colours of static pictures: those of the explorer, for a light and a dark page."""

from __future__ import annotations

from dataclasses import dataclass

from hutch_lineage.errors import ExportError

# Viridis, sampled: even in lightness, safe for the common colour-vision deficiencies.
VIRIDIS = (
    (68, 1, 84),
    (71, 24, 106),
    (72, 46, 124),
    (65, 68, 135),
    (57, 86, 140),
    (49, 104, 142),
    (42, 120, 142),
    (35, 137, 142),
    (31, 154, 138),
    (45, 170, 129),
    (68, 186, 113),
    (108, 205, 90),
    (154, 216, 60),
    (204, 225, 42),
    (253, 231, 37),
)
# After Okabe and Ito: names side by side, as the explorer has them.
NAMES = {
    "light": (
        *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9"),
        *("#b8470b", "#7a6bd0", "#8f8b12", "#5a3d2b", "#1b7f8c"),
    ),
    "dark": (
        *("#4aa3df", "#f2b134", "#2fc49a", "#e296c3", "#8fd0f5"),
        *("#f0814a", "#a79bf0", "#cfca4d", "#c09a83", "#5fc6d3"),
    ),
}
OTHERS = {"light": "#6b7280", "dark": "#9aa4b2"}


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours, as SVG understands them."""

    background: str
    ink: str
    mute: str
    faint: str
    line: str
    edge: str
    edge_opacity: float
    warm: str
    unknown: str
    ramp_ends: tuple[float, float]
    names: tuple[str, ...]

    def name(self, number: int) -> str:
        """Return the colour of a name by its number; those beyond the palette share the last."""
        return self.names[min(number, len(self.names) - 1)]

    def ramp(self, share: float) -> str:
        """Return the colour for a share from 0 (worst) to 1 (best) as ``#rrggbb``.

        The end of viridis that would vanish on the background is left out.
        """
        low, high = self.ramp_ends
        place = (low + (high - low) * min(max(share, 0.0), 1.0)) * (len(VIRIDIS) - 1)
        index = min(int(place), len(VIRIDIS) - 2)
        part = place - index
        pairs = zip(VIRIDIS[index], VIRIDIS[index + 1], strict=True)
        return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


THEMES = {
    "light": Theme(
        background="#ffffff",
        ink="#1f2328",
        mute="#5f6873",
        faint="#8b949e",
        line="#e3e6ea",
        edge="#5a6473",
        edge_opacity=0.26,
        warm="#d9480f",
        unknown="#b4bcc6",
        ramp_ends=(0.0, 0.955),
        names=(*NAMES["light"], OTHERS["light"]),
    ),
    "dark": Theme(
        background="#111418",
        ink="#e6e8eb",
        mute="#9aa3ad",
        faint="#6b7480",
        line="#2a3038",
        edge="#bec8d7",
        edge_opacity=0.22,
        warm="#ff922b",
        unknown="#56606c",
        ramp_ends=(0.17, 1.0),
        names=(*NAMES["dark"], OTHERS["dark"]),
    ),
}


def theme_of(name: str) -> Theme:
    """Return a theme by name.

    Raises
    ------
    ExportError
        There is no such theme.
    """
    if name not in THEMES:
        raise ExportError(f"no theme {name!r}: one of {', '.join(THEMES)}")
    return THEMES[name]
