"""A skid on pavement: hex by hex along the facing, into whatever is there."""

from dataclasses import replace
from functools import partial

from systems.battletech.falling import fall
from systems.battletech.harming import divided_up, grouped, tons_points
from systems.battletech.hurting import hurt
from systems.battletech.locations import table_of
from systems.battletech.play import Play, Skid, Task
from systems.battletech.roll import Roller
from systems.battletech.scene import Combatant, Declared, Table
from systems.battletech.striking import roll_to_hit, strike_building, strike_hill
from systems.battletech.tale import Tale, in_hexes, rules
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex
from tabletop.words import counted


def skid_limit(play: Play) -> int:
    """Give how many hexes the charger skids at most if it falls: half of those it entered, if it stands on pavement."""
    return on_pavement(play.declared, play.table) if play.table.at(play.charger.hex).is_paved else 0


def on_pavement(declared: Declared, table: Table) -> int:
    """Give how many hexes a charger would skid at most if it stood on pavement."""
    return divided_up(declared.hexes_entered, 2) if table.choices.skid_rounding == "up" else declared.hexes_entered // 2


def skid(play: Play, roller: Roller, number: int) -> Play:
    """Let the charger lie down and skid, after a roll that needed `number`."""
    down = play.charger.with_status("prone")
    limit = skid_limit(play)
    skidding = play.but(skid=Skid(limit, (down.hex,), number)).with_unit(down).fallen(down.name)
    return slide(skidding.telling(partial(_tell_skid, down.name, limit)), roller)


def slide(play: Play, roller: Roller) -> Play:
    """Skid into the next hex, or come to rest."""
    table, unit, place = play.table, play.charger, play.front
    if play.skid is None or play.skid.entered >= play.skid.limit or not table.board.holds(place):
        return play.then((come_to_rest, ()))
    if table.rise(unit.hex, place, unit) > 0:
        return strike_hill(play.then((come_to_rest, ())), roller, place)
    if table.is_prohibited(place, unit):
        points = divided_up(unit.profile.tons or 0, table.book.prohibited_skid_tons)
        stopped = play.telling(partial(_tell_stop, unit.name, place))
        return stopped.then(_hurt(play, points), (come_to_rest, ()))
    met = _met(play, place)
    if met is None:
        return pass_into(play, roller, place)
    return play.then((roll_to_hit, (met.name, True)), (_go_on, (place,)))


def _met(play: Play, place: Hex) -> Combatant | None:
    """Give the unit that the skid runs into: the target if it is there, else the first of the file."""
    there = play.table.units_in(place, without=(play.declared.charger,))
    return next((unit for unit in there if unit.name == play.declared.target), there[0] if there else None)


def _go_on(play: Play, roller: Roller, place: Hex) -> Play:
    """Come to rest after a hit, in the hex of what was hit if that was pushed on; slide on after a miss."""
    if not play.strikes[-1].is_hit:
        return pass_into(play, roller, place)
    return (_entering(play, place) if play.charger.hex == place else play).then((come_to_rest, ()))


def pass_into(play: Play, roller: Roller, place: Hex) -> Play:
    """Skid into a hex in which nothing, or nothing any more, is in the way of the charger but a building."""
    if play.cf(place) > 0:
        return strike_building(play.then((come_to_rest, ())), roller, place)
    before = play.charger
    after = before.at(place)
    levels = -play.table.rise(before.hex, place, before)
    poses = play.table.pose(before), play.table.pose(after)
    gone = _entering(play.with_unit(after), place).telling(partial(_tell_slide, before.name, *poses))
    if levels < play.table.book.drop_levels:
        return gone.then((slide, ()))
    return gone.then((fall, (before.name, None, levels)), (come_to_rest, ()))


def _entering(play: Play, place: Hex) -> Play:
    """Count a hex entered by skidding."""
    return play if play.skid is None else play.but(skid=replace(play.skid, hexes=(*play.skid.hexes, place)))


def come_to_rest(play: Play, roller: Roller) -> Play:  # noqa: ARG001 - rolls come later
    """End a skid: back to the last hex that suffers the charger, then the damage of skidding."""
    if play.skid is None:
        return play
    table, unit, skidded = play.table, play.charger, play.skid
    back = next((place for place in reversed(skidded.hexes) if table.crowding(place, unit) is None), skidded.hexes[0])
    poses = table.pose(unit), table.pose(unit.at(back))
    points = skidded.entered * divided_up(tons_points(table, unit), 2)
    rested = play.with_unit(unit.at(back)).telling(partial(_tell_rest, unit.name, skidded, points, poses))
    falls = table.choices.skid_damage == "per_hex_and_fall"
    decided = rested if rested.is_success else rested.but(rule="weapon.charger-fell")
    return decided.then(_hurt(play, points), *(((fall, (unit.name, skidded.number, 0)),) if falls else ()))


def _hurt(play: Play, points: int) -> Task:
    """Give the damage that the charger takes on its front by skidding."""
    return hurt, (play.charger.name, grouped(play.table, points), "front", table_of(play.charger))


def _tell_skid(name: str, limit: int, journal: Tale) -> Tale:
    text = f"{name} falls on pavement and skids up to {in_hexes(limit)} straight on."
    told = journal.step(Step("fall", name, rules=rules("weapon.skid"), text=text)).fallen(name)
    return told.finding("weapon.skid", text, measured=limit).with_metrics(skid_limit=limit, unintentional=False)


def _tell_stop(name: str, place: Hex, journal: Tale) -> Tale:
    return journal.finding("weapon.skid", f"The skid of {name} ends before {hex_number(place)}, which is prohibited to it.")


def _tell_slide(name: str, before: Pose, after: Pose, journal: Tale) -> Tale:
    return journal.step(Step("skid", name, before, after, rules=rules("weapon.skid")))


def _tell_rest(name: str, skidded: Skid, points: int, poses: tuple[Pose, Pose], journal: Tale) -> Tale:
    text = f"{name} comes to rest after {in_hexes(skidded.entered)} and takes {counted(points, 'points')}."
    back = (Step("skid", name, *poses, rules=rules("weapon.skid"), text=f"{name} is put back."),) if poses[0] != poses[1] else ()
    told = journal.step(*back).finding("weapon.skid", text, measured=points)
    return told.with_metrics(skid_hexes=skidded.entered, skid_damage=points)
