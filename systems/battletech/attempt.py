"""What a ruling is made from: the charge as it was declared, and the state in which it ended."""

from dataclasses import dataclass

from systems.battletech.declare import DeclaredCharge
from systems.battletech.play import ChargeState
from systems.battletech.scene import Table


@dataclass(frozen=True, eq=False)
class Attempt:
    """A charge as it was declared, and how it ended with the faces that were rolled.

    Attributes
    ----------
    claim
        The declared charge, with its path.
    table
        The table before its turn.
    end
        The state of the charge at its end; None if it may not be declared.
    """

    claim: DeclaredCharge
    table: Table
    end: ChargeState | None
