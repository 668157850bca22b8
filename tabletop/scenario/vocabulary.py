"""The part of the scenario file that a game system defines: its keys, its words, and its checks of a set-up."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, Strict

from tabletop.errors import Fault
from tabletop.messages import quoted, shown
from tabletop.ruling.charge import Charge
from tabletop.ruling.looks import Looks
from tabletop.table.dice import SIDES
from tabletop.table.state import State

if TYPE_CHECKING:
    from tabletop.settling.constraints import SetUpRules

Placement = Literal["regiment", "stands", "loose", "hex"]

Member = TypeVar("Member")

ListOf = Annotated[tuple[Member, ...], Strict(strict=False)]
"""Type of a key that holds a list; it becomes a tuple, which strict validation would not take a list for."""


class Entry(BaseModel):
    """Base of a file's tables: unknown keys, non-finite numbers and values of another type are rejected."""

    model_config = ConfigDict(
        extra="forbid", strict=True, allow_inf_nan=False, frozen=True, defer_build=True
    )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: Any, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the JSON Schema of the table, with the docstring after each field as the description of its key."""
        schema = handler(core_schema)
        own = handler.resolve_ref_schema(schema)
        if "description" in own:  # a docstring, on several lines
            own["description"] = " ".join(own["description"].split())
        keys = own.get("properties", {})
        for key, text in descriptions_of(cls).items():
            keys.get(key, {}).setdefault("description", text)
        return schema


@cache
def descriptions_of(model: type[Entry]) -> Mapping[str, str]:
    """Return the descriptions of a model's keys, inherited ones included: the docstring after each of its fields, by
    key.

    They are read on demand; with `use_attribute_docstrings` pydantic reads them when a class is made, which slows down
    every command.
    """
    found: dict[str, str] = {}
    for base in reversed(model.__mro__[: model.__mro__.index(Entry)]):
        try:
            (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        # made at run time: no source, no docstrings
        except (OSError, TypeError, SyntaxError, ValueError):
            continue
        for pair in pairwise(
            tree.body if isinstance(tree, ast.ClassDef) and tree.name == base.__name__ else ()
        ):
            match pair:
                case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(
                    value=ast.Constant(value=str(text))
                ):
                    found[key] = " ".join(text.split())
    return found


class NoKeys(Entry):
    """A table without keys, for parts of a scenario file to which a game system adds none."""


Charges = Sequence[tuple[int, Charge]]
"""Charges with their numbers in the file."""


def _as_it_is(unit: Any) -> Any:
    return unit


def _nothing(*_: Any) -> list[Fault]:
    return []


@dataclass(frozen=True)
class Vocabulary:
    """A game system's part of the scenario file: its keys, words and checks.

    Attributes
    ----------
    profile, choices, declarations
        Pydantic models of a unit's `profile`, of `[rules]`, and of the system's keys in `[[charges]]`.
    terrain_kinds, status
        Words for kinds of terrain, and for what has happened to a unit.
    problems
        Function that returns the faults of a set-up, from the table and the charges whose names are all known.
    tolerated
        Function that returns the faults of a set-up that depend on the file's `[rules]`, which it also gets.
    doubts
        Function that returns probable mistakes, for warnings; it also gets the `[rules]`.
    room
        Function that returns the constraints between bodies by which a measured table is settled; it also gets the
        `[rules]`. By default units stand on the board and overlap neither each other nor terrain of the `solid` kinds.
    placement
        How units are placed: as regiments of models or of stands, loose models, or one model per hex. Several words if
        units of several kinds share a table; the keys of each unit then show its kind. "hex" cannot be combined with
        others. Bases of regiments are rectangles; without a word for their form those of loose models are round or
        oval.
    complete
        Function that returns a unit completed by what follows from its profile, such as the space between its models.
    terrain_keys
        Pydantic model of the system's keys in `[[terrain]]`, which become the piece's `data`.
    sides
        Number of sides of the dice.
    heights
        Default heights of terrain by kind, in inches; 0 for other kinds.
    tall
        Kinds of terrain whose height must be given.
    chargeable
        Kinds of terrain that may be charged.
    solid
        Kinds of terrain that block every unit; kinds that block only some units are not listed.
    looks
        Symbols and names of terrain, steps and status words in figures.
    reserved
        Editions that are known but not implemented.
    example
        Tables of a small file that runs, used by the template of `tabletop new`.

    Raises
    ------
    ValueError
        If `placement` is empty, unknown, or combines "hex" with others.
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
        ways = self.placements
        known = get_args(Placement)
        if not ways or not set(ways) <= set(known):
            raise ValueError(
                f"vocabulary.placement: expected some of {quoted(known)}, given {shown(self.placement)}"
            )
        if "hex" in ways and len(ways) > 1:
            raise ValueError(
                'vocabulary.placement: on a board of hexes units can only be placed in hexes; leave out "hex", or the '
                "other ways of placing"
            )

    def set_up_rules(
        self, state: State[Any], charges: Charges, choices: Any
    ) -> "SetUpRules | None":
        """Return the constraints between bodies by which a measured table is settled; None on hexes, where every place
        is exact.
        """
        if "hex" in self.placements:
            return None
        if self.room is not None:
            return self.room(state, charges, choices)
        from tabletop.settling.constraints import regiment_rules

        return regiment_rules(self.solid)

    @property
    def placements(self) -> tuple[Placement, ...]:
        """The names of all placement formats of the system's units."""
        return (self.placement,) if isinstance(self.placement, str) else self.placement
