"""Numbers of the Conquest rulebook as fields with unit and source, so that other values can be tried."""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Book:
    """Numbers that the Charge Action uses, from core rulebook 1.5, in inches and degrees."""

    wheel_limit_deg: float = field(
        default=90.0, metadata={"unit": "deg", "source": "charge move: the greatest free wheel"}
    )
    push_gap: float = field(
        default=1.0,
        metadata={"unit": "in", "source": "aligning: how far away an enemy in the way is pushed"},
    )
    halt_gap: float = field(
        default=1.0,
        metadata={"unit": "in", "source": "failed charge: where it halts before others"},
    )
    near_gap: float = field(
        default=1.0,
        metadata={"unit": "in", "source": "charge move: the distance within which it may come"},
    )

    @property
    def wheel_limit(self) -> float:
        """Greatest angle of the free wheel, in radians."""
        return math.radians(self.wheel_limit_deg)
