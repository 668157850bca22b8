"""How the rows of Warhammer 40,000 are asked: of a declaration, of places claimed for the models, or of the whole
charge.
"""

from collections.abc import Callable
from typing import Any

from systems.wh40k.conditions import closer_findings
from systems.wh40k.declare import declare
from systems.wh40k.judge import MoveCheck, claimed_ends
from systems.wh40k.scene import scene_of
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.table.models import Formation
from tabletop.units import STRICTLY_BEYOND
from tests.systems.wh40k.tables import Spots, case, placed, unit
from tests.thresholds import Reading, Reads, Sense, Threshold, Unit, broken, unmeasured

HAND = 1e-3
"""Inches that the judge of given coordinates allows."""

ONE = unit([(0, 0)])


def claimed(
    ends: Spots,
    a: dict[str, Any],
    others: dict[str, dict[str, Any]],
    *,
    facing: float | None = None,
    **more: Any,
) -> Case:
    """Claim ends, relative to (20, 20), for the models of A, which charges."""
    looking = {} if facing is None else {"facing_deg": facing}
    return case(a, others, proposal={"at": placed(ends), **looking}, **more)


def declared(asked: Case, rule: str) -> Reading:
    """Declare, and read the rule's own finding, of several the closest call."""
    found = [
        one for one in declare(asked, asked.charges[0], asked.state).findings if one.rule == rule
    ]
    return _closest(found)


def places(asked: Case, rule: str) -> Reading:
    """Measure the places claimed, and read what a rule says: it holds if nothing breaks it."""
    return _closest([one for one in _findings(asked) if one.rule == rule])


def put_down(asked: Case, rule: str) -> Reading:
    """Read the same where a hand may have missed the places, which is asked before an exact place near to them is
    looked for.
    """
    return _closest([one for one in _findings(asked, hand=HAND) if one.rule == rule])


def legal(asked: Case, _: str) -> Reading:
    """Measure the places claimed, and read whether nothing at all is broken."""
    return Reading(all(one.ok for one in _findings(asked)))


def _findings(asked: Case, *, hand: float = 0.0) -> list[Finding]:
    """Say of the places claimed what the judge says of them before he asks for duties, by the numbers themselves; and
    who ends closer.
    """
    charge = asked.charges[0]
    proposal = asked.proposal
    assert proposal is not None
    assert charge.dice is not None
    formation = proposal[charge.charger]
    assert isinstance(formation, Formation)
    scene = scene_of(
        asked.state, charge.charger, charge.targets, choices=asked.choices, book=asked.book
    )
    ends = claimed_ends(
        scene, formation, distance=float(sum(charge.dice) + scene.distance_bonus), hand=hand
    )
    return [*MoveCheck(ends).findings(), *closer_findings(ends).values()]


def _closest(found: list[Finding]) -> Reading:
    """Read the closest call of a rule's findings; that it holds, if there are none."""
    margins = [one.slack for one in found if one.margin is not None]
    return Reading(
        all(one.ok for one in found), min(margins) if len(margins) == len(found) > 0 else None
    )


def exceeded(reads: Reads) -> Reads:
    """Read the contrary of a rule whose limit must be passed by more than the tolerance."""

    def contrary(asked: Case, rule: str) -> Reading:
        said = broken(reads)(asked, rule)
        return said if said.margin is None else Reading(said.holds, said.margin - STRICTLY_BEYOND)

    return contrary


def inches(
    rule: str,
    what: str,
    value: float,
    table: Callable[[float], Case],
    holds: Sense,
    *,
    reads: Reads = places,
    unit: Unit = "in",
    **more: Any,
) -> Threshold:
    """Make the row of a length, or of a count."""
    return Threshold(f"wh40k.{rule}", what, value, unit, table, holds, reads, **more)


verdict = unmeasured(places)
"""Reads the verdict on the places claimed alone: its margin is measured along something else than the row's number."""
