"""Hutch events to OpenLineage RunEvents, and both to lineage records.

Pure: nothing here opens a file or a socket.
"""

from __future__ import annotations

from .carried import CARRIED, carried, records_carried
from .clock import exact_iso, iso_from_ns, ns_from_iso
from .custom_facets import FACET_NAMES, facet_schema
from .documents import (
    OPENLINEAGE_PRODUCER,
    OPENLINEAGE_SCHEMA_URL,
    DatasetDict,
    JobDict,
    RunDict,
    RunEventDict,
)
from .encoding import encode
from .endpoints import IN_MEMORY, LINEAGE_PATH, Endpoint, parse_endpoint
from .events_index import EventsIndex
from .foreign_runs import FOREIGN_RUN
from .loose import as_dict
from .mapper import Mapper, mapper_of
from .names import JobNames, dataset_name, node_key, self_mod_id
from .naming import HUTCH_UUIDS, Naming, escaped, named_node, run_uuid, unescaped
from .node_link import NODE_LINK, is_node_link, records_of_node_link
from .oddities import ODDITIES, Oddity
from .own_events import is_of_default
from .preset_mapper import AGENT
from .presets import (
    AUTO,
    BACKENDS,
    PRESETS,
    ROWS,
    STANDARD_FACETS,
    Accepted,
    Batches,
    Preset,
    parse_overrides,
    preset_of,
)
from .quick import operator_json
from .reader import RunEventReader, is_openlineage, read_run_events
from .records import records_of
from .research import research_attributes
from .runevents import MAPPED_KINDS, to_run_event
from .statements import grouped_statements, statements
from .told import Told

__all__ = [
    "AGENT",
    "AUTO",
    "BACKENDS",
    "CARRIED",
    "FACET_NAMES",
    "FOREIGN_RUN",
    "HUTCH_UUIDS",
    "IN_MEMORY",
    "LINEAGE_PATH",
    "MAPPED_KINDS",
    "NODE_LINK",
    "ODDITIES",
    "OPENLINEAGE_PRODUCER",
    "OPENLINEAGE_SCHEMA_URL",
    "PRESETS",
    "ROWS",
    "STANDARD_FACETS",
    "Accepted",
    "Batches",
    "DatasetDict",
    "Endpoint",
    "EventsIndex",
    "JobDict",
    "JobNames",
    "Mapper",
    "Naming",
    "Oddity",
    "Preset",
    "RunDict",
    "RunEventDict",
    "RunEventReader",
    "Told",
    "as_dict",
    "carried",
    "dataset_name",
    "encode",
    "escaped",
    "exact_iso",
    "facet_schema",
    "grouped_statements",
    "is_node_link",
    "is_of_default",
    "is_openlineage",
    "iso_from_ns",
    "mapper_of",
    "named_node",
    "node_key",
    "ns_from_iso",
    "operator_json",
    "parse_endpoint",
    "parse_overrides",
    "preset_of",
    "read_run_events",
    "records_carried",
    "records_of",
    "records_of_node_link",
    "research_attributes",
    "run_uuid",
    "self_mod_id",
    "statements",
    "to_run_event",
    "unescaped",
]
