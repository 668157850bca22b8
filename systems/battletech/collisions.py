"""What is to be expected of one hit: where its groups land, which motive damage it does; sums over its table's columns."""

from collections.abc import Iterator
from fractions import Fraction

from systems.battletech.harming import Blow
from systems.battletech.locations import MOTIVE_RESULTS, Hit, Motive, Side, column_of, motive_draw
from systems.battletech.play import Play, Strike
from systems.battletech.roll import Draw
from systems.battletech.scene import Combatant

MOTIVES: tuple[Motive, ...] = ("none", *(result for _, result in reversed(MOTIVE_RESULTS)))


def expected_of(play: Play, strike: Strike) -> Iterator[tuple[str, Fraction]]:
    """Give the chances and expectations of a hit by the names of their metrics."""
    blow = strike.blow
    if blow is None:
        return
    if strike.target is not None and blow.side is not None:
        target = play.table.units[strike.target]
        yield from _located(target, blow, play)
        yield from _motives(target, blow.side, "target")
    yield from _motives(play.charger, "front", "charger")


def _located(target: Combatant, blow: Blow, play: Play) -> Iterator[tuple[str, Fraction]]:
    if blow.table is None or blow.side is None:
        return
    column = column_of(target, blow.table, side=blow.side, choices=play.table.choices)
    count, points = len(blow.target_groups), sum(blow.target_groups)
    if blow.table == "mech":
        yield "p_head_if_hit", at_least_one(_share(column, "HD"), count)
    yield "p_critical_if_hit", at_least_one(column.share(lambda hit: hit.is_critical), count)
    codes = sorted({hit.code for hit in column.results})
    if blow.table == "kick" and count:
        yield "p_one_leg_if_hit", sum((_share(column, code) ** count for code in codes), Fraction(0))
    for code in codes:
        yield f"expected_target_{code.lower()}_if_hit", points * _share(column, code)


def _share(column: Draw[Hit], code: str) -> Fraction:
    return column.share(lambda hit: hit.code == code)


def at_least_one(chance: Fraction, count: int) -> Fraction:
    """Give the chance that one of so many groups at least does what one does with a chance.

    Examples
    --------
    >>> str(at_least_one(Fraction(1, 36), 6))
    '338516711/2176782336'
    """
    return 1 - (1 - chance) ** count


def _motives(unit: Combatant, side: Side, part: str) -> Iterator[tuple[str, Fraction]]:
    if unit.is_vehicle:
        draw = motive_draw(side, unit.profile.motion)
        yield from ((f"p_motive_{part}_{result}", _chance(draw, result)) for result in MOTIVES)


def _chance(draw: Draw[Motive], result: Motive) -> Fraction:
    return draw.share(lambda one: one == result)
