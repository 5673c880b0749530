"""A graph as networkx writes it to a file: plain attributes, and each node by one name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import networkx as nx
import orjson

from hutch_lineage.model import clean_json

from .losses import losses
from .wording import FORBIDDEN, xml_text

if TYPE_CHECKING:
    from hutch_lineage.graph import LineageGraph
    from hutch_lineage.model import NodeKey

SEPARATOR = "/"
NOT_IN_NAMES = re.compile(f"%|{FORBIDDEN.pattern}")


def flat_graph(graph: LineageGraph, notes: list[str] | None = None) -> nx.DiGraph[str]:
    """Return a graph whose attributes are texts, numbers and truth values; lists are JSON text.

    `notes` gets a line for each thing that neither a node nor an edge can say.
    """
    flat: nx.DiGraph[str] = nx.DiGraph()
    with graph.lock:
        view = graph.nx
        for key, said in view.nodes(data=True):
            flat.add_node(name_of(key), **flat_node(key, said))
        for parent, child, said in view.edges(data=True):
            flat.add_edge(name_of(parent), name_of(child), **flat_edge(graph, said))
        if notes is not None:
            notes += losses(graph, "diffs", "operators without parents", "runs")
    return flat


def name_of(key: NodeKey) -> str:
    """Return the name of a node in a file: ``kind/run/id``, no two nodes alike.

    A percent sign, a character that XML cannot hold and a slash in the run id are written as
    ``%`` and their code point in hexadecimal.
    """
    run_id = NOT_IN_NAMES.sub(_code, key.run_id).replace(SEPARATOR, "%2F")
    return SEPARATOR.join((key.kind, run_id, NOT_IN_NAMES.sub(_code, key.id)))


def _code(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}"


def flat_node(key: NodeKey, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a node, as in ``graph.nx``, flat; each score by its name."""
    values = dict(said)
    scores = values.pop("scores", None) or {}
    values["operators"] = [operator.id for operator in values.get("operators", ())]
    metadata, genome = dict(values.get("metadata") or {}), values.get("genome")
    if genome is not None and metadata.get("genome") == genome:
        del metadata["genome"]  # it has an attribute of its own
    values["metadata"] = metadata
    flat = {"node_kind": key.kind, "run_id": xml_text(key.run_id), "node_id": xml_text(key.id)}
    flat |= _flat(values)
    return flat | {xml_text(f"score.{metric}"): float(value) for metric, value in scores.items()}


def flat_edge(graph: LineageGraph, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of an edge, flat, with the sums and words of its operators."""
    values = dict(said)
    operators = [graph.operators[key] for key in values.pop("operators", ())]
    values["operators"] = [operator.key.id for operator in operators]
    values["operator_kinds"] = list(dict.fromkeys(o.kind for o in operators if o.kind))
    values["models"] = list(dict.fromkeys(o.llm_id for o in operators if o.llm_id))
    verdicts = [operator.verdict for operator in operators if operator.verdict]
    values["verdict"] = verdicts[-1] if verdicts else None
    for name in ("cost_usd", "tokens_in", "tokens_out"):
        known = [v for v in (getattr(operator, name) for operator in operators) if v is not None]
        values[name] = sum(known) if known else None
    return _flat(values)


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what GraphML can hold: text, numbers and truth values; nothing for nothing."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if value is None or (isinstance(value, list | tuple | dict) and not value):
            continue
        if isinstance(value, bool | float):
            flat[name] = value
        elif isinstance(value, int):
            # GraphML's types hold 64 bits; one attribute has one type, so large ones are all text.
            flat[name] = value if abs(value) < 2**63 else str(value)
        elif isinstance(value, str):
            flat[name] = xml_text(value)
        else:
            flat[name] = xml_text(_json(value))
    return flat


def _json(value: Any) -> str:
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
    try:
        return orjson.dumps(value, default=str, option=options).decode()
    except TypeError:  # broken Unicode, a number beyond 64 bits, or deep nesting
        return orjson.dumps(clean_json(value)[0], option=options).decode()
