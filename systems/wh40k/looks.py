"""What figures draw Warhammer 40,000's words as, and call them."""

from systems.wh40k.words import STATUS
from tabletop.ruling.looks import Looks

LOOKS = Looks(
    terrain={"impassable": "rock"},
    steps={"overwatch_before": "loss", "overwatch_after": "loss", "fights_first": "consequence"},
    status=dict.fromkeys(STATUS, "hidden"),
    words={
        "en": {"terrain.block": "solid, may be climbed"},
        "de": {
            "terrain.impassable": "unpassierbar",
            "terrain.block": "massiv, erkletterbar",
            "step.overwatch_before": "Abwehrfeuer zuvor",
            "step.overwatch_after": "Abwehrfeuer danach",
            "step.fights_first": "Kämpft zuerst",
        },
    },
)
