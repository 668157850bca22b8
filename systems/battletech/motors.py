"""Motive damage: what it does to a vehicle, and groups of damage that call for it."""

from dataclasses import dataclass, field, replace

from systems.battletech.harming import divided_up
from systems.battletech.locations import DRIVING, Hit, Motive
from systems.battletech.roll import Draw, Roller
from systems.battletech.scene import Combatant


@dataclass(frozen=True)
class Motor:
    """How a vehicle moves, with the groups that were located and the motive rolls that they called for.

    `kinds` of motive damage made driving worse.
    """

    kinds: tuple[str, ...]
    is_immobile: bool
    walk: int | None
    hits: tuple[Hit, ...] = field(default=(), compare=False)
    motives: tuple[Motive, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, unit: Combatant) -> "Motor":
        """Give how a unit moves before it is hurt."""
        return cls(unit.motive, unit.is_immobile, unit.profile.walk)

    def slowed(self, result: Motive) -> "Motor":
        """Give it after one motive roll."""
        told = replace(self, motives=(*self.motives, result))
        if result in ("none", "immobile"):
            return replace(told, is_immobile=self.is_immobile or result == "immobile")
        return replace(told, kinds=tuple(sorted({*self.kinds, result})), walk=_slower(self.walk, result))

    def fitted(self, unit: Combatant) -> Combatant:
        """Give the unit that moves like this: worse to drive, once by each kind."""
        worse = sum(points for kind, points in DRIVING.items() if kind in self.kinds and kind not in unit.motive)
        profile = unit.profile
        if worse or self.walk != profile.walk:
            profile = profile.model_copy(update={"piloting": profile.piloting + worse, "walk": self.walk})
        status = ("immobile",) if self.is_immobile else ()
        return replace(unit.with_status(*status), profile=profile, motive=self.kinds)


def _slower(walk: int | None, result: Motive) -> int | None:
    if walk is None or result == "minor":
        return walk
    return max(walk - 1, 0) if result == "moderate" else divided_up(walk, 2)


@dataclass(frozen=True)
class Locating:
    """Rolls for the place of one group on a unit, and for the motive damage that it calls for."""

    column: Draw[Hit]
    motive: Draw[Motive]
    name: str

    def __call__(self, state: Motor, roller: Roller) -> Motor:
        """Give the state after one more group."""
        hit = roller.pick(self.column, f"location of a group on {self.name}")
        told = replace(state, hits=(*state.hits, hit))
        return told.slowed(roller.pick(self.motive, f"motive damage of {self.name}")) if hit.is_motive else told
