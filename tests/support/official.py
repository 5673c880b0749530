"""The official OpenLineage schemas as validators."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource

CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
STANDARD = "https://openlineage.io/spec/facets/"


class Official:
    """Judges events by ``OpenLineage.json`` and each standard facet by its own schema.

    Every reference is answered from a folder.
    """

    def __init__(self, spec_dir: Path) -> None:
        registry: Registry[Any] = Registry()
        for path in [spec_dir / "OpenLineage.json", *sorted((spec_dir / "facets").glob("*.json"))]:
            document = json.loads(path.read_text(encoding="utf-8"))
            registry = registry.with_resource(document["$id"], Resource.from_contents(document))
        self._registry = registry
        self._validators: dict[str, Draft202012Validator] = {}

    def errors(self, event: Mapping[str, Any]) -> list[str]:
        """Return what an event, facets left aside, does wrong."""
        return [error.message for error in self._validator(CORE).iter_errors(event)]

    def facet_errors(self, event: Mapping[str, Any]) -> list[str]:
        """Return what the standard facets of an event do wrong."""
        return [
            f"{name}: {error.message}"
            for name, facet in standard_facets(event)
            for error in self._validator(facet["_schemaURL"]).iter_errors(facet)
        ]

    def _validator(self, reference: str) -> Draft202012Validator:
        if reference not in self._validators:
            self._validators[reference] = Draft202012Validator(
                {"$ref": reference}, registry=self._registry, format_checker=FormatChecker()
            )
        return self._validators[reference]


def standard_facets(event: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield name and content of each facet whose schema is one of the standard's."""
    holders = [event["run"], event["job"], *event["inputs"], *event["outputs"]]
    for holder in holders:
        for name, facet in holder.get("facets", {}).items():
            if facet["_schemaURL"].startswith(STANDARD):
                yield name, facet
