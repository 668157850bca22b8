"""Conversion of marks and styles to JSON, which `plots/painter/painter.js` paints in the browser page and in exported
players.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from plots.marks.mark import DrawnMark
from plots.marks.styles import style, styles_of
from plots.marks.theme import THEMES, Theme, face

Entry = dict[str, Any]

PAINTED = {"light": "screen", "dark": "dark"}
"""Themes of the page, by the browser's name for each colour scheme."""

DECIMALS = 4
"""Decimal places of written coordinates, in inches or degrees."""


def entry(mark: DrawnMark, owner: tuple[str, str | int] | None = None) -> Entry:
    """Return a mark as a JSON object: the name of its type, its fields, and its owner under "of" if it has one."""
    fields = dict(vars(mark))
    if fields.get("instead") is not None:
        fields["instead"] = entry(fields["instead"])
    return {"type": type(mark).__name__, **fields, **({} if owner is None else {"of": list(owner)})}


def rounded(value: Any) -> Any:
    """Return a nested value with its numbers rounded to `DECIMALS` places, and tuples as lists."""
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def theme_roles() -> dict[str, dict[str, Entry]]:
    """Return the styles of all roles that occur in every figure, by scheme ("light", "dark") and role."""
    return {name: looks(styles_of(THEMES[theme]), THEMES[theme]) for name, theme in PAINTED.items()}


def own_roles(marks: Iterable[DrawnMark]) -> dict[str, dict[str, Entry]]:
    """Return the styles of the marks' roles that no theme lists, such as unknown terrain, by scheme and role; {} if
    there are none.
    """
    unknown = sorted({mark.role for mark in marks} - styles_of(THEMES[PAINTED["light"]]).keys())
    return (
        {name: looks(unknown, THEMES[theme]) for name, theme in PAINTED.items()} if unknown else {}
    )


def looks(roles: Iterable[str], theme: Theme) -> dict[str, Entry]:
    """Return the JSON of each role's style in a theme; widths, dashes and text sizes are in points."""
    return {role: _look(role, theme) for role in roles}


def _look(role: str, theme: Theme) -> Entry:
    size, typeface, tone = face(role)
    return {
        **vars(style(role, theme)),
        "size": size,
        "bold": typeface != "plain",
        "colour": theme.word_colour(tone),
    }
