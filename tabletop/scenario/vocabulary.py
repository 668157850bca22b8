"""What a game system adds to the scenario file: its keys, its words, and what it checks of a set-up."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler

from tabletop.errors import Fault
from tabletop.messages import quoted, shown
from tabletop.ruling.charge import Charge
from tabletop.ruling.looks import Looks
from tabletop.table.dice import SIDES
from tabletop.table.state import State

if TYPE_CHECKING:
    from tabletop.settling.constraints import SetUpRules

Placement = Literal["regiment", "stands", "loose", "hex"]


class Entry(BaseModel):
    """A table of the file: unknown keys, numbers that are not finite and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True, defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the JSON Schema with what each key means."""
        schema = handler(core_schema)
        keys = handler.resolve_ref_schema(schema).get("properties", {})
        for key, text in descriptions_of(cls).items():
            keys.get(key, {}).setdefault("description", text)
        return schema


@cache
def descriptions_of(model: type[Entry]) -> Mapping[str, str]:
    """Return the descriptions of a model's keys, those that it inherits among them.

    They are read when they are asked for, not when the class is made as by `use_attribute_docstrings`, which takes longer than all else
    that reading a file loads.
    """
    found: dict[str, str] = {}
    for base in reversed(model.__mro__[: model.__mro__.index(Entry)]):
        try:
            (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        except (OSError, TypeError, SyntaxError, ValueError):  # put together at run time, it has no source and describes no key
            continue
        for pair in pairwise(tree.body if isinstance(tree, ast.ClassDef) and tree.name == base.__name__ else ()):
            match pair:
                case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(value=ast.Constant(value=str(text))):
                    found[key] = " ".join(text.split())
    return found


class NoKeys(Entry):
    """Adds nothing."""


Charges = Sequence[tuple[int, Charge]]
"""Charges with their numbers in the file."""


def _as_it_is(unit: Any) -> Any:
    return unit


def _nothing(*_: Any) -> list[Fault]:
    return []


@dataclass(frozen=True)
class Vocabulary:
    """The system's part of the scenario file.

    Attributes
    ----------
    profile, choices, declarations
        Models of a unit's `profile`, of `[rules]`, and of the keys the system adds to `[[charges]]`.
    terrain_kinds, status
        The words for kinds of terrain, and for what has happened to a unit.
    problems
        Lists what is wrong with a set-up; it is given only those charges whose names are all known.
    tolerated
        Lists what is wrong by the measure of the file's own `[rules]`, which it is given too.
    doubts
        Lists what may be but is likely mistyped, by the `[rules]` too: it is warned of, and changes nothing.
    room
        Gives what bodies must keep among themselves, by the `[rules]` too, so that a measured table can be settled; None on hexes.
    placement
        How its units stand on the table: regiments of models or of stands, loose models, or one model in a hex. Several words where
        units of several kinds stand on one table, as single models beside regiments: each unit of a file then shows by its keys which it
        is. Hexes stay by themselves.
    complete
        Gives a unit what follows from its profile, such as the space between its models.
    terrain_keys
        Model of the keys that the system adds to `[[terrain]]`; they become the piece's `data`.
    sides
        Sides of its dice.
    heights
        Heights of pieces that give none, by kind; of other kinds it is 0.
    tall
        Kinds of terrain that must give their height.
    chargeable
        Kinds of terrain that may be charged.
    solid
        Kinds of terrain through which no unit moves, whatever it is; where that depends on the unit, the kind is left out.
    looks
        What figures draw terrain, steps and status words as, and what they call them.
    reserved
        Editions that are known and not built yet; files that ask for one are told so.
    example
        The tables of a small file that can be resolved, from which `tabletop new` makes its template.

    Raises
    ------
    ValueError
        If units are to stand in no way, in one that is not known, or in hexes beside others that do not.
    """

    profile: type[Entry]
    choices: type[Entry]
    declarations: type[Entry]
    terrain_kinds: tuple[str, ...]
    status: tuple[str, ...]
    problems: Callable[[State[Any], Charges], list[Fault]]
    tolerated: Callable[[State[Any], Charges, Any], list[Fault]] = _nothing
    doubts: Callable[[State[Any], Charges, Any], list[Fault]] = _nothing
    room: "Callable[[State[Any], Charges, Any], SetUpRules] | None" = None
    placement: Placement | tuple[Placement, ...] = "regiment"
    complete: Callable[[Any], Any] = _as_it_is
    terrain_keys: type[Entry] = NoKeys
    sides: int = SIDES
    heights: tuple[tuple[str, float], ...] = ()
    tall: tuple[str, ...] = ()
    chargeable: tuple[str, ...] = ()
    solid: tuple[str, ...] = ()
    looks: Looks = field(default_factory=Looks)
    reserved: tuple[str, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        ways, known = self.placements, get_args(Placement)
        if not ways or not set(ways) <= set(known):
            raise ValueError(f"vocabulary.placement: expected some of {quoted(known)}, given {shown(self.placement)}")
        if "hex" in ways and len(ways) > 1:
            raise ValueError("vocabulary.placement: a board of hexes has no units but those in hexes; leave out hex, or the others")

    @property
    def placements(self) -> tuple[Placement, ...]:
        """All ways in which its units may stand."""
        return (self.placement,) if isinstance(self.placement, str) else self.placement
