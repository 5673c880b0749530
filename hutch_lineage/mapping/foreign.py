"""Which dataset feeds which, as an OpenLineage event of any producer says it.

The standard's precedence: the explicit ``lineage`` facet, then column lineage, then every input
feeds every output. Everything is read with care, since any key may be missing or of another type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .loose import as_dict
from .oddities import Oddity, OnOddity


class Dataset(NamedTuple):
    """The identity of a dataset: namespace (may be empty) and name."""

    namespace: str
    name: str

    @property
    def id(self) -> str:
        """``<namespace>/<name>``, or the name alone without a namespace."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class Flows(NamedTuple):
    """What one event says.

    `stated` maps an output to the inputs that a facet names for it. `inputs` and `outputs` are
    those of the event, in order. `explicit` is true where a ``lineage`` facet speaks for the job.
    """

    stated: dict[Dataset, tuple[Dataset, ...]]
    inputs: tuple[Dataset, ...]
    outputs: tuple[Dataset, ...]
    explicit: bool


def flows_of(event: Mapping[str, Any], on_oddity: OnOddity) -> Flows:
    """Return what an event says about its datasets, see :class:`Flows`."""
    inputs = _datasets(event.get("inputs"), on_oddity)
    outputs = _datasets(event.get("outputs"), on_oddity)
    explicit: dict[Dataset, tuple[Dataset, ...]] = {}
    columns: dict[Dataset, tuple[Dataset, ...]] = {}
    for target, sources in _job_entries(event, on_oddity):
        explicit[target] = _joined(explicit.get(target, ()), sources)
    for raw, target in _pairs(event.get("outputs"), on_oddity=_silent):
        facets = as_dict(raw.get("facets"))
        if isinstance(facets.get("lineage"), Mapping):
            sources = tuple(_lineage_sources(facets["lineage"], on_oddity))
            explicit[target] = _joined(explicit.get(target, ()), sources)
        elif "columnLineage" in facets:
            columns[target] = _joined((), _column_sources(facets["columnLineage"], on_oddity))
    stated = {**{key: value for key, value in columns.items() if value}, **explicit}
    return Flows(stated, inputs, outputs, bool(explicit))


def _silent(_: Oddity) -> None:
    return None


def _joined(
    first: tuple[Dataset, ...], more: Iterator[Dataset] | tuple[Dataset, ...]
) -> tuple[Dataset, ...]:
    return tuple(dict.fromkeys((*first, *more)))


def _datasets(value: Any, on_oddity: OnOddity) -> tuple[Dataset, ...]:
    return tuple(dict.fromkeys(dataset for _, dataset in _pairs(value, on_oddity)))


def _pairs(value: Any, on_oddity: OnOddity) -> Iterator[tuple[Mapping[str, Any], Dataset]]:
    for raw in value if isinstance(value, list) else ():
        dataset = _dataset(raw, on_oddity)
        if dataset is not None:
            yield raw, dataset


def _dataset(raw: Any, on_oddity: OnOddity) -> Dataset | None:
    name, namespace = as_dict(raw).get("name"), as_dict(raw).get("namespace")
    if not isinstance(name, str) or not name:
        on_oddity(Oddity("dataset-without-name", repr(raw)[:120]))
        return None
    if not isinstance(namespace, str) or not namespace:
        on_oddity(Oddity("dataset-without-namespace", name))
        return Dataset("", name)
    return Dataset(namespace, name)


def _job_entries(
    event: Mapping[str, Any], on_oddity: OnOddity
) -> Iterator[tuple[Dataset, tuple[Dataset, ...]]]:
    facet = as_dict(as_dict(event.get("job")).get("facets")).get("lineage")
    if facet is None:
        return
    entries = as_dict(facet).get("entries")
    if not isinstance(entries, list):
        on_oddity(Oddity("malformed-facet", "job.facets.lineage has no list of entries"))
        return
    for entry in entries:
        if as_dict(entry).get("type") == "JOB":
            continue  # data that ends in a job makes no edge between datasets
        target = _dataset(entry, on_oddity)
        if target is not None:
            yield target, tuple(_lineage_sources(entry, on_oddity))


def _lineage_sources(entry: Mapping[str, Any], on_oddity: OnOddity) -> Iterator[Dataset]:
    fields = as_dict(entry.get("fields")).values()
    for holder in (entry, *(as_dict(item) for item in fields)):
        inputs = holder.get("inputs")
        for raw in inputs if isinstance(inputs, list) else ():
            if as_dict(raw).get("type") != "JOB":
                source = _dataset(raw, on_oddity)
                if source is not None:
                    yield source


def _column_sources(facet: Any, on_oddity: OnOddity) -> Iterator[Dataset]:
    fields = as_dict(facet).get("fields")
    if not isinstance(fields, Mapping):
        on_oddity(Oddity("malformed-facet", "columnLineage has no fields"))
        return
    lists = [as_dict(field).get("inputFields") for field in fields.values()]
    for raw_list in (*lists, as_dict(facet).get("dataset")):
        for raw in raw_list if isinstance(raw_list, list) else ():
            source = _dataset(raw, on_oddity)
            if source is not None:
                yield source
