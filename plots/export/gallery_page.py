"""The page of a gallery: every scenario with its figures, in words, and with its file, by system."""

from collections.abc import Mapping, Sequence
from html import escape

from plots.export.exhibits import Exhibit, FigureFile
from plots.render.embedded import style_of_page

GALLERY_STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --grey: #595959; --line: #c9c9c9; --paper: #f7f5f0; --link: #00558a; }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; color: var(--ink); background: #ffffff; font-size: 1rem; line-height: 1.5; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; display: inline-block; padding: 0.5rem 1rem; }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 1rem 0 0.5rem; }
h2 { font-size: 1.5rem; margin: 2.5rem 0 0.5rem; border-bottom: 2px solid var(--ink); }
h3 { font-size: 1.15rem; line-height: 1.3; margin: 0; }
.systems { position: sticky; top: 0; z-index: 1; background: #ffffff; border-bottom: 1px solid var(--line); }
.systems ul { max-width: 72rem; margin: 0 auto; padding: 0.5rem 1rem; list-style: none; display: flex; flex-wrap: wrap;
  gap: 0.25rem 1.5rem; }
.contents ul { columns: 18rem; column-gap: 2.5rem; padding-left: 1.25rem; margin: 0.5rem 0 0; }
.contents li { break-inside: avoid; }
.exhibits { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 33rem), 1fr)); gap: 1.5rem; margin-top: 1.5rem; }
article { border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem; min-width: 0; align-self: start; }
.facts { margin: 0.25rem 0 0.75rem; color: var(--grey); font-size: 0.875rem; }
.outcome { color: #ffffff; padding: 0.1em 0.5em; font-weight: 700; border-radius: 0.2em; }
.success { background: #00664b; } .failed { background: #9c3f00; } .not_allowed { background: #8a2b5f; } .undecided { background: #3b5a86; }
figure { margin: 0; }
img { display: block; width: 100%; height: auto; }
figcaption { font-size: 0.9375rem; margin-top: 0.5rem; }
figcaption p { margin: 0 0 0.4rem; overflow-wrap: anywhere; }
details { border-top: 1px solid var(--line); }
summary { cursor: pointer; padding: 0.5rem 0; font-weight: 700; }
pre { background: var(--paper); padding: 0.75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 0.8125rem/1.45 ui-monospace, monospace; margin: 0 0 0.75rem; }
footer { color: var(--grey); font-size: 0.875rem; border-top: 1px solid var(--line); }
@media print { .systems, details:not([open]) { display: none; } article { break-inside: avoid; } }
"""
GALLERY_WORDS = {"success": "success", "failed": "failed", "not_allowed": "not allowed"}
JUDGED_WORDS = {"success": "legal and best", "failed": "failed", "not_allowed": "not allowed", "undecided": "cannot be told"}


def gallery_page(exhibits: Sequence[Exhibit], systems: Mapping[str, str]) -> str:
    """Write the page; `systems` gives the titles of systems by name, in their order. Links are relative to the page."""
    shown = {name: [one for one in exhibits if one.system == name] for name in systems}
    links = "".join(f'<li><a href="#{name}">{escape(systems[name])}</a> ({len(every)})</li>\n' for name, every in shown.items() if every)
    parts = "".join(_section(name, systems[name], every) for name, every in shown.items() if every)
    body = (
        '<a class="skip" href="#charges">Skip to the charges</a>\n'
        f"<header>\n<h1>Gallery of charges</h1>\n<p>{len(exhibits)} charges, each resolved and drawn from the file beside it, to scale. "
        "All words are the ruling's own; nothing was drawn by hand.</p>\n</header>\n"
        f'<nav class="systems" aria-label="Systems">\n<ul>\n{links}</ul>\n</nav>\n<main id="charges">\n{parts}</main>\n'
        "<footer>\n<p>The games' names belong to their owners, who have no part in this.</p>\n</footer>\n"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Gallery of charges</title>\n<style>{GALLERY_STYLE}{style_of_page(body)}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def _section(name: str, title: str, exhibits: Sequence[Exhibit]) -> str:
    links = "".join(f'<li><a href="#{one.anchor}">{escape(one.title)}</a></li>\n' for one in exhibits)
    articles = "".join(_article(one) for one in exhibits)
    return (
        f'<section aria-labelledby="{name}">\n<h2 id="{name}">{escape(title)}</h2>\n'
        f'<nav class="contents" aria-label="Charges of {escape(title)}">\n<ul>\n{links}</ul>\n</nav>\n'
        f'<div class="exhibits">\n{articles}</div>\n</section>\n'
    )


def _article(one: Exhibit) -> str:
    outcomes = " ".join(_badge(word, GALLERY_WORDS[word]) for word in one.outcomes)
    if one.judged is not None:
        outcomes += f" {_badge(one.judged, f'proposal: {JUDGED_WORDS[one.judged]}')}"
    caption = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in one.caption)
    film = "" if one.film is None else f', <a href="{escape(one.film)}">play it</a>'
    steps = "" if one.steps is None else _folded("Step by step", _picture(one.steps, f"The steps of: {one.title}"))
    return (
        f'<article id="{one.anchor}" aria-labelledby="{one.anchor}-title">\n<h3 id="{one.anchor}-title">{escape(one.title)}</h3>\n'
        f'<p class="facts">{outcomes} <code>{escape(one.name)}</code>, <a href="{escape(one.name)}.toml">scenario file</a>{film}</p>\n'
        f"<figure>\n{_picture(one.drawing, _alternative(one))}\n<figcaption>{caption}</figcaption>\n</figure>\n{steps}"
        f"{_folded('The ruling', _text(one.ruling))}{_folded('The figure in words', f'<p>{escape(one.words)}</p>')}"
        f"{_folded('The scenario file', _text(one.scenario))}</article>\n"
    )


def _badge(outcome: str, words: str) -> str:
    return f'<span class="outcome {outcome}">{words}</span>'


def _alternative(one: Exhibit) -> str:
    """Say in one breath what a figure shows; all of it in words stands below it."""
    return f"{one.title}. {one.caption[0] if one.caption else ''} The figure in words stands below."


def _picture(drawing: FigureFile, alternative: str) -> str:
    size = f'width="{drawing.width}" height="{drawing.height}"'
    return (
        f'<a href="{escape(drawing.file)}"><img src="{escape(drawing.file)}" alt="{escape(alternative)}" {size} loading="lazy" '
        'decoding="async"></a>'
    )


def _folded(summary: str, body: str) -> str:
    return f"<details>\n<summary>{summary}</summary>\n{body}\n</details>\n"


def _text(words: str) -> str:
    """Give text as it is, in a box that a keyboard can scroll."""
    return f"<pre>{escape(words, quote=False)}</pre>"
