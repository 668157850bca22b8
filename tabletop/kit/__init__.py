"""The public interface for games in packages of their own, under stable names.

It re-exports what a game needs from the other modules of `tabletop`: shapes, poses, units, rules, findings and the base
class `StatedSystem`. A game that is a package of its own imports from here alone; docs/new-game.md builds one.
"""

from pydantic import Field

from tabletop.errors import Fault
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, disc, polygon, rectangle
from tabletop.kit.bodies import (
    Around,
    arcs_shown,
    bodies,
    body,
    gap_between,
    legs,
    march,
    margin_inside,
    models_in_contact,
    moved_to,
    poses_of,
    room_at,
    room_on_way,
    steps_between,
    surroundings,
    way_gap,
)
from tabletop.kit.stated import Ended, Placement, StatedSystem, Table
from tabletop.messages import because, counted, for_judge, listed, say, word
from tabletop.optimise.problem import Variable
from tabletop.ruling.charge import Charge, Step
from tabletop.ruling.evidence import Dimension, Evidence, Mark, Zone
from tabletop.ruling.finding import Finding, Goal, Limit, Rule, of_each
from tabletop.ruling.looks import Looks
from tabletop.ruling.system import Case
from tabletop.scenario.checks import off_board, overlaps
from tabletop.scenario.vocabulary import Entry, NoKeys, Vocabulary
from tabletop.table.facing import Facing, arcs_of, facing_of
from tabletop.table.hexes import HexBoard
from tabletop.table.hexes import distance as hex_distance
from tabletop.table.hexes import neighbour as hex_neighbour
from tabletop.table.models import Model, RoundBase, Squad
from tabletop.table.state import HexUnit, Regiment, State, Terrain
from tabletop.units import CONTACT, MM_PER_INCH

__all__ = [
    "CONTACT",
    "MM_PER_INCH",
    "Around",
    "Case",
    "Charge",
    "Dimension",
    "Ended",
    "Entry",
    "Evidence",
    "Facing",
    "Fault",
    "Field",
    "Finding",
    "Goal",
    "HexBoard",
    "HexUnit",
    "Limit",
    "Looks",
    "Mark",
    "Model",
    "NoKeys",
    "Placement",
    "Point",
    "Pose",
    "Regiment",
    "RoundBase",
    "Rule",
    "Shape",
    "Squad",
    "State",
    "StatedSystem",
    "Step",
    "Table",
    "Terrain",
    "Variable",
    "Vocabulary",
    "Zone",
    "arcs_of",
    "arcs_shown",
    "because",
    "bodies",
    "body",
    "counted",
    "disc",
    "facing_of",
    "for_judge",
    "gap",
    "gap_between",
    "hex_distance",
    "hex_neighbour",
    "legs",
    "listed",
    "march",
    "margin_inside",
    "models_in_contact",
    "moved_to",
    "of_each",
    "off_board",
    "overlaps",
    "polygon",
    "poses_of",
    "rectangle",
    "room_at",
    "room_on_way",
    "say",
    "steps_between",
    "surroundings",
    "way_gap",
    "word",
]
