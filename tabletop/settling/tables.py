"""Other tables that a measured one may be: charger and target nearer, farther, aside and turned, and some at random."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import FloatArray
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.settling.bodies import Body
from tabletop.settling.settle import Settling
from tabletop.table.squad import Model
from tabletop.table.state import State

AT_RANDOM = 6
"""Tables on which every body lies anywhere within its accuracy, beside those that are chosen."""

MANY, FEW, FEW_AT_RANDOM = 8, 4, 2
"""Bodies from which on a charge takes long to resolve, so that fewer tables are looked at: the first pulls, and of random ones so many."""

SEED = 20
"""Where their random places begin: the same for every table."""


@dataclass(frozen=True)
class Pull:
    """Where bodies are pulled in units of their accuracy: chargers and targets along the line between them, aside, and turned."""

    charger: tuple[float, float, float] = (0.0, 0.0, 0.0)
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    others: float = 0.0


PULLS = (
    Pull((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)),
    Pull((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    Pull((0.0, 1.0, 0.0), (0.0, -1.0, 0.0)),
    Pull((0.0, -1.0, 0.0), (0.0, 1.0, 0.0)),
    Pull((0.0, 0.0, 1.0), (0.0, 0.0, -1.0)),
    Pull((0.0, 0.0, -1.0), (0.0, 0.0, 1.0)),
    Pull(others=-1.0),
    Pull(others=1.0),
)
"""Along the line towards each other and away; past each other on either side; turned; others nearer to that line and farther from it."""


def admissible(case: Case) -> Iterator[State]:
    """Give tables within the accuracy of a case's measured one that can be, besides the settled one: each pull of each charge, then random.

    A table that cannot be is replaced by the nearest that can.
    """
    if case.measured is None or case.settled is None or case.system.vocabulary.room is None:
        return
    charges = list(enumerate(case.charges))
    room = case.system.vocabulary.room(case.state, charges, case.choices)
    settling = Settling.of(case.settled.measured, case.measured, room)
    if not any(body.is_free for body in settling.bodies):
        return
    for units in _aims(settling.bodies, case.charges):
        try:
            found = settling.nearest(units)
        except NoVerdictError:
            return
        if found is not None:
            yield settling.table(found)


def _aims(bodies: Sequence[Body], charges: Sequence[Charge]) -> Iterator[FloatArray]:
    """Give units (n, 3) of the places that are looked at."""
    is_many = sum(isinstance(body.thing, Model) for body in bodies) > MANY
    for charge in charges:
        if (frame := _frame(bodies, charge)) is not None:
            yield from (_pulled(bodies, charge, frame, pull) for pull in PULLS[: FEW if is_many else None])
    random = np.random.default_rng(SEED)
    for _ in range(FEW_AT_RANDOM if is_many else AT_RANDOM):
        angles, radii = random.uniform(0.0, np.pi * 2, len(bodies)), np.sqrt(random.uniform(0.0, 1.0, len(bodies)))
        yield np.column_stack([radii * np.cos(angles), radii * np.sin(angles), random.uniform(-1.0, 1.0, len(bodies))])


def _centre(bodies: Sequence[Body], names: Sequence[str]) -> FloatArray | None:
    """Give the middle of the boxes of some bodies."""
    boxes = np.array([body.shape.bounds for body in bodies if body.name in names])
    return None if not len(boxes) else (boxes[:, :2].min(axis=0) + boxes[:, 2:].max(axis=0)) / 2.0


def _frame(bodies: Sequence[Body], charge: Charge) -> tuple[FloatArray, FloatArray] | None:
    """Give where a charge begins, and the unit vector to its first target."""
    start, end = _centre(bodies, (charge.charger,)), _centre(bodies, charge.targets[:1])
    if start is None or end is None or not (length := float(np.hypot(*(end - start)))):
        return None
    return start, (end - start) / length


def _pulled(bodies: Sequence[Body], charge: Charge, frame: tuple[FloatArray, FloatArray], pull: Pull) -> FloatArray:
    """Give units (n, 3) of one pull."""
    start, ahead = frame
    left = np.array([-ahead[1], ahead[0]])
    units = np.zeros((len(bodies), 3))
    for row, body in zip(units, bodies, strict=True):
        if body.name == charge.charger or body.name in charge.targets:
            along, aside, turn = pull.charger if body.name == charge.charger else pull.target
            row[:] = (*(along * ahead + aside * left), turn)
        else:
            side = 1.0 if float((np.array(body.middle) - start) @ left) >= 0.0 else -1.0
            row[:2] = pull.others * side * left
    return units
