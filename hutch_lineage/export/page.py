"""The explorer as a page of its own: one file, no network, no Python."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import orjson

from hutch_lineage.errors import ExportError
from hutch_lineage.graph import LAYOUTS, Scene
from hutch_lineage.mapping import EventsIndex
from hutch_lineage.model import Event, clean_json

from .frontend import LATE_ASSETS, asset, late_asset
from .images import to_picture_html
from .ndjson import run_events

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph

Shown = Callable[[Scene], Mapping[str, Any]]

HEIGHT_PX = 720
THEMES = ("auto", "light", "dark", "contrast")
ALL_LAYOUTS_ROWS = 20_000
LAYOUTS_OF_LARGE = ("generations", "tree")
NOT_ALL_LAYOUTS = "this page holds the layouts {}: more than 20,000 nodes"
# Nothing may be fetched, whatever stands in the data. The panels come as text and run from a blob.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' blob:; "
    "img-src data: blob:"
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
html {{ color-scheme: {scheme}; }}
body {{ margin: 0; padding: 8px; box-sizing: border-box; }}
{style}
</style>
</head>
<body>
<div id="hutch-lineage"></div>
<noscript>{picture}</noscript>
<script type="application/json" id="hutch-lineage-data">{data}</script>
<script type="module">
{script}
</script>
<script type="module">
const saved = JSON.parse(document.getElementById("hutch-lineage-data").textContent);
saved.traits.height = Math.max(480, innerHeight - 16);
hutchLineage.mount(document.getElementById("hutch-lineage"), saved);
</script>
</body>
</html>
"""


def to_html(
    graph: LineageGraph,
    *,
    events: Iterable[Event | Mapping[str, Any]] | None = None,
    title: str | None = None,
    theme: str = "auto",
    scene: Scene | None = None,
    shown: Shown | None = None,
) -> str:
    """Return the explorer with a graph in it as one HTML page.

    The page works from a file, offline: script, style and data stand in it, and a policy in it
    forbids to fetch anything. Without JavaScript it shows the static picture. Up to 20,000 nodes it
    holds all layouts; a larger one holds ``generations``, ``tree`` and the one that is shown, and
    says so in its notes.

    Parameters
    ----------
    graph : LineageGraph
        What to show.
    events : iterable of dict or Event, optional
        The events behind the graph. Each node shows up to 20 that name it.
    title : str, optional
        The title of the page; the names of the runs if it is not given.
    theme : {"auto", "light", "dark", "contrast"}
        ``auto`` follows the browser.
    scene : Scene, optional
        A scene of `graph` whose positions to use.
    shown : callable, optional
        Given the scene, returns what the page is to show at first: traits of an explorer, such as
        ``view`` and ``selected_row``.

    Raises
    ------
    ExportError
        The theme cannot be used, or the front end is missing from the installation.

    Examples
    --------
    >>> from hutch_lineage.graph import LineageGraph
    >>> to_html(LineageGraph(), title="My search").count("<title>My search</title>")
    1
    """
    if theme not in THEMES:
        raise ExportError(f"no theme {theme!r}: one of {', '.join(THEMES)}")
    told = run_events(events or ())
    with graph.lock:
        scene = Scene(graph) if scene is None else scene
        saved = _saved(graph, scene, told, theme, shown)
        picture = to_picture_html(graph, scene=scene, theme="dark" if theme == "dark" else "light")
        name = title or _name(graph)
    return PAGE.format(
        policy=POLICY,
        title=escape(name),
        scheme=theme if theme in ("light", "dark") else "light dark",
        style=asset("explorer.css").replace("</style", "<\\/style"),
        picture=picture,
        data=_json_in_html(saved),
        script=_script_in_html(asset("explorer.js")),
    )


def _saved(
    graph: LineageGraph,
    scene: Scene,
    events: list[Mapping[str, Any]],
    theme: str,
    shown: Shown | None,
) -> dict[str, Any]:
    """Return the argument of the front end's ``mount``, which fills in what is not said."""
    scene.update()
    first = {} if shown is None else dict(shown(scene))
    few = len(scene) <= ALL_LAYOUTS_ROWS
    chosen = first.get("view", {}).get("layout", LAYOUTS_OF_LARGE[0])
    layouts = LAYOUTS if few else tuple(dict.fromkeys((*LAYOUTS_OF_LARGE, chosen)))
    for layout in layouts:
        scene.arrange(layout)
    graphs: list[dict[str, Any]] = [
        {"content": content, "buffers": [base64.b64encode(buffer).decode() for buffer in buffers]}
        for content, buffers in scene.cursor().messages()
    ]
    if not few:
        for message in graphs:
            message["content"]["summary"]["notes"].append(
                NOT_ALL_LAYOUTS.format(", ".join(layouts))
            )
    index = EventsIndex()
    index.extend(events)
    details = {
        str(row): scene.detail(row, index.of(scene.key(row), events)) for row in range(len(scene))
    }
    summary = graphs[-1]["content"]["summary"]
    only_agents = summary["agents"] and not summary["individuals"]
    return {
        "messages": [
            *graphs,
            {"content": {"op": "details", "details": details}, "buffers": []},
            *({"content": late_asset(name), "buffers": []} for name in LATE_ASSETS),
        ],
        "traits": {
            "height": HEIGHT_PX,
            "theme": theme,
            "status": {
                "state": "closed",
                "captured": len(events),
                "can_go_live": False,
                "source": _name(graph),
            },
            "view": {"kind": "agent" if only_agents else "individual"},
            **first,
        },
    }


def _name(graph: LineageGraph) -> str:
    names = [run.name or run_id for run_id, run in graph.runs.items()]
    return ", ".join(names[:3]) + (" ..." if len(names) > 3 else "") or "lineage"


def _json_in_html(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in."""
    try:
        data = orjson.dumps(value)
    except TypeError:  # an event of another producer holds what JSON cannot
        data = orjson.dumps(clean_json(value)[0])
    text = data.decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _script_in_html(code: str) -> str:
    """Return code that cannot end the script element it stands in."""
    return code.replace("</script", "<\\/script").replace("<!--", "<\\!--")
