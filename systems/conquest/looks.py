"""What figures draw Conquest's words as, and call them."""

from systems.conquest.words import STATUS
from tabletop.ruling.looks import Looks

LOOKS = Looks(
    terrain={"impassable": "rock", "garrison": "building", "forest": "wood", "open": "neutral"},
    steps={"advance": "follow"},
    status={**dict.fromkeys(STATUS, "hidden"), "broken": "written"},
    words={
        "en": {"terrain.open": "open terrain"},
        "de": {
            "terrain.impassable": "unpassierbar",
            "terrain.garrison": "Besatzung",
            "terrain.forest": "Wald",
            "terrain.open": "offenes Gelände",
            "step.advance": "Nachrücken",
            "step.target_wheel": "Schwenk des Ziels",
            "step.mired": "Aufgehalten",
            "status.broken": "gebrochen",
        },
    },
)
