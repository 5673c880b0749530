"""The aspects that DataHub writes for RunEvents: run in an environment of its own, see venvs.py.

Reads events, one a line, and prints for each one the URN of its job and those of its datasets, as
DataHub's own code names them. Flow, orchestrator and job follow `OpenLineageToDataHub.java`, which
Maven Central does not have: the processing engine, else the last segment of the producer's path;
the job's name up to the first dot; the whole name.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from datahub.emitter import mce_builder
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.metadata.schema_classes import DataJobInputOutputClass
from datahub.metadata.urns import DataJobUrn, DatasetUrn
from datahub_airflow_plugin._datahub_ol_adapter import translate_ol_to_datahub_urn
from openlineage.client.run import Dataset


def job_urn(event):
    """Return the URN of an event's job."""
    engine = event["run"].get("facets", {}).get("processing_engine", {}).get("name")
    job = event["job"]
    return mce_builder.make_data_job_urn_with_flow(
        mce_builder.make_data_flow_urn(
            (engine or event["producer"].rstrip("/").rpartition("/")[2]).lower(),
            job["name"].split(".")[0],
            job["namespace"],
        ),
        job["name"],
    )


def main():
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        sides = [
            [translate_ol_to_datahub_urn(Dataset(each["namespace"], each["name"])) for each in side]
            for side in (event["inputs"], event["outputs"])
        ]
        proposal = MetadataChangeProposalWrapper(
            entityUrn=job_urn(event), aspect=DataJobInputOutputClass(*sides)
        )
        assert proposal.validate()
        DataJobUrn.from_string(proposal.entityUrn)
        for urn in (*sides[0], *sides[1]):
            assert DatasetUrn.from_string(urn).urn() == urn
        print(json.dumps({"urn": proposal.entityUrn, **proposal.aspect.to_obj()}))


if __name__ == "__main__":
    main()
