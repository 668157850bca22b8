"""Names for the groups of an SVG that designers and scripts can rely on, and the font that its words are set in.

Ids are those of the marks with hyphens: `unit-A`, `terrain-Tower`. The first panel's are bare, those of a later one begin with
its name: `after-unit-A`. Every model is an element of its own: `model-A-3`. Dimension lines are counted through the figure:
`dim-2`. The bare name is a class in every panel, and so are the words of a mark's role. What is one thing is one group: that of
`unit-A` holds all that begins with `unit-A`.

Of the typeface a document holds the letters that it needs, as one font of each weight. `python -m plots.render.svg` writes those with
the usual letters anew.
"""

import base64
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from pathlib import Path
from string import ascii_letters, digits, punctuation

from plots.layout.page import Page, Shown
from plots.layout.text import FAMILIES, OURS, SPARE, font_file, lacking
from plots.marks.mark import DimensionLine, Discs, Mark, Rings
from plots.render.things import things_of

MARK_PART = re.compile(r"(?:\.label)?(?:\.leader|\.paper|\.pattern|\.halo|\.core|\.key|\.key\.number|\.\d+)?")
"""What the group of a mark's part has behind the mark's id; lines of words are counted from 2."""

GROUP = re.compile(r'<g id="([^"]+)"([^>]*)>(\s*<path d="([^"]*)"([^>]*)/>\s*</g>)?')

SUBPATH = re.compile(r"M [^M]*")

PANEL, TOP = ("panel",), 10_000
"""The classes of a panel, and the rank of what lies over everything else in it."""

WHOLE = {"figure_1": "figure", "patch_1": "page"}

FALLBACKS = ", ".join((*(f'"{family}"' for family in FAMILIES.values()), '"Noto Sans"', '"Segoe UI"', "sans-serif"))
"""The fonts of all words, in the order in which a viewer tries them: the letters of the first two are embedded, the next are like them."""

SIGNS = "\N{MINUS SIGN}\N{PLUS-MINUS SIGN}\N{MULTIPLICATION SIGN}\N{DEGREE SIGN}\N{HORIZONTAL ELLIPSIS}\N{NO-BREAK SPACE}"

USUAL = f"{ascii_letters}äöüÄÖÜß{digits} {punctuation}{SIGNS}"
"""Letters that are always there, so that words can be changed: those of the figures of all bundled scenarios."""

UNUSED = ["FFTM", "GDEF", "GPOS", "GSUB", "MATH", "gasp"]
"""Tables of the font that a line of words does without."""


@dataclass(frozen=True)
class Name:
    """The id of a group, its classes, and the numbers of the models in it, one for each closed ring of its path.

    `thing` is the id of the group that holds it, `rank` the place of that group in its panel.
    """

    id: str
    classes: tuple[str, ...] = ()
    models: tuple[int, ...] = ()
    thing: str = ""
    rank: int = 0


def names_of(page: Page) -> dict[str, Name]:
    """Name everything on a page, by the ids that marks have in themselves."""
    names: dict[str, Name] = {}
    for number, shown in enumerate(page.shown):
        start = "" if number == 0 else f"{shown.panel.name}-"
        names[shown.panel.name] = Name(shown.panel.name, PANEL)
        for mark in (*shown.panel.marks, *(one.label for one in shown.labels)):
            names[mark.id] = _name(mark, shown.panel.name, start, names)
        _join(shown, start, names)
    for mark in page.marks:
        names[mark.id] = Name(_hyphens(mark.id), _roles(mark))
    # no two names may be alike: a unit may be called what another's part is called
    taken: dict[str, int] = {}
    made = {}
    for key, name in names.items():
        count = taken[name.id] = taken.get(name.id, 0) + 1
        made[key] = name if count == 1 else replace(name, id=f"{name.id}--{count}")
    return made


def _name(mark: Mark, panel: str, start: str, known: Mapping[str, Name]) -> Name:
    bare = _hyphens(mark.id.removeprefix(f"{panel}."))
    if isinstance(mark, DimensionLine):
        bare = f"dim-{1 + sum(1 for name in known.values() if 'dimension' in name.classes)}"
        return Name(bare, _roles(mark))
    measured = known.get(mark.id.removesuffix(".label"))
    if measured is not None and "dimension" in measured.classes:
        return Name(f"{measured.id}-label", _roles(mark))
    models = mark.numbers if isinstance(mark, Rings | Discs) else ()
    return Name(f"{start}{bare}", tuple(dict.fromkeys((*_roles(mark), bare))), models)


def _join(shown: Shown, start: str, names: dict[str, Name]) -> None:
    """Tell all names of a panel which thing they are part of, by the name of the thing."""
    for rank, (bare, marks) in enumerate(things_of(shown)):
        whole = names.get(f"{shown.panel.name}.{bare}", Name(f"{start}{_hyphens(bare)}"))
        for mark in marks:
            names[mark.id] = replace(names[mark.id], thing=whole.id, rank=rank)
    for lens in shown.lenses:
        name = names[lens.mark.id]
        names[lens.mark.id] = replace(name, thing=name.id, rank=TOP)


def _hyphens(name: str) -> str:
    return name.replace(".", "-")


def _roles(mark: Mark) -> tuple[str, ...]:
    """Give the words of a role; a side is counted from 1 and called so."""
    words = mark.role.split(".")
    return tuple(f"side-{int(word) + 1}" if word.isdecimal() and place else word for place, word in enumerate(words))


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
    whole = key
    while "." in whole and whole not in names:
        whole = whole.rpartition(".")[0]
    part = key.removeprefix(whole)
    if whole in names and names[whole].classes != PANEL:
        name = names[whole]
        classes = tuple(f"{word}{_hyphens(part)}" for word in name.classes[-1:]) if MARK_PART.fullmatch(part) else ()
        return Name(f"{name.id}{_hyphens(part)}", classes)
    return Name(WHOLE.get(key, _hyphens(key)))


# The font inside a document.


def style_of_page(html: str) -> str:
    """Give the style of a page of HTML in which SVG may stand: all its words are in the typeface of figures, which holds their letters."""
    letters = "".join(sorted({*USUAL, *filter(str.isprintable, unescape(html))}))
    return f"\nbody {{ font-family: {FALLBACKS}; }}{style_of((letters, letters))}"


def letters_of(svg: str) -> tuple[str, str]:
    """Give the letters of the text of a document, plain and bold, with all that are in English, so that words may be changed."""
    plain, bold = set(USUAL), set(USUAL)
    for tag, inside in re.findall(r"(<g [^>]*>|<text[^>]*>)([^<]*)", svg):
        (bold if 'font-weight="bold"' in tag else plain).update(unescape(inside))
    for _, inside in re.findall(r'(<g [^>]*font-weight="bold"[^>]*>)((?:\s*<text[^>]*>[^<]*</text>)+)', svg):
        bold.update(unescape(re.sub(r"<[^>]*>", "", inside)))
    return "".join(sorted(plain)), "".join(sorted(bold))


def style_of(letters: tuple[str, str]) -> str:
    """Give the style of all text: the font with those letters, plain and bold, what it lacks, and the one rule that names them."""
    faces = [face for place, words in enumerate(letters) if words.strip() for face in _faces(words, is_bold=place == 1)]
    return "\n".join(["", *faces, f"text {{ font-family: {FALLBACKS}; }}", ""])


def _faces(letters: str, *, is_bold: bool) -> Iterator[str]:
    """Give the fonts of letters in one weight: our own, and another for the letters that it lacks if that has them."""
    weight, left = "bold" if is_bold else "normal", lacking(letters, bold=is_bold)
    is_spare = lacking(left, bold=is_bold, name=SPARE) != left
    own = "".join(sorted(set(letters) - set(left)))
    for name, words in ((OURS, own), *([(SPARE, left)] if is_spare else [])):
        source = f"url(data:font/woff;base64,{_coded(words, is_bold, name)})"
        yield f'@font-face {{ font-family: "{FAMILIES[name]}"; font-weight: {weight}; src: {source} format("woff"); }}'


@lru_cache(maxsize=64)
def _coded(letters: str, is_bold: bool, name: str) -> str:  # noqa: FBT001 - a key of the cache
    """Give a font with letters in base 64; those that it lacks are left to the viewer."""
    is_usual = name == OURS and set(letters) == set(USUAL)
    return base64.b64encode(usual_file(is_bold=is_bold).read_bytes() if is_usual else subset(letters, is_bold=is_bold, name=name)).decode()


def usual_file(*, is_bold: bool) -> Path:
    """Return the file of the font with the usual letters: what cuts fonts takes as long to load as a figure to lay out."""
    return Path(font_file(bold=is_bold)).with_suffix(".woff")


def subset(letters: Iterable[str], *, is_bold: bool, name: str = OURS) -> bytes:
    """Give the letters of a font as a font of their own, a file in WOFF."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options(layout_features=[], hinting=False, name_IDs=[1, 2, 14], glyph_names=False)
    options.drop_tables += UNUSED
    subsetter, buffer = Subsetter(options), io.BytesIO()
    subsetter.populate(text="".join(letters))
    with TTFont(font_file(bold=is_bold, name=name), recalcTimestamp=False, lazy=True) as drawn:
        subsetter.subset(drawn)
        drawn.flavor = "woff"
        drawn.save(buffer)
    return buffer.getvalue()


if __name__ == "__main__":
    for weight in (False, True):
        usual_file(is_bold=weight).write_bytes(subset(sorted(USUAL), is_bold=weight))
