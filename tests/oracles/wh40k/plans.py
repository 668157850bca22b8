"""A charge that succeeds, with where its models end, read from its ruling."""

from dataclasses import dataclass

from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.models import Formation
from tests.oracles.wh40k.bodies import Bodies
from tests.oracles.wh40k.table import Table, ends_of, table_of


@dataclass(frozen=True, eq=False)
class Planned:
    """A charge that succeeds, and where its models end."""

    case: Case
    resolution: Resolution
    table: Table
    place: Formation

    @property
    def ruling(self) -> Ruling:
        """The ruling on the charge."""
        return self.resolution.rulings[0]

    @property
    def ends(self) -> Bodies:
        """Where the charger's models end."""
        return ends_of(self.table, self.place)

    @property
    def moves(self) -> tuple[Step, ...]:
        """The models' moves, in the order in which they are made."""
        return tuple(step for step in self.ruling.steps if step.kind == "move")


def planned(case: Case, resolution: Resolution) -> Planned:
    """Read the plan of a charge that succeeded."""
    ruling = resolution.rulings[0]
    moves = {step.model or 0: step for step in ruling.steps if step.kind == "move"}
    order = tuple(moves)
    rows = [moves[number] for number in sorted(moves)]
    place = Formation(
        tuple(step.end or Pose(0.0, 0.0, 0.0) for step in rows),
        tuple(step.path[-1][2] for step in rows),
        order,
    )
    table = table_of(case, float(ruling.metrics["charge_distance"]), lost=lost_before(case))
    return Planned(case, resolution, table, place)


def lost_before(case: Case) -> tuple[int, ...]:
    """Return the models that the only charge loses when its move begins."""
    lost: tuple[int, ...] = case.charges[0].declarations.overwatch.before
    return lost
