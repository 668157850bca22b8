"""The rules by name: what each demands in one line, what it is, and which passage of the rulebook it comes from."""

from collections.abc import Iterable

from tabletop.ruling.finding import Finding, Rule

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
    Rule(f"conquest.{name}", demand, nature, source, tuple(choice for choice, read in READINGS.items() if name in read))
    for name, demand, nature, source in (
        ("contact.only-by-charge", "only a completed charge ends in contact with an enemy", "limit", "charge action"),
        ("declare.actions", "the charger has not lost its actions, nor is it broken where that bars a charge", "limit", "failed charge"),
        ("declare.reinforcement", "the charger did not arrive from Reinforcements this turn", "limit", "charge action"),
        ("declare.not-in-contact", "the charger is in contact with no enemy regiment", "limit", "march"),
        ("declare.one-target", "a charge has exactly one target", "limit", "declaring"),
        ("declare.enemy", "the target is an enemy, or a garrison", "limit", "declaring"),
        ("declare.line-of-sight", "the target is in line of sight", "limit", "declaring"),
        ("through.march", "the March before the charge crossed no friend that is in contact with an enemy", "limit", "charging through"),
        ("roll", "one D6 is rolled; where the profile allows it, a roll that is not enough is made again", "procedure", "declaring"),
        ("charge-distance", "the Charge Distance is March + the face kept", "procedure", "declaring"),
        ("range", "the Charge Distance is at least the closest distance", "limit", "declaring"),
        ("facing.charged", "the charged facing is the side whose arc held most of the charger", "procedure", "which facing"),
        ("facing.reach", "some wheel brings a stand to the charged facing", "limit", "charge move"),
        ("wheel.free", "one free wheel of at most 90 degrees about a front corner comes first", "limit", "charge move"),
        ("wheel.most-stands", "the wheel lets as many front stands as possible reach the charged facing", "goal 1", "charge move"),
        ("wheel.policy", "among equally good wheels the policy chosen decides", "goal 2", "silent"),
        ("path.enemy", "no other enemy is in the way", "limit", "charge move"),
        ("path.garrison", "no other garrison is in the way", "limit", "charge move"),
        ("path.impassable", "no impassable terrain is in the way", "limit", "charge move"),
        ("path.friend", "no friend that is in contact with an enemy is in the way", "limit", "charging through"),
        ("path.board", "the frame stays on the board", "limit", "march"),
        ("path.target", "the wheel itself does not touch the target", "limit", "silent"),
        ("move.straight", "after the wheel the charger only goes straight ahead", "procedure", "charge move"),
        ("move.charge-distance", "the straight move is no longer than the Charge Distance", "limit", "charge move"),
        ("near.inch", "the charger may come within an inch of others", "procedure", "charge move"),
        ("near.no-contact", "it ends in contact with no enemy or garrison that it did not charge", "limit", "charge move"),
        ("through.friends", "friends that are not in contact with an enemy may be crossed", "procedure", "move, through"),
        ("stop", "the advance stops at first contact with the target", "procedure", "aligning"),
        ("align.flush", "the charger turns about the point of contact until its front is flush", "limit", "aligning"),
        ("facing.corner", "at a corner it turns flush to the side whose arc held more of it", "procedure", "which facing"),
        ("align.target-wheels", "where the charger cannot turn flush the target does", "procedure", "aligning"),
        ("push", "where contact is impossible without another enemy, that one is moved an inch away", "goal 3", "aligning"),
        ("push.room", "a regiment that is pushed has a free place", "limit", "silent"),
        ("through.clear", "every friend crossed is cleared, else both are mired", "limit", "charging through"),
        ("mired.halt", "a mired charger stands where it met that friend", "procedure", "charging through"),
        ("mired.broken", "the mired regiments become Broken", "procedure", "charging through"),
        ("inspire", "a successful charge gives a free Inspire", "procedure", "inspire"),
        ("inspire.impact", "that Inspire is of no use to Impact Attacks", "procedure", "inspire"),
        ("inspire.wasted", "it is wasted where no action is left", "procedure", "inspire"),
        ("failed.move", "a failed charge moves the face kept, in inches, straight at the target", "procedure", "failed charge"),
        ("failed.halt", "that move halts an inch from enemies and garrisons", "limit", "failed charge"),
        ("failed.actions", "a failed charge loses all actions that are left", "procedure", "failed charge"),
        ("stand", "judging: a regiment that no charge moves or pushes stands where these charges leave it", "limit", "charge action"),
        (
            "table.settled",
            "with `accuracy`: first the nearest table that can be is settled; what moved is said",
            "procedure",
            "formats",
        ),
    )
)

_PLACES = {rule.name: place for place, rule in enumerate(RULES)}


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Put findings into the order of the rules; of several of one rule the earlier stays first."""
    return tuple(sorted(findings, key=lambda finding: _PLACES[finding.rule]))
