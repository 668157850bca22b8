"""Warhammer 40,000's part of the scenario file."""

from systems.wh40k.keys import Choices, Declarations, Profile
from systems.wh40k.setup import misplaced, problems
from tabletop.scenario.vocabulary import Vocabulary

STATUS = ("advanced", "fell_back", "action", "selected", "fights_first")
TERRAIN_KINDS = ("block", "wall", "floor", "barricade", "impassable", "area")
TALL_KINDS = ("block", "wall", "floor", "barricade")

VOCABULARY = Vocabulary(
    profile=Profile,
    choices=Choices,
    declarations=Declarations,
    terrain_kinds=TERRAIN_KINDS,
    status=STATUS,
    problems=problems,
    tolerated=misplaced,
    placement="loose",
    tall=TALL_KINDS,
)
