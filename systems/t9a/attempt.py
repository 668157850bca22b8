"""A declared charge as it is tried: with the faces of its dice, on the table as it is when the charger moves.

Rulings keep it, and judge, contrasts and problem statements read it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from systems.t9a.declare import Declaration
from systems.t9a.move import ChargeMove
from systems.t9a.scene import Front, Scene
from systems.t9a.solution import Place, Solution, solve
from tabletop.budget import Budget
from tabletop.ruling.charge import Charge, Metric, Step
from tabletop.ruling.finding import Finding
from tabletop.table.facing import FacingName
from tabletop.table.state import State


@dataclass(frozen=True)
class CompletedCharge:
    """A completed charge with all that its ruling reports.

    Attributes
    ----------
    place
        The place taken.
    move
        The charge move.
    steps, findings, metrics
        As in rulings.
    """

    place: Place
    move: ChargeMove
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]
    metrics: Mapping[str, Metric]

    @property
    def front(self) -> Front:
        """The charger against the facing that it charges."""
        return self.place.front


@dataclass(frozen=True)
class Attempt:
    """A declared charge with the faces of its dice, on the table as it is when the charger moves.

    Attributes
    ----------
    charge, declaration, faces
        The charge, what was found when it was declared, and the faces; none if it may not be declared.
    scene
        The charge on the table when the charger moves.
    solution
        The facing and the place on that table, if they were looked for.
    done
        The completed charge, if it is completed.
    """

    charge: Charge
    declaration: Declaration
    faces: tuple[int, ...]
    scene: Scene
    solution: Solution | None = None
    done: CompletedCharge | None = None

    @property
    def table(self) -> State:
        """The table before the turn of the charge."""
        return self.scene.state

    @property
    def is_in_range(self) -> bool:
        """Whether the range rolled is enough for the distance."""
        return self.declaration.measured.reaches(self.faces)

    @property
    def facing(self) -> FacingName:
        """Name of the facing that is charged; as found at declaration, if the charge is not completed."""
        if self.done is not None:
            return self.done.front.name
        solution = self.declaration.solution
        if solution is None or solution.place is None:
            return solution.fronts[0].name if solution is not None else "front"
        return solution.place.front.name

    @property
    def declared_front(self) -> Front:
        """Charger against the first facing that it could charge, on the table when it declared."""
        solution = self.declaration.solution
        return Front(self.declaration.scene, "front") if solution is None else solution.fronts[0]

    def on(self, table: State, budget: Budget) -> Self:
        """Return the charge with its solution on a table; itself if the table is equal and no limit ended its search.

        Raises
        ------
        NoVerdictError
            If the budget ends the search before a place is found or excluded.
        """
        scene = self.scene.on(table)
        if scene is self.scene and self.solution is not None and self.solution.is_proved:
            return self
        declared = self.declaration.solution
        facings = None if declared is None else declared.facings
        solution = solve(scene, budget=budget, facings=facings)
        return replace(self, scene=scene, solution=solution, done=None)
