"""SVG as a document that people edit: words as text in one font that is set in one place, circles as circles, short paths.

matplotlib writes what it draws; here its document is put into the fewest words that draw the same.
"""

import math
import re
from collections.abc import Mapping

from plots.render.path_data import relative
from plots.render.svg import letters_of, style_of

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
    return f' x="{_number(float(found[1]))}" y="{_number(float(found[2]))}"'


def _short(data: str) -> str:
    """Round coordinates to hundredths of a point, far below what is seen or cut, and leave out the line ends."""
    return " ".join([_number(float(word)) if "." in word else word for word in data.split()])


def _number(value: float) -> str:
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
    return f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'


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
