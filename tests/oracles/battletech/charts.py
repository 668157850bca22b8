"""The tables of the page, written down as they are printed, and looked up by what two dice show."""

from tests.oracles.battletech.board import Piece

PRINTED = {
    "front": "CTc RA RA RL RT CT LT LL LA LA HD",
    "rear": "CTc RA RA RL RT CT LT LL LA LA HD",
    "left": "LTc LL LA LA LL LT CT RT RA RL HD",
    "right": "RTc RL RA RA RL RT CT LT LA LL HD",
    "vehicle front": "FRc FRm FRm RSm FR FR FR LSm TU TU TUc",
    "vehicle rear": "RRc RRm RRm LSm RR RR RR RSm TU TU TUc",
    "vehicle right": "RSc RSm RSm FRm RS RS RSc RRm TU TU TUc",
    "vehicle left": "LSc LSm LSm FRm LS LS LSc RRm TU TU TUc",
}
TABLES = {side: dict(zip(range(2, 13), row.split(), strict=True)) for side, row in PRINTED.items()}
FOUR_LEGGED = {"RA": "FRL", "LA": "FLL", "RL": "RRL", "LL": "RLL"}
KICKS = {
    (2, "front"): "RL LL",
    (2, "rear"): "RL LL",
    (2, "left"): "LL",
    (2, "right"): "RL",
    (4, "front"): "FLL FRL",
    (4, "rear"): "RLL RRL",
    (4, "left"): "RLL FLL",
    (4, "right"): "RRL FRL",
}
"""The leg at 1 to 3 and that at 4 to 6, or the only one."""
TURRET = {"front": "FR", "rear": "RR", "left": "LS", "right": "RS"}
FALLS = {
    1: (0, "front"),
    2: (1, "right"),
    3: (2, "right"),
    4: (3, "rear"),
    5: (4, "left"),
    6: (5, "left"),
}
"""Hexsides turned clockwise, and the side that is hurt."""
SIDE_MODIFIER = {"front": 0, "rear": 1, "left": 2, "right": 2}
MOTION_MODIFIER = {"tracked": 0, "wheeled": 2, "hover": 3}
RESULTS = ((12, "immobile"), (10, "heavy"), (8, "moderate"), (6, "minor"), (0, "none"))
WORSE = {"none": 0, "minor": 1, "moderate": 2, "heavy": 3, "immobile": 0}
MOVED = ((25, 6), (18, 5), (10, 4), (7, 3), (5, 2), (3, 1), (0, 0))
MECH_SIDES = ("front", "front", "right", "rear", "left", "front")
OTHER_SIDES = ("front", "right", "right", "rear", "left", "left")


def side_of(unit: Piece, direction: int) -> str:
    """Return the side that is struck by who stands in a direction."""
    return (MECH_SIDES if unit.kind == "mech" else OTHER_SIDES)[(direction - unit.facing) % 6]


def location(unit: Piece, side: str, total: int, *, left_at_five: bool = False) -> tuple[str, str]:
    """Return what is hit, and "c", "m" or nothing."""
    entry = TABLES[side if unit.kind == "mech" else f"vehicle {side}"][total]
    code = entry[:2]
    mark = entry[2:]
    if left_at_five and entry == "RSm" and side == "front":
        code = "LS"
    if unit.kind == "mech" and unit.legs == 4:
        code = FOUR_LEGGED.get(code, code)
    if code == "TU" and not unit.turret:
        code = TURRET[side]
    return code, mark


def at_least(number: int, steps: tuple[tuple[int, int], ...]) -> int:
    """Return the value of the first step reached."""
    return next(value for least, value in steps if number >= least)
