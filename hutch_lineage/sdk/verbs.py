"""The verbs: what a search tells about itself.

Each is written once, as a method of :class:`Verbs`. A run handle has them as its methods; the
module functions ``log_individual`` and so on are the same methods of one object that finds the
active run. Names, keyword arguments and defaults are those of the Hutch SDK.

Every verb returns the payload of the event it logged. All of them raise

- ``InvalidEventError`` (a ``ValueError``) when the arguments break the schema,
- ``NoActiveRunError`` or ``AmbiguousRunError``, as module functions, when no run can be meant,
- ``CaptureError`` in strict mode only, when the event cannot be captured as it is or is not
  delivered,

and none waits for the network unless strict. They are safe in threads and asyncio tasks.
"""

from __future__ import annotations

from .verbs_evaluation import EvaluationVerbs
from .verbs_lineage import LineageVerbs
from .verbs_running import RunningVerbs
from .verbs_surroundings import SurroundingVerbs

__all__ = ["Verbs"]


class Verbs(RunningVerbs, LineageVerbs, EvaluationVerbs, SurroundingVerbs):
    """All verbs, for whatever knows which run is meant."""

    __slots__ = ()
