"""Numbers of end positions: engagement, coherency, and what is closer. A moves from (0, 0) as far as 12."""

import math
from functools import partial
from typing import Any

from tabletop.ruling.system import Case
from tests.systems.wh40k.tables import SHIFT, piece, unit
from tests.systems.wh40k.thresholds.asking import ONE, claimed, exceeded, inches, places, verdict
from tests.systems.wh40k.thresholds.declaring import BESIDE, CORNERED, LONG, OVAL
from tests.thresholds import unmeasured

T6 = {"T": unit([(6, 0)])}
BODY = {"vertical": "body"}
Entry = dict[str, Any]


def next_to(gap: float, *, a: Entry | None = None, **more: Any) -> Case:
    """Claim that A ends so far from T."""
    return claimed([(5 - gap, 0)], ONE if a is None else a, T6, total=12, **more)


def next_to_oval(gap: float) -> Case:
    """Claim that A ends so far from the end of an oval."""
    return claimed(
        [(5.5 - LONG - gap, 0)], ONE, {"T": unit([(6, 0)], base=OVAL, facing_deg=0)}, total=12
    )


def next_to_corner(gap: float) -> Case:
    """Claim that A ends so far from the corner of a hull."""
    off = (gap + 0.5) / math.sqrt(2)
    hull = {"side": "red", "at": [[SHIFT + 6, SHIFT]], "hull": CORNERED}
    return claimed([(5 - off, 1 + off)], ONE, {"T": hull}, total=12)


def below(z: float, *, rules: Entry | None = None, **more: Any) -> Case:
    """Claim that A ends at the foot of a tower so high, with T on its top."""
    tower = piece("block", 3.5, -2, 8, 2, height=z)
    return claimed(
        [(3, 0)],
        unit([(0, 0)], **more),
        {"T": unit([(4.2, 0, z)])},
        total=12,
        terrain=(tower,),
        rules=rules,
    )


def above(z: float, *, height: float = 0, rules: Entry | None = None) -> Case:
    """Claim that A, which is on top of a tower so high, ends at its edge, with T at the foot of it."""
    tower = piece("block", -2, -2, 4.5, 2, height=z)
    return claimed(
        [(4, 0, z)],
        unit([(0, 0, z)]),
        {"T": unit([(5, 0)], height=height)},
        total=12,
        terrain=(tower,),
        rules=rules,
    )


def across(gap: float, *, low: float = -2.0, height: float = 1, **more: Any) -> Case:
    """Claim that A ends so far from T, with a barricade from so low on between them."""
    rail = piece("barricade", 5.1, low, 5.3, 4, height=height)
    return claimed([(5 - gap, 0)], ONE, T6, total=12, terrain=(rail,), **more)


ENGAGED = (
    inches("possible.engage-all", "gap of round bases", 1, next_to, "at most"),
    inches("possible.engage-all", "gap to the end of an oval", 1, next_to_oval, "at most"),
    inches("possible.engage-all", "gap to the corner of a hull", 1, next_to_corner, "at most"),
    inches("possible.engage-all", "height up to the target", 5, below, "at most"),
    inches("possible.engage-all", "height down to the target", 5, above, "at most"),
    inches(
        "possible.engage-all",
        "height from a body 2 tall up to the target, by choice",
        7,
        partial(below, height=2, rules=BODY),
        "at most",
    ),
    inches(
        "possible.engage-all",
        "height down to a body 2 tall, by choice",
        7,
        partial(above, height=2, rules=BODY),
        "at most",
    ),
    inches(
        "possible.engage-all",
        "height, where bodies do not count",
        5,
        partial(above, height=2),
        "at most",
    ),
    inches("possible.engage-all", "gap across a barricade", 2, across, "at most"),
    inches(
        "possible.engage-all",
        "gap across a tall barricade",
        2,
        partial(across, height=3),
        "at most",
    ),
    inches(
        "possible.engage-all",
        BESIDE,
        0,
        lambda low: across(1.5, low=low),
        "at most",
        reads=verdict,
    ),
    inches(
        "possible.engage-all",
        "gap, engagement_horizontal replaced",
        2.5,
        partial(next_to, rules={"engagement_horizontal": 2.5}),
        "at most",
    ),
    inches(
        "possible.engage-all",
        "height, engagement_vertical replaced",
        3,
        partial(below, rules={"engagement_vertical": 3}),
        "at most",
    ),
    inches(
        "possible.engage-all",
        "gap across a barricade, barricade_engagement replaced",
        3,
        partial(across, rules={"barricade_engagement": 3}),
        "at most",
    ),
)

met = exceeded(places)
"""Reads whether the rule is broken, whose limit is to be passed by more than the tolerance."""


def beside(gap: float, **more: Any) -> Case:
    """Claim that A ends next to T, and so far from N, which is no target."""
    others = {"T": unit([(6, 0)]), "N": unit([(4.5, 1 + gap)])}
    return claimed([(4.5, 0)], ONE, others, total=12, **more)


def beside_up(z: float, *, rules: Entry | None = None, **more: Any) -> Case:
    """Claim that A ends next to T, and at the foot of a tower so high with N on its top."""
    tower = piece("block", 2, 0.5, 7, 4, height=z)
    others = {"T": unit([(6, 0)]), "N": unit([(4.5, 1.2, z)])}
    return claimed(
        [(4.5, 0)], unit([(0, 0)], **more), others, total=12, terrain=(tower,), rules=rules
    )


def beside_across(gap: float, *, low: float = 3.0, rules: Entry | None = None) -> Case:
    """Claim that A ends next to T, and so far from N, with a barricade from so far west on between them."""
    rail = piece("barricade", low, 0.6, 5.5, 0.8, height=1)
    others = {"T": unit([(6, 0)]), "N": unit([(4.5, 1 + gap)])}
    return claimed([(4.5, 0)], ONE, others, total=12, terrain=(rail,), rules=rules)


OTHERS = (
    inches(
        "possible.avoid-others",
        "gap at which a unit that is no target is engaged",
        1,
        beside,
        "at most",
        reads=met,
    ),
    inches(
        "possible.avoid-others", "height at which it is engaged", 5, beside_up, "at most", reads=met
    ),
    inches(
        "possible.avoid-others",
        "height at which it is engaged from a body 2 tall, by choice",
        7,
        partial(beside_up, height=2, rules=BODY),
        "at most",
        reads=met,
    ),
    inches(
        "possible.avoid-others",
        "gap at which it is engaged across a barricade",
        2,
        beside_across,
        "at most",
        reads=met,
    ),
    inches(
        "possible.avoid-others",
        BESIDE,
        0,
        lambda off: beside_across(1.5, low=4.5 + off, rules={"engagement_path": "end"}),
        "at most",
        reads=unmeasured(met),
    ),
    inches(
        "possible.avoid-others",
        "gap, engagement_horizontal replaced",
        0.5,
        partial(beside, rules={"engagement_horizontal": 0.5}),
        "at most",
        reads=met,
    ),
)


def pair(gap: float, **more: Any) -> Case:
    """Claim that one model of A touches T, and the other ends so far behind it."""
    return claimed([(5, 0), (4 - gap, 0)], unit([(1, 0), (0, 0)]), T6, total=12, **more)


def pair_of_ovals(gap: float) -> Case:
    """Claim the same of ovals end to end."""
    first = 5.5 - LONG
    a = unit([(-4, 0), (-8, 0)], base=OVAL, facing_deg=0)
    return claimed([(first, 0), (first - 2 * LONG - gap, 0)], a, T6, total=12, facing=0)


def stairs(z: float, *, height: float = 0, rules: Entry | None = None) -> Case:
    """Claim that one model of A ends at the foot of a tower so high, and the other, which began on its top, beside it
    there.
    """
    tower = piece("block", 3.5, -2, 8, 2, height=z)
    a = unit([(0, 0), (7, 1.4, z)], height=height)
    others = {"T": unit([(5.2, 0, z)])}
    return claimed([(3, 0), (4.2, 0, z)], a, others, total=12, terrain=(tower,), rules=rules)


def column(models: float, *, rules: Entry | None = None) -> Case:
    """Claim that models of A in a row keep their distances, so that those at its ends have one neighbour."""
    rows = [2.9 * number for number in range(int(models))]
    return claimed(
        [(4.5, y) for y in rows], unit([(0, y) for y in rows]), T6, total=12, rules=rules
    )


def couples(gap: float, *, rules: Entry | None = None) -> Case:
    """Claim that two couples of models end so far from each other."""
    a = unit([(0, 0), (0, 1.2), (0, 4.2), (0, 5.4)])
    return claimed(
        [(4.5, 0), (4.5, 1.2), (4.5, 2.2 + gap), (4.5, 3.4 + gap)], a, T6, total=12, rules=rules
    )


COHERENCY = (
    inches("possible.coherency", "gap of round bases", 2, pair, "at most"),
    inches("possible.coherency", "gap of ovals end to end", 2, pair_of_ovals, "at most"),
    inches("possible.coherency", "height", 5, stairs, "at most"),
    inches(
        "possible.coherency",
        "height between bodies 2 tall, by choice",
        7,
        partial(stairs, height=2, rules=BODY),
        "at most",
    ),
    inches("possible.coherency", "gap of the two groups of a unit", 2, couples, "at most"),
    inches(
        "possible.coherency",
        "models of which one neighbour is asked",
        6,
        column,
        "at most",
        unit="count",
        reads=verdict,
    ),
    inches(
        "possible.coherency",
        "models of which one neighbour is asked, coherency_large replaced",
        3,
        partial(column, rules={"coherency_large": 4}),
        "at most",
        unit="count",
        reads=verdict,
    ),
    inches(
        "possible.coherency",
        "gap, coherency_horizontal replaced",
        1.5,
        partial(pair, rules={"coherency_horizontal": 1.5}),
        "at most",
    ),
    inches(
        "possible.coherency",
        "height, coherency_vertical replaced",
        3,
        partial(stairs, rules={"coherency_vertical": 3}),
        "at most",
    ),
)


def drifting(gain: float) -> Case:
    """Claim that one model touches T, and that another, which is on T's other side, moves round it and ends so much
    nearer.
    """
    away = 1.9 - gain
    turn = 0.3
    return claimed(
        [(5, 0), (6 + away * math.cos(turn), away * math.sin(turn))],
        unit([(1, 0), (7.9, 0)]),
        T6,
        total=12,
    )


def climbing_away(gain: float) -> Case:
    """Claim that one model touches T, and another climbs 3 up a tower: nearer in plan, so much nearer in all."""
    tower = piece("block", 6.6, -2, 10.3, 2, height=3)
    across_ = math.sqrt((4 - gain) ** 2 - 9)
    a = unit([(1, 0), (11, 0)])
    return claimed([(5, 0), (7 + across_, 0, 3)], a, T6, total=12, terrain=(tower,))


CLOSER = (
    inches("move.closer", "gain at which a model is not closer", 0, drifting, "at most", reads=met),
    inches(
        "move.closer",
        "gain through the air, 3 up, at which a model is not closer",
        0,
        climbing_away,
        "at most",
        reads=met,
    ),
)

ROWS = (*ENGAGED, *OTHERS, *COHERENCY, *CLOSER)
