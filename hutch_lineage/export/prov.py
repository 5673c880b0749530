"""W3C PROV-JSON: https://www.w3.org/submissions/prov-json/."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from hutch_lineage.mapping import iso_from_ns

from .flat import flat_edge, flat_node

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph, OperatorInfo
    from hutch_lineage.model import NodeKey

NAMESPACE: Final = "urn:hutch-lineage:"
_PREFIXES: Final = ("run", "individual", "agent", "operator", "model", "person")

Section = dict[str, dict[str, Any]]


def to_prov(graph: LineageGraph) -> str:
    """Return a graph as PROV-JSON.

    Parameters
    ----------
    graph : LineageGraph
        What to write.

    Returns
    -------
    str
        Individuals and agents are entities with the attributes of :func:`to_graphml`; operators
        and runs are activities, which used parents and generated the child; models and those who
        started a run are agents. Each edge is a derivation, with its operator where that is known.
        The same graph gives the same text.

    Examples
    --------
    >>> import json
    >>> from hutch_lineage.graph import LineageGraph
    >>> json.loads(to_prov(LineageGraph()))["entity"]
    {}
    """
    document = _Document()
    with graph.lock:
        for run_id in sorted(graph.runs):
            document.run(graph, run_id)
        for key in sorted(graph.nodes()):
            document.node(graph, key)
        for operator_key in sorted(graph.operators):
            document.operator(graph.operators[operator_key])
        for key in sorted(graph.nodes()):
            for parent in graph.parents(key):
                document.edge(graph, parent, key)
    return json.dumps(document.sections, ensure_ascii=False, allow_nan=False) + "\n"


class _Document:
    """The sections of a document as they grow."""

    def __init__(self) -> None:
        prefixes = {name: f"{NAMESPACE}{name}:" for name in _PREFIXES}
        self.sections: dict[str, Any] = {
            "prefix": {"hl": NAMESPACE, **prefixes},
            "entity": {},
            "activity": {},
            "agent": {},
        }

    def run(self, graph: LineageGraph, run_id: str) -> None:
        """Add a run: an activity."""
        run = graph.runs[run_id]
        said: dict[str, Any] = {"prov:type": _name("hl:Run"), "prov:label": run.name or run_id}
        said |= {"prov:startTime": _time(run.started_ns), "prov:endTime": _time(run.ended_ns)}
        for name in ("project", "status", "git_commit", "summary"):
            said[f"hl:{name}"] = getattr(run, name)
        for name in ("score_directions", "config"):
            if value := dict(getattr(run, name)):
                said[f"hl:{name}"] = json.dumps(value, sort_keys=True, default=str)
        self.sections["activity"][_id("run", run_id)] = _known(said)
        if run.started_by:
            self._agent("person", run.started_by, "prov:Person")
            self._relate(
                "wasAssociatedWith",
                {"prov:activity": _id("run", run_id), "prov:agent": _id("person", run.started_by)},
            )

    def node(self, graph: LineageGraph, key: NodeKey) -> None:
        """Add an individual or an agent: an entity."""
        said: dict[str, Any] = {
            "prov:type": _name(f"hl:{key.kind.capitalize()}"),
            "prov:label": key.id,
            "hl:run": _name(_id("run", key.run_id)),
        }
        flat = flat_node(key, graph.node(key))
        said |= {f"hl:{_part(name)}": value for name, value in flat.items() if name not in _SAID}
        self.sections["entity"][_node_id(key)] = _known(said)

    def operator(self, operator: OperatorInfo) -> None:
        """Add an operator: an activity that used its parents and generated its child."""
        activity = _operator_id(operator)
        said: dict[str, Any] = {
            "prov:type": _name("hl:Operator"),
            "prov:label": operator.kind or operator.key.id,
            "prov:endTime": _time(operator.stamp.timestamp_ns),
            "hl:run": _name(_id("run", operator.key.run_id)),
            "hl:operator_id": operator.key.id,
        }
        for name, value in operator.attributes.items():
            plain = (
                value if isinstance(value, str | int | float) else json.dumps(value, default=str)
            )
            said[f"hl:{_part(name)}"] = plain
        self.sections["activity"][activity] = _known(said)
        for order, parent in enumerate(operator.parents):
            self._relate(
                "used",
                {"prov:activity": activity, "prov:entity": _node_id(parent), "hl:order": order},
            )
        generated = {"prov:entity": _node_id(operator.child), "prov:activity": activity}
        self._relate("wasGeneratedBy", _known({**generated, "prov:time": said["prov:endTime"]}))
        if operator.llm_id:
            self._agent("model", operator.llm_id, "prov:SoftwareAgent")
            model = _id("model", operator.llm_id)
            self._relate("wasAssociatedWith", {"prov:activity": activity, "prov:agent": model})

    def edge(self, graph: LineageGraph, parent: NodeKey, child: NodeKey) -> None:
        """Add an edge: a derivation."""
        edge = graph.edge(parent, child)
        said = {"prov:generatedEntity": _node_id(child), "prov:usedEntity": _node_id(parent)}
        if edge["operators"]:
            said["prov:activity"] = _operator_id(graph.operators[edge["operators"][-1]])
        flat = flat_edge(graph, {name: edge[name] for name in ("order", "relation")})
        said |= {f"hl:{name}": value for name, value in flat.items()}
        self._relate("wasDerivedFrom", said)

    def _agent(self, prefix: str, name: str, kind: str) -> None:
        said = {"prov:type": _name(kind), "prov:label": name}
        self.sections["agent"].setdefault(_id(prefix, name), said)

    def _relate(self, section: str, said: dict[str, Any]) -> None:
        held: Section = self.sections.setdefault(section, {})
        held[f"_:{section}{len(held) + 1}"] = said


_SAID: Final = ("node_kind", "run_id", "node_id", "operators")


def _id(prefix: str, *parts: str) -> str:
    return f"{prefix}:{'/'.join(map(_part, parts))}"


def _part(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="-._~") or "%00"


def _node_id(key: NodeKey) -> str:
    return _id(key.kind, key.run_id, key.id)


def _operator_id(operator: OperatorInfo) -> str:
    child = operator.child
    return _id("operator", operator.key.run_id, operator.key.id, child.kind, child.run_id, child.id)


def _name(name: str) -> dict[str, str]:
    return {"$": name, "type": "prov:QUALIFIED_NAME"}


def _time(time_ns: object) -> str | None:
    if not isinstance(time_ns, int) or time_ns < 0:
        return None
    try:
        return iso_from_ns(time_ns)
    except ValueError:  # beyond the year 9999
        return None


def _known(said: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in said.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return str(value) if isinstance(value, float) and value - value != 0 else value
