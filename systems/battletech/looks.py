"""What figures draw BattleTech's words as, and call them."""

from systems.battletech.words import STATUS
from tabletop.ruling.looks import Looks

LOOKS = Looks(
    terrain={
        "light_woods": "wood",
        "heavy_woods": "dense_wood",
        "pavement": "paved",
        "light_smoke": "smoke",
        "heavy_smoke": "dense_smoke",
    },
    steps={
        "enter": "approach",
        "turn": "approach",
        "stand_up": "rise",
        "advance": "follow",
        "step_out": "aside",
        "psr": "falling",
        "pilot": "falling",
        "damage": "consequence",
        "motive": "consequence",
    },
    status={**dict.fromkeys(STATUS, "hidden"), "prone": "lying", "immobile": "written"},
    tags={"water": ("depth",), "building": ("cf",)},
    words={
        "en": {
            "tag.depth": "D{}",
            "tag.cf": "CF {}",
            "terrain.water": "water, its depth (D)",
            "terrain.building": "building, its factor (CF)",
            "step.psr": "Piloting roll",
            "step.pilot": "Pilot's roll",
            "step.motive": "Motive damage",
        },
        "de": {
            "tag.depth": "T{}",
            "tag.cf": "BF {}",
            "terrain.light_woods": "lichter Wald",
            "terrain.heavy_woods": "dichter Wald",
            "terrain.water": "Wasser, Tiefe (T)",
            "terrain.pavement": "Pflaster",
            "terrain.building": "Gebäude, Baufaktor (BF)",
            "terrain.light_smoke": "leichter Rauch",
            "terrain.heavy_smoke": "dichter Rauch",
            "status.prone": "liegt",
            "status.immobile": "unbeweglich",
            "step.enter": "Betreten",
            "step.stand_up": "Aufstehen",
            "step.to_hit": "Trefferwurf",
            "step.damage": "Schaden",
            "step.advance": "Nachrücken",
            "step.step_out": "Ausweichen",
            "step.psr": "Steuerwurf",
            "step.pilot": "Pilotenwurf",
            "step.motive": "Antriebsschaden",
            "step.weapon_roll": "Waffenwurf",
            "step.building_roll": "Gebäudewurf",
        },
    },
)
