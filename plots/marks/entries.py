"""Marks and their looks as plain tables, from which `plots/painter/painter.js` paints: on the page, and in an exported player."""

from collections.abc import Iterable, Mapping
from typing import Any

from plots.marks.mark import DrawnMark
from plots.marks.styles import style, styles_of
from plots.marks.theme import THEMES, Theme, face

Entry = dict[str, Any]

PAINTED = {"light": "screen", "dark": "dark"}
"""The themes in which the page is painted, by what a browser calls them."""

DECIMALS = 4
"""Of an inch or a degree, where what is painted stands in a file: a hundredth of a hair."""


def entry(mark: DrawnMark, owner: tuple[str, str | int] | None = None) -> Entry:
    """Return a mark as a plain table: its type, its fields, and whose it is."""
    fields = dict(vars(mark))
    if fields.get("instead") is not None:
        fields["instead"] = entry(fields["instead"])
    return {"type": type(mark).__name__, **fields, **({} if owner is None else {"of": list(owner)})}


def rounded(value: Any) -> Any:
    """Return tables, lists and numbers with as many decimals as a file needs."""
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def theme_roles() -> dict[str, dict[str, Entry]]:
    """Return the looks of all roles that have one in every figure, light and dark."""
    return {name: looks(styles_of(THEMES[theme]), THEMES[theme]) for name, theme in PAINTED.items()}


def own_roles(marks: Iterable[DrawnMark]) -> dict[str, dict[str, Entry]]:
    """Return the looks of roles that no theme lists, light and dark: kinds of terrain, each as its game has it drawn."""
    unknown = sorted({mark.role for mark in marks} - styles_of(THEMES[PAINTED["light"]]).keys())
    return {name: looks(unknown, THEMES[theme]) for name, theme in PAINTED.items()} if unknown else {}


def looks(roles: Iterable[str], theme: Theme) -> dict[str, Entry]:
    """Return how roles look in a theme: widths, dashes and text sizes in points."""
    return {role: _look(role, theme) for role in roles}


def _look(role: str, theme: Theme) -> Entry:
    size, is_bold, tone = face(role)
    return {**vars(style(role, theme)), "size": size, "bold": is_bold, "colour": theme.word_colour(tone)}
