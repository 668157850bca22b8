"""Words of figures: each comes from the catalogue, each language has all of them, and a file with less is refused."""

import ast
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plots.layout.blocks import share
from plots.layout.page import Page, lay_out
from plots.layout.setting import Setting
from plots.marks import alt_text, captions
from plots.marks.heatmap import spot_meanings
from plots.marks.mark import Label
from plots.marks.panels import View
from plots.marks.steps import step_title
from plots.marks.styles import HEXES, TERRAIN_LOOKS, UNKNOWN
from plots.render.figure import draw, picture
from plots.render.maps import description
from plots.render.odds import odds_description, odds_page
from tabletop.catalogue import LANGUAGE_FOLDER, Audience, Catalogue
from tabletop.errors import UsageError
from tabletop.exploring.survey import Survey
from tabletop.language.language import (
    BUNDLED,
    ENGLISH,
    PARTS,
    Language,
    bundled,
    language,
    speaking,
)
from tabletop.messages import edition_words, say
from tabletop.registry import BUILT_IN, find
from tabletop.ruling.looks import STEP_LOOKS, Looks
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.table.models import Squad
from tabletop.testing.answers import judged as judged_scenario
from tabletop.testing.answers import resolved
from tests.bundled import EACH
from tests.plots import hexed, loose
from tests.plots.scenes import (
    case_of,
    charge_resolution,
    failed_resolution,
    judged,
    refused_resolution,
)

ROOT = Path(__file__).resolve().parents[3]
SIGN = "¤"
TAKEN_OUT = {
    key: f"{SIGN}{re.sub('[A-Za-z]+(?![^{}]*})', SIGN, words)}"
    for key, words in ENGLISH.words.items()
}


class Foreign(Language):
    """Has no letters for what there are German words for, of games too."""

    def known(self, group: str, word: str) -> str:
        """Return a sign for what German has words for."""
        return (
            SIGN
            if GERMAN.of(self.looks).known(group, word) != word.replace("_", " ")
            else super().known(group, word)
        )


FOREIGN = Foreign({**TAKEN_OUT, "caption.edition": "{plain}"})
"""A language without letters, by which words that come from somewhere else are found."""
GERMAN = bundled("german")
RULE_NAME = re.compile(r"[a-z]\w*(?:\.[a-z][\w-]*)+")


def catalogue(folder: Path, words: dict[str, str], without: tuple[str, ...] = ()) -> str:
    """Write a catalogue with some words changed and some left out, and give its path."""
    whole = {key: value for key, value in {**ENGLISH.words, **words}.items() if key not in without}
    path = folder / "mine.toml"
    path.write_text(
        "\n".join(
            f"{key} = {value!r}" if "'" not in value else f'{key} = "{value}"'
            for key, value in whole.items()
        )
    )
    return str(path)


@pytest.mark.parametrize("name", BUNDLED)
def test_catalogues_have_the_same_keys_and_parts(name: str) -> None:
    """Each language has every key once, no other, and fills in exactly what the English words do."""
    words = bundled(name).words
    assert list(words) == list(ENGLISH.words)
    filled = {
        key: (re.findall(r"{(\w*)}", words[key]), re.findall(r"{(\w*)}", value))
        for key, value in ENGLISH.words.items()
    }
    assert {key for key, (here, there) in filled.items() if sorted(here) != sorted(there)} <= {
        "caption.edition"
    }
    assert all(value.strip() for value in words.values())


def test_german_is_german() -> None:
    """Sentences of the German catalogue differ from the English ones; only symbols and names may be alike."""
    alike = [
        key
        for key, words in GERMAN.words.items()
        if words == ENGLISH.words[key] and re.search(r"[a-z]", re.sub(r"{.*?}", "", words))
    ]
    assert alike == []


def test_all_looks_that_figures_know_are_listed() -> None:
    """Terrain, tags and turns that the tables of looks know have words."""
    wanted = [f"key.terrain.{kind}" for kind in {*TERRAIN_LOOKS, *HEXES} - {UNKNOWN}] + [
        "tag.level"
    ]
    wanted += [f"turn.{kind.word}" for kind in STEP_LOOKS.values()] + ["status.lying"]
    assert [key for key in wanted if key not in ENGLISH.words] == []


def _steps_of(game: str) -> set[str]:
    """Return every kind of step that the source of a game writes down."""
    return {
        call.args[0].value
        for path in sorted((ROOT / "systems" / game).rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "Step"
        and call.args
        if isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }


@pytest.mark.parametrize("game", BUILT_IN)
def test_all_words_of_the_games_are_german_too(game: str) -> None:
    """Every kind of step and of terrain, and every status word that is shown, has German words: the catalogue's, or the
    game's own.
    """
    vocabulary = find(game).vocabulary
    language = GERMAN.of(vocabulary.looks)
    terms = [("step", kind) for kind in sorted(_steps_of(game))]
    terms += [("key.terrain", kind) for kind in vocabulary.terrain_kinds if kind != "level"]
    terms += [("status", word) for word in language.told(vocabulary.status)]
    assert len(terms) > 5
    assert [term for term in terms if language.known(*term) == term[1].replace("_", " ")] == []


def test_words_of_games_are_said_in_the_language_that_has_them() -> None:
    """A game's own words go before the catalogue's; what has none is called what it is."""
    looks = Looks(words={"de": {"terrain.wood": "Forst", "step.leap": "Sprung"}})
    of = GERMAN.of(looks)
    assert [
        of.known("key.terrain", "wood"),
        of.known("step", "leap"),
        of.known("key.terrain", "deep_mud"),
    ] == [
        "Forst",
        "Sprung",
        "deep mud",
    ]
    assert [
        ENGLISH.of(looks).known(*term) for term in (("key.terrain", "wood"), ("step", "leap"))
    ] == ["wood", "leap"]
    assert GERMAN.known("key.terrain", "wood") == "Wald"


def test_numbers_in_hexes_are_written_as_their_game_has_them() -> None:
    """A game's own words go before the catalogue's; a number that has none stands behind its name."""
    looks = Looks(words={"de": {"tag.depth": "T{}"}})
    said = [
        GERMAN.of(looks).tag("depth", 2),
        ENGLISH.of(looks).tag("depth", 2),
        GERMAN.tag("level", 3),
        ENGLISH.tag("old_walls", 40),
    ]
    assert said == ["T2", "depth 2", "E3", "old walls 40"]


def silent(resolution: Resolution) -> Resolution:
    """Take the words out of a ruling, so that all that is left are the figure's own."""
    rulings = []
    for ruling in resolution.rulings:
        evidence = replace(
            ruling.evidence,
            dimensions=tuple(replace(one, label="1") for one in ruling.evidence.dimensions),
            notes=tuple(replace(one, text="2") for one in ruling.evidence.notes),
        )
        findings = tuple(replace(finding, rule="3") for finding in ruling.findings)
        steps = tuple(replace(step, text="", rules=()) for step in ruling.steps)
        rule = None if ruling.rule is None else "3"
        rulings.append(
            replace(
                ruling, summary="4", rule=rule, findings=findings, steps=steps, evidence=evidence
            )
        )
    return replace(resolution, rulings=tuple(rulings))


def letters(words: str, names: set[str]) -> set[str]:
    """Return the words with letters in a text, without names and units of measurement."""
    return {
        word
        for word in re.findall(r"[^\W\d_]+", words)
        if word.isalpha() and word not in names | {"in", "P", "mm"}
    }


def texts(page: Page) -> list[str]:
    """Return all texts of a page."""
    printed = [word for shown in page.shown for one in shown.printed for word, _ in one.words]
    return (
        [words.text for words in page.words]
        + [line for shown in page.shown for one in shown.labels for line in one.lines]
        + printed
    )


def names_of(case: Case) -> set[str]:
    """Return the words that a file or game brings: names of units and terrain, sides, kinds and numbers unknown to
    figures, its title.
    """
    state = case.state
    named = [name for unit in state.units.values() for name in (unit.name, unit.side)] + [
        case.system.title,
        case.edition,
        edition_words(case.edition),
    ]
    named += [
        word for piece in state.terrain for word in (piece.name, piece.kind.replace("_", " "))
    ]
    named += [
        word for piece in state.hex_terrain for word in (piece.name, piece.kind.replace("_", " "))
    ]
    named += [key for keys in case.system.vocabulary.looks.tags.values() for key in keys]
    named += [
        model.name
        for unit in state.units.values()
        for model in (unit.models if isinstance(unit, Squad) else ())
    ]
    return {word for name in named for word in re.findall(r"[^\W\d_]+", name or "")} | {
        "st",
        "nd",
        "rd",
        "th",
        "e",
    }


RESOLUTIONS = [
    *(
        charge_resolution(),
        failed_resolution(),
        refused_resolution(),
        loose.charge_resolution(),
        hexed.charge_resolution(),
    ),
]


@pytest.mark.parametrize("view", ["charge", "steps", "board"])
@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_no_word_of_a_figure_is_outside_of_the_catalogue(
    resolution: Resolution, view: View
) -> None:
    """In a language without letters, nothing but names and units of measurement has letters: page, labels,
    description.
    """
    told = silent(resolution)
    case = case_of(told.before, told.rulings[0].charge)
    page = lay_out(picture(case, told, view=view, setting=Setting(language=FOREIGN)))
    with speaking(FOREIGN):
        spoken = alt_text.description(case, told)
    own = {
        word
        for step in told.rulings[0].steps
        if f"step.{step.kind}" not in ENGLISH.words
        for word in step_title(step).split()
    }
    own |= {word.lower() for word in own}
    assert [
        word for one in (*texts(page), spoken) for word in letters(one, names_of(case) | own)
    ] == []


def test_no_word_of_a_judged_figure_is_outside_of_the_catalogue() -> None:
    """The same of a figure of a proposal."""
    resolution, proposal, judgement = judged()
    told = silent(resolution)
    case = case_of(told.before, told.rulings[0].charge, proposal=proposal)
    page = lay_out(picture(case, told, judgement=judgement, setting=Setting(language=FOREIGN)))
    own = {
        word
        for finding in judgement.findings
        for word in re.findall(r"[^\W\d_]+", f"{finding.rule} {finding.text}")
    }
    own |= set(re.findall(r"[^\W\d_]+", judgement.summary))
    assert [word for one in texts(page) for word in letters(one, names_of(case) | own)] == []


@pytest.mark.parametrize(
    ("view", "audience"), [("charge", "reader"), ("charge", "judge"), ("steps", "reader")]
)
@EACH
def test_all_that_a_ruling_says_is_translated(
    name: str, view: View, audience: Audience, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every bundled scenario nothing has letters in a language without letters but names, rules and the author's own
    words.
    """
    monkeypatch.setattr(Catalogue, "render", lambda _, text: SIGN if text else "")
    case, resolution = resolved(name)
    case = replace(case, title="", note="", source="")
    setting = Setting(
        language=replace(
            FOREIGN, sentences=lambda _: bundled("german").sentences(case.system.name)
        ),
        audience=audience,
    )
    made = picture(case, resolution, view=view, judgement=judged_scenario(name), setting=setting)
    labels = [mark.text for panel in made.panels for mark in panel.marks if isinstance(mark, Label)]
    words = [
        part
        for badge in made.badges
        for part in (badge.words, badge.about, badge.dice.words if badge.dice else "")
    ]
    words += [part for panel in made.panels for part in (panel.heading, panel.text)]
    with speaking(setting.language):
        spoken = alt_text.description(case, resolution, judged_scenario(name))
    said = [
        RULE_NAME.sub("", one)
        for one in (*labels, *words, *made.caption, made.small_print, made.footer, spoken)
    ]
    assert [word for one in said for word in letters(one, names_of(case))] == []


def odds_of(resolution: Resolution) -> Odds:
    """Make odds of a charge, and of a second that never succeeds."""
    half = Fraction(1, 2)
    outcomes: Any = {"success": half, "failed": half, "not_allowed": Fraction(0)}
    totals = (TotalOdds(3, half, {"success": half}), TotalOdds(2, half, {"failed": half}))
    charge = resolution.rulings[0].charge
    refused = ChargeOdds(
        charge, {"success": Fraction(0), "failed": Fraction(0), "not_allowed": Fraction(1)}
    )
    joint: Any = {("success", "not_allowed"): half, ("failed", "not_allowed"): half}
    return Odds((ChargeOdds(charge, outcomes, {"9": half}, totals), refused), joint)


def test_no_word_of_odds_is_outside_of_the_catalogue() -> None:
    """The same of a figure of odds and of what is said of it."""
    resolution = charge_resolution()
    case = case_of(resolution.before, resolution.rulings[0].charge)
    page = odds_page(case, odds_of(resolution), setting=Setting(language=FOREIGN))
    with speaking(FOREIGN):
        spoken = odds_description(odds_of(resolution))
    assert [word for one in (*texts(page), spoken) for word in letters(one, names_of(case))] == []


def test_no_word_said_of_a_map_is_outside_of_the_catalogue() -> None:
    """The same of what is said of a map, but for the keys that were varied."""
    survey = Survey({"1": np.array([1.0])}, {"chance": np.array([0.5])})
    with speaking(FOREIGN):
        spoken = description(survey, np.array([0.5]), "chance", "5")
    assert letters(spoken, set()) == set()


def test_german_figures_speak_german(tmp_path: Path) -> None:
    """A German figure says so in its SVG, and its headings are German."""
    resolution = charge_resolution()
    case = case_of(resolution.before, resolution.rulings[0].charge)
    draw(case, resolution, tmp_path / "a.svg", setting=Setting(language=GERMAN))
    assert 'lang="de"' in (tmp_path / "a.svg").read_text()
    said = {
        words.text
        for words in lay_out(picture(case, resolution, setting=Setting(language=GERMAN))).words
    }
    assert {"Vorher", "Nachher", "Erfolg", "Modell in Kontakt"} <= said
    with speaking(GERMAN):
        assert "Edition 3" in captions.footer(case)


def test_numbers_are_written_as_the_language_does() -> None:
    """German numbers have a comma, and inches are Zoll: of figures and of what stands in words; editions and names of
    rules stay.
    """
    resolution = charge_resolution()
    case = replace(case_of(resolution.before, resolution.rulings[0].charge), edition="1.5")
    made = picture(case, resolution, setting=Setting(language=GERMAN))
    labels = [mark.text for panel in made.panels for mark in panel.marks if isinstance(mark, Label)]
    assert any(re.search(r"\d,\d+\N{NO-BREAK SPACE}Zoll", label) for label in labels)
    assert [label for label in labels if re.search(r"\d\.\d|\N{NO-BREAK SPACE}in\b", label)] == []
    assert made.footer.endswith("Edition 1.5")
    with speaking(GERMAN):
        chance = share(Fraction(2, 3))
    assert GERMAN.say("odds.row", row="x", chance=chance) == "x, zusammen 2/3 = 66,7%."
    third = Fraction(1, 3)
    odds = Odds(
        (
            ChargeOdds(
                resolution.rulings[0].charge,
                {"success": third, "failed": 1 - third, "not_allowed": Fraction(0)},
            ),
        ),
        {},
    )
    assert {"1/3 = 33,3%", "2/3 = 66,7%"} <= {
        words.text for words in odds_page(case, odds, setting=Setting(language=GERMAN)).words
    }
    with speaking(GERMAN):
        assert "Erfolg 1/3 = 33,3%, Misslungen 2/3 = 66,7%" in odds_description(odds)
        assert spot_meanings(np.full(1234, "success"), ())["spot.success"] == "Erfolg: 1.234"


@pytest.mark.parametrize(
    ("word", "code"), [("english", "en"), ("EN", "en"), ("German", "de"), ("de", "de")]
)
def test_languages_have_names_and_codes(word: str, code: str) -> None:
    """A language is asked for by its name or its code."""
    assert language(word).code == code


def test_a_file_of_words_is_read(tmp_path: Path) -> None:
    """A whole catalogue of one's own is used, even with dollar signs and braces of its own doubled."""
    mine = language(catalogue(tmp_path, {"panel.before": "Avant $x$ {{}}"}))
    assert mine.say("panel.before") == "Avant $x$ {}"


@pytest.mark.parametrize("name", BUNDLED)
def test_a_copy_of_a_bundled_language_is_read(tmp_path: Path, name: str) -> None:
    """A translator begins with one, and has the same words and sentences."""
    copy = tmp_path / "mine.toml"
    copy.write_bytes((LANGUAGE_FOLDER / f"{name}.toml").read_bytes())
    mine = language(str(copy))
    own = bundled(name)
    assert mine.words == own.words
    assert [mine.sentences(part) for part in PARTS] == [own.sentences(part) for part in PARTS]


def test_a_part_of_the_program_may_have_other_sentences(tmp_path: Path) -> None:
    """They go before those of all parts, in that part alone."""
    path = Path(catalogue(tmp_path, {}))
    path.write_text(
        f"{path.read_text()}\n[said]\n'rear' = 'back'\n[part.page.said]\n'rear' = 'behind'"
    )
    mine = language(str(path))
    assert [mine.catalogue(part, Looks()).render(say("rear")) for part in ("t9a", "page")] == [
        "back",
        "behind",
    ]


def test_a_file_may_have_sentences_of_rulings(tmp_path: Path) -> None:
    """They are said of every game, in forms of its own; sentences that it does not have stay."""
    path = Path(catalogue(tmp_path, {}))
    said = '"{name} is gone" = "{name:genitive} absence"'
    path.write_text(f"{path.read_text()}\n[said]\n{said}\n[form.genitive]\nrear = 'of the back'")
    speaker = language(str(path)).catalogue("battletech", Looks())
    texts = (
        say("{name} is gone", name="A"),
        say("{name} is gone", name=say("rear")),
        say("{name} stays", name="A"),
    )
    assert [speaker.render(text) for text in texts] == [
        "A absence",
        "of the back absence",
        "A stays",
    ]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ("[said]\n'{name} is lost' = 'x'", "'{name} is lost'"),
        ("[said]\n'{name} is gone' = '{who}'", "'{name} is gone'"),
        ("[said]\n'{name} is gone' = '{name:genitive}'", "'{name} is gone'"),
        ("[said]\n'{name} is gone' = '{name'", "'{name} is gone'"),
        ("[said]\n'{name} is gone' = 1", "'{name} is gone'"),
        ("[form]\ngenitive = 1", "'form.genitive'"),
        ("[form.genitive]\n'{x' = 'y'", "'{x'"),
        ("[part.pages.said]\nrear = 'y'", "unknown tables: 'part.pages.said'"),
        ("[part.page]\nsad = 'y'", "unknown tables: 'part.page.sad'"),
        ("[part]\npage = 'y'", "unknown tables: 'part.page'"),
        ("[part.page.form]\ngenitive = 1", "'part.page.form.genitive'"),
    ],
)
def test_sentences_that_do_not_fit_are_refused(tmp_path: Path, tables: str, message: str) -> None:
    """What no game says, or what fills in something else, is named."""
    path = Path(catalogue(tmp_path, {}))
    path.write_text(f"{path.read_text()}\n{tables}")
    with pytest.raises(UsageError, match=re.escape(message)):
        language(str(path))


@pytest.mark.parametrize("table", ["said", "form"])
def test_sentences_are_a_table(tmp_path: Path, table: str) -> None:
    """A word where a table is expected is refused."""
    path = Path(catalogue(tmp_path, {}))
    path.write_text(f"{table} = 'x'\n{path.read_text()}")
    with pytest.raises(UsageError, match=f"'{table}': expected a table"):
        language(str(path))


def test_missing_words_are_named(tmp_path: Path) -> None:
    """A file with words left out is refused with all of them."""
    with pytest.raises(UsageError, match=r"keys are missing: 'badge\.every_roll', 'panel\.before'"):
        language(catalogue(tmp_path, {}, without=("panel.before", "badge.every_roll")))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"panel.befor": "x"}, r"unknown keys: 'panel\.befor'; did you mean 'panel\.before'"),
        ({"badge.about": "{attacker}"}, r"braces .*'badge\.about'"),
        ({"badge.about": "{charger.__class__}"}, "braces"),
        ({"badge.about": "{charger!r}"}, "braces"),
        ({"badge.about": "{charger:>99999999}"}, "braces"),
        ({"badge.about": "{"}, "braces"),
        ({"badge.about": " "}, "braces"),
    ],
)
def test_wrong_words_are_named(tmp_path: Path, words: dict[str, str], reason: str) -> None:
    """Keys that there are not, and braces that fill in something else, are refused with their names."""
    with pytest.raises(UsageError, match=reason):
        language(catalogue(tmp_path, words))


@pytest.mark.parametrize(
    "data", [b"\xff\xfe", b"[panel", b"before = 1\nbefore = 2", b"x = 1\n" * 300000, b"[" * 5000]
)
def test_files_that_are_no_catalogue_are_refused(tmp_path: Path, data: bytes) -> None:
    """Whatever is in a file, the answer is one error that names it."""
    path = tmp_path / "mine.toml"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=r"--language .*mine\.toml"):
        language(str(path))


@pytest.mark.parametrize("coding", ["utf-16", "cp1252"])
def test_a_catalogue_is_saved_as_utf_8(coding: str, tmp_path: Path) -> None:
    """Of one that is not it is said what to do, as of a scenario; the mark that some editors put before the text does
    not matter.
    """
    path = Path(catalogue(tmp_path, {"panel.before": "Vorher, für alle"}))
    text = path.read_text()
    path.write_bytes(text.encode(coding, "replace"))
    with pytest.raises(
        UsageError,
        match=r"^--language .*mine\.toml: expected UTF-8 text.*: save the file as UTF-8$",
    ):
        language(str(path))
    path.write_text(text, "utf-8-sig")
    assert language(str(path)).say("panel.before") == "Vorher, für alle"


def test_a_folder_is_no_catalogue(tmp_path: Path) -> None:
    """A folder by that name is refused like a file that cannot be read."""
    (tmp_path / "mine.toml").mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        language(str(tmp_path / "mine.toml"))


def test_names_in_s_take_an_apostrophe_alone_in_words_of_figures() -> None:
    """As in the sentences of rulings."""
    assert "middle of Orks' front" in ENGLISH.say("map.front", unit="Orks")
