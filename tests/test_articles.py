"""Articles in sentences: "an airship", "a unit"; in real rulings over all types and words, and where sentences are
made.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from systems.battletech.words import AIRBORNE, Kind
from systems.wh40k.words import Keyword
from tabletop.api import resolve
from tabletop.registry import find
from tabletop.scenario import case_from_text

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    file.relative_to(ROOT)
    for package in ("systems", "tabletop", "plots")
    for file in (ROOT / package).rglob("*.py")
)
TEXTS = sorted(
    file.relative_to(ROOT)
    for pattern in (
        "tests/golden/*/*.txt",
        "systems/*/scenarios/*.toml",
        "tabletop/language/english.toml",
    )
    for file in ROOT.glob(pattern)
)
NOT_BEFORE_A = re.compile(r"\ba ['\"(]?(?![Uu]ni(?!n)|[Uu]s[aeu]|UTF|one\b|once)[aeiouAEIOU]\w*")
NOT_BEFORE_AN = re.compile(
    r"\ban ['\"(]?(?!hour|8|11\b|18\b|[FHLMNRSX][A-Z0-9]*\b)[^aeiouAEIOU\W]\w*"
)
TYPES: tuple[str, ...] = get_args(Kind)
KEYWORDS: tuple[str, ...] = get_args(Keyword)


def wrong(text: str) -> list[str]:
    """Find articles that do not go with their words."""
    return [
        found.group()
        for pattern in (NOT_BEFORE_A, NOT_BEFORE_AN)
        for found in pattern.finditer(text)
    ]


def told(tables: dict[str, Any]) -> str:
    """Resolve a file and give all its sentences; no unit's name begins one as an article would."""
    (ruling,) = resolve(case_from_text(json.dumps(tables))).rulings
    parts = [
        ruling.summary,
        *(finding.text for finding in ruling.findings),
        *(step.text for step in ruling.steps),
    ]
    return "\n".join(part[0].lower() + part[1:] for part in parts if part)


def test_what_is_looked_for_is_found() -> None:
    """The patterns of this file find the wrong ones, and none of the right ones."""
    assert wrong("a infantry unit, a airship, an 'Mech and an vehicle") == [
        "a infantry",
        "a airship",
        "an 'Mech",
        "an vehicle",
    ]
    assert wrong("a unit, an airship, a 'Mech, an MP, a one, an hour") == []


@pytest.mark.parametrize("whom", TYPES)
@pytest.mark.parametrize("who", TYPES)
def test_articles_of_every_type_of_unit(who: str, whom: str) -> None:
    """Each type charges each, in the air and on the ground."""
    for landed in (False, True):
        status = ["landed"] if landed and whom in AIRBORNE else []
        units = {
            "Tom": {
                "side": "blue",
                "hex": "0507",
                "facing": "N",
                "profile": {"type": who, "tons": 30, "walk": 4},
            },
            "Tim": {
                "side": "red",
                "hex": "0505",
                "facing": "S",
                "status": status,
                "profile": {"type": whom, "tons": 30},
            },
        }
        charges = [{"charger": "Tom", "targets": ["Tim"]}]
        text = told(
            {
                "system": "battletech",
                "board": {"columns": 15, "rows": 17},
                "units": units,
                "charges": charges,
            }
        )
        assert wrong(text) == []
        assert len(re.findall(r"tim is an? ", text)) >= 3


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_articles_of_every_keyword(keyword: str) -> None:
    """Units of each keyword charge each other."""
    units = {
        name: {
            "side": name,
            "base": "32mm round",
            "at": [[x, 20], [x, 22]],
            "profile": {"keywords": [keyword]},
        }
        for name, x in (("Tom", 20), ("Tim", 26))
    }
    charges = [{"charger": "Tom", "targets": ["Tim"], "dice": [6, 6]}]
    assert (
        wrong(
            told(
                {
                    "system": "wh40k",
                    "board": {"width": 60, "depth": 44},
                    "units": units,
                    "charges": charges,
                }
            )
        )
        == []
    )


def test_articles_of_what_is_kept() -> None:
    """Every kept ruling, every bundled scenario and every word of a figure."""
    found = {file: wrong((ROOT / file).read_text("utf-8")) for file in TEXTS}
    assert {file: words for file, words in found.items() if words} == {}


@pytest.mark.parametrize("name", ["battletech", "conquest", "t9a", "wh40k"])
def test_articles_of_the_rules(name: str) -> None:
    """What each rule demands, in one line."""
    assert [words for rule in find(name).rules for words in wrong(rule.demand)] == []


def _pieces(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield every piece of text in a module, and whether a value follows it in the same sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            values = node.values
            yield from (
                (str(part.value), following)
                for part, following in zip(
                    values,
                    [*(isinstance(one, ast.FormattedValue) for one in values[1:]), False],
                    strict=True,
                )
                if isinstance(part, ast.Constant)
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, False


@pytest.mark.parametrize("file", SOURCES, ids=str)
def test_articles_where_sentences_are_made(file: Path) -> None:
    """No text has a wrong one, and none stands right before a value, which may begin with a vowel."""
    for text, is_before_value in _pieces(ast.parse((ROOT / file).read_text("utf-8"))):
        assert wrong(text) == []
        assert not (is_before_value and re.search(r"\b[Aa]n? ['\"(]?$", text)), text
