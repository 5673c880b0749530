"""The lineage graph: built from records in any order, open to questions about descent."""

from __future__ import annotations

from .changes import Changes
from .columns import FRAME_COLUMNS
from .comparison import Comparison
from .costs import CostSummary
from .cursor import SceneCursor
from .efficacy import efficacy_frame
from .frames import Frames
from .infos import Migration, OperatorInfo, OperatorKey, RunInfo
from .layouts import LAYOUTS
from .lineage import LineageGraph
from .metrics import (
    HIGHER_WORDS,
    LOWER_WORDS,
    OVERALL_METRICS,
    MetricInfo,
    chosen_metric,
    judged,
    meant,
)
from .report import Report
from .run_comparison import RunComparison
from .scene import Scene

__all__ = [
    "FRAME_COLUMNS",
    "HIGHER_WORDS",
    "LAYOUTS",
    "LOWER_WORDS",
    "OVERALL_METRICS",
    "Changes",
    "Comparison",
    "CostSummary",
    "Frames",
    "LineageGraph",
    "MetricInfo",
    "Migration",
    "OperatorInfo",
    "OperatorKey",
    "Report",
    "RunComparison",
    "RunInfo",
    "Scene",
    "SceneCursor",
    "chosen_metric",
    "efficacy_frame",
    "judged",
    "meant",
]
