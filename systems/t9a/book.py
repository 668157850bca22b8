"""Numbers of the charge rules of The Ninth Age as fields with unit and source, so that other values can be tried."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Book:
    """Numbers that the charge rules use, 3rd edition, in inches and degrees."""

    range_bonus: float = field(
        default=4.0,
        metadata={"unit": "in", "source": "charge range: added to the die and the charge speed"},
    )
    wheel_limit_deg: float = field(
        default=90.0, metadata={"unit": "deg", "source": "snaking move: the greatest wheel"}
    )
    sight_arc_deg: float = field(
        default=45.0,
        metadata={"unit": "deg", "source": "line of sight: how far to each side of straight ahead"},
    )
    failed_move: float = field(
        default=4.0, metadata={"unit": "in", "source": "failed charge move: length in all"}
    )
