"""The rules by name: what each demands in one line, what it is, and which passage of the charge rules it comes from."""

from tabletop.ruling import Rule

RULES = tuple(
    Rule(f"t9a.{name}", demand, nature, source)
    for name, demand, nature, source in (
        ("phase.order", "all charges are declared first; then each charger rolls and moves, one by one", "procedure", "charge moves"),
        ("declare.once", "a unit declares one charge a phase", "limit", "declaring"),
        ("declare.not-engaged", "the charger is not engaged", "limit", "declaring"),
        ("declare.not-shaken", "the charger is not shaken", "limit", "declaring"),
        ("declare.line-of-sight", "a model of the front rank sees the target", "limit", "declaring, sight"),
        ("declare.max-range", "the target is within the greatest range a roll can give", "limit", "declaring"),
        ("declare.room", "some legal charge move exists, align moves foreseen", "limit", "declaring"),
        ("range.distance", "distance is measured between the closest points of the boundaries", "procedure", "measuring"),
        ("range.roll", "charge range is D6 + 4 + charge speed", "procedure", "charge range"),
        ("range.maximised", "maximised rolls keep the highest of more dice, minimised ones the lowest", "procedure", "dice"),
        ("range", "the charge range is at least the distance", "limit", "charge range"),
        ("odds", "the chance that the range roll reaches", "procedure", "odds table"),
        (
            "arc.target-facing",
            "the facing charged is the one whose arc holds the middle of the charger's front",
            "procedure",
            "charge move",
        ),
        ("arc.tie", "on a dividing line both facings may be taken", "procedure", "silent"),
        ("move.snaking", "the charger goes forward, wheels once and goes forward, as far as it likes", "procedure", "charge move"),
        ("move.initial-forward", "first straight forward, or not at all", "limit", "snaking move"),
        ("move.wheel", "then at most one wheel of at most 90 degrees about a front corner", "limit", "snaking move"),
        ("move.concluding-forward", "then straight forward, or not at all", "limit", "snaking move"),
        ("move.front-only", "until it is aligned only the charger's front edge counts", "procedure", "snaking move"),
        ("move.first-contact", "the front first meets the target on the Target Facing", "limit", "charge move"),
        ("move.fly", "a flying charger ignores units and terrain on the way, but not the target", "procedure", "fly"),
        ("move.room", "a legal charge move exists when the charger moves", "limit", "charge range"),
        ("space.enemy", "no contact with an enemy other than the target", "limit", "charge move"),
        ("space.friend", "no overlap with friends", "limit", "unit spacing"),
        ("space.impassable", "not in, through or against impassable terrain", "limit", "charge move"),
        ("space.board", "the front stays on the board while it moves, the whole boundary at the end", "limit", "table edge"),
        ("align.place", "the charger is picked up and put down touching the target", "procedure", "charge move"),
        ("align.initial-contact", "the point of the target first touched stays in contact", "limit", "align 1"),
        ("align.line-contact", "contact along a line: the owner names the point that serves the goals best", "procedure", "align 1"),
        ("align.flush", "the front lies flush against the Target Facing", "limit", "align 2"),
        ("align.target-models", "most models of the target in contact", "goal", "align 4"),
        ("align.charger-models", "then most models of the charger in contact", "goal", "align 5"),
        ("align.gaps", "models behind empty places count as in contact over them", "procedure", "fighting over gaps"),
        ("align.priority", "a higher goal is never given up for any number of lower ones", "procedure", "align"),
        ("align.serve", "of all legal moves one must be made whose contact serves the goals best", "goal", "align"),
        ("align.free-choice", "equally good places are the owner's choice", "procedure", "align"),
        ("failed.when", "a charge short of range or room makes a failed charge move of 4 inches", "procedure", "failed charge"),
        ("failed.wheel", "it wheels towards the target, without going forward first", "procedure", "failed charge"),
        ("failed.forward", "then goes forward with what is left, short of contact", "procedure", "failed charge"),
    )
)
