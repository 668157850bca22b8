"""A page that plays a charge step by step: one file, nothing from the network, every step in sight where no script runs."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import escape

from plots.export.film import Film
from plots.export.movers import mover_elements
from plots.export.player_page import SCRIPT, buttons, page_style
from plots.layout.page import Page, Shown, shown_in
from plots.marks.mark import identifier
from plots.marks.shots import Shot
from plots.marks.text import POINT_SIZE, clean
from plots.render.embedded import style_of_page
from plots.render.files import svg_of
from plots.render.paint import paint

NAMED_PARTS = re.compile(r'(\bid="|xlink:href="#|url\(#)([^")]+)')

LABELLED = re.compile(r'aria-labelledby="([^"]*)"')

STYLE_BLOCK = re.compile(r"<style[^>]*>(?:\*\{([^}]*)\})?.*?</style>", re.DOTALL)

SHAPELESS = re.compile(r'<path (?![^>]*\bd=")')
"""The outline of a space: a path of nothing, which HTML wants said."""

ROOT = re.compile(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', re.DOTALL)

ABOVE, KEPT = 0.04, ("ruler.", "key.", "footer.scale")
"""Inches of the page above the panel, and the words of the page that stay: all others are the text of the page of HTML."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; font-src data:"
"""What the page may load: nothing, but the font that stands in it."""


def player(made: Film, *, told: Callable[[float], None] = lambda _: None) -> str:
    """Give the page of a film: a picture with its words for each shot, and buttons that play them."""
    steps = []
    for number, shot in enumerate(made.shots):
        steps.append(_step(made, shot, number))
        told((number + 1) / len(made.shots))
    title, language = escape(made.title), made.picture.setting.language
    game = f'<p class="game">{escape(clean(made.picture.footer))}</p>'
    body = f'<main>\n<h1>{title}</h1>\n{buttons(language)}\n<ol class="steps">\n{"".join(steps)}</ol>\n{game}\n</main>'
    head = (
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="description" content="{escape(made.description)}">\n<title>{title}</title>\n'
        f"<style>{page_style(made.page.theme)}{style_of_page(body)}</style>"
    )
    page = f"<head>\n{head}\n</head>\n<body>\n{body}\n<script>{SCRIPT}</script>\n</body>"
    return f'<!DOCTYPE html>\n<html lang="{escape(language.code)}">\n{page}\n</html>\n'


def _step(made: Film, shot: Shot, number: int) -> str:
    heading, words = escape(clean(shot.panel.heading)), escape(clean(shot.panel.text))
    badges = "".join(
        f'<p class="outcome {badge.outcome}"><strong>{escape(badge.words)}</strong> {escape(clean(badge.about))}</p>'
        for badge in (made.picture.badges if shot.is_end else ())
    )
    told = f"<figcaption>{badges}<p>{words}</p></figcaption>\n" if words or badges else ""
    return (
        f'<li class="step" id="step-{number + 1}">\n<h2>{heading}</h2>\n<figure>\n{_picture(made, shot, number)}\n{told}</figure>\n</li>\n'
    )


def _picture(made: Film, shot: Shot, number: int) -> str:
    """Draw the panel of a shot with ruler and key, and below its last picture, out of sight, the bodies that move."""
    shown = shown_in(shot.panel, made.bare.shown[0].frame)
    page, name = _page(made.bare, shown), f"s{number + 1}"
    title, words = (clean(part) for part in (shot.panel.heading, shot.panel.text or made.description))
    svg = svg_of(paint(page), title=title, description=words, setting=made.picture.setting, has_font=False)
    element = inline(svg, name, top=(shown.frame.y - ABOVE) / POINT_SIZE)
    for actor in shot.actors:
        element = _marked(element, f"{name}-{identifier(shot.scene.prefix, 'unit', actor)}")
    movers = mover_elements(shot, shown.frame, page.theme)
    return element.removesuffix("</svg>") + (f'<g class="movers" aria-hidden="true">\n{movers}</g>\n' if movers else "") + "</svg>"


def _page(bare: Page, shown: Shown) -> Page:
    """Keep of the page only what belongs to the picture."""
    words = tuple(one for one in bare.words if one.id.startswith(KEPT))
    marks = tuple(mark for mark in bare.marks if not mark.id.startswith(("outcome.", "footer.")))
    return replace(bare, shown=(shown,), words=words, marks=marks)


def _marked(svg: str, start: str) -> str:
    """Give the elements of a unit, whose ids are this or go on after it, the class of what hides while it moves."""
    return re.sub(rf'(<g id="{re.escape(start)}(?:\.[^"]*)?")>', r'\1 class="actor">', svg)


def inline(svg: str, name: str, *, top: float = 0.0) -> str:
    """Give an SVG document as an element of HTML: every id starts with `name`, it is as wide as there is room.

    `top` points at the upper edge are left out. What only stands in files of their own is left out too: the prologue and the
    metadata, which HTML does not know.
    """
    element = svg[svg.index("<svg ") :].rstrip()
    element = re.sub(r"\s*<metadata>.*?</metadata>", "", element, count=1, flags=re.DOTALL)
    element = NAMED_PARTS.sub(lambda found: f"{found[1]}{name}-{found[2]}", element)
    element = LABELLED.sub(lambda found: f'aria-labelledby="{_prefixed(found[1], name)}"', element)
    element = STYLE_BLOCK.sub(lambda found: f"<style>#{name}-figure_1 *{{{found[1]}}}</style>" if found[1] else "", element)
    element = SHAPELESS.sub('<path d="" ', element)
    return ROOT.sub(lambda found: _root(found[0], found[1], top), element, count=1)


def _prefixed(words: str, name: str) -> str:
    return " ".join(f"{name}-{word}" for word in words.split())


def _root(tag: str, box: str, top: float) -> str:
    """Leave the size to the page, and what lies above `top` out of sight."""
    left, upper, wide, high = (float(part) for part in box.split())
    kept = re.sub(r' (?:width|height|version|xmlns|xmlns:xlink)="[^"]*"', "", tag)
    return kept.replace(f'viewBox="{box}"', f'viewBox="{left:g} {upper + top:g} {wide:g} {high - top:g}"')
