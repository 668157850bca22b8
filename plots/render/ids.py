"""Names for the groups of an SVG that designers and scripts can rely on, written into the finished document.

Ids are those of the marks with hyphens: `unit-A`, `terrain-Tower`. The first panel's are bare, those of a later one begin with
its name: `after-unit-A`. Every model is an element of its own: `model-A-3`. Dimension lines are counted through the figure:
`dim-2`. The bare name is a class in every panel, and so are the words of a mark's role.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plots.layout.page import Page, Shown
from plots.marks.mark import DimensionLine, GridMark, Mark

MARK_PARTS = (".label.leader", ".label.paper", ".label", ".leader", ".paper", ".pattern", ".halo", ".core")
"""What the group of a mark's part has behind the mark's id."""
GROUP = re.compile(r'<g id="([^"]+)"([^>]*)>(\s*<path d="([^"]*)"([^>]*)/>\s*</g>)?')
SUBPATH = re.compile(r"M [^M]*")
WHOLE = {"figure_1": "figure", "patch_1": "page"}


@dataclass(frozen=True)
class Name:
    """The id of a group, its classes, and the numbers of the models in it, one for each closed ring of its path."""

    id: str
    classes: tuple[str, ...] = ()
    models: tuple[int, ...] = ()


def names_of(page: Page) -> dict[str, Name]:
    """Name everything on a page, by the ids that marks have in themselves."""
    names: dict[str, Name] = {}
    for number, shown in enumerate(page.shown):
        start = "" if number == 0 else f"{shown.panel.name}-"
        names[shown.panel.name] = Name(shown.panel.name, ("panel",))
        for mark in _marks(shown):
            names[mark.id] = _name(mark, shown.panel.name, start, names)
    for mark in page.marks:
        names[mark.id] = Name(_hyphens(mark.id), _roles(mark))
    return _distinct(names)


def _marks(shown: Shown) -> Iterable[Mark]:
    return (*shown.panel.marks, *(one.label for one in shown.labels))


def _name(mark: Mark, panel: str, start: str, known: Mapping[str, Name]) -> Name:
    bare = _hyphens(mark.id.removeprefix(f"{panel}."))
    if isinstance(mark, DimensionLine):
        bare = f"dim-{1 + sum(1 for name in known.values() if 'dimension' in name.classes)}"
        return Name(bare, _roles(mark))
    measured = known.get(mark.id.removesuffix(".label"))
    if measured is not None and "dimension" in measured.classes:
        return Name(f"{measured.id}-label", _roles(mark))
    models = mark.numbers if isinstance(mark, GridMark) else ()
    return Name(f"{start}{bare}", tuple(dict.fromkeys((*_roles(mark), bare))), models)


def _hyphens(name: str) -> str:
    return name.replace(".", "-")


def _roles(mark: Mark) -> tuple[str, ...]:
    """Give the words of a role; a side is counted from 1 and called so."""
    words = mark.role.split(".")
    return tuple(f"side-{int(word) + 1}" if word.isdecimal() and place else word for place, word in enumerate(words))


def _distinct(names: dict[str, Name]) -> dict[str, Name]:
    """Give names of which no two are alike: a unit may be called what another's part is called."""
    taken: dict[str, int] = {}
    made = {}
    for key, name in names.items():
        count = taken[name.id] = taken.get(name.id, 0) + 1
        made[key] = name if count == 1 else Name(f"{name.id}--{count}", name.classes, name.models)
    return made


def named(svg: str, names: Mapping[str, Name]) -> str:
    """Write names into a document: ids and classes of groups, an element for each model."""
    return GROUP.sub(lambda found: _group(found, names), svg)


def _group(found: re.Match[str], names: Mapping[str, Name]) -> str:
    key, looks, whole, data, attributes = found.groups()
    name = _known(key, names)
    words = f' class="{" ".join(name.classes)}"' if name.classes else ""
    opened = f'<g id="{name.id}"{words}{looks}'
    paths = SUBPATH.findall(data or "") if name.models else []
    if len(paths) != len(name.models) or not paths:
        return f"{opened}>{whole or ''}"
    base, part = re.sub(r"(^|-)unit-", r"\1model-", name.id, count=1).rsplit("-", 1)
    ends = "" if part == "models" else f"-{part}"
    members = "".join(f'<path id="{base}-{number}{ends}" d="{path.strip()}"/>\n' for number, path in zip(name.models, paths, strict=True))
    return f"{opened}{attributes}>\n{members}</g>"


def _known(key: str, names: Mapping[str, Name]) -> Name:
    """Give the name of a group, or that of the part of a mark."""
    if key in names:
        return names[key]
    for part in MARK_PARTS:
        whole = key.removesuffix(part)
        if whole != key and whole in names:
            name = names[whole]
            return Name(f"{name.id}{_hyphens(part)}", tuple(f"{word}{_hyphens(part)}" for word in name.classes[-1:]))
    return Name(WHOLE.get(key, _hyphens(key)))
