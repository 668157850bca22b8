"""Generator of each game's rules page: what a rule demands, its source, its settings, and an example charge."""

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
COMMON = 3
"""A rule used by more than one in this many bundled charges is common: its page refers to a figure that is already
drawn."""
SAID = {
    "refuses": "[{title}](#{place}) is decided by this rule{here}",
    "decides": "[{title}](#{place}) is decided by this rule{here}",
    "broken": (
        "No example is decided by this rule alone; it is broken, after another rule, in [{title}](#{place}){here}"
    ),
    "spoken": "No example is decided by this rule; it is at work in [{title}](#{place}){here}",
}
"""Sentence for each way in which a charge can show a rule, the clearest way first."""
ORDER = list(SAID)


class Witness(NamedTuple):
    """Bundled charge as an example of a rule: how it shows it, whether all its charges fail, number of findings, name,
    title.
    """

    how: str
    is_incomplete: bool
    findings: int
    name: str
    title: str


_found: dict[str, dict[str, list[Witness]]] = {}
"""Charges that show a rule, the best example first, by game and rule."""


def find_witnesses(app: Sphinx, _env: BuildEnvironment, pages: Iterable[str]) -> None:
    """Find examples of each rule for the rules pages; results are cached per version of the program."""
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
    """Return how a bundled scenario shows each rule that its findings name."""
    case, resolution, judgement = api.answer(name)
    answers: list[Ruling | Judgement] = [*resolution.rulings, *([judgement] if judgement else [])]
    findings = [finding for answer in answers for finding in answer.findings]
    how = {finding.rule: "spoken" for finding in findings} | {
        finding.rule: "broken" for finding in findings if not finding.ok
    }
    how |= {rule: "decides" for ruling in resolution.rulings for rule in ruling.decided}
    how |= {answer.rule: "refuses" for answer in answers if answer.rule}
    is_incomplete = all(ruling.outcome != "success" for ruling in resolution.rulings)
    return {
        "title": case.title,
        "findings": len(findings),
        "how": how,
        "is_incomplete": is_incomplete,
    }


def _by_rule(spoken: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Witness]]:
    """Return the examples of each rule, best first: complete charges with few findings."""
    found: dict[str, list[Witness]] = {}
    for name, told in spoken.items():
        for rule, how in told["how"].items():
            found.setdefault(rule, []).append(
                Witness(how, told["is_incomplete"], told["findings"], name, told["title"])
            )
    return {
        rule: sorted(witnesses, key=lambda one: (ORDER.index(one.how), one[1:]))
        for rule, witnesses in found.items()
    }


def rules(game: str) -> str:
    """Return a game's rules as Markdown, grouped by phase of the charge; each example is drawn once."""
    system = registry.find(game)
    drawn = set[str]()
    groups: dict[str, list[Rule]] = {}
    for rule in system.rules:
        groups.setdefault(".".join(rule.name.split(".")[:2]), []).append(rule)
    parts = [
        [f"## `{name}`\n", *(_section(game, rule, drawn) for rule in group)]
        for name, group in groups.items()
    ]
    return "\n".join(part for group in parts for part in group)


def _section(game: str, rule: Rule, drawn: set[str]) -> str:
    """Return the entry of one rule: its demand, its kind and source, and the example."""
    demand = f"{rule.demand[0].upper()}{rule.demand[1:]}."
    told = f"*{rule.nature.capitalize()}.* Source: {rule.source}.{_read_by(game, rule)}"
    return (
        f"({rule.name})=\n### `{rule.name}`\n\n{demand}\n\n{told}\n\n{_shown(game, rule, drawn)}\n"
    )


def _read_by(game: str, rule: Rule) -> str:
    """Return the settings that change a rule, as links."""
    keys = ", ".join(f"[`{choice}`](#{_anchor(game, choice)})" for choice in rule.choices)
    return f" Settings: {keys}." if keys else ""


def _anchor(game: str, choice: str) -> str:
    return f"{game}-rules-{choice.replace('_', '-')}"


def _shown(game: str, rule: Rule, drawn: set[str]) -> str:
    """Return the best example of a rule: its figure, or a link to the figure where it is on the page already."""
    witnesses = _found.get(game, {}).get(rule.name, [])
    bundled = len(registry.scenarios(game))
    if not witnesses:
        return "No example uses this rule."
    best = witnesses[0]
    if best.how == "spoken" and len(witnesses) * COMMON > bundled:
        best = next((one for one in witnesses if one.name in drawn and not one.is_incomplete), best)
    place = f"figure-{best.name.replace('/', '-')}"
    title = best.title.replace("[", "\\[")
    is_drawn = best.name in drawn
    drawn.add(best.name)
    said = SAID[best.how].format(
        title=title, place=place, here=" (figure above)." if is_drawn else ":"
    )
    return (
        said
        if is_drawn
        else f"{said}\n\n```{{tabletop}} {best.name}\n:name: {place}\n:nocaption:\n```"
    )


def choices(game: str) -> str:
    """Return the keys of `[rules]` as a definition list, each with the rules that it changes."""
    schema = schema_of(registry.find(game))
    inner = tables_in(schema, schema["properties"]["rules"])
    assert inner is not None  # noqa: S101 - every game of this project has choices
    read = {
        choice: [rule.name for rule in registry.find(game).rules if choice in rule.choices]
        for choice in inner[1]["properties"]
    }
    parts = []
    for choice, node in inner[1]["properties"].items():
        told = "; ".join(limits(schema, node))
        default = (
            f" Default: `{written(node['default'])}`." if node.get("default") is not None else ""
        )
        reads = ", ".join(f"[`{name}`](#{name})" for name in read[choice])
        parts.append(
            f"({_anchor(game, choice)})=\n`{choice}`\n: "
            f"{meaning(node)}{f' Allowed: {told}.' if told else ''}{default} Changes {reads}.\n"
        )
    return "\n".join(parts)


def numbers(game: str) -> str:
    """Return the numbers of the rule book as a table."""
    book = registry.find(game).book
    rows = [
        (
            f"| `system.{field.name}` | {getattr(book, field.name)} | {field.metadata.get('unit', '')} | "
            f"{field.metadata.get('source', '')} |"
        )
        for field in dataclasses.fields(book)
    ]
    return "\n".join(["| number | value | unit | source |", "|---|---|---|---|", *rows]) + "\n"
