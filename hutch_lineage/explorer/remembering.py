"""What a view remembers: the marks, the camera, and its state as a whole."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

from hutch_lineage.errors import GraphError
from hutch_lineage.model import NodeKey

from .view_state import checked_view, first_view

if TYPE_CHECKING:
    from hutch_lineage.graph import Scene

STATE_VERSION = 1


class StateWarning(UserWarning):
    """A state names nodes that are not there."""


class Remembering:
    """The part of an explorer that can be put away and brought back, see :attr:`state`."""

    if TYPE_CHECKING:
        view: Any
        selected: Any
        selected_row: Any
        group: Any
        send: Any
        observe: Any
        unobserve: Any
        _scene: Scene
        _camera: list[float] | None

        def _row_of(self, node: NodeKey | str) -> int: ...
        def _rows_of(self, nodes: Iterable[NodeKey | str]) -> list[int]: ...

    # --- marks -----------------------------------------------------------------------------

    def on_group(self, callback: Callable[[list[NodeKey]], None]) -> Callable[[], None]:
        """Call `callback` with the marked nodes whenever they change; returns the way to end.

        Examples
        --------
        >>> end = explorer.on_group(print)  # doctest: +SKIP
        """

        def handler(change: Any) -> None:
            callback(list(change["new"]))

        self.observe(handler, "group")
        return lambda: self.unobserve(handler, "group")

    def _valid_group(self, nodes: Iterable[NodeKey | str]) -> list[NodeKey]:
        return [self._scene.key(row) for row in sorted(set(self._rows_of(nodes)))]

    def _show_group(self) -> None:
        self.send({"op": "group", "rows": [self._scene.row(key) for key in self.group]})

    def _send_state(self) -> None:
        """Tell a new browser what no trait holds."""
        if self.group:
            self._show_group()
        if self._camera is not None:
            self.send({"op": "camera", "window": self._camera})

    def _on_group(self, content: dict[str, Any]) -> None:
        rows = content.get("rows")
        known = [row for row in rows if isinstance(row, int)] if isinstance(rows, list) else []
        count = len(self._scene)
        self.group = [self._scene.key(row) for row in sorted(set(known)) if 0 <= row < count]

    def _on_camera(self, content: dict[str, Any]) -> None:
        self._camera = _window(content.get("window"))

    # --- the state as a whole ---------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        """What the view shows, as plain JSON: a link to this very picture.

        Nodes stand in it by kind, run and id, so that it holds in another session with the same
        run. Set it to restore the picture; nodes that are not there are left out, with a
        :class:`StateWarning` that names them.

        Examples
        --------
        >>> import hutch_lineage as hl
        >>> explorer = hl.explore()
        >>> state = explorer.state
        >>> state["view"]["layout"], state["focus"]
        ('generations', None)
        >>> explorer.state = state
        """
        view = dict(self.view)
        focus = view.pop("focus")
        if focus is not None:
            names = {"row": "node", "other": "other"}
            focus = {
                names.get(name, name): self._named(value) if name in names else value
                for name, value in focus.items()
            }
        return {
            "version": STATE_VERSION,
            "collapsed": [self._named(row) for row in view.pop("collapsed")],
            "compare": self._named(view.pop("compare")),
            "view": view,
            "focus": focus,
            "selected": None if self.selected is None else list(self.selected),
            "group": [list(key) for key in self.group],
            "camera": self._camera,
        }

    @state.setter
    def state(self, state: Mapping[str, Any]) -> None:
        given = dict(state) if isinstance(state, Mapping) else {}
        missing: list[str] = []

        def row(node: Any) -> int:
            key = _key(node)
            if key is None:
                return -1
            try:
                return self._row_of(key)
            except GraphError:
                missing.append(key.id)
                return -1

        view: Any = given.get("view")
        change: dict[str, Any] = dict(view) if _is_dict(view) else {}
        focus: Any = given.get("focus")
        if _is_dict(focus):
            focus = {**focus, "row": row(focus.get("node")), "other": row(focus.get("other"))}
        change["focus"] = focus
        change["collapsed"] = [row(node) for node in _list(given.get("collapsed"))]
        change["compare"] = row(given.get("compare"))
        group = [row(node) for node in _list(given.get("group"))]
        selected = row(given.get("selected"))
        self.view = checked_view(first_view(), change)
        self.group = [self._scene.key(each) for each in group if each >= 0]
        self.selected = None if selected < 0 else self._scene.key(selected)
        self._camera = _window(given.get("camera"))
        self.send({"op": "camera", "window": self._camera})
        if missing:
            text = ", ".join(missing[:10]) + (" ..." if len(missing) > 10 else "")
            warnings.warn(f"not in this lineage: {text}", StateWarning, stacklevel=2)

    def _first_shown(self, scene: Scene) -> dict[str, Any]:
        """Return what another scene of the graph is to show so that it shows what this view does.

        Returns
        -------
        dict
            ``view`` and ``selected_row``, as the traits of an explorer of that scene have them.
        """

        def there(row: int) -> int:
            return scene.row(self._scene.key(row)) if 0 <= row < len(self._scene) else -1

        view = dict(self.view)
        if view["focus"]:
            rows = {
                name: there(view["focus"][name])
                for name in ("row", "other")
                if name in view["focus"]
            }
            view["focus"] = {**view["focus"], **rows}
        view["collapsed"] = sorted(map(there, view["collapsed"]))
        view["compare"] = there(view["compare"])
        return {"view": view, "selected_row": there(self.selected_row)}

    def _named(self, row: int) -> list[str] | None:
        return list(self._scene.key(row)) if 0 <= row < len(self._scene) else None


def _key(node: Any) -> NodeKey | None:
    if isinstance(node, (list, tuple)) and len(node) == 3 and all(isinstance(p, str) for p in node):
        return NodeKey(*node)
    return None


def _is_dict(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _window(value: Any) -> list[float] | None:
    numbers = [float(v) for v in _list(value) if isinstance(v, (int, float)) and abs(v) < 1e12]
    if len(numbers) != 4 or numbers[0] >= numbers[2] or numbers[1] >= numbers[3]:
        return None
    return numbers
