"""Saves of Tabletop Simulator: the bases and the terrain on a table, by what the names, descriptions and notes of objects say.

A save does not tell how large an object is, what it is, or whose: its words do. What they leave out is remarked on.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Any, NamedTuple

from tabletop.errors import Fault, ScenarioError, UsageError, naming
from tabletop.importing import notes
from tabletop.importing.imported import FOREIGN_BYTES, Imported, Remarks
from tabletop.importing.notes import name_in, plain
from tabletop.messages import counted, listed, printable, say, shown, word
from tabletop.registry import find
from tabletop.ruling.system import System
from tabletop.scenario.fields import implied_names
from tabletop.scenario.limits import LENGTH, MAX_MODELS, NAME_LENGTH, TERRAIN_PIECES, TITLE
from tabletop.scenario.parsing import decoded, parsed
from tabletop.scenario.reading import value_of
from tabletop.scenario.validation import validated
from tabletop.table.state import RearRank
from tabletop.units import MM_PER_INCH

TILT = 5.0
"""Degrees by which an object may lean and still stand."""

SQUARE_TOLERANCE = 0.5
"""Degrees off a right angle at which the bounds along the table's axes are still those of the object."""

HUGE = 1e9
"""No coordinate or angle of a table is as large."""

MISPLACED = 0.1
"""Inches by which a model may stand off its place in rank and file."""

ACCURACY = 0.05
"""Inches to which hands place things on a virtual table."""

ASKEW = 2.0
"""Degrees by which models of one block may look another way than all together."""

RISE = 1.0
"""Inches above the lowest model at which a model is remarked on: no place says how high the floor under it is."""

PLACE_DECIMALS = 4
"""Decimals of places in inches; a save has seven digits in all."""

MAX_TERRAIN_HEIGHT = 1000.0
"""Inches: no terrain is higher."""

OBJECTS = 100_000
"""Objects of one save, those in bags and decks counted."""

BASE_SIDE_LIMITS = 0.7, 7.0
"""Inches: least and greatest side of a box around an object that is guessed to be as large as its base."""

MAX_ROUND_ASYMMETRY = 0.1
"""Part of the longer side by which a box around a round base may be shorter on the other."""

UNKNOWN_BASE = "?"
"""What stands for a base that nothing tells."""

NOBODY = "unknown"
"""The side of units whose objects name none."""

_SIZE = re.compile(r"(\d{1,4}(?:\.\d+)?)x(\d{1,4}(?:\.\d+)?)", re.ASCII)

_NO_FIGURE = re.compile(r"bag|card|deck|die_|dice|trigger|text|hand|counter|clock|tablet|zone|board", re.IGNORECASE)
"""Types of objects that are no models."""

_READ = (
    "One unit of its space is an inch; the lower left corner of the table is the origin. A model looks along its object's own z axis.",
    "Models of one name, or with a line unit: NAME, are one unit; one length that is called a base is its diameter. It has no charges yet.",
)

Bounds = tuple[float, float, float]

Place = tuple[float, float]
"""Two lengths in inches: to the right and ahead, or width and depth."""


@dataclass(frozen=True)
class Thing:
    """One object: its name and all of its words, `x`, `y` up the table and `rise` above it in inches, and where it looks.

    `bounds` are width, height and depth in inches of the box around it in its own frame, where the save tells them. `bases` are those that
    its words tell, or one that `is_guess`. What `is_inside` a bag is where the bag is.
    """

    name: str
    words: str
    x: float
    y: float
    rise: float
    facing_deg: float
    tilt_deg: float
    bounds: Bounds | None
    number: int
    bases: tuple[str, ...]
    is_figure: bool
    is_inside: bool = False
    is_guess: bool = False

    @property
    def called(self) -> str:
        """What remarks call it: its name, else its number in the save."""
        return shown(self.name, NAME_LENGTH) if self.name else say("object {number}", number=self.number)


Laid = tuple[notes.Size, tuple[float, float], list[Thing]]
"""Width and depth of a table, where its lower left corner is in the space of the save, and what is not the table itself."""


class ModelBlock(NamedTuple):
    """A block of models: files, the middle of its front edge in inches, and where an incomplete rear rank stands."""

    files: int
    at: Place
    rear: RearRank


def import_save(
    data: bytes, label: str, *, system_name: str, board: notes.Size | None = None, bases: Mapping[str, str] | None = None
) -> Imported:
    """Return the scenario that the bytes of a save come to, played by a system.

    `board` is the table's size in inches where no object says, `bases` are by pattern of the name those of objects that tell none.

    Raises
    ------
    ScenarioError
        If it is no save, or holds more than a scenario may.
    UsageError
        If the system is not known, or is played on hexes.
    """
    system, remarks = find(system_name), Remarks()
    if "hex" in system.vocabulary.placements:
        raise UsageError("--system {name}: it is played on hexes, which a save of Tabletop Simulator does not tell", name=system.name)
    with naming(label):
        things = things_of(data, remarks)
        aside: list[Thing] = []
        tables, members = _tables([_based(thing, bases or {}) for thing in things], system, board, aside, remarks)
        unfinished = _by_name(aside, {*tables["units"], *implied_names(piece["kind"] for piece in tables["terrain"])})
        left = _as_units(unfinished)
        _refuse_empty(tables, left)
    title = printable(PurePath(label).stem)[:TITLE]
    whole = {"system": system.name, "edition": system.editions[0], "title": title, "accuracy": ACCURACY, **tables}
    read = (f"The table of {title}, a save of Tabletop Simulator.", *_READ)
    kept = {key: value for key, value in whole.items() if value}
    return Imported(system, kept, read, remarks.lines(), left, _guesses(members), _guesses(unfinished))


def _refuse_empty(tables: Mapping[str, Any], left: Mapping[str, Any]) -> None:
    if not (tables["units"] or tables["terrain"] or left):
        raise ScenarioError(Fault.of("", "expected objects that stand on a table: this save has none"))


def read_bases(data: bytes, label: str) -> dict[str, str]:
    """Return the bases of a TOML file by patterns of names: `"*Guard*" = "32mm round"`.

    Raises
    ------
    ScenarioError
        If it is no TOML, or something is no base.
    """
    with naming(label):
        return {pattern: _base_of(pattern, base) for pattern, base in parsed(data).items()}


def _base_of(pattern: str, base: object) -> str:
    if not isinstance(base, str) or notes.bases_in(base) != (base,):
        message = 'expected a base such as "32mm round", "25x50mm" or "75x42mm oval", given {given}'
        raise ScenarioError(Fault.of(shown(pattern), message, given=shown(base)))
    return base


def _based(thing: Thing, bases: Mapping[str, str]) -> Thing:
    """Return an object that tells no base that of the first pattern that its name fits."""
    name = thing.name.casefold()
    fitting = () if thing.bases else (base for pattern, base in bases.items() if fnmatchcase(name, pattern.casefold()))
    return replace(thing, bases=(base,)) if (base := next(iter(fitting), None)) else thing


def _guessed(thing: Thing, system: System) -> str | None:
    """Guess the base of a model from the box around it; None where there is no such box."""
    if not (thing.name and thing.is_figure and thing.bounds and thing.tilt_deg <= TILT):
        return None
    width, _, depth = thing.bounds
    if not BASE_SIDE_LIMITS[0] <= min(width, depth) <= max(width, depth) <= BASE_SIDE_LIMITS[1]:
        return None
    across, along = (f"{side * MM_PER_INCH:.1f}".removesuffix(".0") for side in (width, depth))
    if "loose" not in system.vocabulary.placements:
        return f"{across}x{along}mm"
    if abs(width - depth) <= MAX_ROUND_ASYMMETRY * max(width, depth):
        return f"{max(across, along, key=float)}mm round"
    return f"{max(across, along, key=float)}x{min(across, along, key=float)}mm oval"


def _guess(bases: Iterable[str]) -> str:
    """Return the remark that bases are guessed."""
    return say("base {base} is a guess: so large is the box around it", base=listed(bases, ", "))


def _guesses(units: Mapping[str, Sequence[Thing]]) -> dict[str, str]:
    """Return by unit name which bases of its models are guessed, if any."""
    found = {name: sorted({base for thing in things if thing.is_guess for base in thing.bases}) for name, things in units.items()}
    return {name: _guess(bases) for name, bases in found.items() if bases}


def _by_name(aside: Sequence[Thing], taken: AbstractSet[str]) -> dict[str, list[Thing]]:
    """Return the figures that are left out by name, none of which is `taken`."""
    groups: dict[str, list[Thing]] = defaultdict(list)
    for thing in [thing for thing in aside if thing.is_figure][:MAX_MODELS]:
        groups[_free(thing.name or str(thing.called), taken)].append(thing)
    return groups


def _free(name: str, taken: AbstractSet[str]) -> str:
    """Return a name that fits a file and is not taken, if need be with a number behind it."""
    stem = name[: NAME_LENGTH - 6].strip()
    return next(other for other in (stem, *(f"{stem} {count}" for count in range(2, MAX_MODELS + 3))) if other not in taken)


def _as_units(groups: Mapping[str, Sequence[Thing]]) -> dict[str, Any]:
    """Return units of the figures that are left out, by name and with their places, for somebody to complete."""
    return {
        name: {
            "side": NOBODY,
            "at": [[round(thing.x, PLACE_DECIMALS), round(thing.y, PLACE_DECIMALS)] for thing in things],
            "facing_deg": [thing.facing_deg for thing in things],
            "base": things[0].bases[0] if things[0].bases else UNKNOWN_BASE,
        }
        for name, things in groups.items()
    }


def _tables(
    things: Sequence[Thing], system: System, board: notes.Size | None, aside: list[Thing], remarks: Remarks
) -> tuple[dict[str, Any], dict[str, list[Thing]]]:
    """Return board, terrain, units and the models of each; what is no model but may be one is put `aside`, where it stands on the table."""
    size, corner, rest = _table_of(things, system, board, remarks)
    models: list[Thing] = []
    terrain: list[dict[str, Any]] = []
    for told in rest:
        thing, count = told, len(models)
        x, y = about(thing, corner)
        kind = notes.kind_in("" if thing.bases else thing.name, thing.words, system.vocabulary.terrain_kinds)
        if kind is None and not (thing.bases or thing.is_inside) and (base := _guessed(thing, system)) is not None:
            remarks.add(_guess((base,)), thing.called)
            thing = replace(thing, bases=(base,), is_guess=True)
        if thing.is_inside:
            pass
        elif kind is None and not thing.bases:
            remarks.add(say("objects whose words tell neither a base nor a kind of terrain are left out"), thing.called)
        elif not (0.0 <= x <= size[0] and 0.0 <= y <= size[1]):
            remarks.add(say("beside the table, and left out"), thing.called)
        elif thing.tilt_deg > TILT:
            remarks.add(say("not upright, and left out"), thing.called)
        elif kind is None:
            models.append(thing)
        elif (piece := _piece(thing, kind, corner, max(size), system, remarks)) is not None:
            terrain.append(piece)
        if kind is None and len(models) == count:
            aside.append(_on_table(thing, corner))
    _refuse_too_many(len(models), len(terrain))
    _remark_on_heights(models, remarks)
    taken = set(implied_names(piece["kind"] for piece in terrain))
    units = list(_units(models, corner, system, taken, aside, remarks))
    tables = {
        "board": {"width": size[0], "depth": size[1]},
        "terrain": terrain,
        "units": {name: entry for name, _, entry in units},
    }
    return tables, {name: members for name, members, _ in units}


def _refuse_too_many(models: int, pieces: int) -> None:
    for count, most, things in ((models, MAX_MODELS, say("models")), (pieces, TERRAIN_PIECES, say("pieces of terrain"))):
        if count > most:
            message = "has {count} {things} on the table, and a scenario holds at most {most}"
            raise ScenarioError(Fault.of("", message, count=count, things=things, most=most))


def _table_of(things: Sequence[Thing], system: System, board: notes.Size | None, remarks: Remarks) -> Laid:
    """Find the table by the one size that objects tell, or take that given, or the template's about the middle of the space."""
    telling = [thing for thing in things if notes.is_table(thing.words) and not thing.bases]
    sized = {thing.number: area for thing in telling if (area := _table_size(thing)) is not None}
    tables = [thing for thing in telling if thing.number in sized]
    rest = [thing for thing in things if thing.number not in sized]
    if len(tables) == 1 and board is None:
        size, middle = sized[tables[0].number], (tables[0].x, tables[0].y)
    else:
        middle = (0.0, 0.0)
        example = system.vocabulary.example.get("board", {"width": 72.0, "depth": 48.0})
        size = board or (float(example["width"]), float(example["depth"]))
        if board:
            why = say("--board tells it")
        elif tables:
            why = say("{count} objects tell one; --board would", count=len(tables))
        else:
            why = say("no object tells it; --board would")
        message = "the table is {width:g} by {depth:g} in about the origin of the save: {why}"
        remarks.add(say(message, width=size[0], depth=size[1], why=why))
    return size, (middle[0] - size[0] / 2, middle[1] - size[1] / 2), rest


def _table_size(thing: Thing) -> notes.Size | None:
    """Return the width and depth of the table that an object says it is, as it lies; None if it does not, or lies askew."""
    areas = notes.areas_in(thing.words)
    quarters = round((thing.facing_deg - 90.0) / 90.0)
    if len(areas) != 1 or abs(thing.facing_deg - 90.0 - 90.0 * quarters) > 1.0 or not all(0.0 < side <= LENGTH for side in areas[0]):
        return None
    return areas[0] if quarters % 2 == 0 else (areas[0][1], areas[0][0])


def _piece(thing: Thing, kind: str, corner: tuple[float, float], longest: float, system: System, remarks: Remarks) -> dict[str, Any] | None:
    """Return a piece of terrain, at most so long in inches: as large as its words say, else as the box around it."""
    x, y = (round(value, PLACE_DECIMALS) for value in about(thing, corner))
    height, sizes = notes.height_in(thing.words), [notes.inches_of(base) for base in thing.bases]
    areas = [*notes.areas_in(thing.words), *((size[0], size[1]) for size in sizes if len(size) > 1)]
    diameters = [*notes.diameters_in(thing.words), *(size[0] for size in sizes if len(size) == 1)]
    told = (*(side for area in areas for side in area), *diameters)
    if len(areas) + len(diameters) > 1 or not all(0.0 < side <= longest for side in told) or (height or 0.0) > MAX_TERRAIN_HEIGHT:
        remarks.add(say("terrain with more than one size, or of none, or larger than the table, is left out"), thing.called)
        return None
    if not told and thing.bounds is not None and max(thing.bounds) <= longest:
        areas = [(thing.bounds[0], thing.bounds[2])]
        remarks.add(say("terrain as large as the box around it"), thing.called)
        height = thing.bounds[1] if height is None and kind in system.vocabulary.tall else height
    if height is None and kind in system.vocabulary.tall:
        remarks.add(say("terrain of kind {kind} without a height (height 4) is left out", kind=kind), thing.called)
        return None
    rise = {} if height is None else {"height": round(height, PLACE_DECIMALS)}
    if diameters:
        return {"kind": kind, "circle": {"centre": [x, y], "radius": round(diameters[0] / 2, PLACE_DECIMALS)}, **rise}
    if not areas:
        remarks.add(say("terrain without a size (6x4in, or 3in round) is left out"), thing.called)
        return None
    width, depth = (round(side, PLACE_DECIMALS) for side in areas[0])
    angle = round((thing.facing_deg - 90.0) % 360.0, 2) % 360.0
    return {"kind": kind, "rectangle": {"centre": [x, y], "width": width, "depth": depth, "angle_deg": angle}, **rise}


def _remark_on_heights(models: Sequence[Thing], remarks: Remarks) -> None:
    lowest = min((model.rise for model in models), default=0.0)
    for model in models:
        if model.rise - lowest > RISE:
            remarks.add(say("models higher than others stand on the table here: nothing says how high their floor is"), model.called)


def _units(
    models: Sequence[Thing], corner: tuple[float, float], system: System, taken: set[str], aside: list[Thing], remarks: Remarks
) -> Iterator[tuple[str, list[Thing], dict[str, Any]]]:
    """Yield the units, each with its name and models, those of one name and side; models of which none is made are put aside."""
    groups: dict[tuple[str, str], list[Thing]] = defaultdict(list)
    for model in models:
        if len(model.bases) > 1:
            remarks.add(say("models with more than one base are left out"), model.called)
            aside.append(_on_table(model, corner))
            continue
        name = notes.value_of("unit", model.words) or model.name
        if not name:
            remarks.add(say("models without a name are left out"), model.called)
            aside.append(_on_table(model, corner))
            continue
        groups[name, notes.value_of("side", model.words) or ""].append(model)
    for (name, side), members in groups.items():
        called = _free(name, taken)
        if not side:
            remarks.add(say('the side is "{side}" where no object of a unit says side: NAME', side=NOBODY), shown(called))
        placed = _placed(called, members, corner, system, remarks)
        if placed is None:
            aside.extend(_on_table(member, corner) for member in members)
        else:
            taken.add(called)
            yield called, members, {"side": side[:NAME_LENGTH].strip() or NOBODY, **_profile(called, members, system, remarks), **placed}


def _on_table(thing: Thing, corner: tuple[float, float]) -> Thing:
    x, y = about(thing, corner)
    return replace(thing, x=x, y=y)


def _placed(name: str, models: Sequence[Thing], corner: tuple[float, float], system: System, remarks: Remarks) -> dict[str, Any] | None:
    """Return the places of the models of a unit as its system writes them, or None and a remark; loose where they are in no ranks."""
    ranked = next((way for way in system.vocabulary.placements if way != "loose"), None)
    if ranked is None:
        return _loose(models, corner)
    if "loose" not in system.vocabulary.placements:
        return _ranked(name, models, corner, ranked, remarks)
    return _ranked(name, models, corner, ranked, Remarks()) or _loose(models, corner)


def _ranked(name: str, models: Sequence[Thing], corner: tuple[float, float], way: str, remarks: Remarks) -> dict[str, Any] | None:
    """Return the place of models in ranks and files, or None and a remark."""
    bases = {model.bases[0] for model in models}
    base = min(bases)
    sizes = notes.inches_of(base)
    if len(bases) > 1 or len(sizes) == 1 or not sizes:
        remarks.add(say("units without one rectangular base (25x50mm: width, then depth) are left out"), shown(name))
        return None
    counted = "stands" if way == "stands" else "models"
    things = list(models)
    across = math.fsum(math.cos(math.radians(thing.facing_deg)) for thing in things)
    up = math.fsum(math.sin(math.radians(thing.facing_deg)) for thing in things)
    facing = round(math.degrees(math.atan2(up, across)) % 360.0, 2) % 360.0
    placed = regiment_of([about(model, corner) for model in models], facing, base=(sizes[0], sizes[1]), halves_files=counted == "stands")
    if placed is None or any(abs((model.facing_deg - facing + 180.0) % 360.0 - 180.0) > ASKEW for model in models):
        message = "units whose models are not in ranks and files to {off} in, looking one way, are left out"
        remarks.add(say(message, off=MISPLACED), shown(name))
        return None
    if placed.rear != ("centre" if counted == "stands" else "left"):
        remarks.add(say("the rear rank stands at the {rear}: does the profile say so?", rear=placed.rear), shown(name))
    return {
        "at": [round(value, PLACE_DECIMALS) for value in placed.at],
        "facing_deg": facing,
        "files": placed.files,
        counted: len(models),
        "base": base,
    }


def _loose(models: Sequence[Thing], corner: tuple[float, float]) -> dict[str, Any]:
    places = [[round(value, PLACE_DECIMALS) for value in about(model, corner)] for model in models]
    bases = [model.bases[0] for model in models]
    facings = [model.facing_deg for model in models]
    if len(set(bases)) == 1:
        return {"at": places, "facing_deg": facings[0] if len(set(facings)) == 1 else facings, "base": bases[0]}
    entries = zip(places, facings, bases, strict=True)
    return {"models": [{"at": place, "facing_deg": facing, "base": base} for place, facing, base in entries]}


def _profile(name: str, models: Sequence[Thing], system: System, remarks: Remarks) -> dict[str, Any]:
    """Return the statistics that the words of a unit's models tell; what is needed and not told is the template's."""
    model = system.vocabulary.profile
    told: dict[str, Any] = {}
    for key in model.model_fields:
        values = dict.fromkeys(value for thing in models if (value := notes.value_of(key, thing.words)) is not None)
        if len(values) == 1:
            told[key] = value_of(next(iter(values)))
        elif values:
            remarks.add(say("profile.{key} told in several ways is left out", key=key), shown(name))
    _, problems = validated(model, {**_needed(system), **told})
    for fault in problems:
        key = re.split(r"[.\[]", fault.key)[0]
        told.pop(key, None)
        remarks.add(say("profile.{key}: {fault}", key=key, fault=fault.message), shown(name))
    needed = {key: value for key, value in _needed(system).items() if key not in told}
    for key, value in needed.items():
        message = "profile.{key} is needed and not told: {value} stands there, as in the template"
        remarks.add(say(message, key=key, value=str(value)), shown(name))
    profile = {**needed, **told}
    return {"profile": profile} if profile else {}


def _needed(system: System) -> Mapping[str, Any]:
    """Return values for the statistics that no profile may leave out: those of the system's own small example."""
    model = system.vocabulary.profile
    example: Mapping[str, Any] = next(iter(system.vocabulary.example.get("units", {"": {}}).values())).get("profile", {})
    return {key: example[key] for key, field in model.model_fields.items() if field.is_required() and key in example}


def size_of(text: str) -> notes.Size:
    """Return width and depth in inches of a table such as 60x44.

    Raises
    ------
    UsageError
        If it is no size.
    """
    match = _SIZE.fullmatch(text.strip().lower())
    if match is None or not all(0.0 < float(side) <= LENGTH for side in match.groups()):
        raise UsageError("--board {text}: expected width and depth in inches, such as 60x44", text=text)
    return float(match.group(1)), float(match.group(2))


# Objects of a save, as far as they stand on a table.


def things_of(data: bytes, remarks: Remarks) -> list[Thing]:
    """Return the objects of a save; remarks are made of those that cannot be read, and of what lies in bags.

    Raises
    ------
    ScenarioError
        If it is no save.
    """
    text = decoded(data, most=FOREIGN_BYTES)
    try:
        save = json.loads(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, RecursionError):
            why = say("nested too deep")
        elif isinstance(error, json.JSONDecodeError):
            message = "{reason}: line {line} column {column} (char {letter})"
            why = say(message, reason=word(error.msg), line=error.lineno, column=error.colno, letter=error.pos)
        else:
            why = say("a number has thousands of digits")
        raise ScenarioError(Fault.of("", "expected a save of Tabletop Simulator in JSON: {why}", why=why)) from None
    given = [save] if isinstance(save, dict) and "Transform" in save else save
    objects = given.get("ObjectStates") if isinstance(given, dict) else given or None
    if not isinstance(objects, list):
        raise ScenarioError(Fault.of("", 'expected a save of Tabletop Simulator: a JSON object with the list "ObjectStates"'))
    return list(_things(objects, remarks))


def _things(objects: list[Any], remarks: Remarks) -> Iterator[Thing]:
    _refuse_more(len(objects))
    inside = 0
    for number, raw in enumerate(objects, 1):
        thing = _thing(raw, number) if isinstance(raw, dict) else None
        if thing is None:
            remarks.add(say("objects without a place that can be read"), say("object {number}", number=number))
            continue
        yield thing
        bags = [raw]
        while bags:
            held = bags.pop().get("ContainedObjects")
            contents = [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []
            inside += len(contents)
            _refuse_more(len(objects) + inside)
            bags += contents
            placed = (_thing({**one, "Transform": raw["Transform"]}, number) for one in contents)
            yield from (replace(one, is_inside=True) for one in placed if one is not None)
    if inside:
        things = counted(inside, "objects in bags and decks")
        remarks.add(say("{things} is left out", things=things) if inside == 1 else say("{things} are left out", things=things))


def _refuse_more(objects: int) -> None:
    if objects > OBJECTS:
        message = "has {objects:,} objects or more, and of a save at most {most:,} are read"
        raise ScenarioError(Fault.of("", message, objects=objects, most=OBJECTS))


def _thing(raw: Mapping[str, Any], number: int) -> Thing | None:
    """Read one object; None if it has no place."""
    placed = raw.get("Transform")
    values = [_number(placed, key) for key in ("posX", "posY", "posZ", "rotX", "rotY", "rotZ")] if isinstance(placed, dict) else [None]
    x, rise, y, lean, turn, roll = values if None not in values else [None] * 6
    if x is None or y is None or rise is None or lean is None or turn is None or roll is None or max(map(abs, (x, y, rise))) > LENGTH:
        return None
    words = [plain(raw[key]) for key in ("Nickname", "Description", "GMNotes") if isinstance(raw.get(key), str)]
    name = name_in(words[0]) if isinstance(raw.get("Nickname"), str) else ""
    tilt = max(abs(_turned(lean)), abs(_turned(roll)))
    told = "\n".join(filter(None, words))
    facing = round((90.0 - turn) % 360.0, 2) % 360.0
    is_figure = _NO_FIGURE.search(str(raw.get("Name", ""))) is None
    return Thing(name, told, x, y, rise, facing, tilt, _bounds(raw, turn), number, notes.bases_in(told), is_figure)


def _number(table: Mapping[str, Any], key: str) -> float | None:
    """Return a number that is finite and not huge; angles that are left out are 0."""
    value = table.get(key, 0.0 if key.startswith("rot") else None)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < HUGE:
        return None
    return float(value)


def _turned(degrees: float) -> float:
    """Return the same turn between -180 and 180 degrees."""
    return (degrees + 180.0) % 360.0 - 180.0


def _bounds(raw: Mapping[str, Any], turn: float) -> Bounds | None:
    """Return the bounding box of an object in its own frame, as given, or from its axis-aligned box if it stands square to the axes."""
    own, along = _size(raw.get("BoundsNormalized")), _size(raw.get("Bounds"))
    quarters = round(turn / 90.0)
    if own is not None or along is None or abs(turn - 90.0 * quarters) > SQUARE_TOLERANCE:
        return own
    return along if quarters % 2 == 0 else (along[2], along[1], along[0])


def _size(bounds: Any) -> Bounds | None:
    size = bounds.get("size", bounds.get("Size")) if isinstance(bounds, dict) else None
    if not isinstance(size, dict):
        return None
    sides = [_number(size, key) for key in ("x", "y", "z")]
    width, height, depth = sides
    if width is None or height is None or depth is None or not (0 < width < LENGTH and 0 <= height < LENGTH and 0 < depth < LENGTH):
        return None
    return width, height, depth


def about(thing: Thing, middle: tuple[float, float]) -> tuple[float, float]:
    """Return where an object is as seen from a point, in inches."""
    return thing.x - middle[0], thing.y - middle[1]


# Ranks and files found in single models.


def regiment_of(places: Sequence[Place], facing_deg: float, *, base: Place, halves_files: bool) -> ModelBlock | None:
    """Return the block that the middles of equal bases form, or None if they form none.

    `places` (n, 2) and `base`, its width along the front and its depth, are in inches; the block looks along `facing_deg`. All ranks but
    the last are full; the last stands side by side at the left or right end, or in the middle: half a file off with `halves_files`, else
    of an odd number of free places one more is on the right.

    Examples
    --------
    >>> regiment_of([(0.5, 3.0), (1.5, 3.0), (0.5, 2.0)], 90.0, base=(1.0, 1.0), halves_files=False)
    Block(files=2, at=(1.0, 3.5), rear='left')
    """
    width, depth = base
    ahead = math.cos(math.radians(facing_deg)), math.sin(math.radians(facing_deg))
    seen = [(x * ahead[1] - y * ahead[0], x * ahead[0] + y * ahead[1]) for x, y in places]
    foremost = max(forward for _, forward in seen)
    ranked = [(round((foremost - forward) / depth), right, forward) for right, forward in seen]
    ranks: dict[int, list[float]] = {}
    for rank, right, _ in ranked:
        ranks.setdefault(rank, []).append(right)
    files = len(ranks[0])
    if not _are_filled(ranks, files):
        return None
    front = math.fsum(forward + rank * depth for rank, _, forward in ranked) / len(ranked)
    full = [right for rights in ranks.values() if len(rights) == files for right in rights]
    middle = math.fsum(full) / len(full)
    ends = _ends((files - len(ranks[len(ranks) - 1])), width, halves_files=halves_files)
    rear = next((end for end, off in ends.items() if _are_in_line(ranks[len(ranks) - 1], middle + off, width)), None)
    are_level = all(abs(front - rank * depth - forward) <= MISPLACED for rank, _, forward in ranked)
    if rear is None or not are_level or not all(_are_in_line(ranks[rank], middle, width) for rank in range(len(ranks) - 1)):
        return None
    out = front + depth / 2
    return ModelBlock(files, (middle * ahead[1] + out * ahead[0], out * ahead[1] - middle * ahead[0]), rear)


def _are_filled(ranks: Mapping[int, Sequence[float]], files: int) -> bool:
    """Return whether all ranks follow each other, each with as many models as the first, the last perhaps with fewer."""
    last = len(ranks) - 1
    return set(ranks) == set(range(last + 1)) and all(len(ranks[rank]) == files for rank in range(last)) and len(ranks[last]) <= files


def _ends(empty: int, width: float, *, halves_files: bool) -> dict[RearRank, float]:
    """Return how far to the right of the middle a rear rank with so many free places may stand; first as it does if nothing is said."""
    if halves_files:
        return {"centre": 0.0}
    return {"left": -empty * width / 2, "centre": -(empty % 2) * width / 2, "right": empty * width / 2}


def _are_in_line(rights: Sequence[float], middle: float, width: float) -> bool:
    first = middle - (len(rights) - 1) * width / 2
    return all(abs(first + place * width - right) <= MISPLACED for place, right in enumerate(sorted(rights)))
