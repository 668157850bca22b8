"""Sentences of rulings in another language: the templates in the sources are the keys of each catalogue, no more and no
less.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

from systems.battletech.damage import (
    FOUR_LEGGED_KICKS,
    KICK_COLUMNS,
    MECH_COLUMNS,
    VEHICLE_COLUMNS,
    VEHICLE_SIDES,
    Motive,
)
from tabletop import messages
from tabletop.catalogue import is_glue, translates
from tabletop.language.language import GAMES, KIT, PARTS, PROGRAM, bundled
from tabletop.messages import Message, counted, holes, key_of, listed, say, word
from tabletop.ruling.looks import Looks
from tabletop.table.facing import FACINGS
from tabletop.testing.answers import judged, resolved
from tabletop.testing.promises import sentences, unread
from tests.bundled import EACH
from tests.languages import LANGUAGE, tables_of

ROOT = Path(__file__).resolve().parents[3]
SHARED = (
    "tabletop/settling",
    "tabletop/ruling",
    "tabletop/placement",
    "tabletop/fronts",
    "tabletop/messages.py",
)
"""Where stands what all games say."""
ROOMS = {**{game: f"systems/{game}" for game in GAMES}, KIT: "tabletop/kit"}
"""Where stands what a game says, or what all say that are built on the kit."""
SAYS = {"say": 0, "Message": 0, "word": 0, "counted": 1, "listed": 1}
"""Functions that make messages, and which of their arguments is the template."""
MAKERS = "tabletop/messages.py"
"""Its own calls make messages of whatever they are given."""
TO_HIT = (
    "piloting difference",
    "own movement",
    "target movement",
    "terrain",
    "prone",
    "immobile",
    "spotting",
    "unintentional",
    "other",
)
COLUMNS = (MECH_COLUMNS, VEHICLE_COLUMNS, VEHICLE_SIDES, KICK_COLUMNS, FOUR_LEGGED_KICKS)
SIDES = ("left", "right")
TERMS: Mapping[str, Mapping[str, Iterable[str]]] = {
    "": {
        "number.key": ("charge_speed", "height", "size", "piloting", "hexes_moved", "unspent_mp"),
        "ruling.outcome.replace('_', ' ')": ("success", "failed", "not allowed"),
    },
    "battletech": {
        "phase": ("weapon", "physical"),
        "result": set(get_args(Motive)) - {"none"},
        "ITEM_WORDS.get(name, name)": TO_HIT,
        "self.code": {
            hit.rstrip("cm")
            for columns in COLUMNS
            for column in columns.values()
            for hit in column.split()
        },
    },
    "conquest": {
        "self.name": FACINGS,
        "status": ("done", "broken"),
        **dict.fromkeys(("trial.side", "best.side", "choice.wheel.side", "corner"), SIDES),
    },
    "t9a": {
        "self.name": FACINGS,
        **dict.fromkeys(("path.side", "self.side", "place.corner", "tilted.corner"), SIDES),
    },
    KIT: {"goal.unit": ("in", "models")},
}
"""Of each game, the terms that an expression of its sources may come to; units of goals stand in its sources."""


@dataclass(frozen=True)
class Source:
    """A module of Python that says something."""

    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        """Its text as a tree."""
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @cached_property
    def makers(self) -> dict[str, str]:
        """The functions of `tabletop.messages` by the names that the module has for them."""
        imports = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom) and node.module == messages.__name__
        ]
        return {
            name.asname or name.name: name.name
            for node in imports
            for name in node.names
            if name.name in SAYS
        }

    @cached_property
    def calls(self) -> list[ast.Call]:
        """All calls of functions by their names."""
        return [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]

    def said(self) -> Iterator[tuple[str, ast.Call, ast.expr]]:
        """Go through all calls that make messages: of which function, and of what."""
        for call in self.calls:
            maker = self.makers.get(getattr(call.func, "id", ""), "")
            if maker:
                yield maker, call, call.args[SAYS[maker]]

    def texts(self, node: ast.expr) -> list[str] | None:
        """Return what an expression may come to: constants, one or the other, what a table has or a caller gives; None
        if that is open.
        """
        found: list[str] | None = None
        match node:
            case ast.Constant(value=str(text)):
                found = [text]
            case ast.IfExp(body=one, orelse=other):
                found = _all(map(self.texts, (one, other)))
            case ast.Subscript(value=ast.Name(id=name)):
                found = self._table(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[_, other]):
                found = _all((self._table(name), self.texts(other)))
            case ast.Call(func=ast.Name(id=name)) if name in self.makers:
                found = []  # counted where it is said
            case ast.Name(id=name):
                found = self._given(name) or self._table(name)
        return found

    def _table(self, name: str) -> list[str] | None:
        """Return the texts of a table at the top of the module."""
        module = import_module(".".join(self.path.relative_to(ROOT).with_suffix("").parts))
        table = getattr(module, name, None)
        found = (
            list(table.values())
            if isinstance(table, Mapping)
            else [table]
            if isinstance(table, str)
            else table
        )
        return (
            list(found)
            if isinstance(found, list | tuple) and all(isinstance(one, str) for one in found)
            else None
        )

    def _given(self, name: str) -> list[str] | None:
        """Return what a name is given in the module: by assignments, or by the callers of a function whose argument it
        is.
        """
        given = [
            node.value
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign) and _names(node.targets) == {name}
        ]
        for function in (node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)):
            places = [place for place, one in enumerate(function.args.args) if one.arg == name]
            given += [
                call.args[place]
                for call in self.calls
                for place in places
                if _is_call(call, function, place)
            ]
        others = [node for node in given if getattr(node, "id", "") != name]
        return _all(self.texts(node) for node in others) if others else None


def _names(targets: Iterable[ast.expr]) -> set[str]:
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _is_call(call: ast.Call, function: ast.FunctionDef, place: int) -> bool:
    return (
        isinstance(call.func, ast.Name) and call.func.id == function.name and len(call.args) > place
    )


def _all(found: Iterable[list[str] | None]) -> list[str] | None:
    texts = list(found)
    return None if None in texts else [text for some in texts if some is not None for text in some]


def sources(*rooms: str) -> Iterator[Source]:
    """Go through the modules of rooms, or of single modules, that make messages."""
    for room in rooms:
        paths = [ROOT / room] if room.endswith(".py") else sorted((ROOT / room).rglob("*.py"))
        yield from (source for source in map(Source, paths) if source.makers and room != MAKERS)


def keys(maker: str, text: str, values: Iterable[str]) -> Iterator[str]:
    """Return the keys of what a function makes of a text."""
    made: Iterable[str] = (
        [say(text, **dict.fromkeys(values, ""))] if maker in {"say", "Message"} else []
    )
    match maker:
        case "word":
            made = [word(text)]
        case "counted":
            made = [counted(number, text, **dict.fromkeys(values, "")) for number in (1, 2)]
        case "listed":
            made = [listed(["", ""], text)]
    yield from (key_of(one.template) for one in made if isinstance(one, Message))


@cache
def said_by(*rooms: str, game: str = "") -> dict[str, str]:
    """Return the keys of all that is said in rooms, and where: but for glue, which has no words."""
    found: dict[str, str] = {}
    for source in sources(*rooms):
        for maker, call, node in source.said():
            where = f"{source.path.relative_to(ROOT)}:{call.lineno}"
            texts = source.texts(node)
            if texts is None:
                texts = terms(game, ast.unparse(node))
            for text in texts:
                names = (
                    {str(one.arg) for one in call.keywords}
                    if None not in [one.arg for one in call.keywords]
                    else _holes(text)
                )
                found |= dict.fromkeys(
                    (key for key in keys(maker, text, names) if not is_glue(key)), where
                )
    return found


def terms(game: str, expression: str) -> list[str]:
    """Return the terms of a game that an expression may come to: what its goals count, or what stands in TERMS."""
    if not expression.endswith(".unit") or game == KIT:
        return list(TERMS[game][expression])
    calls = [
        call
        for path in (ROOT / ROOMS[game]).rglob("*.py")
        for call in Source(path).calls
        if getattr(call.func, "id", "") == "Goal"
    ]
    counted_ones = [
        call
        for call in calls
        if "is_counted" not in {one.arg for one in call.keywords} and len(call.args) > 1
    ]
    return [
        call.args[1].value
        for call in counted_ones
        if isinstance(call.args[1], ast.Constant) and isinstance(call.args[1].value, str)
    ]


def _holes(text: str) -> set[str]:
    return {name for name, _, _ in holes(text)}


@cache
def shared() -> dict[str, str]:
    """Return the keys of what all games say."""
    return said_by(*SHARED)


GAME = pytest.mark.parametrize("game", [*GAMES, KIT])


@GAME
@LANGUAGE
def test_every_template_has_a_translation(game: str, language: str) -> None:
    """Whatever the sources of a game may say, in bundled scenarios or not, is a key of the catalogue, with the same
    braces.
    """
    said = {**shared(), **said_by(ROOMS[game], game=game)}
    known = bundled(language).sentences(game)[0]
    assert len(said) > 30
    assert {key: where for key, where in said.items() if key not in known} == {}


@LANGUAGE
def test_parts_differ_in_what_they_say(language: str) -> None:
    """A part has a sentence or a word of its own only where its sources say it, and only where the others have another
    one.
    """
    tables = tables_of(language)
    for part in (*GAMES, KIT, PROGRAM):
        own = tables["part"].get(part, {})
        said = own.get("said", {})
        assert part == PROGRAM or set(said) <= {*shared(), *said_by(ROOMS[part], game=part)}
        assert [key for key, text in said.items() if tables["said"].get(key) in (None, text)] == []
        forms = own.get("form", {})
        assert [
            key
            for form in forms
            for key, text in forms[form].items()
            if tables["form"][form].get(key) in (None, text)
        ] == []


@GAME
@LANGUAGE
def test_translations_fill_in_what_their_templates_do(game: str, language: str) -> None:
    """Each has the braces of its key, no more and no less, in forms that the language has, and says something."""
    said, forms = bundled(language).sentences(game)
    tables = {"said": said, **forms}
    pairs = [(key, told) for words in tables.values() for key, told in words.items()]
    assert [
        key for key, told in pairs if not told.strip() or not translates(told, key, forms)
    ] == []
    assert [key for key, told in pairs if _holes(key) != _holes(told)] == []
    assert [key for key, _ in pairs if key_of(key) != key] == []


@LANGUAGE
def test_forms_are_of_what_is_said(language: str) -> None:
    """Words in a form have a plain translation as well, for where no form is asked for; and every form is asked for
    somewhere.
    """
    for part in (*GAMES, KIT):
        said, forms = bundled(language).sentences(part)
        assert {
            form: set(words) - set(said) for form, words in forms.items() if set(words) - set(said)
        } == {}
    parts = [bundled(language).sentences(part) for part in PARTS]
    texts = [
        text
        for said, forms in parts
        for words in (said, *forms.values())
        for text in words.values()
    ]
    assert set(tables_of(language)["form"]) == {
        form for text in texts for _, form, _ in holes(text) if form
    }


@GAME
def test_templates_fill_in_what_they_are_given(game: str) -> None:
    """Nothing is given that no brace asks for, and nothing is asked for that is not given."""
    wrong = []
    for source in sources(*SHARED, ROOMS[game]):
        for maker, call, node in source.said():
            given = {one.arg for one in call.keywords}
            texts = (
                (source.texts(node) or [])
                if maker in {"say", "counted"} and None not in given
                else []
            )
            asked = set().union(*map(_holes, texts)) if given or maker == "say" else set()
            wrong += (
                [f"{source.path.relative_to(ROOT)}:{call.lineno}"]
                if texts and asked != given
                else []
            )
    assert wrong == []


@EACH
@LANGUAGE
def test_every_sentence_of_every_bundled_scenario_is_translated(name: str, language: str) -> None:
    """Sentences, labels, notes and words of rulings and judgements: each is a message whose templates are known, filled
    with names.
    """
    case, resolution = resolved(name)
    assert unread(case, sentences(resolution, judged(name)), bundled(language).code) == []


def test_a_game_brings_phrases_of_its_own() -> None:
    """They go before those of the language, with forms of their own, and only in the language that they are of."""
    said = {
        "{unit} runs at the {side}.": "{unit} rennt {side:accusative} an.",
        "rear": "Ende",
        "Nothing is there.": "Leer.",
    }
    looks = Looks(phrases={"de": {"said": said, "form": {"accusative": {"rear": "das Ende"}}}})
    german, english = (bundled(name).catalogue("ours", looks) for name in ("german", "english"))
    runs = say("{unit} runs at the {side}.", unit="A", side=word("rear"))
    assert german.render(runs) == "A rennt das Ende an."
    assert german.render(word("rear")) == "Ende"
    assert (
        german.render(say("{charger} charges {whom}.", charger="A", whom="B")) == "A greift B an."
    )
    assert english.render(runs) == runs
    assert english.missing == {"{unit} runs at the {side}.", "rear"}


@pytest.mark.parametrize(
    "tables",
    [
        {"said": {"{unit} runs.": "{other} rennt."}},
        {"said": "A runs."},
        {"sad": {}},
        {"said": {"{a}": "{a:dative}"}},
        {"form": {"dative": 3}},
    ],
)
def test_phrases_that_cannot_be_are_refused(tables: dict[str, Any]) -> None:
    """Where a game is loaded, not where somebody draws it."""
    with pytest.raises(ValueError, match=r"looks\.phrases\.de"):
        Looks(phrases={"de": tables})
