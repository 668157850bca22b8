"""List of the rules by name: what each demands in one line, its nature, and its source."""

from tabletop.ruling.finding import Rule

_LIMIT = "limit"
_GOAL = "goal"
_PROCEDURE = "procedure"

_CORE = "core rules, charge phase"
_GUIDE = "tournament charging guide"
_MOVE = "core rules, moving and terrain"
_CHOICE = "choice"

_BOTH = f"{_CORE}; {_GUIDE}"

READINGS = {
    "engagement_path": ("possible.avoid-others",),
    "closer_scope": ("move.closer",),
    "support": ("terrain.support",),
    "vertical": ("measure.base-or-hull",),
    "fly_ground_to_ground": ("fly.air",),
    "fly_path": ("fly.air",),
    "fly_air": ("fly.air",),
    "aircraft_targets": ("targets.aircraft",),
    "fly_zones": ("fly.over", "possible.avoid-others"),
    "spare_models": ("move.most-engaged",),
    "clearance": ("possible.avoid-others",),
    "single_group": ("possible.coherency",),
    "pivot_round": ("move.pivot",),
    "pivot_large": ("move.pivot",),
    "pivot_other": ("move.pivot",),
    "engagement_horizontal": ("possible.engage-all", "possible.avoid-others", "move.most-engaged"),
    "engagement_vertical": ("possible.engage-all", "possible.avoid-others", "move.most-engaged"),
    "coherency_horizontal": ("possible.coherency",),
    "coherency_vertical": ("possible.coherency",),
    "coherency_large": ("possible.coherency",),
    "declare_range": ("eligible.near", "targets.range"),
    "free_height": ("terrain.low", "terrain.through", "terrain.climb"),
    "barricade_engagement": ("terrain.barricade",),
}
"""Choices of `[rules]`, each with the rules that it reads one way or the other."""

RULES = tuple(
    Rule(
        f"wh40k.{name}",
        demand,
        nature,
        source,
        tuple(choice for choice, read in READINGS.items() if name in read),
    )
    for name, demand, nature, source in (
        (
            "phase.sequence",
            "one unit after another is chosen, names targets, rolls and moves; then comes the Fight phase",
            _PROCEDURE,
            _CORE,
        ),
        ("phase.once", "a unit is chosen to charge at most once a phase", _LIMIT, _CORE),
        ("eligible.near", "an enemy unit is within 12 inches when the phase begins", _LIMIT, _CORE),
        ("eligible.not-advanced", "the unit did not Advance this turn", _LIMIT, _BOTH),
        ("eligible.not-fell-back", "the unit did not Fall Back this turn", _LIMIT, _BOTH),
        (
            "eligible.not-engaged",
            "no model of the unit is engaged when the phase begins",
            _LIMIT,
            _CORE,
        ),
        ("eligible.not-aircraft", "the unit is not an Aircraft", _LIMIT, _CORE),
        (
            "eligible.can-move",
            "the unit has a Movement characteristic that is not a dash",
            _LIMIT,
            _GUIDE,
        ),
        ("eligible.no-action", "the unit is not performing an action", _LIMIT, _GUIDE),
        (
            "targets.declared",
            "one or more enemy units are named before the roll",
            _PROCEDURE,
            _BOTH,
        ),
        ("targets.sight", "targets need not be visible", _PROCEDURE, _BOTH),
        ("targets.range", "every target is within 12 inches of the charger", _LIMIT, _BOTH),
        ("targets.aircraft", "only a unit that flies charges an Aircraft", _LIMIT, _CHOICE),
        (
            "measure.base-or-hull",
            "distances are measured to bases, to a hull only where there is no base",
            _PROCEDURE,
            _GUIDE,
        ),
        (
            "roll.2d6",
            "the charge distance is the sum of two dice and the unit's bonus, at least 0",
            _PROCEDURE,
            _BOTH,
        ),
        ("roll.reroll", "a re-roll takes both dice, once", _PROCEDURE, _CHOICE),
        ("roll.limit", "no model moves farther than the charge distance", _LIMIT, _CORE),
        (
            "possible.engage-all",
            "the unit can end within engagement range of every target",
            _LIMIT,
            _BOTH,
        ),
        (
            "possible.avoid-others",
            "no model moves or ends within engagement range of an enemy unit that is no target",
            _LIMIT,
            _BOTH,
        ),
        ("possible.coherency", "the unit ends in coherency", _LIMIT, _BOTH),
        (
            "possible.stay",
            "a charge that cannot meet the conditions fails, and no model moves",
            _PROCEDURE,
            _BOTH,
        ),
        (
            "overwatch.before",
            "models lost when the move begins are removed first",
            _PROCEDURE,
            _GUIDE,
        ),
        ("overwatch.retest", "the charge must still be possible for the survivors", _LIMIT, _GUIDE),
        (
            "overwatch.after",
            "models lost after the move has ended change nothing else",
            _PROCEDURE,
            _GUIDE,
        ),
        (
            "move.order",
            "the player chooses models one by one until all have moved",
            _PROCEDURE,
            _BOTH,
        ),
        (
            "move.override",
            "engaging all targets, avoiding others and coherency come before base contact",
            _PROCEDURE,
            _BOTH,
        ),
        (
            "move.contact",
            "a model that can end in base contact must, given the models moved before it",
            _LIMIT,
            _BOTH,
        ),
        ("move.closer", "every other model ends closer to one of the targets", _LIMIT, _BOTH),
        (
            "move.most-engaged",
            "among plans with most contacts, most models end engaged with a target",
            _GOAL,
            _CHOICE,
        ),
        ("move.shortest", "among those, the models move least in total", _GOAL, _CHOICE),
        ("move.end-clear", "no model ends on another model", _LIMIT, _MOVE),
        (
            "move.pivot",
            "the first turn of a model's move costs its pivot value",
            _PROCEDURE,
            f"{_MOVE}; {_CHOICE}",
        ),
        ("path.enemies", "no model moves through an enemy model", _LIMIT, _MOVE),
        ("path.board", "no part of a model crosses the board's edge", _LIMIT, _MOVE),
        ("path.friends", "friendly models may be moved through", _PROCEDURE, _MOVE),
        (
            "path.vehicles",
            "no Monster or Vehicle moves through one of another friendly unit",
            _LIMIT,
            _MOVE,
        ),
        ("terrain.low", "terrain up to 2 inches high is moved over freely", _PROCEDURE, _CORE),
        ("terrain.through", "no model moves through or ends inside taller terrain", _LIMIT, _CORE),
        (
            "terrain.climb",
            "taller terrain is climbed: the height up and down counts",
            _PROCEDURE,
            _CORE,
        ),
        ("terrain.mid-climb", "no model ends part-way up a climb", _LIMIT, _CORE),
        ("terrain.support", "on the top of a block the base is wholly on it", _LIMIT, _MOVE),
        (
            "terrain.walls",
            "infantry and beasts go through walls; no model ends overlapping one",
            _LIMIT,
            _MOVE,
        ),
        (
            "terrain.floors",
            "only infantry, beasts and flyers end on upper floors, the base wholly on the floor",
            _LIMIT,
            _MOVE,
        ),
        (
            "terrain.barricade",
            "engagement range across a barricade is 2 inches; no model ends on one",
            _LIMIT,
            _MOVE,
        ),
        ("fly.over", "a unit that flies moves over models freely", _PROCEDURE, _CORE),
        (
            "fly.air",
            "a flyer that starts or ends on terrain is measured through the air",
            _PROCEDURE,
            _CORE,
        ),
        ("fly.not-on-models", "a flyer does not end on top of another model", _LIMIT, _CORE),
        (
            "bonus.fights-first",
            "a unit that made a charge move has Fights First until the turn ends",
            _PROCEDURE,
            _CORE,
        ),
        (
            "stand",
            "judging: models that no charge moves stand where these charges leave them",
            _LIMIT,
            _CORE,
        ),
        (
            "table.settled",
            (
                "with `accuracy`, measured positions are first corrected to the nearest possible table, and every "
                "correction is named"
            ),
            _PROCEDURE,
            "formats",
        ),
    )
)
