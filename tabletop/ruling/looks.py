"""How figures draw a game's words and what each language calls them, with validation of such tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from tabletop.messages import nearest, quoted, shown

GroundLook = Literal[
    "neutral",
    "rock",
    "screen",
    "wood",
    "hill",
    "building",
    "block",
    "wall",
    "floor",
    "barricade",
    "area",
    "water",
    "dense_wood",
    "rough",
    "rubble",
    "paved",
    "smoke",
    "dense_smoke",
    "prohibited",
]
"""Styles of terrain: the first line for free tables, the second with wood, water and building for hexes; neutral for
others."""

StepLook = Literal[
    "neutral",
    "turn",
    "wheel",
    "align",
    "move",
    "approach",
    "rise",
    "push",
    "follow",
    "displace",
    "aside",
    "miss",
    "skid",
    "fall",
    "falling",
    "consequence",
    "loss",
]
"""What a step is drawn as: a way, a turn, a bracket; moves, approaches, displacements and what belongs to a fall share
a picture each; who rises no longer lies, who falls lies; a consequence stands on the picture of its cause, and in a
loss models are taken away."""

Role = Literal["path", "align", "pushed", "stepped", "slid"]


@dataclass(frozen=True)
class StepStyle:
    """Style of a step's move. Consecutive steps of one `family` share a panel; `word` names a turn about a pivot.

    A step that `is_consequence` shares the panel of its cause.
    """

    role: Role = "path"
    family: str = ""
    word: str = "turn"
    is_consequence: bool = False


APPROACH = "approach"
"""Family of the steps by which a charger approaches its target; notes give their costs."""

STEP_LOOKS: Mapping[str, StepStyle] = {
    "neutral": StepStyle(),
    "turn": StepStyle(),
    "wheel": StepStyle(word="wheel"),
    "align": StepStyle("align"),
    "move": StepStyle(family="move"),
    "approach": StepStyle(family=APPROACH),
    "rise": StepStyle(family=APPROACH),
    "push": StepStyle("pushed", "push"),
    "follow": StepStyle(family="displacement"),
    "displace": StepStyle("pushed", "displacement"),
    "aside": StepStyle("stepped", "displacement"),
    "miss": StepStyle("stepped"),
    "skid": StepStyle("slid", "skid"),
    "fall": StepStyle(family="fall"),
    "falling": StepStyle(family="fall"),
    "consequence": StepStyle(is_consequence=True),
    "loss": StepStyle(),
}


def step_kind(look: str) -> StepStyle:
    """Return the style of steps of a look; unknown looks have the default style."""
    return STEP_LOOKS.get(look, StepStyle())


SurfaceLook = Literal["grass", "steppe", "dust", "meadow"]
"""Colours of the ground."""

StatusLook = Literal["written", "lying", "hidden"]
"""How figures show a status."""


@dataclass(frozen=True, eq=False)
class Looks:
    """How figures draw the words of a game (kinds of terrain, steps, status words), and what each language calls them.

    A word that is the name of a look needs no entry here; any other word is drawn neutrally and called by its own name:
    `deep_mud` is "deep mud".

    Attributes
    ----------
    terrain, steps, status
        The look of each kind of terrain, kind of step and status word; a status without a look is written beside its
        unit.
    surface
        The colour of the ground on tables without hexes.
    is_declared_first
        Whether all charges are declared before the first is rolled and moved, rather than each in its turn.
    tags
        Keys of numbers that are written into the hexes of a kind of terrain: `{"water": ("depth",)}`. A level is
        written into any hex.
    words
        Translations of words by language code: `{"de": {"terrain.bog": "Sumpf", "step.leap": "Sprung"}}`.
    phrases
        Translations of sentences by language code: `{"de": {"said": {"{unit} is tired.": "{unit} ist müde."}}}`
        translates whatever is written as `say("{unit} is tired.", unit=...)`. The key is the template without formats,
        `{gap}` for `{gap:.2f}`. Beside `said` there may be `form`, with words in the grammatical forms that
        translations ask for. Sentences of `tabletop.kit` itself are translated already.

    Raises
    ------
    ValueError
        If a look is unknown, a word belongs to no group, or a translation has other placeholders than its template.
    """

    terrain: Mapping[str, GroundLook] = field(default_factory=dict)
    steps: Mapping[str, StepLook] = field(default_factory=dict)
    status: Mapping[str, StatusLook] = field(default_factory=dict)
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    surface: SurfaceLook = "grass"
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    phrases: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    is_declared_first: bool = True

    def __post_init__(self) -> None:
        for group, known in (("terrain", GroundLook), ("steps", StepLook), ("status", StatusLook)):
            for word, look in getattr(self, group).items():
                if look not in get_args(known):
                    names = get_args(known)
                    raise ValueError(
                        f"looks.{group}.{word}: no look is called {shown(look)}{nearest(look, names)} (known: "
                        f"{quoted(names)})"
                    )
        if self.surface not in get_args(SurfaceLook):
            names = get_args(SurfaceLook)
            raise ValueError(
                f"looks.surface: no look is called {shown(self.surface)}{nearest(self.surface, names)} (known: "
                f"{quoted(names)})"
            )
        for code, words in self.words.items():
            for word in words:
                if word.partition(".")[0] not in GROUPS:
                    raise ValueError(
                        f"looks.words.{code}: {shown(word)} begins with none of {quoted(GROUPS)}"
                    )
        for code, tables in self.phrases.items():
            if wrong := list(wrong_phrases(tables)):
                raise ValueError(
                    f"looks.phrases.{code}: words in braces differ from those of the English text: {quoted(wrong)}"
                )


GROUPS = ("terrain", "step", "status", "turn", "tag")
"""What words are of: kinds of terrain, titles of steps, status words, how a turn is called beside its angle, and how a
number is written into a hex."""

PHRASE_TABLES = ("said", "form")


def wrong_phrases(tables: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the translations of one language: unknown tables, and templates translated with other
    placeholders.
    """
    from tabletop.catalogue import translates

    yield from (name for name in tables if name not in PHRASE_TABLES)
    forms = tables.get("form", {})
    if not isinstance(forms, Mapping) or not all(
        isinstance(words, Mapping) for words in (tables.get("said", {}), *forms.values())
    ):
        yield "said and form are tables of texts"
        return
    for words in (tables.get("said", {}), *forms.values()):
        yield from (key for key, told in words.items() if not translates(told, key, forms))
