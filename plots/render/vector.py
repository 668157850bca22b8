"""SVG as a document that people edit: words as text in one font that is set in one place, circles as circles, short paths, a group a thing.

matplotlib writes what it draws; here its document is put into the fewest words that draw the same.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from plots.render.svg import PANEL, TOP, Name, letters_of, style_of

STYLE_BLOCK = re.compile(r"<style[^>]*>.*?</style>", re.DOTALL)

ROUND = 0.02
"""Points by which the corners of a polygon may be off the circle that it stands for: twice what coordinates are rounded by."""

LEAST_CORNERS = 16
"""Corners from which a regular polygon stands for a circle: a hexagon is one."""

CURVES = 8
"""Curves of which matplotlib makes a circle."""

USUAL_LOOKS = {"stroke-linejoin": "miter", "stroke-linecap": "butt", "stroke-dashoffset": "0"}
"""What SVG takes for granted."""

DOCTYPE = re.compile(r"<!DOCTYPE[^>]*>\s*")

XLINK = ' xmlns:xlink="http://www.w3.org/1999/xlink"'

_STYLE = re.compile(r' style="([^"]*)"')

_DOUBLED, _NOUGHT = re.compile(r"^#(.)\1(.)\2(.)\3$"), re.compile(r"(?<![\d.])0\.")

_CLIP = re.compile(r'<clipPath id="([^"]+)"')

_CLIP_NAMED = re.compile(r'(<clipPath id="|clip-path="url\(#)([^")]+)("|\))')

_PATH = re.compile(r' d="([^"]*)"')

_SUBPATH = re.compile(r"M [^M]*")

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")

_SHAPE = re.compile(r'<path( id="[^"]*")? d="(M [^"]*z)"([^>]*)/>')

_UNNAMED = re.compile(r'<g id="text_\d+">\s*((?:<text[^>]*>[^<]*</text>)?)\s*</g>')

_CLIPPED = re.compile(r'<g clip-path="[^"]*">\s*(<text[^>]*>[^<]*</text>)\s*</g>')

_TEXT = re.compile(r'<text style="([^"]*)"([^>]*)>')

_PLACE = re.compile(r' x="([^"]*)" y="([^"]*)" transform="rotate\(-?0 [^)]*\)"')

_LETTERED = re.compile(r"<text([^>]*)>([^<]*)</text>")

_SHORTHAND = re.compile(r"(?:^|; )font: (?:(\d+|bold) )?([\d.]+)px [^;]*")

_ALIKE = re.compile(r'(<g [^>]*)>\s*((?:<text(?P<look>(?: (?!x=|y=)[\w-]+="[^"]*")*) x="[^"]*" y="[^"]*">[^<]*</text>\s*){2,})</g>')

_INSIDE = r"((?:(?!<g |</g>).)*)</g>"

_LABEL = re.compile(rf'<g id="([^"]+)\.paper">{_INSIDE}\s*<g id="\1">{_INSIDE}((?:\s*<g id="\1\.\d+">(?:(?!<g |</g>).)*</g>)*)', re.DOTALL)

HUNDREDTHS = 100
"""Coordinates are whole numbers of these parts of a point, so that no error adds up along a path."""

PAIRS = {"M": 1, "L": 1, "Q": 2, "C": 3}
"""Points behind each command."""

_PART = re.compile(r"([MLQCz])([^MLQCz]*)")

Place = tuple[int, int]

TAG = re.compile(r"<(/?)g\b([^>]*)(?<!/)>")

ID = re.compile(r' id="([^"]+)"')

AROUND = re.compile(r"(title|ruler|small-print|footer|together)-|((?:outcome-[^-]+|callout-\d+|caption-\d+|charge-\d+))-|(key-.+)-text$")
"""What is around the panels: the name of the group in which it stands."""

CLIP = re.compile(r' clip-path="[^"]*"')
"""How it is said that a panel's edge cuts what is in it: once, at the panel."""


def edited(svg: str, halos: Mapping[str, tuple[str, float]], *, is_text: bool, has_font: bool = True) -> str:
    """Give matplotlib's document in fewer words: short paths, circles, and text whose looks are attributes, so that a style wins.

    Parameters
    ----------
    svg
        The document.
    halos
        Colour and width in points of the lines about the letters of a group, by its id.
    is_text
        Whether words are text; if not they are outlines, and stay.
    has_font
        Whether the font of the text is put into the document.
    """
    short = _PATH.sub(lambda found: f' d="{_short(found[1])}"', svg)
    if not is_text:
        return short
    short = _TEXT.sub(lambda found: f"<text{_looks(found[1])}{found[2]}>", _CLIPPED.sub(r"\1", _UNNAMED.sub(r"\1", short)))
    short = _ALIKE.sub(_hoisted, _PLACE.sub(_placed, short))
    short = _LABEL.sub(r'<g id="\1"><g id="\1.paper">\2</g>\3\4</g>', short)
    for name, (colour, width) in halos.items():
        line = f'stroke="{colour}" stroke-width="{width:g}" stroke-linejoin="round"'
        short = short.replace(f'<g id="{name}"', f'<g id="{name}" {line}', 1)
    style = style_of(letters_of(short) if has_font else ("", ""))
    short = _STYLE.sub(lambda found: _unusual(found[1]), short)
    return STYLE_BLOCK.sub(lambda _: f'<style type="text/css">{style}</style>', short, count=1)


def _unusual(style: str) -> str:
    """Write a style as attributes without what SVG takes for granted, and say that corners are round where matplotlib takes that so."""
    looks = dict(part.split(": ", 1) for part in style.split("; ") if ": " in part)
    if looks.get("stroke", "none") != "none":
        looks.setdefault("stroke-linejoin", "round")
    return "".join(f' {key}="{_brief(value)}"' for key, value in looks.items() if USUAL_LOOKS.get(key) != value)


def _brief(value: str) -> str:
    """Write a colour of doubled digits with single ones, and numbers without the nought before the point.

    Examples
    --------
    >>> _brief("#ffffff"), _brief("#c7e0ee"), _brief("0.7"), _brief("2.4,0.6")
    ('#fff', '#c7e0ee', '.7', '2.4,.6')
    """
    return _NOUGHT.sub(".", _DOUBLED.sub(r"#\1\2\3", value))


def joined(svg: str) -> str:
    """Write paths from point to point, give clips short names, and leave out what says nothing: the document's type and unused links."""
    svg = DOCTYPE.sub("", svg)
    names = dict.fromkeys(_CLIP.findall(svg))
    short = {name: f"clip-{number}" for number, name in enumerate(names, start=1)}
    svg = svg if "xlink:" in svg.replace(XLINK, "") else svg.replace(XLINK, "")
    svg = _CLIP_NAMED.sub(lambda found: f"{found[1]}{short.get(found[2], found[2])}{found[3]}", svg)
    return _PATH.sub(lambda found: f' d="{relative(found[1])}"', svg)


def _placed(found: re.Match[str]) -> str:
    """Round where a text stands, which is not turned."""
    return f' x="{_decimal(float(found[1]))}" y="{_decimal(float(found[2]))}"'


def _short(data: str) -> str:
    """Round coordinates to hundredths of a point, far below what is seen or cut, and leave out the line ends."""
    return " ".join([_decimal(float(word)) if "." in word else word for word in data.split()])


def _decimal(value: float) -> str:
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def circled(svg: str) -> str:
    """Give a document in which paths that are one circle, or several, are circles."""
    return _SHAPE.sub(_rounded, svg)


def _rounded(found: re.Match[str]) -> str:
    parts = [part.strip() for part in _SUBPATH.findall(found[2])]
    circles = [circle for part in parts if (circle := circle_of(part)) is not None]
    name, looks = found[1] or "", found[3]
    if len(circles) != len(parts):
        return found[0]
    if len(circles) == 1:
        return f"<circle{name} {circles[0]}{looks}/>"
    return f"<g{name}{looks}>" + "\n".join(f"<circle {circle}/>" for circle in circles) + "</g>"


def circle_of(path: str) -> str | None:
    """Give middle and radius, as attributes, of the circle that a closed path draws; None if it draws none.

    Examples
    --------
    >>> circle_of("M 1 0 L 0 1 L -1 0 L 0 -1 z") is None
    True
    """
    is_curved = path.count("C") == CURVES and "L" not in path
    if not is_curved and ("C" in path or "Q" in path or path.count("L") + 1 < LEAST_CORNERS):
        return None
    numbers = [float(number) for number in _NUMBER.findall(path)]
    corners = list(zip(numbers[::2], numbers[1::2], strict=False))
    if is_curved:
        corners = corners[:-1:3]
    xs, ys = zip(*corners, strict=True)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    radii = [math.hypot(right - x, down - y) for right, down in corners]
    radius = sum(radii) / len(radii)
    if max(radii) - min(radii) > 2 * ROUND or not path.endswith("z") or _is_uneven(corners, radius):
        return None
    return f'cx="{_decimal(x)}" cy="{_decimal(y)}" r="{_decimal(radius)}"'


def _is_uneven(corners: list[tuple[float, float]], radius: float) -> bool:
    """Tell whether corners on a circle leave out a part of it."""
    longest = max(math.dist(one, other) for one, other in zip(corners, [*corners[1:], corners[0]], strict=True))
    return longest > radius * 2 * math.sin(math.pi / min(len(corners), LEAST_CORNERS)) + 2 * ROUND and len(corners) > CURVES


def _looks(style: str) -> str:
    """Write the looks of a text as attributes: a rule of a style sheet is stronger than they are. The font is that of all."""
    plain = _SHORTHAND.sub(lambda found: f"; font-weight: {found[1] or 400}; font-size: {found[2]}px", style)
    looks = dict(part.split(": ", 1) for part in plain.split("; ") if ": " in part)
    weight = ' font-weight="bold"' if looks.get("font-weight", "400") in ("700", "bold") else ""
    size = f' font-size="{looks["font-size"].removesuffix("px")}"'
    others = {"text-anchor": "start", "fill": "", "opacity": ""}
    told = "".join(f' {key}="{_brief(looks[key])}"' for key, usual in others.items() if looks.get(key, usual) != usual)
    return f"{weight}{size}{told}"


def _hoisted(found: re.Match[str]) -> str:
    """Write looks that all texts of a group have in common once, at the group."""
    look, texts = found["look"], _LETTERED.findall(found[2])
    if not look or any(not attributes.startswith(f"{look} x=") for attributes, _ in texts):
        return found[0]
    lines = "\n".join(f"<text{attributes.removeprefix(look)}>{words}</text>" for attributes, words in texts)
    return f"{found[1]}{look}>\n{lines}\n</g>"


# Paths in few letters: each point is told from the one before it.


def relative(data: str) -> str:
    """Write the data of a path, whose commands are absolute, with relative ones; only where a line begins is told from the page's corner.

    Examples
    --------
    >>> relative("M 10 20 L 12.5 20 L 12.5 19.25 L 13 19.5 z")
    'M10 20h2.5v-.75l.5.25z'
    """
    return "".join(_written(data))


def _written(data: str) -> Iterator[str]:
    here = begun = (0, 0)
    last = ""
    for command, inside in _PART.findall(data):
        if command == "z":
            here, last = begun, "z"
            yield "z"
            continue
        hundredths = [round(float(number) * HUNDREDTHS) for number in inside.split()]
        places = list(zip(hundredths[::2], hundredths[1::2], strict=True))
        for start in range(0, len(places), PAIRS[command]):
            ends = places[start : start + PAIRS[command]]
            word, numbers = _step(command, here, ends)
            is_new = word != last or word == "M"
            yield f"{word if is_new else ''}{_numbers(numbers, is_first=is_new)}"
            here, last = ends[-1], word
            begun = here if command == "M" else begun


def _step(command: str, here: Place, ends: list[Place]) -> tuple[str, list[int]]:
    """Give the command of a step and its numbers, seen from `here`; a move stays as it is."""
    if command == "M":
        return "M", list(ends[0])
    steps = [(x - here[0], y - here[1]) for x, y in ends]
    if command == "L" and steps[0][1] == 0:
        return "h", [steps[0][0]]
    if command == "L" and steps[0][0] == 0:
        return "v", [steps[0][1]]
    return command.lower(), [number for step in steps for number in step]


def _numbers(hundredths: list[int], *, is_first: bool) -> str:
    """Write numbers, parted where neither a sign, nor a second point, nor a command does."""
    told, last = "", ""
    for place, number in enumerate(map(_number, hundredths)):
        is_parted = number.startswith("-") or (place == 0 and is_first) or (number.startswith(".") and "." in last)
        told, last = told + (number if is_parted else f" {number}"), number
    return told


@lru_cache(maxsize=8192)
def _number(hundredths: int) -> str:
    sign, (whole, rest) = "-" if hundredths < 0 else "", divmod(abs(hundredths), HUNDREDTHS)
    decimals = f".{rest:02d}".rstrip("0").rstrip(".")
    return f"{sign}{whole or ''}{decimals}" if whole or decimals else "0"


# Groups put together: all of a thing in one, all words of a kind around the panels in one.


@dataclass(frozen=True)
class _Child:
    """A group of the document: its id, what stands in its tag, and what is inside."""

    id: str
    tag: str
    inside: str

    @property
    def whole(self) -> str:
        """All of it."""
        return f"<g{self.tag}>{self.inside}</g>"


def grouped(svg: str, names: Mapping[str, Name]) -> str:
    """Put the groups of a document, which have their `names`, into one group for each thing, in the order of the things."""
    known = {name.id: name for name in names.values()}
    start = svg.find('<g id="figure"')
    if start < 0:
        return svg
    (figure, end), *_ = _spans(svg, start)
    parts = [_panel(child, known) if known.get(child.id, Name("")).classes == PANEL else child for child in _children(figure.inside)]
    joined = _joined([(_around(child.id), child) for child in parts])
    return f"{svg[:start]}<g{figure.tag}>\n{joined}{_rest(figure.inside)}</g>{svg[end:]}"


def _panel(panel: _Child, known: Mapping[str, Name]) -> _Child:
    pairs = []
    for child in _children(panel.inside):
        name = _name_of(child.id, known)
        pairs.append((name.rank, name.thing, child) if name is not None and name.thing else (TOP, child.id, child))
    ordered = sorted(pairs, key=lambda pair: pair[0])
    joined = f"\n{_joined([(thing, child) for _, thing, child in ordered])}{_rest(panel.inside)}"
    clips = Counter(CLIP.findall(joined)).most_common(1)
    return _Child(panel.id, f"{panel.tag}{clips[0][0]}", joined.replace(clips[0][0], "")) if clips else _Child(panel.id, panel.tag, joined)


def _name_of(found: str, known: Mapping[str, Name]) -> Name | None:
    """Give the name of a group, or of the mark whose part it is."""
    while found and found not in known:
        found = found.rpartition("-")[0]
    return known.get(found)


def _around(name: str) -> str:
    found = AROUND.match(name)
    return next(filter(None, found.groups())) if found else name


def _joined(pairs: list[tuple[str, _Child]]) -> str:
    things: dict[str, list[_Child]] = {}
    for thing, child in pairs:
        things.setdefault(thing, []).append(child)
    return "".join(f"{_thing(thing, children)}\n" for thing, children in things.items())


def _thing(name: str, children: list[_Child]) -> str:
    """Put a thing into one group: that of its own id, if there is one, in which the others then stand."""
    if len(children) == 1:
        return children[0].whole
    own = next((child for child in children if child.id == name), None)
    inside = "\n".join(_bare(child) if child is own else child.whole for child in children)
    return f'<g id="{name}"{_classes(own)}>\n{inside}\n</g>'


def _classes(own: _Child | None) -> str:
    found = re.search(r' class="[^"]*"', own.tag) if own else None
    return found[0] if found else ""


def _bare(own: _Child) -> str:
    """Give what is in a group, in one without a name if the group has looks, which are not those of all the thing."""
    looks = ID.sub("", own.tag).replace(_classes(own), "")
    return f"<g{looks}>{own.inside}</g>" if looks.strip() else own.inside.strip()


def _children(text: str) -> list[_Child]:
    return [child for child, _ in _spans(text, 0)]


def _rest(text: str) -> str:
    """Give what stands behind the last group."""
    ends = [end for _, end in _spans(text, 0)]
    return text[ends[-1] :] if ends else text


def _spans(text: str, start: int) -> Iterator[tuple[_Child, int]]:
    """Give the groups of a text that stand in no other, and where each ends."""
    depth, opened = 0, None
    for tag in TAG.finditer(text, start):
        if not tag[1]:
            opened = tag if depth == 0 else opened
            depth += 1
            continue
        depth -= 1
        if depth == 0 and opened is not None:
            found = ID.search(opened[2])
            yield _Child(found[1] if found else "", opened[2], text[opened.end() : tag.start()]), tag.end()
        if depth < 0:
            return
