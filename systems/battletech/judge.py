"""Judge of proposals: every named unit must be where the ruling puts it; after a miss either open hex beside the target
is right.
"""

from collections.abc import Mapping
from dataclasses import replace

from systems.battletech.rules import PREFIX
from systems.battletech.scene import CombatUnit, Table
from tabletop.geometry.pose import Pose
from tabletop.messages import listed, say, word
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding
from tabletop.ruling.judge import Referee, standing_rule
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.hexes import HEX_FACINGS, number, side_at
from tabletop.table.state import Hex, HexUnit, State

BLOCKED = f"{PREFIX}displace.blocked"

WAITS = f"{PREFIX}mp.target-hex"

WAY = ("stand_up", "turn", "enter")
"""Kinds of steps before a charge is resolved."""


class Judge(Referee):
    """Judge of claims about where units are after all charges."""

    right = perhaps_right = say("The proposal is what the rules demand.")

    def ends(self, ruling: Ruling) -> Mapping[str, Pose]:  # noqa: ARG002 - nobody has a choice but after a miss
        """Return no ends: units are judged only by where they are after all charges."""
        return {}

    def standing(
        self,
        name: str,
        place: Pose,
        table: State[HexUnit],  # noqa: ARG002
        mover: Ruling | None,  # noqa: ARG002
    ) -> tuple[Finding, None]:
        """Return the finding on a claimed unit, which must be in a hex open to it with the resolved facing, and no
        exact place (None).
        """
        left = Table.of(replace(self.case, state=self.resolution.after))
        board = left.board
        unit = left.units[name]
        claims = (self.case.proposal or {}).items()
        claimed = replace(
            left,
            units={
                **left.units,
                **{other: left.units[other].at(board.hex_at(pose.at)) for other, pose in claims},
            },
        )
        hex_ = board.hex_at(place.at)
        facing = side_at(place.heading)
        options = _options(self.resolution, claimed, unit)
        is_elsewhere = hex_ not in options
        ok = not is_elsewhere and facing == unit.facing
        due = {
            "hexes": listed((number(option) for option in options), " or "),
            "facing": word(HEX_FACINGS[unit.facing]),
        }
        has = {"place": number(hex_), "claimed": word(HEX_FACINGS[facing])}
        parts = {"name": name, **due, **has}
        text = say(
            "{name} must be in hex {hexes} facing {facing}; the proposal has it in hex {place} facing {claimed}.",
            **parts,
        )
        mark = None if ok else Mark(say("due in {hexes} facing {facing}", **due), models={name: ()})
        return Finding(
            _rule(self.resolution, name, is_elsewhere=is_elsewhere), ok, text, mark=mark
        ), None


def _options(resolution: Resolution, claimed: Table, unit: CombatUnit) -> tuple[Hex, ...]:
    """Return the hexes in which a unit may be: its resolved hex and, for a charger that missed, the other hex open to
    it.

    A hex with other units on the table as `claimed` is open only if the choices let the charger push them on.
    """
    is_open = claimed.choices.miss_into_occupied == "domino"
    for ruling in resolution.rulings:
        end = ruling.attempt.end
        open_to_it = () if end is None or end.options is None else end.options
        if ruling.charge.charger == unit.name and unit.hex in open_to_it:
            return tuple(
                place
                for place in open_to_it
                if place == unit.hex or is_open or claimed.crowding(place, unit) is None
            )
    return (unit.hex,)


def _rule(resolution: Resolution, name: str, *, is_elsewhere: bool) -> str:
    """Return the name of the rule that a claimed unit breaks, by being in a wrong hex (`is_elsewhere`) or by a wrong
    facing.

    For a wrong hex it is the rule of the unit's last move, else of what kept a charger from moving, else of its last
    turn; for a wrong facing that of the last turn is tried first.
    """
    changes = [
        step
        for ruling in resolution.rulings
        for step in ruling.steps
        if step.unit == name and step.end != step.start
    ]
    later = [step for step in changes if step.kind not in WAY]
    turns = [step.rules[0] for step in later if step.kind == "fall"]
    moves = [step.rules[0] for step in later if step.kind != "fall"]
    own = [ruling.attempt for ruling in resolution.rulings if name == ruling.charge.charger]
    is_blocked = any(one.end is not None and one.end.push == "blocked" for one in own)
    waits = [BLOCKED] if is_blocked else [WAITS] if len(later) < len(changes) else []
    ranked = (moves, waits, turns) if is_elsewhere else (turns, moves, waits)
    return standing_rule(
        resolution,
        name,
        system="battletech",
        moved_by=next((rules[-1] for rules in ranked if rules), None),
    )
