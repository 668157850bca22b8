"""The rules of Conquest by name: what each demands in one line, its kind, and the passage of the rulebook it comes
from.
"""

from tabletop.ruling.finding import Rule

READINGS = {
    "clearance": ("path.enemy", "path.garrison", "near.no-contact"),
    "overlap": ("facing.reach", "wheel.most-stands"),
    "wheel_policy": ("wheel.policy",),
    "reach": ("move.charge-distance",),
    "facing_tie": ("facing.charged",),
    "facing_out_of_reach": ("facing.reach",),
    "push": ("push",),
    "align_sweep": ("align.flush", "align.target-wheels"),
    "deadlock": ("align.flush",),
    "failed_direction": ("failed.move",),
    "failed_impassable": ("failed.halt",),
    "mired_broken": ("mired.broken",),
    "broken": ("declare.actions",),
    "corner_contact": ("wheel.most-stands",),
    "front_arc": ("declare.line-of-sight",),
    "sight_size": ("declare.line-of-sight",),
}
"""Choices of `[rules]`, each with the rules that it reads one way or the other."""

RULES = tuple(
    Rule(
        f"conquest.{name}",
        demand,
        nature,
        source,
        tuple(choice for choice, read in READINGS.items() if name in read),
    )
    for name, demand, nature, source in (
        (
            "contact.only-by-charge",
            "only a completed charge ends in contact with an enemy",
            "limit",
            "charge action",
        ),
        (
            "declare.actions",
            "the charger still has its actions, and is not Broken where that forbids a charge",
            "limit",
            "failed charge",
        ),
        (
            "declare.reinforcement",
            "the charger did not arrive from Reinforcements this turn",
            "limit",
            "charge action",
        ),
        (
            "declare.not-in-contact",
            "the charger is in contact with no enemy regiment",
            "limit",
            "march",
        ),
        ("declare.one-target", "a charge has exactly one target", "limit", "declaring"),
        ("declare.enemy", "the target is an enemy, or a garrison", "limit", "declaring"),
        ("declare.line-of-sight", "the target is in line of sight", "limit", "declaring"),
        (
            "through.march",
            "the March before the charge crossed no friend that is in contact with an enemy",
            "limit",
            "charging through",
        ),
        (
            "roll",
            "one D6 is rolled; if the profile allows a re-roll, a roll that falls short is rolled again",
            "procedure",
            "declaring",
        ),
        (
            "charge-distance",
            "the Charge Distance is March + the face kept",
            "procedure",
            "declaring",
        ),
        ("range", "the Charge Distance is at least the closest distance", "limit", "declaring"),
        (
            "facing.charged",
            "the charged facing is the side whose arc held most of the charger",
            "procedure",
            "which facing",
        ),
        ("facing.reach", "some wheel brings a stand to the charged facing", "limit", "charge move"),
        (
            "wheel.free",
            "one free wheel of at most 90 degrees about a front corner comes first",
            "limit",
            "charge move",
        ),
        (
            "wheel.most-stands",
            "the wheel lets as many front stands as possible reach the charged facing",
            "goal 1",
            "charge move",
        ),
        (
            "wheel.policy",
            "among equally good wheels the chosen `wheel_policy` decides",
            "goal 2",
            "silent",
        ),
        ("path.enemy", "no other enemy is in the way", "limit", "charge move"),
        ("path.garrison", "no other garrison is in the way", "limit", "charge move"),
        ("path.impassable", "no impassable terrain is in the way", "limit", "charge move"),
        (
            "path.friend",
            "no friend that is in contact with an enemy is in the way",
            "limit",
            "charging through",
        ),
        ("path.board", "the whole charger stays on the board", "limit", "march"),
        ("path.target", "the wheel itself does not touch the target", "limit", "silent"),
        (
            "move.straight",
            "after the wheel the charger only goes straight ahead",
            "procedure",
            "charge move",
        ),
        (
            "move.charge-distance",
            "the straight move is no longer than the Charge Distance",
            "limit",
            "charge move",
        ),
        ("near.inch", "the charger may come within an inch of others", "procedure", "charge move"),
        (
            "near.no-contact",
            "the charger ends in contact with no enemy or garrison that it did not charge",
            "limit",
            "charge move",
        ),
        (
            "through.friends",
            "friends that are not in contact with an enemy may be crossed",
            "procedure",
            "move, through",
        ),
        ("stop", "the advance stops at first contact with the target", "procedure", "aligning"),
        (
            "align.flush",
            "the charger turns about the point of contact until its front is flush",
            "limit",
            "aligning",
        ),
        (
            "facing.corner",
            "a charger that meets a corner turns flush to the side whose arc held more of it",
            "procedure",
            "which facing",
        ),
        (
            "align.target-wheels",
            "if the charger has no room to turn flush, the target turns instead",
            "procedure",
            "aligning",
        ),
        (
            "push",
            "another enemy that the charger could not avoid touching is pushed an inch away",
            "goal 3",
            "aligning",
        ),
        ("push.room", "there is a free place for every regiment that is pushed", "limit", "silent"),
        (
            "through.clear",
            "the charger ends clear of every friend it crosses, or both become mired",
            "limit",
            "charging through",
        ),
        (
            "mired.halt",
            "a mired charger stands where it met that friend",
            "procedure",
            "charging through",
        ),
        ("mired.broken", "the mired regiments become Broken", "procedure", "charging through"),
        ("inspire", "a successful charge gives a free Inspire", "procedure", "inspire"),
        ("inspire.impact", "the free Inspire does not help Impact Attacks", "procedure", "inspire"),
        (
            "inspire.wasted",
            "the free Inspire is wasted if the charger has no action left",
            "procedure",
            "inspire",
        ),
        (
            "failed.move",
            "a failed charge moves straight at the target, as many inches as the die shows",
            "procedure",
            "failed charge",
        ),
        (
            "failed.halt",
            "a failed charge halts an inch short of enemies and garrisons",
            "limit",
            "failed charge",
        ),
        (
            "failed.actions",
            "after a failed charge the charger loses its remaining actions",
            "procedure",
            "failed charge",
        ),
        (
            "stand",
            "judging: a regiment that no charge moves or pushes stands where these charges leave it",
            "limit",
            "charge action",
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
