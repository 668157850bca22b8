"""Groups of an SVG put together: all of a thing in one, all words of a kind around the panels in one."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plots.render.svg import PANEL, TOP, Name

TAG = re.compile(r"<(/?)g\b([^>]*)(?<!/)>")
ID = re.compile(r' id="([^"]+)"')
AROUND = re.compile(r"(title|ruler|small-print|footer|together)-|((?:outcome-[^-]+|callout-\d+|caption-\d+|charge-\d+))-|(key-.+)-text$")
"""What is around the panels: the name of the group in which it stands."""


CLIP = re.compile(r' clip-path="[^"]*"')
"""How it is said that a panel's edge cuts what is in it: once, at the panel."""


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
