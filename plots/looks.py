"""The look of every role that a mark can have, and the words that the key says of it.

A role that ends in a number is a side's, by its place in the palette.
"""

from dataclasses import replace

from plots.kinds import HEXES, LEVELS, TERRAIN, UNKNOWN, hex_kind
from plots.theme import GREY, INK, OUTCOME_PATTERNS, OUTCOMES, PAGE, SIDE_PATTERNS, SIDES, TABLE, Style, tint


def _side_styles(tone: int) -> dict[str, Style]:
    colour = SIDES[tone]
    pattern = SIDE_PATTERNS[tone]
    pale, lines = tint(colour, 0.14 if pattern else 0.22), tint(colour, 0.38)
    return {
        f"models.{tone}": Style(4.0, tint(colour, 0.55), 0.5, pale, pattern=pattern, pattern_colour=lines),
        f"loose.{tone}": Style(4.0, colour, 1.1, pale, pattern=pattern, pattern_colour=lines),
        f"standing.{tone}": Style(5.0, colour, 1.3, pale, pattern=pattern, pattern_colour=lines),
        f"raised.{tone}": Style(4.6, colour, 0.6),
        f"raised_contact.{tone}": Style(4.6, PAGE, 0.8),
        f"contact.{tone}": Style(4.5, PAGE, 0.7, tint(colour, 0.95)),
        f"touching.{tone}": Style(4.7, None, 0.0, PAGE),
        f"unit.{tone}": Style(5.0, colour, 1.3),
        f"front.{tone}": Style(5.5, PAGE, 0.5, colour),
        f"hollow.{tone}": Style(3.1, colour, 0.7, PAGE),
        f"ghost.{tone}": Style(6.0, colour, 0.8, dash=(3.0, 2.0)),
        f"start.{tone}": Style(3.0, colour, 0.8, dash=(3.0, 2.0)),
        f"fallen.{tone}": Style(5.6, colour, 1.4),
        f"lost.{tone}": Style(6.0, colour, 1.4),
        f"path.{tone}": Style(7.0, colour, 1.4, colour, halo=0.7),
        f"pushed.{tone}": Style(7.0, colour, 1.2, PAGE, dash=(4.0, 1.5), halo=0.7),
        f"slid.{tone}": Style(7.0, colour, 1.4, colour, dash=(1.2, 1.4), halo=0.7),
        f"pivot.{tone}": Style(8.0, colour, 1.1, PAGE),
        f"climb.{tone}": Style(7.2, colour, 0.9, PAGE),
        f"name.{tone}": Style(11.0, colour, 0.7, PAGE),
    }


STYLES: dict[str, Style] = {
    **{f"terrain.{kind}": look for kind, look in TERRAIN.items()},
    **{f"hexes.{kind}": look.ground for kind, look in HEXES.items()},
    "board": Style(0.0, INK, 1.6, TABLE),
    "ray": Style(2.0, "#767676", 0.6, dash=(4.0, 3.0), key="arcs of the target"),
    "sight": Style(7.0, INK, 0.8, dash=(1.0, 1.8), key="line of sight"),
    "facing": Style(6.5, INK, 2.4, key="facing charged"),
    "align": Style(7.0, GREY, 1.0, GREY, dash=(2.5, 1.5), halo=0.7),
    "dimension": Style(7.5, INK, 0.7, INK),
    "contact_point": Style(9.0, PAGE, 0.9, INK, key="initial contact (P)"),
    "leader": Style(10.0, GREY, 0.5),
    "text": Style(11.0, None, 0.0, TABLE, alpha=0.86),
    "strong": Style(11.0, None, 0.0, TABLE, alpha=0.86),
    "arc_name": Style(11.0, None, 0.0, TABLE, alpha=0.7),
    "zone.target": Style(2.2, INK, 0.8, dash=(5.0, 2.5), key="engagement range of the targets"),
    "zone.forbidden": Style(2.1, GREY, 0.8, dash=(5.0, 2.5), pattern="counter_stripes", pattern_colour="#9c9c9c", key="forbidden"),
    "link": Style(3.5, INK, 0.9, dash=(1.0, 1.4), key="holds the unit together"),
    "best_facing": Style(7.0, INK, 0.8, INK),
    "hex": Style(0.2, "#8f8f8f", 0.5),
    "number": Style(7.6, PAGE, 1.2, INK),
    "number_light": Style(7.6, None, 0.0, PAGE),
    "hex_number": Style(7.6, TABLE, 1.4, GREY),
    "letter": Style(7.8, PAGE, 1.6, INK),
    "hex_tag": Style(7.6, TABLE, 1.4, INK),
    "bar": Style(1.0, INK, 0.6, INK),
    "bar_light": Style(1.0, INK, 0.6, PAGE),
    "rule": Style(1.0, "#b0b0b0", 0.5),
    **{f"badge.{outcome}": Style(1.0, colour, 0.8, colour) for outcome, colour in OUTCOMES.items()},
    **{
        f"odds.{outcome}": Style(
            2.0, colour, 0.9, tint(colour, 0.14 if pattern else 0.8), pattern=pattern, pattern_colour=tint(colour, 0.6)
        )
        for (outcome, colour), pattern in zip(OUTCOMES.items(), OUTCOME_PATTERNS, strict=True)
    },
    "odds.together": Style(2.0, GREY, 0.9, "#9a9a9a"),
    "odds.track": Style(1.0, "#8c8c8c", 0.5, PAGE),
    "odds.paper": Style(1.5, None, 0.0, PAGE),
    "odds.axis": Style(3.0, INK, 0.9),
}
SHADES = ("#fdf3c4", "#f3d69a", "#e6b583", "#d49378", "#bb7274", "#995673", "#6f4070", "#432d63")
"""From pale to dark in even steps of lightness, so that they are told apart in grey as well."""
STYLES |= {f"heat.{number}": Style(0.5, GREY, 0.35, shade) for number, shade in enumerate(SHADES)}
STYLES |= {role: look for tone in range(len(SIDES)) for role, look in _side_styles(tone).items()}
STYLES |= {f"symbol.{kind}": look.symbol for kind, look in HEXES.items()}
STYLES |= {f"level.{level}": look for level, look in LEVELS.items()}


def style(role: str) -> Style:
    """Give the look of a role; a kind of terrain that is not in the tables is outlined, and the key says the kind."""
    kind = role.partition(".")[2]
    if role in STYLES or not role.startswith(("terrain.", "hexes.")):
        return STYLES[role]
    if role.startswith("hexes."):
        return hex_kind(kind).ground
    return replace(TERRAIN[UNKNOWN], key=kind.replace("_", " "))
