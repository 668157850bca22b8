"""SVG as a document that people edit: a renderer of Matplotlib that writes elements, and names for them that designers can rely on.

Ids are those of the marks with hyphens: `unit-A`, `terrain-Tower`. The first panel's are bare, those of a later one begin with
its name: `after-unit-A`. Every model is an element of its own: `model-A-3`. Dimension lines are counted through the figure:
`dim-2`. The bare name is a class in every panel, and so are the words of a mark's role and the bare names of what it is a part of.
The body of a unit is one group.

Of the typeface a document holds the letters that it needs, as one font of each weight. `python -m plots.render.svg` writes those with
the usual letters anew.
"""

import base64
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from itertools import count
from pathlib import Path
from string import ascii_letters, digits, punctuation
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_hex
from matplotlib.path import Path as Curve
from matplotlib.transforms import Affine2D
from PIL import Image

from plots.layout.page import Page
from plots.layout.text import FAMILIES, OURS, SPARE, font_file, lacking
from plots.marks.mark import DimensionLine, Discs, DrawnMark, Rings
from plots.marks.styles import style
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point
from tabletop.scenario.embedded import PLACE

PANEL = ("panel",)
"""The classes of a panel."""

UNIT_LAYERS = 3.9, 5.5
"""The lowest and the highest layer of the parts of a unit between which nothing else lies: they are one group."""

AROUND = re.compile(r"(title|ruler|small-print|footer|together)\.|((?:outcome|callout|caption|charge)\.[^.]+)\.|(key\..+)\.text$")
"""What is around the panels: the group in which it stands."""

ROUND, LEAST_CORNERS = 0.04, 16
"""Points by which corners may differ in how far they are from the middle of the circle that they stand for; and how many those are at
least: a hexagon is one."""

HUNDREDTHS = 100
"""Coordinates are whole numbers of these parts of a point, far below what is seen or cut, so that no error adds up along a path."""

CIRCLE = np.asarray(Curve.unit_circle().codes)
"""Codes of a circle as Matplotlib makes it."""

COMMANDS = {int(Curve.MOVETO): ("M", 1), int(Curve.LINETO): ("l", 1), int(Curve.CURVE3): ("q", 2), int(Curve.CURVE4): ("c", 3)}
"""Commands of a path with their points; small letters are told from where the pen is."""

ANCHORS = {"left": "", "center": "middle", "right": "end"}

RASTER_DPI = 100.0
"""Pixels an inch of what a chart has too much of for shapes."""

FALLBACKS = ", ".join((*(f'"{family}"' for family in FAMILIES.values()), '"Noto Sans"', '"Segoe UI"', "sans-serif"))
"""The fonts of all words, in the order in which a viewer tries them: the letters of the first two are embedded, the next are like them."""

EXTRA_LETTERS = "\N{MINUS SIGN}\N{PLUS-MINUS SIGN}\N{MULTIPLICATION SIGN}\N{DEGREE SIGN}\N{HORIZONTAL ELLIPSIS}\N{NO-BREAK SPACE}"

DEFAULT_LETTERS = f"{ascii_letters}äöüÄÖÜß{digits} {punctuation}{EXTRA_LETTERS}"
"""Letters that are always there, so that words can be changed: those of the figures of all bundled scenarios."""

UNUSED = ["FFTM", "GDEF", "GPOS", "GSUB", "MATH", "gasp"]
"""Tables of the font that a line of words does without."""


@dataclass(frozen=True)
class Name:
    """The id of a group, its classes, and the numbers of the models in it, one for each closed ring of its path.

    `group` is the key of the group in which it stands, if it is not in its panel.
    """

    id: str
    classes: tuple[str, ...] = ()
    models: tuple[int, ...] = ()
    group: str = ""


def names_of(page: Page) -> dict[str, Name]:
    """Name everything on a page by its id."""
    names: dict[str, Name] = {}
    counted = count(1)
    for number, shown in enumerate(page.shown):
        names[shown.panel.name] = Name(shown.panel.name, PANEL)
        marks = {mark.id: mark for mark in (*shown.panel.marks, *(one.label for one in shown.labels))}
        names |= _names_in_panel(marks, f"{shown.panel.name}.", is_first=number == 0, counted=counted)
    for key, roles in ((mark.id, _roles(mark)) for mark in page.marks):
        names[key] = Name(_hyphens(key), roles)
    for key in [*names, *(words.id for words in page.words)]:
        names.setdefault(key, Name(_hyphens(key)))
        if (found := AROUND.match(key)) is not None:
            group = next(filter(None, found.groups()))
            names.setdefault(group, Name(_hyphens(group)))
            names[key] = replace(names[key], group=group)
    # no two names may be alike: a unit may be called what another's part is called
    taken: dict[str, int] = {}
    for key, name in names.items():
        times = taken[name.id] = taken.get(name.id, 0) + 1
        names[key] = name if times == 1 else replace(name, id=f"{name.id}--{times}")
    return names


def _names_in_panel(marks: Mapping[str, DrawnMark], start: str, *, is_first: bool, counted: Iterator[int]) -> dict[str, Name]:
    """Name marks, given by their ids, of a panel with whose name they `start`, and the units whose bodies are among them."""
    bare = {key: _hyphens(key.removeprefix(start)) for mark in marks.values() for key in (mark.id, mark.owner) if key}
    lengths = {mark.id: f"dim-{next(counted)}" for mark in marks.values() if isinstance(mark, DimensionLine)}
    lengths |= {f"{key}.label": f"{name}-label" for key, name in lengths.items() if marks[key].role == "dimension"}
    bare |= {key: name for key, name in lengths.items() if key in bare}
    ids = {key: name if is_first or key in lengths else f"{_hyphens(start)}{name}" for key, name in bare.items()}
    names: dict[str, Name] = {}
    for key, mark in marks.items():
        is_body = bool(mark.owner) and UNIT_LAYERS[0] <= style(mark.role).layer <= UNIT_LAYERS[1]
        if is_body:
            names.setdefault(mark.owner, Name(ids[mark.owner], (bare[mark.owner],)))
        whole = [bare[mark.owner]] if mark.owner and not is_body else []
        models = mark.numbers if isinstance(mark, Rings | Discs) else ()
        classes = tuple(dict.fromkeys((*_roles(mark), *whole, bare[key])))
        names[key] = Name(ids[key], classes, models, mark.owner if is_body else "")
    return names


def _hyphens(name: str) -> str:
    return name.replace(".", "-")


def _roles(mark: DrawnMark) -> tuple[str, ...]:
    """Return the words of a role; a side is counted from 1 and called so."""
    words = mark.role.split(".")
    return tuple(f"side-{int(word) + 1}" if word.isdecimal() and place else word for place, word in enumerate(words))


# The document.


class SvgRenderer(RendererBase):
    """Writes what artists draw as the elements of an SVG document, each in the group of its artist, at 72 points an inch.

    Looks are attributes, so that any rule of a style sheet is stronger than they are. Words are text where `is_text`, else outlines.
    """

    def __init__(self, width: float, height: float, names: Mapping[str, Name], *, is_text: bool) -> None:
        super().__init__()
        box = {"width": f"{width:g}pt", "height": f"{height:g}pt", "viewBox": f"0 0 {width:g} {height:g}"}
        self.root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **box, "version": "1.1"})
        self.is_text = is_text
        self._letters: tuple[set[str], set[str]] = (set(), set())
        self._size, self._names = (width, height), names
        self._flipped = Affine2D().scale(1.0, -1.0).translate(0.0, height)
        self._here, self._name = self.root, Name("")
        self._panel: ET.Element | None = None
        self._opened: list[tuple[ET.Element, Name, ET.Element | None]] = []
        self._groups: dict[str, ET.Element] = {}
        self._definitions = ET.Element("defs")
        self._clips: dict[str, str] = {}

    def document(self, title: str, description: str, language: str, *, scenario: str | None = None) -> str:
        """Return the whole document with what screen readers speak, the link of its scenario, and the font of its words."""
        self.root.attrib |= {"role": "img", "lang": language, "aria-labelledby": "figure.title figure.description"}
        head = [("title", "figure.title", title), ("desc", "figure.description", description), ("metadata", PLACE, scenario)]
        for place, (tag, name, words) in enumerate(one for one in head if one[2] is not None):
            made = ET.Element(tag, id=name)
            made.text = words
            self.root.insert(place, made)
        if self.is_text:
            style = ET.SubElement(self._definitions, "style", type="text/css")
            style.text = style_of(tuple("".join(sorted({*DEFAULT_LETTERS, *letters})) for letters in self._letters))
        if len(self._definitions):
            self.root.insert(place + 1, self._definitions)
        ET.indent(self.root, space="")
        return f'<?xml version="1.0" encoding="utf-8" standalone="no"?>\n{ET.tostring(self.root, encoding="unicode")}\n'

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the size in points."""
        return self._size

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Begin the group of an artist with its name; that of a part of something inside the group of the whole."""
        self._opened.append((self._here, self._name, self._panel))
        if gid is None:
            return
        self._name, whole = self._named(gid)
        if whole != gid:
            self._here = self._group(whole, self._names.get(whole, self._name))
        self._here = self._group(gid, self._name)
        if s == "axes" and self._names:
            self._panel = self._here

    def close_group(self, s: str) -> None:
        """End the group of an artist."""
        del s
        self._here, self._name, self._panel = self._opened.pop()

    def _named(self, key: str) -> tuple[Name, str]:
        """Return the name of what has a key, perhaps of the part of a mark, and the key of the group in which it stands."""
        whole = key
        while "." in whole and whole not in self._names:
            whole = whole.rpartition(".")[0]
        name, part = self._names.get(whole), _hyphens(key.removeprefix(whole))
        if name is None:
            return Name(_hyphens(key)), key
        if part:
            return Name(f"{name.id}{part}", tuple(f"{word}{part}" for word in name.classes[-1:])), name.group or whole
        return name, name.group or key

    def _group(self, key: str, name: Name) -> ET.Element:
        """Return the group of a key, which begins here if it is new."""
        if key not in self._groups:
            classes = {"class": " ".join(name.classes)} if name.classes else {}
            self._groups[key] = ET.SubElement(self._here, "g", {"id": name.id, **classes})
        return self._groups[key]

    def draw_path(self, gc: Any, path: Curve, transform: Any, rgbFace: Any = None) -> None:  # noqa: N803 - as Matplotlib calls it
        """Draw a path: what is round as circles, each model as an element of its own."""
        drawn = path.cleaned(transform=transform + self._flipped, remove_nans=True, curves=True)
        points, codes = np.asarray(drawn.vertices)[:-1], np.asarray(drawn.codes)[:-1]  # but for the sign of the end
        looks = {**_looks(gc, rgbFace), **self._clip(gc)}
        if not len(points) or (looks["fill"] == "none" and "stroke" not in looks):
            return
        starts = np.flatnonzero(codes == Curve.MOVETO)[1:]
        rings = list(zip(np.split(points, starts), np.split(codes, starts), strict=True))
        if len(rings) != len(self._name.models):
            _draw(self._here, rings, looks)
            return
        self._here.attrib |= looks
        base, part = re.sub(r"(^|-)unit-", r"\1model-", self._name.id, count=1).rsplit("-", 1)
        end = "" if part == "models" else f"-{part}"
        for number, ring in zip(self._name.models, rings, strict=True):
            _draw(self._here, [ring], {"id": f"{base}-{number}{end}"})

    def _clip(self, gc: Any) -> dict[str, str]:
        """Cut a panel at its edge once; tell how other things are cut."""
        box = gc.get_clip_rectangle()
        if box is None:
            return {}
        edge = (box.x0, self._size[1] - box.y1, box.width, box.height)
        sides = dict(zip(("x", "y", "width", "height"), map(_number, edge), strict=True))
        name = self._clips.setdefault(str(sides), f"clip-{len(self._clips) + 1}")
        if len(self._clips) > len(self._definitions):
            ET.SubElement(ET.SubElement(self._definitions, "clipPath", id=name), "rect", sides)
        clip = {"clip-path": f"url(#{name})"}
        if self._panel is None:
            return clip
        self._panel.attrib |= clip
        return {}

    def draw_image(self, gc: Any, x: float, y: float, im: Any, transform: Any = None) -> None:
        """Draw what a chart has too much of for shapes, as pixels."""
        del gc, transform
        high, wide = (side * 72 / RASTER_DPI for side in im.shape[:2])
        buffer = io.BytesIO()
        Image.fromarray(im[::-1]).save(buffer, format="png")
        self.root.set("xmlns:xlink", "http://www.w3.org/1999/xlink")
        place = {"x": _number(x), "y": _number(self._size[1] - y - high), "width": _number(wide), "height": _number(high)}
        ET.SubElement(self._here, "image", place, **{"xlink:href": f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"})

    def draw_text(self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, ismath: Any = False, mtext: Any = None) -> None:  # noqa: FBT002
        """Write a line of text, held where its artist holds it, or draw its outlines."""
        if not self.is_text or ismath:
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
            return
        align = "left"
        if mtext is not None and not angle:
            x, align = mtext.get_transform().transform(mtext.get_unitless_position())[0], mtext.get_horizontalalignment()
        looks = words_looks(prop.get_size_in_points(), is_bold=prop.get_weight() in ("bold", 700), align=align, colour=gc.get_rgb())
        turned = {"transform": f"rotate({_number(-angle)} {_number(x)} {_number(y)})"} if angle else {}
        self.write([(s, (x, y))], {**looks, **turned})

    def write(self, lines: Sequence[tuple[str, Point]], looks: dict[str, str]) -> None:
        """Write lines, each at a point of the page in points."""
        shared = looks if len(lines) > 1 else {}
        self._here.attrib |= shared
        letters = self._letters["font-weight" in looks]
        for line, (x, y) in lines:
            told = ET.SubElement(self._here, "text", {**({} if shared else looks), "x": _number(x), "y": _number(y)})
            told.text = line
            letters.update(line)


def _looks(gc: Any, fill: Any) -> dict[str, str]:
    """Return the looks of a path as attributes, without what SVG takes for granted."""
    is_filled, edge, is_faded = fill is not None and (len(fill) < 4 or fill[3] > 0), gc.get_rgb(), gc.get_forced_alpha()  # noqa: PLR2004
    looks = {"fill": _colour(fill) if is_filled else "none"}
    if is_filled and len(fill) > 3 and fill[3] < 1.0 and not is_faded:  # noqa: PLR2004 - opacity is the fourth
        looks["fill-opacity"] = _number(fill[3])
    if is_faded and gc.get_alpha() < 1.0:
        looks["opacity"] = _number(gc.get_alpha())
    width, (_, dashes) = gc.get_linewidth(), gc.get_dashes()
    if not width or not edge[3]:
        return looks
    looks |= {"stroke": _colour(edge), "stroke-width": _number(width)}
    told = {
        "stroke-opacity": _number(edge[3]) if edge[3] < 1.0 and not is_faded else "",
        "stroke-dasharray": ",".join(_number(dash) for dash in dashes) if dashes is not None else "",
        "stroke-linejoin": "" if gc.get_joinstyle() == "miter" else gc.get_joinstyle(),
        "stroke-linecap": {"butt": "", "projecting": "square"}.get(gc.get_capstyle(), gc.get_capstyle()),
    }
    return looks | {key: value for key, value in told.items() if value}


def words_looks(size: float, *, is_bold: bool, align: str, colour: Any) -> dict[str, str]:
    """Return the looks of words set at a size in points: the font is that of the document."""
    weight = {"font-weight": "bold"} if is_bold else {}
    anchor = {"text-anchor": ANCHORS[align]} if ANCHORS[align] else {}
    return {**weight, "font-size": _number(size), **anchor, "fill": _colour(colour)}


def _colour(colour: Any) -> str:
    """Return a colour, that of doubled digits with single ones."""
    told = to_hex(colour)
    return f"#{told[1::2]}" if told[1::2] == told[2::2] else told


def _draw(here: ET.Element, rings: Sequence[tuple[FloatArray, Any]], looks: dict[str, str]) -> None:
    """Draw rings and lines, all as circles if they are round, with given attributes."""
    circles = [circle_of(*ring) for ring in rings]
    if None in circles:
        ET.SubElement(here, "path", {"d": "".join(data_of(*ring) for ring in rings), **looks})
        return
    if len(circles) > 1:
        here, looks = ET.SubElement(here, "g", looks), {}
    for x, y, radius in filter(None, circles):
        ET.SubElement(here, "circle", {"cx": _number(x), "cy": _number(y), "r": _number(radius), **looks})


def circle_of(points: FloatArray, codes: Any) -> tuple[float, float, float] | None:
    """Return middle and radius of the circle that a line with corners (n, 2) draws; None if it draws none.

    It may be of eight curves, as Matplotlib makes a circle, or of even sides.
    """
    is_curved = len(codes) == len(CIRCLE) and bool((codes == CIRCLE).all())
    corners = points[:-2:3] if is_curved else points[:-1]
    if not is_curved and (codes[-1] != Curve.CLOSEPOLY or len(corners) < LEAST_CORNERS or (codes[1:-1] != Curve.LINETO).any()):
        return None
    radii = np.hypot(*(corners - corners.mean(axis=0)).T)
    return None if np.ptp(radii) > ROUND else (*corners.mean(axis=0).tolist(), float(radii.mean()))


def data_of(points: FloatArray, codes: Any) -> str:
    """Return the data of a path with corners (n, 2) in hundredths, each told from the end of the step before it."""
    told: list[str] = []
    begun = here = (0, 0)
    last = left = 0
    for (x, y), code in zip(np.rint(points * HUNDREDTHS).astype(np.int64).tolist(), codes.tolist(), strict=True):
        if code == Curve.CLOSEPOLY:
            told.append("z")
            here, last = begun, code
            continue
        letter, count = COMMANDS[code]
        left = left or count
        across, down = _hundredths(x - here[0] if letter.islower() else x), _hundredths(y - here[1] if letter.islower() else y)
        told += [letter if code != last or letter == "M" else "" if across[0] == "-" else " "]
        told += [across, down if down[0] == "-" else f" {down}"]
        left, last = left - 1, code
        here = here if left else (x, y)
        begun = here if letter == "M" else begun
    return "".join(told)


def _number(value: float) -> str:
    return _hundredths(round(value * HUNDREDTHS))


@lru_cache(maxsize=16384)
def _hundredths(number: int) -> str:
    """Write a number of hundredths without what says nothing."""
    sign, (whole, rest) = "-" if number < 0 else "", divmod(abs(number), HUNDREDTHS)
    decimals = f".{rest:02d}".rstrip("0").rstrip(".")
    return f"{sign}{whole or ''}{decimals}" if whole or decimals else "0"


# The font inside a document.


def style_of_page(html: str) -> str:
    """Return the CSS for an HTML page that embeds SVG: all text in the typeface of the figures, whose letters it contains."""
    letters = "".join(sorted({*DEFAULT_LETTERS, *filter(str.isprintable, unescape(html))}))
    return f"\nbody {{ font-family: {FALLBACKS}; }}{style_of((letters, letters))}"


def style_of(letters: Sequence[str]) -> str:
    """Return the style of all text: the font with those letters, plain and bold, what it lacks, and the one rule that names them."""
    faces = [face for place, words in enumerate(letters) if words.strip() for face in _faces(words, is_bold=place == 1)]
    return "\n".join(["", *faces, f"text {{ font-family: {FALLBACKS}; }}", ""])


def _faces(letters: str, *, is_bold: bool) -> Iterator[str]:
    """Yield the fonts of letters in one weight: our own, and another for the letters that it lacks if that has them."""
    weight, left = "bold" if is_bold else "normal", lacking(letters, bold=is_bold)
    is_spare = lacking(left, bold=is_bold, name=SPARE) != left
    own = "".join(sorted(set(letters) - set(left)))
    for name, words in ((OURS, own), *([(SPARE, left)] if is_spare else [])):
        source = f"url(data:font/woff;base64,{_coded(words, is_bold, name)})"
        yield f'@font-face {{ font-family: "{FAMILIES[name]}"; font-weight: {weight}; src: {source} format("woff"); }}'


@lru_cache(maxsize=64)
def _coded(letters: str, is_bold: bool, name: str) -> str:  # noqa: FBT001 - a key of the cache
    """Return a font with letters in base 64; those that it lacks are left to the viewer."""
    is_usual = name == OURS and set(letters) == set(DEFAULT_LETTERS)
    return base64.b64encode(usual_file(is_bold=is_bold).read_bytes() if is_usual else subset(letters, is_bold=is_bold, name=name)).decode()


def usual_file(*, is_bold: bool) -> Path:
    """Return the file of the font with the usual letters: what cuts fonts takes as long to load as a figure to lay out."""
    return Path(font_file(bold=is_bold)).with_suffix(".woff")


def subset(letters: Iterable[str], *, is_bold: bool, name: str = OURS) -> bytes:
    """Return the letters of a font as a font of their own, a file in WOFF."""
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
        usual_file(is_bold=weight).write_bytes(subset(sorted(DEFAULT_LETTERS), is_bold=weight))
