"""Contrasts of BattleTech: the sum by which the damage of a hit is worked out."""

import math
from collections.abc import Iterator

from tabletop.messages import say
from tabletop.ruling.contrast import Contrast, Term
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling

DAMAGE_RULE = "battletech.damage.target"


def contrasts(case: Case, resolution: Resolution, ruling: Ruling) -> Iterator[Contrast]:
    """Yield how the damage of a hit is worked out."""
    metrics, unit = ruling.metrics, resolution.tables_of(ruling)[0].units[ruling.charge.charger]
    is_hit = ruling.outcome == "success" and any(finding.rule == DAMAGE_RULE for finding in ruling.findings)
    if is_hit and "hexes_entered" in metrics:
        yield from _damage(unit.profile.tons or 0, int(metrics["hexes_entered"]), case.book.tons_per_point, ruling)


def _damage(tons: int, hexes: int, per_point: int, ruling: Ruling) -> Iterator[Contrast]:
    """Yield the sum of a hit's damage; nothing if water, a bulldozer or another rounding changes it."""
    points = int(ruling.metrics["damage_target"])
    if points != math.ceil(tons * hexes / per_point):
        return
    terms = [Term("tons", tons, "t"), Term("hexes entered", hexes, "hexes"), Term("damage", points, "points")]
    told = {"tons": tons, "per_point": per_point, "hexes": hexes, "points": points, "target": ruling.charge.targets[0]}
    text = say("Damage, rounded up: {tons} tons / {per_point} x {hexes} (hexes entered) = {points} points.", **told)
    if "damage_through" in ruling.metrics:
        through = int(ruling.metrics["damage_through"])
        terms += [Term("absorbed by the building", points - through, "points"), Term("reaching the target", through, "points")]
        text = say(
            "Damage, rounded up: {tons} tons / {per_point} x {hexes} (hexes entered) = {points} points; the building absorbs {absorbed}, "
            "so {target} takes {through}.",
            absorbed=points - through,
            through=through,
            **told,
        )
    yield Contrast("mechanism", DAMAGE_RULE, text, measured=float(points), terms=tuple(terms))
