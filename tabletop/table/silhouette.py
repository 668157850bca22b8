"""What a unit looks like from above, in words that belong to no game: systems say which, figures draw them."""

from typing import Any, Literal, get_args

Silhouette = Literal[
    "walker",
    "four_legs",
    "light_walker",
    "tracked",
    "wheeled",
    "hover",
    "foot",
    "mounted",
    "beast",
    "monster",
    "rotor",
    "ground_effect",
    "airship",
    "aeroplane",
    "ship",
]
SILHOUETTES: tuple[Silhouette, ...] = get_args(Silhouette)


def silhouette_of(unit: Any) -> Silhouette | None:
    """Return what a unit looks like, as its statistics say under `silhouette`; None where they do not."""
    said = getattr(unit.profile, "silhouette", None)
    return said if said in SILHOUETTES else None
