"""The first screen of `resolve` and `judge`: short enough to be read at once, and as true as the ruling that it is made
of.

`pytest tests/cli/test_first_screen.py -m '' --update-golden` rewrites the texts that are kept.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from plots.marks.captions import judged_words
from plots.marks.deciding import deciding
from tabletop import api, registry
from tabletop.cli import main
from tabletop.cli.first_screen import MOST_LINES, WIDTH, judgement_screen, resolution_screen
from tabletop.cli.report import unstyled
from tabletop.errors import NoVerdictError
from tabletop.language.speech import silent, speak, spoken
from tabletop.scenario import read_case
from tabletop.testing.answers import judged, resolved
from tests.bundled import EACH
from tests.languages import LANGUAGE
from tests.messages import lines_with, untold

KEPT = Path(__file__).parents[1] / "golden" / "first-screen"
SHOWN = (
    "t9a/wheel-and-align",
    "t9a/judged-one-short",
    "t9a/measured-with-a-tape",
    "conquest/longer-than-the-roll",
    "conquest/judged-pushed-too-far",
    "conquest/one-target-an-enemy",
    "wh40k/judged-in-six-moves",
    "wh40k/seven-inches-by-the-tape",
    "wh40k/hanging-on-the-wall",
    "battletech/straight-run",
    "battletech/judged-the-wrong-way",
    "battletech/three-things-wrong",
)
"""Three of each game: successes, failures, refusals, right and wrong claims, measured tables."""


@pytest.fixture(autouse=True)
def _silent() -> Iterator[None]:
    """Start each test in English, whatever language it asks for."""
    with silent():
        yield


def screen_of(name: str, language: str | None = None) -> str:
    """Return the first screen of a bundled scenario in a language."""
    speak(language)
    case, resolution = resolved(name)
    return unstyled(resolution_screen(case, *spoken(case, resolution, judged(name))))


def assert_it_fits(name: str, text: str) -> None:
    """Assert that a screen has at most 16 lines of 80 columns for each charge, and no trailing spaces."""
    lines = text.splitlines()
    assert len(lines) <= MOST_LINES * max(len(resolved(name)[1].rulings), 1)
    assert [line for line in lines if cell_len(line) > WIDTH or line != line.rstrip()] == []


@EACH
def test_sixteen_lines_of_eighty_columns_are_enough(name: str) -> None:
    """For each charge, the claim included; rows may be left out, but not the answer, its rule and what is right."""
    text = screen_of(name)
    assert_it_fits(name, text)
    _, resolution = resolved(name)
    for ruling in resolution.rulings:
        about = "UNDECIDED" if ruling.open else ruling.outcome.replace("_", " ").upper()
        assert (
            f"{ruling.charge.charger} charges {', '.join(ruling.charge.targets)}: {about}"
            in " ".join(text.split())
        )
        assert ruling.rule is None or ruling.rule in text
    judgement = judged(name)
    if judgement is not None:
        assert f"\nClaim: {judged_words(judgement).upper()}" in text
        assert judgement.rule is None or judgement.rule in text
        assert ("\n  Should be " in text) is bool(judgement.better)


@EACH
@LANGUAGE
def test_it_fits_in_other_languages(name: str, language: str) -> None:
    """Their sentences are longer, and yet the answer is on the first screen."""
    assert_it_fits(name, screen_of(name, language))


@EACH
def test_what_decided_is_what_the_figure_draws(name: str) -> None:
    """Where the row is shown: the first goal of the figure, whose finding has its sentence there."""
    case, resolution = resolved(name)
    for ruling in resolution.rulings:
        text = unstyled(resolution_screen(case, replace(resolution, rulings=(ruling,), tables=())))
        shown = text.partition("\n  Decided   ")[2].partition(":")[0]
        assert not shown or shown == deciding(ruling)[1][0].rule


@pytest.mark.parametrize("name", SHOWN)
def test_screen_is_the_one_kept(name: str, request: pytest.FixtureRequest) -> None:
    """Word by word, as a reader sees it."""
    found = f"{screen_of(name)}\n"
    file = KEPT / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(found, "utf-8")
    assert file.read_text("utf-8") == found


def test_every_kept_screen_is_shown() -> None:
    """No text is kept that nothing compares."""
    assert sorted(KEPT.rglob("*.txt")) == sorted(KEPT / f"{name}.txt" for name in SHOWN)


def test_everything_is_printed_on_demand(capsys: pytest.CaptureFixture[str]) -> None:
    """`--all` prints findings and metrics; the first screen, and with it what pipes read, is plain text without
    styles.
    """
    assert main(["resolve", "t9a/wheel-and-align"]) == 0
    first = capsys.readouterr().out
    assert "\x1b" not in first
    assert "Metrics" not in first
    assert first == f"{screen_of('t9a/wheel-and-align')}\n"
    assert main(["resolve", "t9a/wheel-and-align", "--all"]) == 0
    whole = capsys.readouterr().out
    assert "\n  Metrics\n" in whole
    assert "\n  Findings\n" in whole
    for more in ("--all-paths", "--second-opinion"):
        assert main(["resolve", "t9a/wheel-and-align", more]) == 0
        assert "\n  Findings\n" in capsys.readouterr().out
    assert main(["judge", "t9a/judged-one-short", "--all"]) == 1
    assert "\n  What would be right\n" in capsys.readouterr().out


def test_one_form_of_text_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    """A line and everything exclude each other."""
    assert main(["judge", "t9a/judged-one-short", "--all", "--brief"]) == 2
    assert untold(capsys.readouterr().err, "error: --brief .. --all") == []


def test_judge_shows_the_claim_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """With the title, but without the charge; a claim by offset is put right by offset."""
    assert main(["judge", "t9a/judged-another-contact"]) == 1
    text = capsys.readouterr().out
    case, resolution = resolved("t9a/judged-another-contact")
    judgement = judged("t9a/judged-another-contact")
    assert judgement is not None
    assert text == f"{unstyled(judgement_screen(case, resolution, judgement))}\n"
    assert "SUCCESS" not in text
    assert lines_with(text, "Should be .. Guard .. 1.79 in to its right .. offset -0.79")


@pytest.mark.parametrize(
    ("relation", "told"),
    [
        (
            {"flush_on": {"unit": "B", "offset": 1.0}},
            "1.00 in to its right, offset 0.00: at (36.00, 24.00)",
        ),
        (
            {"flush_on": {"unit": "B", "offset": -0.5}},
            "0.50 in to its left, offset 0.00: at (36.00, 24.00)",
        ),
        (
            {"ahead_of": {"unit": "B", "gap": 0.5, "shift": 0.25}},
            "0.25 in to its right, 0.50 in ahead: at (36.00, 24.00)",
        ),
        (
            {"at": [36.0, 24.5], "facing_deg": 267.0},
            "0.03 in to its left, 0.50 in ahead, turned 3.00° left: at (36.00, 24.00)",
        ),
    ],
)
def test_a_correction_speaks_as_the_claim_did(relation: Any, told: str) -> None:
    """By the offset with which it would be right if it was given by one, and always by the shift as the unit looks."""
    tables = {**read_case("t9a/judged-one-short").filed.tables}  # type: ignore[union-attr]
    tables["proposal"] = {"units": {"A": relation}}
    report = api.answer(tables)
    assert report.judgement is not None
    text = unstyled(judgement_screen(report.case, report.resolution, report.judgement))
    assert f"Should be A {told}" in " ".join(text.split())


def no_verdict(*_: object, **__: object) -> Any:
    """Raise as a judge does whose search ends at a limit."""
    raise NoVerdictError("the search for a better place ended at its limit of work")


def test_a_claim_without_a_verdict_leaves_the_ruling(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is printed, the claim's block says why there is none, and the exit code is 4; JSON holds the ruling, and the
    reason is an error.
    """
    monkeypatch.setattr(api, "judge", no_verdict)
    assert main(["resolve", "t9a/judged-one-short"]) == 4
    text = capsys.readouterr().out
    assert "\nA charges B: SUCCESS. 7 models of B and 5 models of A in contact.\n" in text
    assert text.endswith(
        "\n\nClaim: NO VERDICT\n  Why       the search for a better place ended at its limit of work\n"
    )
    for more in ("--all", "--brief"):
        assert main(["resolve", "t9a/judged-one-short", more]) == 4
        printed = capsys.readouterr()
        assert untold(printed.out, "A charges B: success") == []
        assert untold(printed.err, "error: .. limit of work") == []
    assert main(["resolve", "t9a/judged-one-short", "--json"]) == 4
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert [one["outcome"] for one in told["rulings"]] == ["success"]
    assert "judged" not in told
    assert untold(printed.err, "error: .. limit of work") == []
    assert main(["judge", "t9a/judged-one-short"]) == 4


def test_a_game_made_with_the_kit_has_a_first_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its rows are those of the games of this project; what they need comes from its rules, steps and dice."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples" / "skirmish"))
    monkeypatch.setitem(registry.BUILT_IN, "skirmish", "skirmish:SYSTEM")
    assert main(["resolve", "skirmish/two-at-once"]) == 0
    text = capsys.readouterr().out
    wanted = [
        "Anna charges Bert: SUCCESS",
        "Roll .. 4 .. Success 2/3 .. needs 3 or more",
        "Move .. 1 model, at most 7.37 in",
        "Ends .. in base contact; at (12.36, 7.25)",
        "Decided .. skirmish.most: .. 2 enemies",
        "Closest .. skirmish.way (margin +0.00)",
        "Proof .. 10 findings .. --all",
    ]
    assert [line for line in wanted if not lines_with(text, line)] == []
    assert main(["resolve", "skirmish/tired"]) == 0
    assert lines_with(capsys.readouterr().out, "Broken .. skirmish. .. tired")


def test_names_may_be_wide_long_and_look_like_markup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are wrapped by the columns that they take, and printed as they are."""
    names = {"A": "[bold]" + "騎士" * 12, "B": "Orks " * 7 + "[/]"}
    tables = json.loads(json.dumps(read_case("t9a/wheel-and-align").filed.tables))  # type: ignore[union-attr]
    tables["title"] = "猫" * 60
    tables["units"] = {names.get(name, name): unit for name, unit in tables["units"].items()}
    for charge in tables["charges"]:
        charge.update(
            charger=names[charge["charger"]], targets=[names[name] for name in charge["targets"]]
        )
    for entry in tables.get("expect", []):
        entry.pop("units", None)
    file = tmp_path / "names.json"
    file.write_text(json.dumps(tables), "utf-8")
    assert main(["resolve", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= WIDTH
    assert names["A"][:20] in "".join(lines)
    assert any("[/]" in line for line in lines)
