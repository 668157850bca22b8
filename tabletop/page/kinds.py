"""The kinds of questions: how long each may take, and whether it is one of those that take long."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """Seconds after which a question of the kind is ended, and whether it leaves room for others."""

    seconds: float = 75.0
    is_slow: bool = False


ABOUT_A_SCENARIO = {
    "table": Kind(30.0),
    "resolve": Kind(),
    "judge": Kind(),
    "odds": Kind(is_slow=True),
    "write": Kind(30.0),
    "plain": Kind(30.0),
    "draw": Kind(150.0, is_slow=True),
}
"""Those that are posted with a scenario and answered at once."""
TOLD = {
    "health": Kind(30.0),
    "schema": Kind(30.0),
    "theme": Kind(30.0),
    "scenarios": Kind(30.0),
    "scenario": Kind(30.0),
    "start": Kind(30.0),
    "picture": Kind(150.0, is_slow=True),
    "readings": Kind(30.0),
    "words": Kind(30.0),
    "read": Kind(60.0),
}
"""Those that are about what there is, or about a file."""
EXPLORE, WARM = "explore", "warm"
KINDS: dict[str, Kind] = {**ABOUT_A_SCENARIO, **TOLD, EXPLORE: Kind(1200.0, is_slow=True), WARM: Kind(30.0)}
"""All, with the maps, and with that which loads what rulings of a system need."""
