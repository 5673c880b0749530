"""The section of docs/performance.md about the explorer, from the results: not written by hand."""

from __future__ import annotations

from .measure import PEERS, versions
from .results import Results, markdown

TEXT = """\
## The explorer

What the explorer takes, beside what else draws lineages, measured in one run on one machine.
`make bench` measures anew and prints the same table.

{table}

{notes}

Measured {machine}.

Peers: {versions}; in Python networkx {networkx}, igraph {igraph}, ipycytoscape {ipycytoscape},
ipysigma {ipysigma}.

### How to read it

- **Same lineages.** Made-up ones with 50 individuals in a generation, 30 % of them with two
  parents, and the Avida run of the ALife data standard. Everyone gets the same nodes, edges and
  positions; no peer has to lay anything out.
- **Same browser.** Headless Chromium with `--disable-gpu`, 1000 x 600 pixels, a browser of its own
  for each visit, contenders in turn, the median of {rounds} rounds. sigma needs WebGL, which runs
  in software here: with a graphics card it is much faster than this table says.
- **first paint** runs from library and data in memory until the second frame after the last of
  the picture was drawn, when it is certainly on the screen.
- **pan and zoom** counts the frames drawn while the camera travels for {seconds:g} seconds from the
  whole picture to thirty times and back; the p95 frame is the time between two of them.
- **append** adds 100 individuals at a time with their edges. *Main thread* is for how long the page
  is busy with it; *until drawn* includes waiting for the next frame. For WebGL the drawing
  itself comes after that and is in the first figure only.
- **page memory** is what the page's scripts hold after a collection, array buffers included, less
  what an empty page holds. Textures of WebGL are not in it.
- **What is drawn.** The peers draw every node and every edge in each frame. The explorer draws
  everything that fits, and where marks would cover one another it draws their density and says so
  in the picture; that is where most of the difference comes from.
- **in JupyterLab** means a real JupyterLab, its kernel and its page on this machine. *Until usable*
  runs from the cell's start until every individual is drawn and the wheel moves the picture; the
  camera then travels as above, while the kernel may still be drawing the picture that is saved.
  The graph is made in a cell before; that of a million once, not in each round.
- **widget made and serialised** is Python's part alone: making the widget and turning it into the
  messages that a notebook would send.
- **widget in JupyterLab** is all of it: from the cell's start until the frame in which as many
  marks are drawn as there are nodes. Data and positions are there before, imports are done.
- **logged to drawn** compares the clock of the kernel when an individual is logged with the clock
  of the page when a frame with it has been drawn.
- **loop's loss** compares the same loop with and without an explorer open, in turn, in one kernel.
  On a machine with few cores the browser, which is on the same machine, takes its share, too.
- **ratio** is the best of the others against ours; above 1 ours is better. `> 60 s` means that the
  limit was reached and the rest was left out.
"""


def page(results: Results, rounds: int, seconds: float) -> str:
    """Return the section."""
    python = {name: _version(name) for name in ("networkx", "igraph", "ipycytoscape", "ipysigma")}
    return TEXT.format(
        table="\n".join(markdown(results.rows())),
        notes="\n".join(f"- {note}" for note in results.notes),
        machine=results.machine(),
        versions=versions(PEERS),
        rounds=rounds,
        seconds=seconds,
        **python,
    )


def _version(package: str) -> str:
    """Return the version of an installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"
