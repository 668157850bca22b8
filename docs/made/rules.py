"""The rules of a game as a page: what each demands, where it is from, who reads it otherwise, and a bundled charge that it decides."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Any, NamedTuple

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.logging import getLogger

from plots.sphinx import program_digest
from tabletop import api, registry
from tabletop.ruling.finding import Rule
from tabletop.ruling.verdict import Judgement, Ruling
from tabletop.scenario.schema import limits, meaning, schema_of, tables_in, written

logger = getLogger(__name__)
RARE = 3
"""A rule that one in so many of the bundled charges speaks of, or fewer, is what they are about."""
SAID = {
    "refuses": "It decides [{title}](#{place}){here}",
    "decides": "It decides [{title}](#{place}){here}",
    "broken": "It is broken in [{title}](#{place}), which another rule decides{here}",
    "spoken": "It is at work in [{title}](#{place}){here}",
}
"""What a charge has to do with a rule, the closest first, in words."""


class Witness(NamedTuple):
    """A bundled charge that shows a rule: its name and title, how it shows it, and how many findings it has in all."""

    how: str
    findings: int
    name: str
    title: str


_found: dict[str, dict[str, list[Witness]]] = {}
"""By game and rule: the charges that speak of it, the best picture of it first."""


def find_witnesses(app: Sphinx, _env: BuildEnvironment, pages: Iterable[str]) -> None:
    """Resolve the bundled charges of the games whose pages are to be read; what was found with this program before is read again."""
    for page in pages:
        folder, _, game = page.partition("/")
        if folder != "rules" or game not in registry.BUILT_IN:
            continue
        file = Path(app.doctreedir, f"rules-{game}-{program_digest()}.json")
        if not file.exists():
            names = [name for name, _ in registry.scenarios(game)]
            logger.info("resolving the %d bundled charges of %s", len(names), game)
            with ProcessPoolExecutor(cpu_count()) as pool:
                spoken = dict(zip(names, pool.map(_spoken, names), strict=True))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(spoken), "utf-8")
        _found[game] = _by_rule(json.loads(file.read_text("utf-8")))


def _spoken(name: str) -> dict[str, Any]:
    """Resolve a bundled charge, and tell by rule how it speaks of it."""
    case, resolution, judgement = api.answer(name)
    answers: list[Ruling | Judgement] = [*resolution.rulings, *([judgement] if judgement else [])]
    findings = [finding for answer in answers for finding in answer.findings]
    how = {finding.rule: "spoken" for finding in findings} | {finding.rule: "broken" for finding in findings if not finding.ok}
    how |= {rule: "decides" for ruling in resolution.rulings for rule in ruling.decided}
    how |= {answer.rule: "refuses" for answer in answers if answer.rule}
    return {"title": case.title, "findings": len(findings), "how": how}


def _by_rule(spoken: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Witness]]:
    found: dict[str, list[Witness]] = {}
    for name, told in spoken.items():
        for rule, how in told["how"].items():
            found.setdefault(rule, []).append(Witness(how, told["findings"], name, told["title"]))
    return {rule: sorted(witnesses, key=lambda one: (list(SAID).index(one.how), one[1:])) for rule, witnesses in found.items()}


def rules(game: str) -> str:
    """Return a section of Markdown for each rule, under a heading for each part of the charge; each charge is drawn once."""
    system, drawn = registry.find(game), set[str]()
    groups: dict[str, list[Rule]] = {}
    for rule in system.rules:
        groups.setdefault(".".join(rule.name.split(".")[:2]), []).append(rule)
    parts = [[f"## `{name}`\n", *(_section(game, rule, drawn) for rule in group)] for name, group in groups.items()]
    return "\n".join(part for group in parts for part in group)


def _section(game: str, rule: Rule, drawn: set[str]) -> str:
    demand = f"{rule.demand[0].upper()}{rule.demand[1:]}."
    told = f"*{rule.nature.capitalize()}*, from: {rule.source}.{_read_by(game, rule)} {_shown(game, rule, drawn)}"
    return f"({rule.name})=\n### `{rule.name}`\n\n{demand}\n\n{told}\n"


def _read_by(game: str, rule: Rule) -> str:
    keys = ", ".join(f"[`{choice}`](#{_anchor(game, choice)})" for choice in rule.choices)
    return f" Read by {keys}." if keys else ""


def _anchor(game: str, choice: str) -> str:
    return f"{game}-rules-{choice.replace('_', '-')}"


def _shown(game: str, rule: Rule, drawn: set[str]) -> str:
    """Draw the charge that shows a rule best, or point to where it is drawn already; say so where there is none."""
    witnesses, bundled = _found.get(game, {}).get(rule.name, []), len(registry.scenarios(game))
    if not witnesses:
        return f"None of the {bundled} bundled charges speaks of it."
    best = witnesses[0]
    if best.how == "spoken" and len(witnesses) * RARE > bundled:
        count = f"All {bundled}" if len(witnesses) == bundled else f"{len(witnesses)} of the {bundled}"
        return f"{count} bundled charges speak of it, and none turns on it."
    place, title = f"figure-{best.name.replace('/', '-')}", best.title.replace("[", "\\[")
    is_drawn = best.name in drawn
    drawn.add(best.name)
    said = SAID[best.how].format(title=title, place=place, here=", drawn above." if is_drawn else ":")
    return said if is_drawn else f"{said}\n\n```{{tabletop}} {best.name}\n:name: {place}\n:nocaption:\n```"


def choices(game: str) -> str:
    """Return a table of the choices of `[rules]`, each with the rules that it reads."""
    schema = schema_of(registry.find(game))
    inner = tables_in(schema, schema["properties"]["rules"])
    assert inner is not None  # noqa: S101 - every game of this project has choices
    read = {choice: [rule.name for rule in registry.find(game).rules if choice in rule.choices] for choice in inner[1]["properties"]}
    parts = []
    for choice, node in inner[1]["properties"].items():
        told = "; ".join(limits(schema, node))
        default = f" Left out: `{written(node['default'])}`." if node.get("default") is not None else ""
        reads = ", ".join(f"[`{name}`](#{name})" for name in read[choice])
        parts.append(
            f"({_anchor(game, choice)})=\n`{choice}`\n: {meaning(node)}{f' From {told}.' if told else ''}{default} Reads {reads}.\n"
        )
    return "\n".join(parts)


def numbers(game: str) -> str:
    """Return a table of the numbers of the book."""
    book = registry.find(game).book
    rows = [
        f"| `system.{field.name}` | {getattr(book, field.name)} | {field.metadata.get('unit', '')} | {field.metadata.get('source', '')} |"
        for field in dataclasses.fields(book)
    ]
    return "\n".join(["| number | value | unit | from |", "|---|---|---|---|", *rows]) + "\n"
