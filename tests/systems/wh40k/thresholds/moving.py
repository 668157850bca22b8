"""Numbers of the way: how far a model moves, through which gaps, over what, and what turning costs; and of the roll.

A begins in (0, 0).
"""

import math
from functools import partial
from typing import Any

from tabletop.ruling.system import Case
from tests.systems.wh40k.tables import SHIFT, Spots, case, piece, unit
from tests.systems.wh40k.thresholds.asking import ONE, claimed, inches, legal, places, verdict
from tests.systems.wh40k.thresholds.declaring import OVAL
from tests.systems.wh40k.thresholds.ending import BODY, Entry
from tests.thresholds import BOUND, Reading, Threshold, broken, by_metrics, by_outcome

SHORT, LONG = 4, 8
"""Charge distances."""
PLUS = 3.5
"""Inches straight on to where A ends behind a gap; every way round is longer than 4."""


def length(asked: Case, _: str) -> Reading:
    """Read whether the models' ways are within the charge distance."""
    return places(asked, "wh40k.roll.limit")


def straight(inches_: float, *, total: int = SHORT, **more: Any) -> Case:
    """Claim that A goes straight on for so long."""
    return claimed(
        [(inches_, 0)], unit([(0, 0)], **more), {"T": unit([(inches_ + 1.8, 0)])}, total=total
    )


def rounding(inches_: float) -> Case:
    """Claim that A goes so far round a pillar: to it, a sixth round it, and straight on; on its other side a wall shuts
    the way.
    """
    radius = 1.5
    away = 3.0
    on = inches_ - 2 * math.sqrt(away**2 - radius**2) - radius * math.pi / 3
    end = (2 * away + on * math.cos(math.pi / 6), -on * math.sin(math.pi / 6))
    pillar = {
        "name": "Pillar",
        "kind": "impassable",
        "circle": {"centre": [SHIFT + away, SHIFT], "radius": radius - 0.5},
    }
    wall = piece("impassable", away - 0.1, -15, away + 0.1, -0.5, name="Wall")
    return claimed(
        [end], ONE, {"T": unit([(end[0] + 1.5, end[1])])}, total=LONG, terrain=(pillar, wall)
    )


def turning(
    inches_: float,
    *,
    cost: float,
    total: int = SHORT + 2,
    base: str = OVAL,
    rules: Entry | None = None,
    **more: Any,
) -> Case:
    """Claim that A turns, which costs some inches of its move."""
    a = unit([(0, 0)], base=base, facing_deg=90, **more)
    on = inches_ - cost
    return claimed([(on, 0)], a, {"T": unit([(on + 2.8, 0)])}, total=total, facing=0, rules=rules)


LIMITS = (
    inches("roll.limit", "a straight way of 4", 4, straight, "at most"),
    inches(
        "roll.limit",
        "a straight way of 6, with a bonus of 2",
        6,
        partial(straight, charge_bonus=2),
        "at most",
    ),
    inches("roll.limit", "a way of 8 round a pillar", LONG, rounding, "at most", reads=legal),
    inches(
        "move.pivot",
        "a way of 6, 2 for the turn of a monster",
        6,
        partial(turning, cost=2, keywords=["monster"]),
        "at most",
        reads=length,
    ),
    inches(
        "move.pivot",
        "a way of 6, 2 for the turn of a vehicle",
        6,
        partial(turning, cost=2, keywords=["vehicle"]),
        "at most",
        reads=length,
    ),
    inches(
        "move.pivot",
        "a way of 6, nothing for the turn of others",
        6,
        partial(turning, cost=0, keywords=["cavalry"]),
        "at most",
        reads=length,
    ),
    inches(
        "move.pivot",
        "a way of 6, nothing for the turn of a round base",
        6,
        partial(turning, cost=0, base="40mm round", keywords=["monster"]),
        "at most",
        reads=length,
    ),
    inches(
        "move.pivot",
        "a way of 6, 1.5 for the turn as the profile says",
        6,
        partial(turning, cost=1.5, pivot=1.5),
        "at most",
        reads=length,
    ),
    inches(
        "move.pivot",
        "a way of 6, pivot_large replaced",
        6,
        partial(turning, cost=3, keywords=["monster"], rules={"pivot_large": 3}),
        "at most",
        reads=length,
    ),
    inches(
        "move.pivot",
        "a way of 6, pivot_other replaced",
        6,
        partial(turning, cost=1, keywords=["cavalry"], rules={"pivot_other": 1}),
        "at most",
        reads=length,
    ),
    inches(
        "move.pivot",
        "a way of 6, pivot_round replaced",
        6,
        partial(turning, cost=1, base="40mm round", rules={"pivot_round": 1}),
        "at most",
        reads=length,
    ),
)


def gate(wide: float, *, owner: str = "T", **more: Any) -> Case:
    """Claim that A, an inch wide, goes straight on between two models that leave so much room."""
    y = wide / 2 + 0.5
    posts: Spots = [(2, y), (2, -y)]
    others = (
        {"T": unit(posts)}
        if owner == "T"
        else {"T": unit([(5, 0)]), "V": unit(posts, side="blue", keywords=["vehicle"])}
    )
    return claimed([(PLUS, 0)], unit([(0, 0)], **more), others, total=SHORT)


def gateway(wide: float) -> Case:
    """Claim that A, an inch wide, goes straight on between two pieces that leave so much room."""
    posts = [
        piece(
            "impassable",
            1.9,
            side * 5 - 5 + side * wide / 2,
            2.1,
            side * 5 + 5 + side * wide / 2,
            name=f"{side}",
        )
        for side in (1, -1)
    ]
    return claimed([(PLUS, 0)], ONE, {"T": unit([(5, 0)])}, total=SHORT, terrain=tuple(posts))


def gateway_at_the_edge(wide: float) -> Case:
    """Claim that A, an inch wide, goes straight on between a piece and the board's edge, which leave so much room."""
    post = piece("impassable", 1.9, wide - SHIFT, 2.1, 10 - SHIFT)
    y = 0.5 - SHIFT
    return claimed([(PLUS, y)], unit([(0, y)]), {"T": unit([(5, y)])}, total=SHORT, terrain=(post,))


def watched(gap: float, **more: Any) -> Case:
    """Claim that A goes straight on between two models that are no targets, so far from both."""
    others = {"T": unit([(5, 0)]), "N": unit([(2, 1 + gap)]), "M": unit([(2, -1 - gap)])}
    return claimed([(PLUS, 0)], ONE, others, total=SHORT, **more)


def watched_from_above(z: float, *, height: float = 0, **more: Any) -> Case:
    """Claim that A goes straight on between two towers so high, on which models stand that are no targets."""
    towers = [
        piece("block", 1, side * 2.6 - 2, 3, side * 2.6 + 2, height=z, name=f"{side}")
        for side in (1, -1)
    ]
    others = {"T": unit([(5, 0)]), "N": unit([(2, 1.2, z)]), "M": unit([(2, -1.2, z)])}
    return claimed(
        [(PLUS, 0)],
        unit([(0, 0)], height=height),
        others,
        total=SHORT,
        terrain=tuple(towers),
        **more,
    )


GAPS = (
    inches(
        "path.enemies", "room for a base of 1 between enemies", 1, gate, "at least", reads=verdict
    ),
    inches(
        "path.vehicles",
        "room for the base of a monster, of 1, between friendly vehicles",
        1,
        partial(gate, owner="V", keywords=["monster"]),
        "at least",
        reads=verdict,
    ),
    inches(
        "terrain.through",
        "room for a base of 1 between impassable pieces",
        1,
        gateway,
        "at least",
        reads=verdict,
    ),
    inches(
        "path.board",
        "room for a base of 1 at the board's edge",
        1,
        gateway_at_the_edge,
        "at least",
        reads=legal,
        orientations=BOUND,
    ),
    inches(
        "possible.avoid-others",
        "gap on the way at which a unit that is no target is engaged",
        1,
        watched,
        "at most",
        reads=broken(verdict),
    ),
    inches(
        "possible.avoid-others",
        "height on the way at which it is engaged",
        5,
        watched_from_above,
        "at most",
        reads=broken(verdict),
    ),
    inches(
        "possible.avoid-others",
        "height on the way at which it is engaged from a body 2 tall, by choice",
        7,
        partial(watched_from_above, height=2, rules=BODY),
        "at most",
        reads=broken(verdict),
    ),
)


def over(height: float, *, kind: str = "block", rules: Entry | None = None, **more: Any) -> Case:
    """Claim that A, which can move 10, goes 4 straight on over a piece so high."""
    hurdle = piece(kind, 1.9, -15, 2.1, 15, height=height)
    a = unit([(0, 0)], **more)
    t = unit([(5.8, 0)])
    return claimed([(4, 0)], a, {"T": t}, total=10, terrain=(hurdle,), rules=rules)


def free(height: float, *, kind: str = "block", rules: Entry | None = None, **more: Any) -> Case:
    """Claim that A, which can move 4, goes 4 straight on over a piece so high."""
    hurdle = piece(kind, 1.9, -15, 2.1, 15, height=height)
    return claimed(
        [(4, 0)],
        unit([(0, 0)], **more),
        {"T": unit([(5.8, 0)])},
        total=SHORT,
        terrain=(hurdle,),
        rules=rules,
    )


def up_to(
    inches_: float,
    *,
    kind: str = "block",
    climb: float = 3,
    rules: Entry | None = None,
    **more: Any,
) -> Case:
    """Claim that A goes straight on, and up on a piece 3 high that begins at 3; the climb makes its way so much
    longer.
    """
    x = inches_ - climb
    held = piece(kind, 3, -3, 12, 3, height=3)
    return claimed(
        [(x, 0, 3)],
        unit([(0, 0)], **more),
        {"T": unit([(x + 1.5, 0, 3)])},
        total=LONG,
        terrain=(held,),
        rules=rules,
    )


def down_from(inches_: float, *, is_flying: bool = False) -> Case:
    """Claim that A goes straight on, and down from a block 3 high that ends at 2."""
    x = 2.5 + math.sqrt((inches_ - 2.5) ** 2 - 9) if is_flying else inches_ - 3
    held = piece("block", -4, -3, 2, 3, height=3)
    a = unit([(0, 0, 3)], keywords=["fly" if is_flying else "infantry"])
    return claimed([(x, 0)], a, {"T": unit([(x + 1.5, 0)])}, total=LONG, terrain=(held,))


def through_the_air(inches_: float) -> Case:
    """Claim that A flies over a block 3 high and 2 wide, by choice through the air, though it starts and ends on the
    ground.
    """
    rise = math.hypot(2.5, 3.0)
    fall = math.sqrt((inches_ - rise - 3.0) ** 2 - 9.0)
    x = 2.5 + 3.0 + fall
    hurdle = piece("block", 3, -15, 5, 15, height=3)
    rules = {"fly_ground_to_ground": "air"}
    return claimed(
        [(x, 0)],
        unit([(0, 0)], keywords=["fly"]),
        {"T": unit([(x + 1.5, 0)])},
        total=12,
        terrain=(hurdle,),
        rules=rules,
    )


def straight_up(inches_: float) -> Case:
    """Claim that A flies straight to a top 3 up, by choice whatever the edge of the block."""
    x = math.sqrt(inches_**2 - 9.0)
    held = piece("block", 3, -3, 12, 3, height=3)
    a = unit([(0, 0)], keywords=["fly"])
    foe = {"T": unit([(x + 1.5, 0, 3)])}
    return claimed([(x, 0, 3)], a, foe, total=LONG, terrain=(held,), rules={"fly_path": "straight"})


def off_a_crate(inches_: float) -> Case:
    """Claim that A flies down from a block 2 high, a step that would cost nothing on foot."""
    x = math.sqrt(inches_**2 - 4.0)
    held = piece("block", -2, -2, 2, 2, height=2)
    return claimed(
        [(x, 0)],
        unit([(0, 0, 2)], keywords=["fly"]),
        {"T": unit([(x + 1.5, 0)])},
        total=LONG,
        terrain=(held,),
    )


AIR = math.hypot(2.5, 3.0) - 2.5
"""What a straight line up over the edge of a block 3 high adds, which the base meets after 2.5."""
LOW = "height of terrain that is no hindrance"
CLIMBS = (
    inches(
        "terrain.climb",
        "height of a block that 6 are enough for, up and down",
        3,
        over,
        "at most",
        reads=legal,
    ),
    inches(
        "terrain.climb",
        "height of a wall that 6 are enough for",
        3,
        partial(over, kind="wall", keywords=["cavalry"]),
        "at most",
        reads=legal,
    ),
    inches(
        "terrain.climb",
        "height of a barricade that 6 are enough for",
        3,
        partial(over, kind="barricade"),
        "at most",
        reads=legal,
    ),
    inches(
        "terrain.climb",
        "a way of 8 up to a top, its height counted",
        LONG,
        up_to,
        "at most",
        reads=length,
    ),
    inches(
        "terrain.climb",
        "a way of 8 up to a floor, its height counted",
        LONG,
        partial(up_to, kind="floor"),
        "at most",
        reads=length,
    ),
    inches(
        "terrain.climb",
        "a way of 8 down from a top, its height counted",
        LONG,
        down_from,
        "at most",
        reads=length,
    ),
    inches("terrain.low", f"{LOW}, a block", 2, free, "at most", reads=legal),
    inches(
        "terrain.low",
        f"{LOW}, a wall to cavalry",
        2,
        partial(free, kind="wall", keywords=["cavalry"]),
        "at most",
        reads=legal,
    ),
    inches(
        "terrain.low",
        f"{LOW}, a barricade",
        2,
        partial(free, kind="barricade"),
        "at most",
        reads=legal,
    ),
    inches(
        "terrain.low",
        f"{LOW}, free_height replaced",
        1,
        partial(free, rules={"free_height": 1}),
        "at most",
        reads=legal,
    ),
    inches(
        "fly.air",
        "a way of 8 up to a top, through the air",
        LONG,
        partial(up_to, climb=AIR, keywords=["fly"]),
        "at most",
        reads=length,
    ),
    inches(
        "fly.air",
        "a way of 8 down from a top, through the air",
        LONG,
        partial(down_from, is_flying=True),
        "at most",
        reads=length,
    ),
    inches(
        "fly.air",
        "a way of 8 down from a block that is no hindrance",
        LONG,
        off_a_crate,
        "at most",
        reads=length,
    ),
    inches(
        "fly.air",
        "a way of 8 straight up to a top, by choice",
        LONG,
        straight_up,
        "at most",
        reads=length,
    ),
    inches(
        "fly.air",
        "a way of 12 over a block, by choice through the air",
        12,
        through_the_air,
        "at most",
        reads=length,
    ),
)


def asked(distance: float, *, total: int, **more: Any) -> Case:
    """Ask whether A completes its charge on T, so far from it."""
    return case(ONE, {"T": unit([(1 + distance, 0)])}, total=total, **more)


def rolled(total: float, **more: Any) -> Case:
    """Roll a total for a charge that needs 4."""
    return case(unit([(0, 0)], **more), {"T": unit([(6, 0)])}, total=int(total))


def rolled_again(total: float) -> Case:
    """Roll a total after one that was not enough for a charge that needs 4."""
    return case(ONE, {"T": unit([(6, 0)])}, reroll="if_failed", dice=[1, 1, 1, int(total) - 1])


def after_losses(total: float) -> Case:
    """Roll a total for a charge that needs 4, and 7 without the model that is lost to Overwatch."""
    first = min(6, int(total) - 1)
    dice = [first, int(total) - first]
    return case(
        unit([(0, 0), (-3, 0)]), {"T": unit([(6, 0)])}, overwatch={"before": [0]}, dice=dice
    )


def with_bonus(bonus: float) -> Case:
    """Roll 3, with so much added, for a charge on what is far."""
    return case(unit([(0, 0)], charge_bonus=int(bonus)), {"T": unit([(10, 0)])}, total=3)


nowhere = by_metrics(lambda found: found["charge_distance"] == 0)
"""Reads whether the charge distance is nothing."""

ROLLS = (
    inches(
        "possible.engage-all",
        "distance from which a 4 is enough, an inch short of it",
        5,
        partial(asked, total=4),
        "at most",
        reads=by_outcome,
    ),
    inches(
        "move.contact",
        "distance at which a 4 makes contact",
        4,
        partial(asked, total=4),
        "at most",
        reads=by_metrics(lambda found: found["models_in_base_contact"] == 1),
    ),
    inches(
        "roll.2d6",
        "total that is enough for 4",
        4,
        rolled,
        "at least",
        unit="count",
        reads=by_outcome,
    ),
    inches(
        "roll.2d6",
        "total that is enough for 4 with a bonus of 1",
        3,
        partial(rolled, charge_bonus=1),
        "at least",
        unit="count",
        reads=by_outcome,
    ),
    inches(
        "roll.2d6",
        "bonus that leaves nothing of a 3, which is never less",
        -3,
        with_bonus,
        "at most",
        unit="count",
        reads=nowhere,
    ),
    inches(
        "roll.reroll",
        "second total that is enough for 4",
        4,
        rolled_again,
        "at least",
        unit="count",
        reads=by_outcome,
    ),
    inches(
        "overwatch.retest",
        "total that is enough for the survivors",
        7,
        after_losses,
        "at least",
        unit="count",
        reads=by_outcome,
    ),
)

ROWS: tuple[Threshold, ...] = (*LIMITS, *GAPS, *CLIMBS, *ROLLS)
