"""Import of Tabletop Simulator saves: bases and terrain, from the names, descriptions and notes of objects.

A save does not say how large an object is, what it is, or whose; only its texts do. Missing details are remarked on.
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

from pydantic_core import PydanticCustomError

from tabletop.errors import Fault, ScenarioError, UsageError, naming
from tabletop.importing import notes
from tabletop.importing.imported import FOREIGN_BYTES, Imported, Remarks
from tabletop.importing.notes import name_in, plain
from tabletop.messages import counted, listed, printable, say, shown, word
from tabletop.registry import find
from tabletop.ruling.system import System
from tabletop.scenario.bases import WrittenBase, base_of, is_hull, is_number
from tabletop.scenario.fields import implied_names
from tabletop.scenario.limits import LENGTH, MAX_MODELS, NAME_LENGTH, TERRAIN_PIECES, TITLE
from tabletop.scenario.parsing import decoded, parsed
from tabletop.scenario.reading import value_of
from tabletop.scenario.validation import validated
from tabletop.table.state import RearRank
from tabletop.units import MM_PER_INCH

TILT = 5.0
"""Degrees by which an object may lean and still count as standing."""

SQUARE_TOLERANCE = 0.5
"""Degrees off a right angle within which the bounds along the table's axes are used as the object's own."""

HUGE = 1e9
"""Limit of plausible coordinates and angles."""

MISPLACED = 0.1
"""Inches by which a model may be off its place in rank and file."""

ACCURACY = 0.05
"""Accuracy in inches of objects placed on a virtual table."""

ASKEW = 2.0
"""Degrees by which a model's facing may differ from that of its block."""

RISE = 1.0
"""Inches above the lowest model beyond which a model's height is remarked on; the floor below it is unknown."""

PLACE_DECIMALS = 4
"""Decimals of places in inches; saves have seven significant digits."""

MAX_TERRAIN_HEIGHT = 1000.0
"""Greatest height of terrain in inches."""

OBJECTS = 100_000
"""Objects per save, including those in bags and decks."""

BASE_SIDE_LIMITS = 0.7, 7.0
"""Smallest and largest side in inches of a bounding box from which a base is guessed."""

MAX_ROUND_ASYMMETRY = 0.1
"""Relative difference between the sides of a bounding box that still counts as round."""

UNKNOWN_BASE = "?"
"""Placeholder for an unknown base."""

NOBODY = "unknown"
"""Side of units without one."""

_SIZE = re.compile(r"(\d{1,4}(?:\.\d+)?)x(\d{1,4}(?:\.\d+)?)", re.ASCII)

_NO_FIGURE = re.compile(
    r"bag|card|deck|die_|dice|trigger|text|hand|counter|clock|tablet|zone|board", re.IGNORECASE
)
"""Types of objects that are no models."""

_READ = (
    (
        "One unit of the save is one inch; the origin is the lower left corner of the table. A model faces along its "
        "object's own z axis."
    ),
    (
        "Models with one name, or with a line unit: NAME, are one unit. A single length called a base is a diameter; "
        "in ranks a square's side."
    ),
    "There are no charges yet.",
)

Bounds = tuple[float, float, float]

Place = tuple[float, float]
"""Two lengths in inches: right and ahead, or width and depth."""


@dataclass(frozen=True)
class Thing:
    """An object of a save: its name and texts, its place `x`, `y` and height `rise` in inches, and its facing and tilt
    in degrees.

    `bounds` are width, height and depth in inches of its bounding box in its own frame, if the save has them. `bases`
    come from its texts, or are guessed if `is_guess`; one that `has_hull` has none. An object that `is_inside` a bag
    has the bag's place.
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
    bases: tuple[WrittenBase, ...]
    is_figure: bool
    is_inside: bool = False
    is_guess: bool = False
    has_hull: bool = False

    @property
    def called(self) -> str:
        """Name of the object in remarks: its own, or its number in the save."""
        return (
            shown(self.name, NAME_LENGTH)
            if self.name
            else say("object {number}", number=self.number)
        )


Laid = tuple[notes.Size, tuple[float, float], list[Thing]]
"""Width and depth of a table, its lower left corner in the coordinates of the save, and the objects on it."""


class ModelBlock(NamedTuple):
    """A block of models: files, middle of its front edge in inches, and position of an incomplete rear rank."""

    files: int
    at: Place
    rear: RearRank


def import_save(
    data: bytes,
    label: str,
    *,
    system_name: str,
    board: notes.Size | None = None,
    bases: Mapping[str, Any] | None = None,
) -> Imported:
    """Return the scenario of a Tabletop Simulator save for a game system, without charges; `label` is the file's name.

    `board` is the table's size in inches if no object gives one. `bases` gives bases by name pattern for objects
    without one; models whose row says "hull", and rows that cannot be read, are left out with a remark.

    Raises
    ------
    ScenarioError
        If the file is no save, or exceeds the limits of scenario files.
    UsageError
        If the system is unknown, or played on hexes.
    """
    system = find(system_name)
    remarks = Remarks()
    if "hex" in system.vocabulary.placements:
        raise UsageError(
            "--system {name}: it is played on hexes, which saves of Tabletop Simulator do not record",
            name=system.name,
        )
    with naming(label):
        things = things_of(data, remarks)
        aside: list[Thing] = []
        by_name = _rows(bases or {}, remarks)
        tables, members = _tables(
            [_based(thing, by_name) for thing in things], system, board, aside, remarks
        )
        unfinished = _by_name(
            aside, {*tables["units"], *implied_names(piece["kind"] for piece in tables["terrain"])}
        )
        left = _as_units(unfinished)
        _refuse_empty(tables, left)
    title = printable(PurePath(label).stem)[:TITLE]
    whole = {
        "system": system.name,
        "edition": system.editions[0],
        "title": title,
        "accuracy": ACCURACY,
        **tables,
    }
    read = (f"The table of {title}, a save of Tabletop Simulator.", *_READ)
    kept = {key: value for key, value in whole.items() if value}
    return Imported(
        system, kept, read, remarks.lines(), left, _guesses(members), _guesses(unfinished)
    )


def _refuse_empty(tables: Mapping[str, Any], left: Mapping[str, Any]) -> None:
    if not (tables["units"] or tables["terrain"] or left):
        raise ScenarioError(Fault.of("", "this save has no objects on a table"))


def read_bases(data: bytes, label: str) -> dict[str, Any]:
    """Return the rows of a TOML file of bases by name pattern, such as `"*Guard*" = "32mm round"`.

    Raises
    ------
    ScenarioError
        If the file is not TOML.
    """
    with naming(label):
        return parsed(data)


def _rows(bases: Mapping[str, Any], remarks: Remarks) -> dict[str, WrittenBase | None]:
    """Return bases by name pattern, None for a hull; rows that cannot be read are remarked on."""
    found: dict[str, WrittenBase | None] = {}
    for pattern, value in bases.items():
        try:
            found[pattern] = None if is_hull(value) else base_of(value)
        except PydanticCustomError as error:
            message = "--bases {pattern}: {expected}, given {given}; this row is left out"
            expected = (error.context or {})["message"]
            remarks.add(say(message, pattern=shown(pattern), expected=expected, given=shown(value)))
    return found


def _based(thing: Thing, bases: Mapping[str, WrittenBase | None]) -> Thing:
    """Return the object with the base, or the hull, of the first matching pattern, if it has no base of its own."""
    name = thing.name.casefold()
    fitting = (
        ()
        if thing.bases
        else (base for pattern, base in bases.items() if fnmatchcase(name, pattern.casefold()))
    )
    for base in fitting:
        return replace(thing, has_hull=True) if base is None else replace(thing, bases=(base,))
    return thing


def _guessed(thing: Thing, system: System) -> WrittenBase | None:
    """Return a base guessed from a model's bounding box; None if it is no upright figure of a plausible size."""
    if not (thing.name and thing.is_figure and thing.bounds and thing.tilt_deg <= TILT):
        return None
    width, _, depth = thing.bounds
    if not BASE_SIDE_LIMITS[0] <= min(width, depth) <= max(width, depth) <= BASE_SIDE_LIMITS[1]:
        return None
    across, along = (round(side * MM_PER_INCH, 1) for side in (width, depth))
    if "loose" not in system.vocabulary.placements:
        return WrittenBase((across, along))
    if abs(width - depth) <= MAX_ROUND_ASYMMETRY * max(width, depth):
        return WrittenBase((max(across, along),), "round")
    return WrittenBase((max(across, along), min(across, along)), "oval")


def _guess(bases: Iterable[str]) -> str:
    """Return the remark on guessed bases."""
    return say("base {base} is a guess from the size of its bounding box", base=listed(bases, ", "))


def _guesses(units: Mapping[str, Sequence[Thing]]) -> dict[str, str]:
    """Return the remark on guessed bases of each unit that has any, by unit name."""
    found = {
        name: sorted({base.text for thing in things if thing.is_guess for base in thing.bases})
        for name, things in units.items()
    }
    return {name: _guess(bases) for name, bases in found.items() if bases}


def _by_name(aside: Sequence[Thing], taken: AbstractSet[str]) -> dict[str, list[Thing]]:
    """Return the figures left out, grouped by unit name; names avoid those in `taken`."""
    groups: dict[str, list[Thing]] = defaultdict(list)
    for thing in [thing for thing in aside if thing.is_figure][:MAX_MODELS]:
        groups[_free(thing.name or str(thing.called), taken)].append(thing)
    return groups


def _free(name: str, taken: AbstractSet[str]) -> str:
    """Return a valid name that is not taken, with a number appended if necessary."""
    stem = name[: NAME_LENGTH - 6].strip()
    return next(
        other
        for other in (stem, *(f"{stem} {count}" for count in range(2, MAX_MODELS + 3)))
        if other not in taken
    )


def _as_units(groups: Mapping[str, Sequence[Thing]]) -> dict[str, Any]:
    """Return the entries of figures left out as incomplete units, by name, with places in inches and facings in
    degrees.
    """
    return {
        name: {
            "side": NOBODY,
            "at": [
                [round(thing.x, PLACE_DECIMALS), round(thing.y, PLACE_DECIMALS)] for thing in things
            ],
            "facing_deg": [thing.facing_deg for thing in things],
            "base": things[0].bases[0].text if things[0].bases else UNKNOWN_BASE,
        }
        for name, things in groups.items()
    }


def _tables(
    things: Sequence[Thing],
    system: System,
    board: notes.Size | None,
    aside: list[Thing],
    remarks: Remarks,
) -> tuple[dict[str, Any], dict[str, list[Thing]]]:
    """Return the entries of board, terrain and units, and the models of each unit by name.

    Objects that may be models but are left out are added to `aside`.
    """
    size, corner, rest = _table_of(things, system, board, remarks)
    models: list[Thing] = []
    terrain: list[dict[str, Any]] = []
    for told in rest:
        thing = told
        count = len(models)
        x, y = about(thing, corner)
        kind = notes.kind_in(
            "" if thing.bases else thing.name, thing.words, system.vocabulary.terrain_kinds
        )
        if (
            kind is None
            and not (thing.bases or thing.has_hull or thing.is_inside)
            and (base := _guessed(thing, system)) is not None
        ):
            remarks.add(_guess((base.text,)), thing.called)
            thing = replace(thing, bases=(base,), is_guess=True)
        if thing.is_inside:
            pass
        elif kind is None and not thing.bases:
            untold = say(
                "objects whose texts give neither a base nor a kind of terrain are left out"
            )
            remarks.add(
                say("models that have a hull and no base are left out")
                if thing.has_hull
                else untold,
                thing.called,
            )
        elif not (0.0 <= x <= size[0] and 0.0 <= y <= size[1]):
            remarks.add(say("off the table, left out"), thing.called)
        elif thing.tilt_deg > TILT:
            remarks.add(say("not upright, left out"), thing.called)
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
    for count, most, things in (
        (models, MAX_MODELS, say("models")),
        (pieces, TERRAIN_PIECES, say("pieces of terrain")),
    ):
        if count > most:
            message = "has {count} {things} on the table, and a scenario holds at most {most}"
            raise ScenarioError(Fault.of("", message, count=count, things=things, most=most))


def _table_of(
    things: Sequence[Thing], system: System, board: notes.Size | None, remarks: Remarks
) -> Laid:
    """Return the table's size (width, depth), its lower left corner in coordinates of the save, and the other objects.

    The size is that of the only object that gives one, else `board`, else the template's about the origin; inches
    throughout.
    """
    telling = [thing for thing in things if notes.is_table(thing.words) and not thing.bases]
    sized = {thing.number: area for thing in telling if (area := _table_size(thing)) is not None}
    tables = [thing for thing in telling if thing.number in sized]
    rest = [thing for thing in things if thing.number not in sized]
    if len(tables) == 1 and board is None:
        size = sized[tables[0].number]
        middle = (tables[0].x, tables[0].y)
    else:
        middle = (0.0, 0.0)
        example = system.vocabulary.example.get("board", {"width": 72.0, "depth": 48.0})
        size = board or (float(example["width"]), float(example["depth"]))
        if board:
            why = say("as set by --board")
        elif tables:
            why = say("{count} objects give a size; set it with --board", count=len(tables))
        else:
            why = say("no object gives its size; set it with --board")
        message = "the table is {width:g} by {depth:g} in about the origin of the save: {why}"
        remarks.add(say(message, width=size[0], depth=size[1], why=why))
    return size, (middle[0] - size[0] / 2, middle[1] - size[1] / 2), rest


def _table_size(thing: Thing) -> notes.Size | None:
    """Return the width and depth in inches that a table object gives, as it is turned; None if it gives none or is
    askew.
    """
    areas = notes.areas_in(thing.words)
    quarters = round((thing.facing_deg - 90.0) / 90.0)
    if (
        len(areas) != 1
        or abs(thing.facing_deg - 90.0 - 90.0 * quarters) > 1.0
        or not all(0.0 < side <= LENGTH for side in areas[0])
    ):
        return None
    return areas[0] if quarters % 2 == 0 else (areas[0][1], areas[0][0])


def _piece(
    thing: Thing,
    kind: str,
    corner: tuple[float, float],
    longest: float,
    system: System,
    remarks: Remarks,
) -> dict[str, Any] | None:
    """Return the entry of a piece of terrain, with the size in its texts or of its bounding box; None with a remark if
    unusable.
    """
    x, y = (round(value, PLACE_DECIMALS) for value in about(thing, corner))
    height = notes.height_in(thing.words)
    sizes = [base.inches for base in thing.bases if base.form != "oval"]
    areas = [*notes.areas_in(thing.words), *((size[0], size[1]) for size in sizes if len(size) > 1)]
    diameters = [*notes.diameters_in(thing.words), *(size[0] for size in sizes if len(size) == 1)]
    told = (*(side for area in areas for side in area), *diameters)
    if (
        len(areas) + len(diameters) > 1
        or not all(0.0 < side <= longest for side in told)
        or (height or 0.0) > MAX_TERRAIN_HEIGHT
    ):
        remarks.add(
            say(
                "terrain with more than one size, or of none, or larger than the table, is left out"
            ),
            thing.called,
        )
        return None
    if not told and thing.bounds is not None and max(thing.bounds) <= longest:
        areas = [(thing.bounds[0], thing.bounds[2])]
        remarks.add(say("terrain with the size of its bounding box"), thing.called)
        height = thing.bounds[1] if height is None and kind in system.vocabulary.tall else height
    if height is None and kind in system.vocabulary.tall:
        remarks.add(
            say("terrain of kind {kind} without a height (height 4) is left out", kind=kind),
            thing.called,
        )
        return None
    rise = {} if height is None else {"height": round(height, PLACE_DECIMALS)}
    if diameters:
        return {
            "kind": kind,
            "circle": {"centre": [x, y], "radius": round(diameters[0] / 2, PLACE_DECIMALS)},
            **rise,
        }
    if not areas:
        remarks.add(say("terrain without a size (6x4in, or 3in round) is left out"), thing.called)
        return None
    width, depth = (round(side, PLACE_DECIMALS) for side in areas[0])
    angle = round((thing.facing_deg - 90.0) % 360.0, 2) % 360.0
    return {
        "kind": kind,
        "rectangle": {"centre": [x, y], "width": width, "depth": depth, "angle_deg": angle},
        **rise,
    }


def _remark_on_heights(models: Sequence[Thing], remarks: Remarks) -> None:
    lowest = min((model.rise for model in models), default=0.0)
    for model in models:
        if model.rise - lowest > RISE:
            remarks.add(
                say(
                    "models above the others are placed on the table: the height of their floor is unknown"
                ),
                model.called,
            )


def _units(
    models: Sequence[Thing],
    corner: tuple[float, float],
    system: System,
    taken: set[str],
    aside: list[Thing],
    remarks: Remarks,
) -> Iterator[tuple[str, list[Thing], dict[str, Any]]]:
    """Yield name, models and entry of each unit, grouped by name and side; unusable models are added to `aside`."""
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
            remarks.add(
                say('the side is "{side}" where no object of a unit says side: NAME', side=NOBODY),
                shown(called),
            )
        placed = _placed(called, members, corner, system, remarks)
        if placed is None:
            aside.extend(_on_table(member, corner) for member in members)
        else:
            taken.add(called)
            yield (
                called,
                members,
                {
                    "side": side[:NAME_LENGTH].strip() or NOBODY,
                    **_profile(called, members, system, remarks),
                    **placed,
                },
            )


def _on_table(thing: Thing, corner: tuple[float, float]) -> Thing:
    x, y = about(thing, corner)
    return replace(thing, x=x, y=y)


def _placed(
    name: str,
    models: Sequence[Thing],
    corner: tuple[float, float],
    system: System,
    remarks: Remarks,
) -> dict[str, Any] | None:
    """Return the keys that place a unit, in ranks and files or else loose; None with a remark if the system allows
    neither.
    """
    ranked = next((way for way in system.vocabulary.placements if way != "loose"), None)
    if ranked is None:
        return _loose(models, corner)
    if "loose" not in system.vocabulary.placements:
        return _ranked(name, models, corner, ranked, remarks)
    return _ranked(name, models, corner, ranked, Remarks()) or _loose(models, corner)


def _ranked(
    name: str, models: Sequence[Thing], corner: tuple[float, float], way: str, remarks: Remarks
) -> dict[str, Any] | None:
    """Return the keys that place models in ranks and files; None with a remark if they form none."""
    bases = {model.bases[0] for model in models}
    are_rectangles = all(base.form in (None, "rectangle") for base in bases)
    base, *others = {base.settled(is_loose=False) for base in bases} if are_rectangles else bases
    if others or not are_rectangles:
        remarks.add(
            say("units without one rectangular base (25x50mm: width, then depth) are left out"),
            shown(name),
        )
        return None
    counted = "stands" if way == "stands" else "models"
    things = list(models)
    across = math.fsum(math.cos(math.radians(thing.facing_deg)) for thing in things)
    up = math.fsum(math.sin(math.radians(thing.facing_deg)) for thing in things)
    facing = round(math.degrees(math.atan2(up, across)) % 360.0, 2) % 360.0
    sizes = base.inches
    placed = regiment_of(
        [about(model, corner) for model in models],
        facing,
        base=(sizes[0], sizes[1]),
        halves_files=counted == "stands",
    )
    if placed is None or any(
        abs((model.facing_deg - facing + 180.0) % 360.0 - 180.0) > ASKEW for model in models
    ):
        message = "units whose models are not in ranks and files to {off} in, looking one way, are left out"
        remarks.add(say(message, off=MISPLACED), shown(name))
        return None
    if placed.rear != ("centre" if counted == "stands" else "left"):
        remarks.add(
            say("the rear rank stands at the {rear}: does the profile say so?", rear=placed.rear),
            shown(name),
        )
    return {
        "at": [round(value, PLACE_DECIMALS) for value in placed.at],
        "facing_deg": facing,
        "files": placed.files,
        counted: len(models),
        "base": base.text,
    }


def _loose(models: Sequence[Thing], corner: tuple[float, float]) -> dict[str, Any]:
    places = [[round(value, PLACE_DECIMALS) for value in about(model, corner)] for model in models]
    bases = [_loose_base(model.bases[0]) for model in models]
    facings = [model.facing_deg for model in models]
    if len(set(bases)) == 1:
        return {
            "at": places,
            "facing_deg": facings[0] if len(set(facings)) == 1 else facings,
            "base": bases[0],
        }
    entries = zip(places, facings, bases, strict=True)
    return {
        "models": [
            {"at": place, "facing_deg": facing, "base": base} for place, facing, base in entries
        ]
    }


def _loose_base(base: WrittenBase) -> str:
    """Return the base of a loose model as files have it, the long axis of an oval first."""
    lengths = (
        base.lengths if base.form == "rectangle" else tuple(sorted(base.lengths, reverse=True))
    )
    return WrittenBase(lengths, base.form).settled(is_loose=True).text


def _profile(
    name: str, models: Sequence[Thing], system: System, remarks: Remarks
) -> dict[str, Any]:
    """Return the entry `profile` from the texts of a unit's models, {} if empty; missing required keys are the
    template's.
    """
    model = system.vocabulary.profile
    told: dict[str, Any] = {}
    for key in model.model_fields:
        values = dict.fromkeys(
            value for thing in models if (value := notes.value_of(key, thing.words)) is not None
        )
        if len(values) == 1:
            told[key] = value_of(next(iter(values)))
        elif values:
            remarks.add(
                say("profile.{key} has several values and is left out", key=key), shown(name)
            )
    _, problems = validated(model, {**_needed(system), **told})
    for fault in problems:
        key = re.split(r"[.\[]", fault.key)[0]
        told.pop(key, None)
        remarks.add(say("profile.{key}: {fault}", key=key, fault=fault.message), shown(name))
    needed = {key: value for key, value in _needed(system).items() if key not in told}
    for key, value in needed.items():
        message = "profile.{key} is required but missing: {value} is used, as in the template"
        remarks.add(say(message, key=key, value=str(value)), shown(name))
    profile = {**needed, **told}
    return {"profile": profile} if profile else {}


def _needed(system: System) -> Mapping[str, Any]:
    """Return values for the required keys of a profile, from the system's example."""
    model = system.vocabulary.profile
    example: Mapping[str, Any] = next(
        iter(system.vocabulary.example.get("units", {"": {}}).values())
    ).get("profile", {})
    return {
        key: example[key]
        for key, field in model.model_fields.items()
        if field.is_required() and key in example
    }


def size_of(text: str) -> notes.Size:
    """Return width and depth in inches of a size such as 60x44.

    Raises
    ------
    UsageError
        If the text is no size.
    """
    match = _SIZE.fullmatch(text.strip().lower())
    if match is None or not all(0.0 < float(side) <= LENGTH for side in match.groups()):
        raise UsageError(
            "--board {text}: expected width and depth in inches, such as 60x44", text=text
        )
    return float(match.group(1)), float(match.group(2))


# Objects of a save, as far as they stand on a table.


def things_of(data: bytes, remarks: Remarks) -> list[Thing]:
    """Return the objects of a save, those in bags included, and remark on unreadable ones and on the contents of bags.

    Raises
    ------
    ScenarioError
        If the file is no save.
    """
    text = decoded(data, most=FOREIGN_BYTES)
    try:
        save = json.loads(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, RecursionError):
            why = say("nested too deep")
        elif isinstance(error, json.JSONDecodeError):
            message = "{reason}: line {line} column {column} (char {letter})"
            why = say(
                message,
                reason=word(error.msg),
                line=error.lineno,
                column=error.colno,
                letter=error.pos,
            )
        else:
            why = say("a number has thousands of digits")
        raise ScenarioError(
            Fault.of("", "expected a save of Tabletop Simulator in JSON: {why}", why=why)
        ) from None
    given = [save] if isinstance(save, dict) and "Transform" in save else save
    objects = given.get("ObjectStates") if isinstance(given, dict) else given or None
    if not isinstance(objects, list):
        raise ScenarioError(
            Fault.of(
                "",
                'expected a save of Tabletop Simulator: a JSON object with the list "ObjectStates"',
            )
        )
    return list(_things(objects, remarks))


def _things(objects: list[Any], remarks: Remarks) -> Iterator[Thing]:
    _refuse_more(len(objects))
    inside = 0
    for number, raw in enumerate(objects, 1):
        thing = _thing(raw, number) if isinstance(raw, dict) else None
        if thing is None:
            remarks.add(
                say("objects without a place that can be read"),
                say("object {number}", number=number),
            )
            continue
        yield thing
        bags = [raw]
        while bags:
            held = bags.pop().get("ContainedObjects")
            contents = (
                [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []
            )
            inside += len(contents)
            _refuse_more(len(objects) + inside)
            bags += contents
            placed = (_thing({**one, "Transform": raw["Transform"]}, number) for one in contents)
            yield from (replace(one, is_inside=True) for one in placed if one is not None)
    if inside:
        things = counted(inside, "objects in bags and decks")
        remarks.add(
            say("{things} is left out", things=things)
            if inside == 1
            else say("{things} are left out", things=things)
        )


def _refuse_more(objects: int) -> None:
    if objects > OBJECTS:
        message = "has {objects:,} objects or more; at most {most:,} are read"
        raise ScenarioError(Fault.of("", message, objects=objects, most=OBJECTS))


def _thing(raw: Mapping[str, Any], number: int) -> Thing | None:
    """Return the object described by a save's entry, or None if it has no readable place."""
    placed = raw.get("Transform")
    values = (
        [_number(placed, key) for key in ("posX", "posY", "posZ", "rotX", "rotY", "rotZ")]
        if isinstance(placed, dict)
        else [None]
    )
    x, rise, y, lean, turn, roll = values if None not in values else [None] * 6
    if (
        x is None
        or y is None
        or rise is None
        or lean is None
        or turn is None
        or roll is None
        or max(map(abs, (x, y, rise))) > LENGTH
    ):
        return None
    words = [
        plain(raw[key])
        for key in ("Nickname", "Description", "GMNotes")
        if isinstance(raw.get(key), str)
    ]
    name = name_in(words[0]) if isinstance(raw.get("Nickname"), str) else ""
    tilt = max(abs(_turned(lean)), abs(_turned(roll)))
    told = "\n".join(filter(None, words))
    facing = round((90.0 - turn) % 360.0, 2) % 360.0
    is_figure = _NO_FIGURE.search(str(raw.get("Name", ""))) is None
    return Thing(
        name,
        told,
        x,
        y,
        rise,
        facing,
        tilt,
        _bounds(raw, turn),
        number,
        notes.bases_in(told),
        is_figure,
    )


def _number(table: Mapping[str, Any], key: str) -> float | None:
    """Return a finite, plausible number under a key of a table, or None; a missing angle is 0."""
    value = table.get(key, 0.0 if key.startswith("rot") else None)
    if not is_number(value) or not abs(value) < HUGE:
        return None
    return float(value)


def _turned(degrees: float) -> float:
    """Return an angle in degrees wrapped into [-180, 180)."""
    return (degrees + 180.0) % 360.0 - 180.0


def _bounds(raw: Mapping[str, Any], turn: float) -> Bounds | None:
    """Return width, height and depth in inches of an object's bounding box in its own frame; None if unknown.

    An axis-aligned box is used only if the object is turned by a multiple of 90 degrees; `turn` is in degrees.
    """
    own = _size(raw.get("BoundsNormalized"))
    along = _size(raw.get("Bounds"))
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
    if (
        width is None
        or height is None
        or depth is None
        or not (0 < width < LENGTH and 0 <= height < LENGTH and 0 < depth < LENGTH)
    ):
        return None
    return width, height, depth


def about(thing: Thing, middle: tuple[float, float]) -> tuple[float, float]:
    """Return an object's place (x, y) relative to the point `middle`, in inches."""
    return thing.x - middle[0], thing.y - middle[1]


# Ranks and files found in single models.


def regiment_of(
    places: Sequence[Place], facing_deg: float, *, base: Place, halves_files: bool
) -> ModelBlock | None:
    """Return the block in ranks and files that equal bases form, or None if they form none.

    Parameters
    ----------
    places
        Middles of the bases in inches, shape (n, 2).
    facing_deg
        Direction in which the block faces, in degrees.
    base
        Width along the front and depth, in inches.
    halves_files
        Whether a centred rear rank may be offset by half a file.

    Notes
    -----
    All ranks but the last must be full. The last is at the left or right end or in the middle; without `halves_files`,
    the middle of an odd number of free places has one more on the right.

    Examples
    --------
    >>> regiment_of([(0.5, 3.0), (1.5, 3.0), (0.5, 2.0)], 90.0, base=(1.0, 1.0), halves_files=False)
    ModelBlock(files=2, at=(1.0, 3.5), rear='left')
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
    rear = next(
        (
            end
            for end, off in ends.items()
            if _are_in_line(ranks[len(ranks) - 1], middle + off, width)
        ),
        None,
    )
    are_level = all(abs(front - rank * depth - forward) <= MISPLACED for rank, _, forward in ranked)
    if (
        rear is None
        or not are_level
        or not all(_are_in_line(ranks[rank], middle, width) for rank in range(len(ranks) - 1))
    ):
        return None
    out = front + depth / 2
    return ModelBlock(
        files, (middle * ahead[1] + out * ahead[0], out * ahead[1] - middle * ahead[0]), rear
    )


def _are_filled(ranks: Mapping[int, Sequence[float]], files: int) -> bool:
    """Return whether ranks are numbered without a gap and are full, except possibly the last."""
    last = len(ranks) - 1
    return (
        set(ranks) == set(range(last + 1))
        and all(len(ranks[rank]) == files for rank in range(last))
        and len(ranks[last]) <= files
    )


def _ends(empty: int, width: float, *, halves_files: bool) -> dict[RearRank, float]:
    """Return the possible offsets of a rear rank to the right, in inches, by its alignment; the default comes first.

    `empty` is the number of free places in the rear rank.
    """
    if halves_files:
        return {"centre": 0.0}
    return {
        "left": -empty * width / 2,
        "centre": -(empty % 2) * width / 2,
        "right": empty * width / 2,
    }


def _are_in_line(rights: Sequence[float], middle: float, width: float) -> bool:
    first = middle - (len(rights) - 1) * width / 2
    return all(
        abs(first + place * width - right) <= MISPLACED
        for place, right in enumerate(sorted(rights))
    )
