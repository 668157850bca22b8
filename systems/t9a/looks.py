"""What figures draw The Ninth Age's words as, and call them."""

from systems.t9a.words import STATUS
from tabletop.ruling.looks import Looks

LOOKS = Looks(
    terrain={"impassable": "rock", "opaque": "screen", "open": "neutral"},
    steps={"special_align": "align", "placed": "align"},
    status=dict.fromkeys(STATUS, "hidden"),
    words={
        "en": {"terrain.opaque": "blocks sight", "terrain.open": "open terrain", "step.placed": "Put down"},
        "de": {
            "terrain.impassable": "unpassierbar",
            "terrain.opaque": "nimmt die Sicht",
            "terrain.open": "offenes Gelände",
            "step.initial_forward": "Erstes Vorrücken",
            "step.concluding_forward": "Letztes Vorrücken",
            "step.placed": "Hingestellt",
            "step.special_align": "Besonderes Ausrichten",
        },
    },
)
