"""Sentences of rulings in another language: read by patterns, of which each language has one for every sentence of every game."""

import ast
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from plots.marks.panels import names_of
from plots.marks.phrasebook import GAMES, KIT, SPEAKING, Interpreter, Phrasebook, book_of, phrases, tables_of, with_own
from tabletop.ruling.looks import Looks, parts, translates
from tabletop.testing.answers import judged, resolved
from tabletop.testing.promises import sentences
from tests.bundled import EACH

ROOT = Path(__file__).resolve().parents[3]
HOLE = "¤"
"""What stands for something filled in."""
SILENT = ("__init__.py", "book.py", "looks.py", "rules.py", "setup.py", "system.py", "words.py")
"""Modules that say nothing of a charge: names of rules, keys of files and what is wrong with them."""
SHARED = ("tabletop/settling/judging.py", "tabletop/settling/uncertainty.py", "tabletop/ruling/judge.py", "tabletop/ruling/finding.py")
NOT_SHOWN = {
    *(
        "charges[¤] (¤)",
        "charges[¤] (¤ charges ¤)",
        "the state in the end",
        "¤ may go ¤ ways that later charges tell apart; at most ¤ are followed",
    ),
    *("¤ is one of ¤ that may reach or fall short, which may come to ¤ different tables", "there is none", "its limit of work"),
    *("the search for a way to the ¤ of ¤ ended at its limit before it found one", "the charge roll", "the re-roll", ' with reroll = "¤"'),
    *("¤ faces are rolled¤, ¤ given: ¤", "the Charge Roll was not enough, and the re-roll needs a second face", "the Charge Roll"),
    *("expected ¤, one per model alive when the move begins, given ¤", "expected each of the living models' numbers once (¤), given ¤"),
    "no model of ¤ is left when it would stand there; leave the unit out of the proposal",
    *("¤ keeping its feet", "¤ keeping its feet in the weapon phase", "¤ entering the building in ¤", "¤ in the way of a push"),
    *("the side that ¤ falls on", "the pilot of ¤", "motive damage of ¤", "location of a group on ¤", "the building in ¤¤"),
    *("turns of the target", "radians between the facings", "turn of ¤"),
}
"""Words of errors, of what dice are thrown for, and of goals: no figure shows them."""
CODES = re.compile(r"(?:[A-Z]{2,3}[cm]? ?)+")
"""Tables of locations."""


def interpreter(said: dict[str, str], *names: str, forms: dict[str, dict[str, str]] | None = None) -> Interpreter:
    """Return who reads by some patterns."""
    book = Phrasebook(phrases(said), {form: phrases(words) for form, words in (forms or {}).items()})
    return Interpreter(book, frozenset(names), ",")


def test_what_is_filled_in_is_read_as_well() -> None:
    """A sentence is read by its pattern, its parts by theirs; numbers have the language's decimal mark, names stay."""
    said = {"{unit} is {what}.": "{unit} ist {what}.", "{length} in away": "{length} Zoll entfernt"}
    assert interpreter(said, "T1.5").read("T1.5 is 3.25 in away.") == "T1.5 ist 3,25 Zoll entfernt."


def test_a_sentence_that_no_pattern_reads_stays() -> None:
    """Of several sentences those that are known are written, the others stay as they are."""
    speaker = interpreter({"{unit} moves.": "{unit} zieht."}, "A", "B")
    assert speaker.said("A moves. It sings. B moves.") == "A zieht. It sings. B moves."
    assert speaker.read("C moves.") is None


def test_a_sentence_may_stand_within_another() -> None:
    """Behind a colon a sentence begins with a small letter; its translation has its own."""
    speaker = interpreter({"{unit} fails: {why}": "{unit} scheitert. {why}", "No way leads there.": "Kein Weg führt dorthin."}, "A")
    assert speaker.read("A fails: no way leads there.") == "A scheitert. Kein Weg führt dorthin."


def test_a_word_has_the_form_that_its_place_asks_for() -> None:
    """A translation asks for a case of what is filled in; what has no such form stays as it is."""
    said = {"{unit} charges the {side} of {other}.": "{unit} greift {side:accusative} von {other} an.", "rear": "Rücken", "top": "Dach"}
    speaker = interpreter(said, "A", "B", forms={"accusative": {"rear": "den Rücken"}})
    assert speaker.read("A charges the rear of B.") == "A greift den Rücken von B an."
    assert speaker.read("A charges the top of B.") == "A greift Dach von B an."


def test_long_lists_are_read_one_by_one() -> None:
    """Hundreds of items are read as well; what is nested too deep stays as it is."""
    said = {
        "Models {numbers} lost": "Modelle {numbers} verloren",
        "{one}, {other}": "{one}, {other}",
        "no {one}": "kein {one}",
        "way": "Weg",
    }
    many = ", ".join(map(str, range(300)))
    assert interpreter(said).said(f"Models {many} lost") == f"Modelle {many} verloren"
    assert interpreter(said).said("no no way") == "kein kein Weg"
    deep = "no " * 2000 + "way"
    assert interpreter(said).said(deep) == deep


def test_names_may_hold_words_of_a_sentence() -> None:
    """A unit may be called by words of a pattern, and several in a row are read as a list."""
    said = {"{one} charges {many}, {far} in away.": "{one} greift {many} an, {far} Zoll.", "{one}, {other}": "{one}, {other}"}
    speaker = interpreter(said, "He charges", "B", "C, in away")
    assert speaker.read("He charges charges B, C, in away, 2 in away.") == "He charges greift B, C, in away an, 2 Zoll."


@EACH
@pytest.mark.parametrize("language", SPEAKING)
def test_every_sentence_of_every_bundled_scenario_is_translated(name: str, language: str) -> None:
    """Sentences, labels, notes and words of rulings and judgements: each is read by a pattern of the game."""
    case, resolution = resolved(name)
    speaker = Interpreter(book_of(language, case.system.name), names_of(case))
    assert [text for text in sentences(resolution, judged(name)) if speaker.read(text) is None] == []


@pytest.mark.parametrize("language", SPEAKING)
def test_every_sentence_of_the_kit_has_a_pattern(language: str) -> None:
    """What games of others say that are built on it; the rest they bring themselves."""
    patterns = [holed(pattern) for pattern in tables_of(language, KIT)[0]]
    said = list(texts(ROOT / "tabletop" / "kit" / "stated.py"))
    found = [text for text in said if text.endswith(".")]
    assert len(found) > 5
    assert [text for text in found if not any(one in pattern for one in both(text) for pattern in patterns)] == []


def test_a_game_brings_phrases_of_its_own() -> None:
    """They go before those of the language, with forms of their own, and only in the language that they are of."""
    said = {"{unit} runs at the {side}.": "{unit} rennt {side:accusative} an.", "rear": "Ende", "Nothing is there.": "Leer."}
    looks = Looks(phrases={"de": {"said": said, "form": {"accusative": {"rear": "das Ende"}}}})
    german = Interpreter(with_own(book_of("german", "ours"), looks, "de"), frozenset({"A", "B"}), ",")
    assert german.read("A runs at the rear.") == "A rennt das Ende an."
    assert german.read("rear") == "Ende"
    assert german.read("A charges B.") == "A greift B an."
    assert Interpreter(with_own(book_of("english", "ours"), looks, "en"), frozenset({"A"})).read("A runs at the rear.") is None


@pytest.mark.parametrize(
    "tables",
    [
        {"said": {"{unit} runs.": "{other} rennt."}},
        {"said": "A runs."},
        {"sad": {}},
        {"said": {"{a}": "{a:dative}"}},
        {"form": {"dative": 3}},
    ],
)
def test_phrases_that_cannot_be_are_refused(tables: dict[str, object]) -> None:
    """Where a game is loaded, not where somebody draws it."""
    with pytest.raises(ValueError, match=r"looks\.phrases\.de"):
        Looks(phrases={"de": tables})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", SPEAKING)
def test_every_sentence_in_the_source_of_a_game_has_a_pattern(game: str, language: str) -> None:
    """Whatever the source of a game may say, in scenarios or not, stands in a pattern."""
    patterns = [holed(pattern) for pattern in tables_of(language, game)[0]]
    files = [path for path in sorted((ROOT / "systems" / game).rglob("*.py")) if path.name not in SILENT]
    said = {text: path.name for path in (*files, *(ROOT / shared for shared in SHARED)) for text in texts(path)}
    assert len(said) > 50
    left = {text: file for text, file in said.items() if not any(one in pattern for one in both(text) for pattern in patterns)}
    assert left == {}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", SPEAKING)
def test_translations_fill_in_what_their_patterns_do(game: str, language: str) -> None:
    """Each has the pattern's braces, no more and no less, in forms that the language has, and says something."""
    said, forms = tables_of(language, game)
    assert [pattern for pattern, told in said.items() if not told.strip() or not translates(told, pattern, forms)] == []
    filled = {pattern: ({name for name, _, _ in parts(pattern)}, {name for name, _, _ in parts(told)}) for pattern, told in said.items()}
    assert [pattern for pattern, (given, asked) in filled.items() if given != asked] == []
    assert [word for words in forms.values() for word, told in words.items() if not translates(told, word, forms)] == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", SPEAKING)
def test_no_pattern_reads_what_another_is_for(game: str, language: str) -> None:
    """With names filled in each pattern reads its own sentence; of two that are alike, the game's own."""
    said = tables_of(language, game)[0]
    own = {holed(pattern): pattern for pattern in reversed(said)}
    wrong = {}
    for pattern in own.values():
        names = {name: f"N{place}" for place, (_, name, _, _) in enumerate(string.Formatter().parse(pattern)) if name is not None}
        speaker = Interpreter(book_of(language, game), frozenset(names.values()))
        sentence, wanted = (filled(text, names) for text in (pattern, said[pattern]))
        if speaker.read(sentence) != wanted:
            wrong[sentence] = speaker.read(sentence)
    assert wrong == {}


def filled(text: str, names: Mapping[str, str]) -> str:
    """Fill in names, in whatever form is asked for."""
    return "".join(literal + ("" if name is None else names[name]) for literal, name, _, _ in string.Formatter().parse(text))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", SPEAKING)
def test_no_pattern_is_of_a_sentence_that_nobody_says(game: str, language: str) -> None:
    """The words of each pattern stand in the source of the game, or in what all games share."""
    files = [*sorted((ROOT / "systems" / game).rglob("*.py")), *sorted((ROOT / "tabletop").rglob("*.py"))]
    source = " ".join(re.sub(r"\s+", " ", path.read_text(encoding="utf-8")) for path in files)
    source = source.replace('" f"', "").replace('" "', "").replace("{DEGREE}", "°").replace("\\N{DEGREE SIGN}", "°").replace("_", " ")
    literals = {
        re.sub("^(1|an?) ", "", literal.strip(" .,:;"))
        for pattern in tables_of(language, game)[0]
        for literal, _, _, _ in string.Formatter().parse(pattern)
    }
    said = [literal for literal in sorted(literals) if len(literal.split()) > 2]
    assert [literal for literal in said if not is_in(source, literal.split())] == []


def is_in(source: str, words: Sequence[str]) -> bool:
    """Tell whether words stand in a source, in one piece or in two."""
    return any(" ".join(words[:place]) in source and " ".join(words[place:]) in source for place in range(len(words)))


def both(text: str) -> tuple[str, str]:
    """Return a text as it is, and as it begins within a sentence or at its start."""
    return text, text[:1].swapcase() + text[1:]


def holed(pattern: str) -> str:
    """Write a pattern with holes where something is filled in."""
    return "".join(literal + ("" if name is None else HOLE) for literal, name, _, _ in string.Formatter().parse(pattern))


def texts(path: Path) -> Iterator[str]:
    """Go through the words of a module that a ruling may hold: constants and f-strings of two words and more."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aside = {id(part) for node in ast.walk(tree) for other in _asides(node) for part in ast.walk(other)}
    for node in ast.walk(tree):
        text = "" if id(node) in aside else _sample(node)
        is_said = len(text.replace(HOLE, "").split()) > 1 and text not in NOT_SHOWN and not CODES.fullmatch(text)
        if is_said:
            yield text.format(name=HOLE) if "{name}" in text else text


def _asides(node: ast.AST) -> Iterator[ast.AST]:
    """Go through what of a node says nothing: docstrings, errors, types, comparisons, and the pieces of an f-string."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Raise() | ast.Compare():
            yield node
        case ast.Subscript(slice=inner):
            yield inner
        case ast.AnnAssign(annotation=inner):
            yield inner
        case ast.arg(annotation=inner) | ast.FunctionDef(returns=inner) if inner is not None:
            yield inner
        case ast.JoinedStr(values=values):
            yield from (value for value in values if isinstance(value, ast.Constant))
            yield from (value.format_spec for value in values if isinstance(value, ast.FormattedValue) and value.format_spec)
        case ast.Call(func=ast.Name(id="Rule" | "TypeVar" | "cast")):
            yield node
        case _:
            return


def _sample(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(value.value) if isinstance(value, ast.Constant) else _filled(value) for value in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _filled(value: ast.AST) -> str:
    is_degree = isinstance(value, ast.FormattedValue) and isinstance(value.value, ast.Name) and value.value.id == "DEGREE"
    return "°" if is_degree else HOLE
