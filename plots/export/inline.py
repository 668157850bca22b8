"""SVG documents as parts of a page of HTML: several on one page, each with names of its own."""

import re

NAMED_PARTS = re.compile(r'(\bid="|xlink:href="#|url\(#)([^")]+)')
LABELLED = re.compile(r'aria-labelledby="([^"]*)"')
STYLE_BLOCK = re.compile(r"<style[^>]*>\*\{(.*?)\}</style>", re.DOTALL)
SHAPELESS = re.compile(r'<path (?![^>]*\bd=")')
"""The outline of a space: a path of nothing, which HTML wants said."""
ROOT = re.compile(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', re.DOTALL)


def inline(svg: str, name: str, *, top: float = 0.0) -> str:
    """Give an SVG document as an element of HTML: every id starts with `name`, it is as wide as there is room.

    `top` points at the upper edge are left out. What only stands in files of their own is left out too: the prologue and the
    metadata, which HTML does not know.
    """
    element = svg[svg.index("<svg ") :].rstrip()
    element = re.sub(r"\s*<metadata>.*?</metadata>", "", element, count=1, flags=re.DOTALL)
    element = NAMED_PARTS.sub(lambda found: f"{found[1]}{name}-{found[2]}", element)
    element = LABELLED.sub(lambda found: f'aria-labelledby="{_prefixed(found[1], name)}"', element)
    element = STYLE_BLOCK.sub(lambda found: f"<style>#{name}-figure_1 *{{{found[1]}}}</style>", element)
    element = SHAPELESS.sub('<path d="" ', element)
    return ROOT.sub(lambda found: _root(found[0], found[1], top), element, count=1)


def _prefixed(words: str, name: str) -> str:
    return " ".join(f"{name}-{word}" for word in words.split())


def _root(tag: str, box: str, top: float) -> str:
    """Leave the size to the page, and what lies above `top` out of sight."""
    left, upper, wide, high = (float(part) for part in box.split())
    kept = re.sub(r' (?:width|height|version|xmlns|xmlns:xlink)="[^"]*"', "", tag)
    return kept.replace(f'viewBox="{box}"', f'viewBox="{left:g} {upper + top:g} {wide:g} {high - top:g}"')
