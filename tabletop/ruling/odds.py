"""Exact chances of charges, as they are told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from tabletop.ruling.charge import OUTCOMES, Charge, Metric, Outcome
from tabletop.ruling.shown import Pictured, Tabular

if TYPE_CHECKING:
    from tabletop.ruling.system import Case


@dataclass(frozen=True)
class TotalOdds:
    """One total that a charge's roll may give: its chance, and how that chance is shared among the outcomes then possible."""

    total: int
    chance: Fraction
    outcomes: Mapping[Outcome, Fraction]

    @property
    def outcome(self) -> Outcome:
        """The outcome most likely with this total; of equally likely ones the better."""
        return max(OUTCOMES, key=lambda outcome: self.outcomes.get(outcome, Fraction(0)))


@dataclass(frozen=True)
class ChargeOdds:
    """Exact chances of one charge over all dice of all charges.

    `outcomes` holds every outcome, chances of 0 included, `rules` the chance of each rule that decides against success,
    likeliest first. `by_total` lists the totals of the charge's own roll upwards; it is empty if nothing is rolled on any table
    that the earlier charges may leave, and where it is rolled on some only, the totals count on the others as the dice fall.
    `metrics` holds whatever else the system tells of the chances. `shortest_roll_range` gives the least and the greatest shortest roll
    (None: no roll succeeds) on the tables that were searched within the accuracy of a measured one.
    """

    charge: Charge
    outcomes: Mapping[Outcome, Fraction]
    rules: Mapping[str, Fraction] = field(default_factory=dict)
    by_total: tuple[TotalOdds, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    shortest_roll_range: tuple[int | None, int | None] | None = None

    @property
    def shortest_roll(self) -> int | None:
        """The least total with which the charge can succeed."""
        return next((one.total for one in self.by_total if one.outcomes.get("success")), None)


@dataclass(frozen=True)
class Odds(Pictured, Tabular):
    """Exact chances of all charges of a file, in file order; `joint` gives those of whole rows of outcomes, likeliest first.

    `case` is what was asked, known where `tabletop.odds` has answered.
    """

    charges: tuple[ChargeOdds, ...]
    joint: Mapping[tuple[Outcome, ...], Fraction]
    case: "Case | None" = field(default=None, compare=False, repr=False)
