"""What OpenMetadata makes of RunEvents: run in an environment of its own, see venvs.py.

Reads events, one a line. For each one it prints whether the request model of the HTTP API takes it,
and which edges the connector yields from it in a catalogue that has every table. What OpenMetadata
imports and needs for none of this (clouds, databases, profilers) is replaced by hollow modules.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import sys
import types
import uuid
from pathlib import Path
from typing import ClassVar
from unittest.mock import MagicMock

HOLLOW = frozenset(
    "azure data_diff google kubernetes lxml mako pandas pyarrow pymysql".split()  # noqa: SIM905
)


class Hollow(types.ModuleType):
    """A module that has whatever it is asked for."""

    __path__: ClassVar[list[str]] = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {}) if name[0].isupper() else MagicMock(name=name)
        setattr(self, name, made)
        return made


class Filler(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what is to be hollow and is not installed."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in HOLLOW:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Hollow(spec.name)

    def exec_module(self, module):
        pass


def connector(known):
    """Return the connector over a catalogue in which every table exists."""
    from metadata.ingestion.source.pipeline.openlineage.metadata import OpenlineageSource

    class Source(OpenlineageSource):
        _current_pipeline_service = "openlineage"

        def __init__(self):
            self.metadata = MagicMock()
            self.metadata.get_by_name.return_value.id.root = uuid.uuid4()
            self.context = MagicMock()
            self.context.get.return_value.pipeline = "run"
            self.status = MagicMock()
            self.service_connection = MagicMock(namespaceToServiceMapping={"hutch": "hutch"})
            self._namespace_to_service_cache = {}

        def get_db_service_names(self):
            return ["hutch"]

        def _get_table_fqn_from_om(self, table_details, services=None):
            return ".".join((table_details.database, table_details.schema, table_details.name))

        def _get_by_name_cached(self, entity_class, fqn_str, **kwargs):
            node = uuid.uuid5(uuid.NAMESPACE_URL, fqn_str)
            known[str(node)] = fqn_str
            found = MagicMock()
            found.id.root = node
            return found

        def _has_annotated_pipeline_edge(self, *args, **kwargs):
            return True

        def _cleanup_pipeline_as_node_edges(self, *args, **kwargs):
            pass

        def _get_column_lineage(self, inputs, outputs):
            return {}

    return Source()


def main():
    sys.meta_path.append(Filler())
    import logging

    logging.disable(logging.CRITICAL)
    from metadata.generated.schema.api.lineage.openlineage.openLineageRunEvent import (
        OpenLineageRunEvent,
    )
    from metadata.ingestion.source.pipeline.openlineage.models import EventType
    from metadata.ingestion.source.pipeline.openlineage.utils import message_to_open_lineage_event

    known = {}
    source = connector(known)
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        said = {"refused": None, "malformed": None, "pipeline": None, "edges": []}
        try:
            OpenLineageRunEvent.model_validate(event)
        except Exception as error:
            said["refused"] = str(error)
        try:
            read = message_to_open_lineage_event(event)
            said["pipeline"] = source.get_pipeline_name(read)
            # as the server's API has it: COMPLETE only
            if source._filter_event_by_types(read, [EventType.COMPLETE]):
                for made in source.yield_pipeline_lineage_details(read):
                    ends = (made.right.edge.fromEntity, made.right.edge.toEntity)
                    said["edges"].append([known.get(str(end.id.root), end.type) for end in ends])
        except Exception as error:
            said["malformed"] = f"{type(error).__name__}: {error}"
        print(json.dumps(said))


if __name__ == "__main__":
    main()
