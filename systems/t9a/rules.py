"""The rules of The Ninth Age by name: what each demands in one line, its kind, and the passage of the charge rules it
comes from.
"""

from tabletop.ruling.finding import Rule

READINGS = {
    "clearance": ("space.enemy", "space.friend", "space.impassable", "unaligned.special-align"),
    "corners": ("move.first-contact",),
    "arc_tie": ("arc.tie",),
    "friend_touch": ("space.friend",),
    "impassable_touch": ("space.impassable",),
    "combined_goal": ("combined.totals",),
    "engaged_target_turns": ("unaligned.special-align",),
    "gap_graze": ("align.gaps",),
    "contact_slack": (
        "align.target-models",
        "align.charger-models",
        "unaligned.target-models",
        "unaligned.charger-models",
    ),
    "distance_from": ("range.distance",),
    "blocked_facing": ("blocked.any-facing",),
    "combined_lookahead": ("combined.totals", "combined.order"),
    "tie": ("align.free-choice",),
    "declare_room": ("declare.room",),
    "blocked_by_friends": ("blocked.unreachable",),
    "combined_blocked_path": ("blocked.any-facing", "declare.room"),
}
"""Choices of `[rules]`, each with the rules that it reads one way or the other."""

RULES = tuple(
    Rule(
        f"t9a.{name}",
        demand,
        nature,
        source,
        tuple(choice for choice, read in READINGS.items() if name in read),
    )
    for name, demand, nature, source in (
        (
            "phase.order",
            "all charges are declared first; then each charger rolls and moves, one by one",
            "procedure",
            "charge moves",
        ),
        ("declare.once", "a unit declares one charge a phase", "limit", "declaring"),
        ("declare.not-engaged", "the charger is not engaged", "limit", "declaring"),
        ("declare.not-shaken", "the charger is not shaken", "limit", "declaring"),
        (
            "declare.line-of-sight",
            "a model of the front rank sees the target",
            "limit",
            "declaring, sight",
        ),
        (
            "declare.max-range",
            "the target is within the longest charge range that can be rolled",
            "limit",
            "declaring",
        ),
        (
            "declare.room",
            "the charger has a legal charge move, the align move included",
            "limit",
            "declaring",
        ),
        (
            "range.distance",
            "distance is measured between the closest points of the boundaries",
            "procedure",
            "measuring",
        ),
        ("range.roll", "charge range is D6 + 4 + charge speed", "procedure", "charge range"),
        (
            "range.maximised",
            "a maximised roll keeps the highest of several dice, a minimised roll the lowest",
            "procedure",
            "dice",
        ),
        ("range", "the charge range is at least the distance", "limit", "charge range"),
        (
            "odds",
            "the chance of a charge is the chance that its range roll is high enough",
            "procedure",
            "odds table",
        ),
        (
            "arc.target-facing",
            "the facing charged is the one whose arc holds the middle of the charger's front",
            "procedure",
            "charge move",
        ),
        (
            "arc.tie",
            "on the line between two arcs either facing may be charged",
            "procedure",
            "silent",
        ),
        (
            "move.snaking",
            "the charger moves forward, wheels once and moves forward again, as far as needed",
            "procedure",
            "charge move",
        ),
        (
            "move.initial-forward",
            "a charge move begins straight forward, or with the wheel",
            "limit",
            "snaking move",
        ),
        (
            "move.wheel",
            "the charger wheels at most once, by at most 90 degrees, about a front corner",
            "limit",
            "snaking move",
        ),
        (
            "move.concluding-forward",
            "after the wheel the charger moves straight forward, or stops",
            "limit",
            "snaking move",
        ),
        (
            "move.front-only",
            "until it is aligned only the charger's front edge counts",
            "procedure",
            "snaking move",
        ),
        (
            "move.first-contact",
            "the front first meets the target on the Target Facing",
            "limit",
            "charge move",
        ),
        (
            "move.fly",
            "a flying charger ignores units and terrain on the way, but not the target",
            "procedure",
            "fly",
        ),
        ("move.room", "a legal charge move exists when the charger moves", "limit", "charge range"),
        ("space.enemy", "no contact with an enemy other than the target", "limit", "charge move"),
        ("space.friend", "no overlap with friends", "limit", "unit spacing"),
        (
            "space.impassable",
            "not in, through or against impassable terrain",
            "limit",
            "charge move",
        ),
        (
            "space.board",
            "the front stays on the board while it moves, the whole boundary at the end",
            "limit",
            "table edge",
        ),
        (
            "align.place",
            "the charger is picked up and put down touching the target",
            "procedure",
            "charge move",
        ),
        (
            "align.initial-contact",
            "the point of the target first touched stays in contact",
            "limit",
            "align 1",
        ),
        (
            "align.line-contact",
            (
                "where the front first touches along a line, the owner picks the point of contact that "
                "allows the best place"
            ),
            "procedure",
            "align 1",
        ),
        ("align.flush", "the front lies flush against the Target Facing", "limit", "align 2"),
        (
            "align.target-models",
            "as many models of the target as possible are in contact",
            "goal",
            "align 4",
        ),
        (
            "align.charger-models",
            "with the target's models equal, as many models of the charger as possible are in contact",
            "goal",
            "align 5",
        ),
        (
            "align.gaps",
            "models behind empty places count as in contact over them",
            "procedure",
            "fighting over gaps",
        ),
        (
            "align.priority",
            "models of the target in contact count before any number of the charger's",
            "procedure",
            "align",
        ),
        (
            "align.serve",
            "the charger must make a legal move that brings the best contact",
            "goal",
            "align",
        ),
        ("align.free-choice", "among equally good places the owner chooses", "procedure", "align"),
        (
            "unaligned.when",
            "a charge ends unaligned only if contact is possible but no aligned place exists",
            "procedure",
            "unaligned",
        ),
        (
            "unaligned.contact",
            "the point of the target first touched stays in contact",
            "limit",
            "unaligned",
        ),
        (
            "unaligned.line",
            "the front does not cross the line through the Target Facing",
            "limit",
            "unaligned",
        ),
        (
            "unaligned.angle",
            "the angle between front and facing is as small as possible",
            "goal",
            "unaligned",
        ),
        (
            "unaligned.target-models",
            "at the least angle, as many models of the target as possible are in contact",
            "goal",
            "unaligned",
        ),
        (
            "unaligned.charger-models",
            "with the target's models equal, as many models of the charger as possible are in contact",
            "goal",
            "unaligned",
        ),
        (
            "unaligned.special-align",
            "the target turns about the point of contact towards the charger as far as it has room",
            "procedure",
            "unaligned",
        ),
        (
            "unaligned.reform",
            "where an angle remains both units must combat reform when they can",
            "procedure",
            "unaligned",
        ),
        (
            "combined.roll-first",
            "when several units charge one target, all ranges are rolled first",
            "procedure",
            "combined",
        ),
        (
            "combined.order",
            "the chargers move in the order that lets as many charges as possible complete",
            "goal",
            "combined",
        ),
        (
            "combined.aligned-only",
            "a unit of a combined charge never ends unaligned",
            "limit",
            "combined",
        ),
        (
            "combined.totals",
            (
                "together the chargers bring as many models of the target into contact as possible, then as "
                "many of their own"
            ),
            "goal",
            "combined",
        ),
        ("combined.room", "there is room for this charger beside the others", "limit", "combined"),
        (
            "blocked.first-obstacle",
            "straight ahead the front would hit the target before anything else",
            "limit",
            "blocked path",
        ),
        (
            "blocked.unreachable",
            "no charge move against the proper Target Facing exists",
            "limit",
            "blocked path",
        ),
        (
            "blocked.any-facing",
            "if the path to the proper facing is blocked, any other facing may be charged",
            "procedure",
            "blocked path",
        ),
        (
            "failed.when",
            "a charge short of range or room makes a failed charge move of 4 inches",
            "procedure",
            "failed charge",
        ),
        (
            "failed.wheel",
            "a failed charge wheels towards the target without moving forward first",
            "procedure",
            "failed charge",
        ),
        (
            "failed.forward",
            "a failed charge then moves forward with the inches left, and stops short of contact",
            "procedure",
            "failed charge",
        ),
        (
            "stand",
            "judging: a unit that no charge moves stands where these charges leave it",
            "limit",
            "charge moves",
        ),
        (
            "table.settled",
            (
                "with `accuracy`, measured positions are first corrected to the nearest possible table, and every "
                "correction is named"
            ),
            "procedure",
            "formats",
        ),
    )
)
