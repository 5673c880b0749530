"""A named population."""

from __future__ import annotations

from dataclasses import dataclass, field

from hutch_lineage.model import PopulationKind


@dataclass(slots=True)
class Population:
    """What ``start_population`` returns: an id to put on individuals, and facts about it.

    Attributes
    ----------
    id, name : str
        The id that events carry, and a name for people.
    kind : str
        Its topology, such as ``island`` or ``map_elites``.
    descriptor_dims : list of str
        Names of the behaviour dimensions.
    objectives : list of (str, str)
        Metric and direction.

    Examples
    --------
    >>> Population(id="pop-1", name="main", kind="island").descriptor_dims
    []
    """

    id: str
    name: str
    kind: PopulationKind
    descriptor_dims: list[str] = field(default_factory=list)
    objectives: list[tuple[str, str]] = field(default_factory=list)
