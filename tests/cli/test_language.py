"""What commands print for people, in the language that `--language` or the environment names; without either it is
English.
"""

import json
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.language.speech import VARIABLE
from tabletop.registry import find
from tabletop.scenario.schema import schema_of
from tabletop.scenario.template import template_of
from tests.messages import lines_with, untold

GERMAN = ["--language", "german"]


def said(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> tuple[str, str]:
    """Run a command, and give what it prints and what it says beside that."""
    assert main(list(argv)) == code
    printed = capsys.readouterr()
    return printed.out, printed.err


@pytest.mark.parametrize("game", ["t9a", "conquest", "wh40k", "battletech"])
def test_a_ruling_of_each_game_is_printed_in_german(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Frame and sentences; names of rules, of units and of metrics stay as they are."""
    file = tmp_path / "charge.toml"
    file.write_text(template_of(find(game), schema_of(find(game))), "utf-8")
    out, _ = said(capsys, "resolve", str(file), "--all", *GERMAN)
    assert " greift " in out
    assert "\n  Schritte\n    1. " in out
    assert "\n  Befunde\n    " in out
    assert f"  {game}." in out
    assert "\n  Kennzahlen\n" in out
    assert "\n  Sicherheit\n" in out
    assert [
        word for word in (" charges ", "Findings", "measured", "margin", "proof") if word in out
    ] == []


def test_rulings_judgements_and_chances_are_printed_in_german(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At length and in a line."""
    out, _ = said(capsys, "resolve", "t9a/wheel-and-align", "--all", *GERMAN)
    assert "ok  t9a.declare.max-range: B ist 7,33 Zoll entfernt" in out
    assert "(gemessen 7,333985, Grenze 12, Spielraum +4,666)" in out
    assert "    kleinster Wurf, der gelingt: 2; Chance 5/6 (0,833)\n" in out
    out, _ = said(capsys, "resolve", "t9a/wheel-and-align", "--brief", *GERMAN)
    assert out == "A greift B an: Erfolg (t9a.align.target-models: 6 Modelle von B in Kontakt)\n"
    out, _ = said(capsys, "judge", "t9a/judged-one-short", "--all", *GERMAN, code=1)
    assert out.startswith(
        "Vorschlag: nicht erlaubt (t9a.align.target-models)\n  Der Vorschlag ist nicht, was die Regeln verlangen."
    )
    assert "\n  Richtig wäre\n    A bei (36, 24), Blick 270 Grad\n" in out
    out, _ = said(capsys, "odds", "t9a/odds-maximised", *GERMAN)
    assert "    Erfolg      3/4  75,00%\n" in out
    assert "\n  Regeln, die gegen den Erfolg entscheiden\n" in out


def test_json_is_the_same_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    """It is for programs."""
    plain = said(capsys, "resolve", "t9a/wheel-and-align", "--json")
    assert said(capsys, "resolve", "t9a/wheel-and-align", "--json", *GERMAN) == plain
    assert json.loads(plain[0])["rulings"][0]["outcome"] == "success"


ERRORS = [
    (
        ["resolve", "no-such"],
        3,
        "Fehler: no-such: eine solche Datei gibt es nicht, und auch kein mitgeliefertes Szenario dieses Namens",
    ),
    (["odds", "t9a/wheel-and-aligm"], 3, "; war 't9a/wheel-and-align' gemeint?"),
    (
        ["resolve", "t9a/wheel-and-align", "--brief", "--json"],
        2,
        "Fehler: --brief und --json schließen sich aus\n",
    ),
    (
        ["resolve", "t9a/wheel-and-align", "--dice", "9"],
        2,
        "Fehler: --dice 9: erwartet: Augenzahlen von 1 bis 6 mit Kommas dazwischen\n",
    ),
    (
        ["resolve", "t9a/wheel-and-align", "--set", "rules.tie=x"],
        2,
        "Fehler: --set rules.tie: erwartet: ",
    ),
    (
        ["explore", "t9a/wheel-and-align", "--vary", "rules.tie=a"],
        2,
        "erwartet: 'longest-contact', 'centre' oder 'least-slide'; angegeben: 'a'",
    ),
    (
        ["resolve", "t9a/wheel-and-align", "--max-seconds", "0"],
        2,
        "Fehler: --max-seconds 0.0: erwartet: eine Zahl größer als 0\n",
    ),
    (
        ["resolve", "t9a/wheel-and-align", "--figure", "a.bmp"],
        2,
        "Fehler: a.bmp: der Name einer Abbildung muss so enden: .svg, .pdf",
    ),
    (
        ["draw", "t9a/wheel-and-align", "-o", "a.svg", "--size", "huge"],
        2,
        "Fehler: --size 'huge': erwartet: 'single-column', 'double-column'",
    ),
]


@pytest.mark.parametrize(("argv", "code", "words"), ERRORS)
def test_errors_are_german(
    argv: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the option, the key and the remedy as they are written."""
    out, err = said(capsys, *argv, *GERMAN, code=code)
    assert words in err
    assert out == ""


def test_faults_carry_file_key_and_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong in a file is named with its line and its key, and a near word is suggested."""
    file = tmp_path / "charge.toml"
    file.write_text(
        template_of(find("t9a"), schema_of(find("t9a"))).replace("\nfacing_deg", "\nfacng_deg", 1),
        "utf-8",
    )
    _, err = said(capsys, "resolve", str(file), *GERMAN, code=3)
    assert err.startswith(f"Fehler: {file}: Zeile ")
    assert ".facng_deg: unbekannter Schlüssel; war 'facing_deg' gemeint? (hier bekannt: " in err
    file.write_text("system = 't9a'\nboard = yes\n", "utf-8")
    _, err = said(capsys, "resolve", str(file), *GERMAN, code=3)
    assert err == (
        f"Fehler: {file}: Zeile 2, Spalte 9: kein gültiges TOML: ungültiger Wert; Text steht in "
        "Anführungszeichen: 'yes'\n"
    )


BROKEN = [
    (
        "a = 1\n[a.b]\n",
        "Zeile 2, Spalte 5: kein gültiges TOML: ein Wert lässt sich nicht überschreiben",
    ),
    ("[a]\n[a]\n", "Zeile 2, Spalte 3: kein gültiges TOML: a lässt sich nicht zweimal anlegen"),
    (
        "a = { b = 1, b = 2 }\n",
        "kein gültiges TOML: der Schlüssel 'b' steht zweimal in einer Tabelle",
    ),
    ('a = "\\xg"\n', "kein gültiges TOML: ein einzelnes '\\' in einem Text"),
    (
        "a = 1 \x01\n",
        "kein gültiges TOML: nach einer Anweisung wird ein Zeilenende oder das Ende der Datei erwartet",
    ),
    ("# \x01\n", "kein gültiges TOML: das Zeichen '\\x01' ist hier nicht erlaubt"),
]


@pytest.mark.parametrize(("text", "words"), BROKEN)
def test_files_that_cannot_be_parsed_are_refused_in_german(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The parser's own words too, with the key or the character that they name."""
    file = tmp_path / "charge.toml"
    file.write_text(text, "utf-8")
    assert words in said(capsys, "resolve", str(file), *GERMAN, code=3)[1]


def test_the_environment_names_the_language_of_all_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The option goes before it."""
    plain, _ = said(capsys, "resolve", "t9a/wheel-and-align", "--brief")
    monkeypatch.setenv(VARIABLE, "german")
    assert (
        said(capsys, "resolve", "t9a/wheel-and-align", "--brief")[0]
        == said(capsys, "resolve", "t9a/wheel-and-align", "--brief", *GERMAN)[0]
    )
    assert (
        said(capsys, "resolve", "t9a/wheel-and-align", "--brief", "--language", "english")[0]
        == plain
    )
    assert said(capsys, "rules", "t9b", code=2)[1].startswith(
        "Fehler: kein Spiel heißt 't9b'; war 't9a' gemeint?"
    )
    assert said(capsys, "check", "t9a/wheel-and-align")[0] == "ok  t9a/wheel-and-align\n"
    monkeypatch.setenv(VARIABLE, "klingon")
    out, err = said(capsys, "scenarios", code=2)
    assert out == ""
    assert (
        untold(err, f"error: {VARIABLE} 'klingon': .. 'english' .. 'french' .. 'german' .. TOML")
        == []
    ), err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["check", "t9a/long-shot-failed"], "ok  t9a/long-shot-failed\n"),
        (["rules", "t9a", "t9a.move.wheel"], "der Angreifer schwenkt höchstens einmal"),
        (["rules", "t9a", "--fields"], "wheel_limit_deg"),
        (["scenarios", "t9a/long-shot-failed"], "Szenario"),
        (["schema", "t9a"], "Name der anderen Einheit."),
        (["link", "t9a/long-shot-failed"], "tt1."),
        (
            ["compare", "t9a/wheel-and-align", "--set", "system.wheel_limit_deg=90"],
            "0 von 1 Szenarien ändern sich",
        ),
    ],
)
def test_every_command_takes_a_language(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it prints is German, and a language that is not known is told."""
    assert words in said(capsys, *argv, *GERMAN)[0]
    out, err = said(capsys, *argv, "--language", "klingon", code=2)
    assert out == ""
    assert untold(err, "error: --language 'klingon': .. 'german'") == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("german", "Zustand Angriff misslungen statt keiner"),
        ("french", "état charge ratée et non aucun"),
    ],
)
def test_what_changes_is_told_in_the_language(
    language: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sentences with the words of the game, and the status of a unit."""
    argv = ["compare", "t9a/failed-wheel", "--set", "system.wheel_limit_deg=30"]
    out, _ = said(capsys, *argv, "--language", language)
    assert words.split(" ", maxsplit=1)[0] in out
    assert [
        word
        for word in ("charges", "instead", "allowed", "ends", "faces", "failed charge", "none")
        if word in out
    ] == []
    assert said(capsys, *argv, "--json", "--language", language) == said(capsys, *argv, "--json")


def test_without_either_it_is_english(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So it is if the variable is empty."""
    plain = said(capsys, "resolve", "t9a/wheel-and-align")
    monkeypatch.setenv(VARIABLE, "")
    assert said(capsys, "resolve", "t9a/wheel-and-align") == plain
    assert said(capsys, "resolve", "t9a/wheel-and-align", "--language", "english") == plain


def test_numbers_of_cases_are_written_as_in_german(capsys: pytest.CaptureFixture[str]) -> None:
    """With points between thousands."""
    many = ["--vary", "units.A.x=0:40:0.001", "--vary", "units.B.x=0:40:0.1"]
    _, err = said(capsys, "explore", "t9a/wheel-and-align", *many, *GERMAN, code=2)
    assert err.startswith("Fehler: 16.040.401 Fälle (40.001 x 401): ")


MISUSED = [
    (["resolve"], "FILE fehlt"),
    (["draw", "x"], "-o / --out fehlt"),
    (
        ["resolve", "x", "--langage", "de"],
        "die Option '--langage' gibt es nicht; war '--language' gemeint?",
    ),
    (["resolve", "x", "-x"], "die Option '-x' gibt es nicht"),
    (["--nope"], "die Option '--nope' gibt es nicht"),
    (["resolve", "x", "--seed", "four"], "--seed: erwartet: eine ganze Zahl"),
    (["resolve", "x", "--max-seconds", "long"], "--max-seconds: erwartet: eine Zahl"),
    (["explore", "x", "--workers", "0"], "--workers: erwartet: eine ganze Zahl ab 1"),
    (["resolve", "x", "--seed"], "die Option '--seed' braucht einen Wert"),
    (["resolve", "x", "--json=3"], "die Option '--json' nimmt keinen Wert"),
    (["resolve", "x", "y", "z"], "überzählige Argumente: 'y', 'z'"),
    (["resolv", "x"], "den Befehl 'resolv' gibt es nicht; war 'resolve' gemeint?"),
    (["import", "roll20"], "den Befehl 'roll20' gibt es nicht"),
]


@pytest.mark.parametrize(("argv", "words"), MISUSED)
def test_command_lines_that_cannot_be_parsed_are_refused_in_german(
    argv: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Below how the command is used; in English the words are Typer's, as without a language."""
    _, plain = said(capsys, *argv, code=2)
    assert "Usage: tabletop" in plain or "Error: Option" in plain
    monkeypatch.setenv(VARIABLE, "english")
    assert said(capsys, *argv, code=2) == ("", plain)
    monkeypatch.setenv(VARIABLE, "german")
    out, err = said(capsys, *argv, code=2)
    assert out == ""
    assert err.startswith("Aufruf: tabletop ")
    assert err.endswith(f" --help' zeigt, was es gibt.\n\nFehler: {words}\n")


def test_the_language_is_read_of_a_command_line_that_cannot_be_parsed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Behind the option or joined to it; one that there is not leaves the words in English."""
    for words in (GERMAN, ["--language=de"]):
        assert said(capsys, "resolve", *words, "--nope", code=2)[1].startswith(
            "Aufruf: tabletop resolve [OPTIONEN] "
        )
    assert said(capsys, "resolve", "--nope", "--language", "klingon", code=2)[1].startswith(
        "Usage: tabletop resolve [OPTIONS] "
    )


def test_a_group_without_a_command_is_helped_in_any_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its help is no error."""
    plain = said(capsys, "import", code=2)
    monkeypatch.setenv(VARIABLE, "german")
    assert said(capsys, "import", code=2) == plain


def test_remarks_on_files_of_other_programs_are_german(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error; the file that is written is the same in every language."""
    board = tmp_path / "valley.board"
    board.write_text(
        'size 2 1\nhex 0101 120 "woods:1;fuel_tank:2" ""\nhex 0301 0 "" ""\nfog\n', "utf-8"
    )
    plain = said(capsys, "import", "megamek", str(board))
    assert lines_with(plain[1], "note: .. 1 .. fuel_tank .. building .. 0101")
    save = tmp_path / "save.json"
    save.write_text("{", "utf-8")
    monkeypatch.setenv(VARIABLE, "german")
    out, err = said(capsys, "import", "megamek", str(board))
    assert out == plain[0]
    assert err.splitlines() == [
        "Hinweis: 1 Feld: fehlt in der Datei, als freies Feld der Ebene 0 gelesen: 0201",
        "Hinweis: 1 Feld: fuel_tank:2 ohne fuel_tank_cf, mit dem Vorgabewert 40 von MegaMek: 0101",
        "Hinweis: 1 Feld: fuel_tank, genommen als building: 0101",
        "Hinweis: 1 Feld: Ebene 120 (möglich: -20 bis 20), genommen als prohibited: 0101",
        "Hinweis: 1 Feld: woods in einem Feld mit fuel_tank, das nur eines davon haben kann: weggelassen: 0101",
        "Hinweis: Felder außerhalb des Plans sind weggelassen: 0301",
        "Hinweis: Zeilen, die nicht verstanden werden: Zeile 4",
        "Hinweis: der Datei fehlt die letzte Zeile end: ist sie abgeschnitten?",
    ]
    _, err = said(capsys, "import", "tts", str(save), "--system", "wh40k", code=3)
    assert err.endswith(
        ": ein Schlüssel in doppelten Anführungszeichen wird erwartet: Zeile 1, Spalte 2 (Zeichen 1)\n"
    )


def test_what_jitter_tells_is_german(capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict, those that other tables give, and how often."""
    out, _ = said(
        capsys,
        "explore",
        "t9a/wheel-and-align",
        "--question",
        "jitter",
        "--samples",
        "8",
        "--within",
        "2,20",
        *GERMAN,
    )
    assert out.startswith("„Erfolg“ gilt auf ")
    assert "\n  nicht erlaubt (t9a.declare.room)  " in out
    assert "success" not in out
    assert "not_allowed" not in out


def test_a_number_too_long_to_print_is_called_so_in_german(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is no text of the file."""
    file = tmp_path / "charge.toml"
    file.write_text(f"system = 't9a'\ntitle = 0x{'f' * 5000}\n", "utf-8")
    assert (
        "angegeben: eine Zahl, zu lang zum Ausgeben\n"
        in said(capsys, "resolve", str(file), *GERMAN, code=3)[1]
    )


@pytest.mark.parametrize("game", ["t9a", "conquest", "wh40k", "battletech"])
def test_rules_are_listed_in_german(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What they demand and where they are from, and the numbers of the book; names and JSON stay as they are."""
    plain = said(capsys, "rules", game)[0]
    plain_json = said(capsys, "rules", game, "--json")
    monkeypatch.setenv(VARIABLE, "german")
    out, _ = said(capsys, "rules", game)
    assert said(capsys, "rules", game, "--json") == plain_json
    for words, listing in (
        (" limit ", plain),
        (" Grenze ", out),
        (" judging: ", plain),
        (" beim Urteilen: ", out),
    ):
        assert words in listing
    assert [word for word in (" limit ", " procedure ", " the ", " with ") if word in out] == []
    fields, _ = said(capsys, "rules", game, "--fields")
    assert [word for word in (" the ", ": greatest", " of ", " deg ") if word in fields] == []
