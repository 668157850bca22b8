"""Numbers of the rulebook as data: each is a field with its unit and source, so that what-ifs and new editions can
replace it.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Book:
    """Numbers of the charge rules, 10th edition; lengths in inches."""

    engagement_horizontal: float = field(
        default=1.0, metadata={"unit": "in", "source": "engagement range, across"}
    )
    engagement_vertical: float = field(
        default=5.0, metadata={"unit": "in", "source": "engagement range, up and down"}
    )
    coherency_horizontal: float = field(
        default=2.0, metadata={"unit": "in", "source": "unit coherency, across"}
    )
    coherency_vertical: float = field(
        default=5.0, metadata={"unit": "in", "source": "unit coherency, up and down"}
    )
    coherency_large: int = field(
        default=7,
        metadata={
            "unit": "models",
            "source": "unit coherency: from how many on two neighbours are asked",
        },
    )
    declare_range: float = field(
        default=12.0,
        metadata={"unit": "in", "source": "charge phase: how near an enemy unit must be"},
    )
    free_height: float = field(
        default=2.0,
        metadata={"unit": "in", "source": "terrain: up to this height it is moved over freely"},
    )
    barricade_engagement: float = field(
        default=2.0, metadata={"unit": "in", "source": "barricades: engagement range across one"}
    )
