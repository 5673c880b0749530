"""The facets of the OpenLineage standard that the presets write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hutch_lineage._version import __version__

from .documents import OPENLINEAGE_PRODUCER, DatasetDict

ENGINE: Final = "hutch"
PROJECT: Final = "https://github.com/xyin-anl/hutch"
INTEGRATION: Final = "HUTCH"
_FACETS: Final = "https://openlineage.io/spec/facets"
_REPOSITORY_KEYS: Final = ("repository", "repo_url", "git_url", "git_remote")


def _facet(path: str, **content: Any) -> dict[str, Any]:
    return {
        "_producer": OPENLINEAGE_PRODUCER,
        "_schemaURL": f"{_FACETS}/{path}",
        **content,
    }


def parent_facet(run_id: str, namespace: str, job: str) -> dict[str, Any]:
    """Return ``parent``: the Hutch run that an operator belongs to.

    DataHub takes the parent's orchestrator from the end of this facet's producer, and that of the
    run itself from the processing engine; so both say the same.
    """
    facet = _facet(
        "1-2-0/ParentRunFacet.json#/$defs/ParentRunFacet",
        run={"runId": run_id},
        job={"namespace": namespace, "name": job},
    )
    return {**facet, "_producer": PROJECT}


def engine_facet() -> dict[str, Any]:
    """Return ``processing_engine``, by which DataHub knows the orchestrator."""
    return _facet(
        "1-1-1/ProcessingEngineRunFacet.json#/$defs/ProcessingEngineRunFacet",
        version=__version__,
        name=ENGINE,
        openlineageAdapterVersion=__version__,
    )


def error_facet(message: str) -> dict[str, Any]:
    """Return ``errorMessage``."""
    return _facet(
        "1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet",
        message=message,
        programmingLanguage="PYTHON",
    )


def job_type_facet(job_type: str) -> dict[str, Any]:
    """Return ``jobType``: ``DAG`` for a run, ``TASK`` for an operator."""
    return _facet(
        "2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
        processingType="BATCH",
        integration=INTEGRATION,
        jobType=job_type,
    )


def documentation_facet(text: str) -> dict[str, Any]:
    """Return ``documentation``: what the job did, in a sentence."""
    return _facet(
        "1-1-0/DocumentationJobFacet.json#/$defs/DocumentationJobFacet",
        description=text,
        contentType="text/plain",
    )


def lineage_facet(
    inputs: Iterable[DatasetDict], outputs: Iterable[DatasetDict], kind: str, how: str
) -> dict[str, Any]:
    """Return the explicit ``lineage`` of a job: every output from every input, by `kind`."""
    transformation = {"type": "DIRECT", "subtype": kind.upper(), "description": how}
    sources = [
        {
            "namespace": each["namespace"],
            "name": each["name"],
            "type": "DATASET",
            "transformations": [transformation],
        }
        for each in inputs
    ]
    entries = [
        {
            "namespace": each["namespace"],
            "name": each["name"],
            "type": "DATASET",
            "inputs": sources,
        }
        for each in outputs
    ]
    return _facet("1-0-0/LineageFacet.json#/$defs/LineageJobFacet", entries=entries)


def tags_facet(tags: Mapping[str, str | None]) -> dict[str, Any] | None:
    """Return ``tags``, or None where there is nothing to say."""
    said = [
        {"key": key, "value": value, "source": INTEGRATION} for key, value in tags.items() if value
    ]
    return _facet("1-0-0/TagsJobFacet.json#/$defs/TagsJobFacet", tags=said) if said else None


def ownership_facet(owner: str | None) -> dict[str, Any] | None:
    """Return ``ownership``, or None where the owner is not known."""
    if not owner:
        return None
    return _facet(
        "1-0-1/OwnershipJobFacet.json#/$defs/OwnershipJobFacet",
        owners=[{"name": owner, "type": "OWNER"}],
    )


def source_facet(git_commit: str | None, metadata: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return ``sourceCodeLocation``, or None where no URL of the repository is known.

    The standard asks for a URL; a commit alone is a tag of the job.
    """
    for key in _REPOSITORY_KEYS:
        url = metadata.get(key)
        if isinstance(url, str) and url.startswith(("http://", "https://")):
            content = {"type": "git", "url": url, "repoUrl": url}
            if git_commit:
                content["version"] = git_commit
            return _facet(
                "1-1-0/SourceCodeLocationJobFacet.json#/$defs/SourceCodeLocationJobFacet", **content
            )
    return None


def schema_facet() -> dict[str, Any]:
    """Return ``schema``: the same for every dataset, since OpenMetadata makes no table without."""
    return _facet(
        "1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet",
        fields=[
            {"name": "genome", "type": "string", "description": "What is evolved"},
            {"name": "fitness", "type": "double", "description": "What it scored"},
        ],
    )
