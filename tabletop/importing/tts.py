"""Saves of Tabletop Simulator: the bases and the terrain on a table, by what the names, descriptions and notes of objects say.

A save does not tell how large an object is, what it is, or whose: its words do. What they leave out is remarked on.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from tabletop.errors import Fault, ScenarioError, UsageError
from tabletop.importing import notes
from tabletop.importing.imported import Imported, Remarks
from tabletop.importing.objects import TILT, Thing, about, mean_facing, things_of
from tabletop.importing.ranks import MISPLACED, regiment_of
from tabletop.registry import find
from tabletop.ruling.system import System
from tabletop.scenario.complaints import validated
from tabletop.scenario.entries import implied_names
from tabletop.scenario.limits import LENGTH, MODELS, NAME_LENGTH, TERRAIN_PIECES, TITLE
from tabletop.scenario.overrides import value_of
from tabletop.words import printable, shown

ACCURACY = 0.05
"""Inches to which hands place things on a virtual table."""
ASKEW = 2.0
"""Degrees by which models of one block may look another way than all together."""
RISE = 1.0
"""Inches above the lowest model at which a model is remarked on: no place says how high the floor under it is."""
DIGITS = 4
"""Decimals of places in inches; a save has seven digits in all."""
TALLEST = 1000.0
"""Inches: no terrain is higher."""
NOBODY = "unknown"
"""The side of units whose objects name none."""
_SIZE = re.compile(r"(\d{1,4}(?:\.\d+)?)x(\d{1,4}(?:\.\d+)?)", re.ASCII)
_READ = (
    "One unit of its space is an inch; the lower left corner of the table is the origin. A model looks along its object's own z axis.",
    "Models of one name, or with a line unit: NAME, are one unit; one length that is called a base is its diameter. It has no charges yet.",
)


def size_of(text: str) -> notes.Size:
    """Return width and depth in inches of a table such as 60x44.

    Raises
    ------
    UsageError
        If it is no size.
    """
    match = _SIZE.fullmatch(text.strip().lower())
    if match is None or not all(0.0 < float(side) <= LENGTH for side in match.groups()):
        raise UsageError(f"--board {text}: expected width and depth in inches, such as 60x44")
    return float(match.group(1)), float(match.group(2))


def import_save(data: bytes, label: str, *, system_name: str, board: notes.Size | None = None) -> Imported:
    """Return the scenario that the bytes of a save come to, played by a system; `board` is the table's size in inches where no object says.

    Raises
    ------
    ScenarioError
        If it is no save, or holds more than a scenario may.
    UsageError
        If the system is not known, or is played on hexes.
    """
    system, remarks = find(system_name), Remarks()
    if "hex" in system.vocabulary.placements:
        raise UsageError(f"--system {system.name}: it is played on hexes, which a save of Tabletop Simulator does not tell")
    try:
        things = things_of(data, remarks)
        tables = _tables(things, system, board, remarks)
    except ScenarioError as error:
        raise error.in_file(label) from None
    title = printable(PurePath(label).stem)[:TITLE]
    whole = {"system": system.name, "edition": system.editions[0], "title": title, "accuracy": ACCURACY, **tables}
    read = (f"The table of {title}, a save of Tabletop Simulator.", *_READ)
    return Imported(system, {key: value for key, value in whole.items() if value}, read, remarks.lines())


def _tables(things: Sequence[Thing], system: System, board: notes.Size | None, remarks: Remarks) -> dict[str, Any]:
    """Give board, terrain and units."""
    size, corner, rest = _table_of(things, system, board, remarks)
    models: list[Thing] = []
    terrain: list[dict[str, Any]] = []
    for thing in rest:
        x, y = about(thing, corner)
        has_base = bool(notes.bases_in(thing.words))
        kind = notes.kind_in("" if has_base else thing.name, thing.words, system.vocabulary.terrain_kinds)
        if kind is None and not has_base:
            remarks.add("objects whose words tell neither a base nor a kind of terrain are left out", thing.called)
        elif not (0.0 <= x <= size[0] and 0.0 <= y <= size[1]):
            remarks.add("beside the table, and left out", thing.called)
        elif thing.tilt_deg > TILT:
            remarks.add("not upright, and left out", thing.called)
        elif kind is None:
            models.append(thing)
        elif (piece := _piece(thing, kind, corner, max(size), system, remarks)) is not None:
            terrain.append(piece)
    _refuse_too_many(len(models), len(terrain))
    _remark_on_heights(models, remarks)
    taken = set(implied_names(piece["kind"] for piece in terrain))
    return {
        "board": {"width": size[0], "depth": size[1]},
        "terrain": terrain,
        "units": dict(_units(models, corner, system, taken, remarks)),
    }


def _refuse_too_many(models: int, pieces: int) -> None:
    for count, most, what in ((models, MODELS, "models"), (pieces, TERRAIN_PIECES, "pieces of terrain")):
        if count > most:
            raise ScenarioError(Fault("", f"has {count} {what} on the table, and a scenario holds at most {most}"))


Laid = tuple[notes.Size, tuple[float, float], list[Thing]]
"""Width and depth of a table, where its lower left corner is in the space of the save, and what is not the table itself."""


def _table_of(things: Sequence[Thing], system: System, board: notes.Size | None, remarks: Remarks) -> Laid:
    """Find the table by the one size that objects tell, or take that given, or the template's about the middle of the space."""
    telling = [thing for thing in things if notes.is_table(thing.words) and not notes.bases_in(thing.words)]
    sized = {thing.number: area for thing in telling if (area := _table_size(thing)) is not None}
    tables = [thing for thing in telling if thing.number in sized]
    rest = [thing for thing in things if thing.number not in sized]
    if len(tables) == 1 and board is None:
        size, middle = sized[tables[0].number], (tables[0].x, tables[0].y)
    else:
        middle = (0.0, 0.0)
        example = system.vocabulary.example.get("board", {"width": 72.0, "depth": 48.0})
        size = board or (float(example["width"]), float(example["depth"]))
        why = "--board tells it" if board else "no object tells it" if not tables else f"{len(tables)} objects tell one"
        remarks.add(f"the table is {size[0]:g} by {size[1]:g} in about the origin of the save: {why}{'' if board else '; --board would'}")
    return size, (middle[0] - size[0] / 2, middle[1] - size[1] / 2), rest


def _table_size(thing: Thing) -> notes.Size | None:
    """Give the width and depth of the table that an object says it is, as it lies; None if it does not, or lies askew."""
    areas = notes.areas_in(thing.words)
    quarters = round((thing.facing_deg - 90.0) / 90.0)
    if len(areas) != 1 or abs(thing.facing_deg - 90.0 - 90.0 * quarters) > 1.0 or not all(0.0 < side <= LENGTH for side in areas[0]):
        return None
    return areas[0] if quarters % 2 == 0 else (areas[0][1], areas[0][0])


def _piece(thing: Thing, kind: str, corner: tuple[float, float], longest: float, system: System, remarks: Remarks) -> dict[str, Any] | None:
    """Give a piece of terrain, at most so long in inches: as large as its words say, else as the box around it."""
    x, y = (round(value, DIGITS) for value in about(thing, corner))
    height, sizes = notes.height_in(thing.words), [notes.inches_of(base) for base in notes.bases_in(thing.words)]
    areas = [*notes.areas_in(thing.words), *((size[0], size[1]) for size in sizes if len(size) > 1)]
    diameters = [*notes.diameters_in(thing.words), *(size[0] for size in sizes if len(size) == 1)]
    told = (*(side for area in areas for side in area), *diameters)
    if len(areas) + len(diameters) > 1 or not all(0.0 < side <= longest for side in told) or (height or 0.0) > TALLEST:
        remarks.add("terrain with more than one size, or of none, or larger than the table, is left out", thing.called)
        return None
    if not told and thing.bounds is not None and max(thing.bounds) <= longest:
        areas = [(thing.bounds[0], thing.bounds[2])]
        remarks.add("terrain as large as the box around it", thing.called)
        height = thing.bounds[1] if height is None and kind in system.vocabulary.tall else height
    if height is None and kind in system.vocabulary.tall:
        remarks.add(f"terrain of kind {kind} without a height (height 4) is left out", thing.called)
        return None
    rise = {} if height is None else {"height": round(height, DIGITS)}
    if diameters:
        return {"kind": kind, "circle": {"centre": [x, y], "radius": round(diameters[0] / 2, DIGITS)}, **rise}
    if not areas:
        remarks.add("terrain without a size (6x4in, or 3in round) is left out", thing.called)
        return None
    width, depth = (round(side, DIGITS) for side in areas[0])
    angle = round((thing.facing_deg - 90.0) % 360.0, 2) % 360.0
    return {"kind": kind, "rectangle": {"centre": [x, y], "width": width, "depth": depth, "angle_deg": angle}, **rise}


def _remark_on_heights(models: Sequence[Thing], remarks: Remarks) -> None:
    lowest = min((model.rise for model in models), default=0.0)
    for model in models:
        if model.rise - lowest > RISE:
            remarks.add("models higher than others stand on the table here: nothing says how high their floor is", model.called)


def _units(
    models: Sequence[Thing], corner: tuple[float, float], system: System, taken: set[str], remarks: Remarks
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the units by name: the models of one name and side."""
    groups: dict[tuple[str, str], list[Thing]] = defaultdict(list)
    for model in models:
        if len(notes.bases_in(model.words)) > 1:
            remarks.add("models with more than one base are left out", model.called)
            continue
        name = notes.value_of("unit", model.words) or model.name
        if not name:
            remarks.add("models without a name are left out", model.called)
            continue
        groups[name, notes.value_of("side", model.words) or ""].append(model)
    for (name, side), members in groups.items():
        called = _free(name, taken)
        if not side:
            remarks.add(f'the side is "{NOBODY}" where no object of a unit says side: NAME', shown(called))
        placed = _placed(called, members, corner, system, remarks)
        if placed is not None:
            taken.add(called)
            yield called, {"side": side[:NAME_LENGTH].strip() or NOBODY, **_profile(called, members, system, remarks), **placed}


def _free(name: str, taken: set[str]) -> str:
    """Give a name that nothing has yet, as near to the one wanted as may be."""
    stem = name[: NAME_LENGTH - 6].strip()
    return next(other for other in (stem, *(f"{stem} {count}" for count in range(2, MODELS + 3))) if other not in taken)


def _placed(name: str, models: Sequence[Thing], corner: tuple[float, float], system: System, remarks: Remarks) -> dict[str, Any] | None:
    """Give the places of the models of a unit as its system writes them, or None and a remark; loose where they are in no ranks."""
    ranked = next((way for way in system.vocabulary.placements if way != "loose"), None)
    if ranked is None:
        return _loose(models, corner)
    if "loose" not in system.vocabulary.placements:
        return _ranked(name, models, corner, ranked, remarks)
    return _ranked(name, models, corner, ranked, Remarks()) or _loose(models, corner)


def _ranked(name: str, models: Sequence[Thing], corner: tuple[float, float], way: str, remarks: Remarks) -> dict[str, Any] | None:
    """Give the place of models in ranks and files, or None and a remark."""
    bases = {notes.bases_in(model.words)[0] for model in models}
    base = min(bases)
    sizes = notes.inches_of(base)
    if len(bases) > 1 or len(sizes) == 1 or not sizes:
        remarks.add("units without one rectangular base (25x50mm: width, then depth) are left out", shown(name))
        return None
    counted = "stands" if way == "stands" else "models"
    facing = mean_facing(list(models))
    placed = regiment_of([about(model, corner) for model in models], facing, base=(sizes[0], sizes[1]), halves_files=counted == "stands")
    if placed is None or any(abs((model.facing_deg - facing + 180.0) % 360.0 - 180.0) > ASKEW for model in models):
        remarks.add(f"units whose models are not in ranks and files to {MISPLACED} in, looking one way, are left out", shown(name))
        return None
    if placed.rear != ("centre" if counted == "stands" else "left"):
        remarks.add(f"the rear rank stands at the {placed.rear}: does the profile say so?", shown(name))
    return {
        "at": [round(value, DIGITS) for value in placed.at],
        "facing_deg": facing,
        "files": placed.files,
        counted: len(models),
        "base": base,
    }


def _loose(models: Sequence[Thing], corner: tuple[float, float]) -> dict[str, Any]:
    places = [[round(value, DIGITS) for value in about(model, corner)] for model in models]
    bases = [notes.bases_in(model.words)[0] for model in models]
    facings = [model.facing_deg for model in models]
    if len(set(bases)) == 1:
        return {"at": places, "facing_deg": facings[0] if len(set(facings)) == 1 else facings, "base": bases[0]}
    entries = zip(places, facings, bases, strict=True)
    return {"models": [{"at": place, "facing_deg": facing, "base": base} for place, facing, base in entries]}


def _profile(name: str, models: Sequence[Thing], system: System, remarks: Remarks) -> dict[str, Any]:
    """Give the statistics that the words of a unit's models tell; what is needed and not told is the template's."""
    model = system.vocabulary.profile
    told: dict[str, Any] = {}
    for key in model.model_fields:
        values = dict.fromkeys(value for thing in models if (value := notes.value_of(key, thing.words)) is not None)
        if len(values) == 1:
            told[key] = value_of(next(iter(values)))
        elif values:
            remarks.add(f"profile.{key} told in several ways is left out", shown(name))
    _, problems = validated(model, {**_needed(system), **told})
    for fault in problems:
        key = re.split(r"[.\[]", fault.key)[0]
        told.pop(key, None)
        remarks.add(f"profile.{key}: {fault.message}", shown(name))
    needed = {key: value for key, value in _needed(system).items() if key not in told}
    for key, value in needed.items():
        remarks.add(f"profile.{key} is needed and not told: {value} stands there, as in the template", shown(name))
    profile = {**needed, **told}
    return {"profile": profile} if profile else {}


def _needed(system: System) -> Mapping[str, Any]:
    """Give values for the statistics that no profile may leave out: those of the system's own small example."""
    model = system.vocabulary.profile
    example: Mapping[str, Any] = next(iter(system.vocabulary.example.get("units", {"": {}}).values())).get("profile", {})
    return {key: example[key] for key, field in model.model_fields.items() if field.is_required() and key in example}
