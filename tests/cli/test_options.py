"""What a shell completes, asked as a shell asks it, and the options of figures, the same wherever one is drawn."""

import re
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.cli.errors import ExitCode
from tabletop.cli.options import questions
from tests.messages import untold


def _completed(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """Complete the last word of a line, as Bash does."""
    for name, value in {
        "_TABLETOP_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    return capsys.readouterr().out.split()


def test_names_are_completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scenarios where one may be asked, systems where one is named, commands and options."""
    assert _completed("tabletop resolve t9a/wheel-and-a", monkeypatch, capsys) == [
        "t9a/wheel-and-align"
    ]
    assert "conquest/longer-than-the-roll" in _completed("tabletop check conq", monkeypatch, capsys)
    assert _completed("tabletop rules batt", monkeypatch, capsys) == ["battletech"]
    assert _completed("tabletop odds --bri", monkeypatch, capsys) == ["--brief"]
    assert _completed("tabletop rules t9a --language ge", monkeypatch, capsys) == ["german"]
    assert _completed("tabletop draw t9a/wheel-and-align --language fr", monkeypatch, capsys) == [
        "french"
    ]


def test_files_are_completed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those that may hold a scenario, and folders; nothing where there is no such folder."""
    for name in ("b.toml", "b.txt", "b.svg", ".b.toml"):
        (tmp_path / name).touch()
    (tmp_path / "bundle").mkdir()
    monkeypatch.chdir(tmp_path)
    assert questions("b")[-3:] == ["b.svg", "b.toml", "bundle/"]
    assert questions(f"{tmp_path}/b.t") == [f"{tmp_path}/b.toml"]
    assert questions(f"{tmp_path}/") == [
        f"{tmp_path}/{name}" for name in ("b.svg", "b.toml", "bundle/")
    ]
    assert questions("nowhere/") == []
    assert questions("\0/") == []


@pytest.mark.parametrize("command", ["", "resolve", "import megamek", "page"])
def test_the_help_says_what_exit_codes_mean(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them, in the help of the program and of each command."""
    assert main([*command.split(), "--help"]) == 0
    numbers = [
        int(word) for word in capsys.readouterr().out.replace(",", " ").split() if word.isdecimal()
    ]
    assert numbers[-len(ExitCode) :] == list(ExitCode)


DRAWING = {
    "draw": ["draw", "drill/march", "-o"],
    "resolve": ["resolve", "drill/march", "--figure"],
    "odds": ["odds", "t9a/odds-maximised", "--figure"],
    "explore": [
        "explore",
        "drill/march",
        "--vary",
        "units.B.y=20:21:1",
        "--workers",
        "1",
        "--figure",
    ],
}
OPTIONS = ["--theme", "print", "--size", "single-column", "--language", "german"]


@pytest.mark.parametrize("command", DRAWING)
def test_figures_look_as_asked(command: str, tmp_path: Path) -> None:
    """Every command that draws takes theme, size and language, and the file is as wide as a column and speaks
    German.
    """
    out = tmp_path / "a.svg"
    assert main([*DRAWING[command], str(out), *OPTIONS]) == 0
    svg = out.read_text()
    assert 'lang="de"' in svg
    assert 'width="252pt"' in svg
    assert "#0072b2" not in svg


@pytest.mark.parametrize(
    "option", [["--theme", "neon"], ["--size", "huge"], ["--language", "klingon"], ["--scale", "2"]]
)
@pytest.mark.parametrize("command", DRAWING)
def test_bad_words_write_nothing(
    command: str, option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One error that names the option, code 2, no file; odds have no scale at all."""
    assert main([*DRAWING[command], str(tmp_path / "a.svg"), *option]) == 2
    captured = capsys.readouterr()
    assert option[0] in captured.err
    assert captured.out == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "words"), [("no/b.svg", "folder .. {folder}/no"), ("folder.svg", "folder")]
)
@pytest.mark.parametrize("command", DRAWING)
def test_nothing_is_written_where_one_figure_cannot_be(
    command: str, name: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A figure that cannot be written is refused before the work begins, and before another one is written."""
    (tmp_path / "folder.svg").mkdir()
    first = [] if command in ("draw", "explore") else ["--figure", str(tmp_path / "a.svg")]
    assert main([*DRAWING[command][:2], *first, *DRAWING[command][2:], str(tmp_path / name)]) == 2
    captured = capsys.readouterr()
    assert (
        untold(captured.err, f"error: {tmp_path / name}: .. {words.format(folder=tmp_path)}") == []
    )
    assert captured.out == ""
    assert [file.name for file in tmp_path.iterdir()] == ["folder.svg"]


def test_bad_words_are_refused_without_a_figure_too() -> None:
    """A theme that there is not is a mistake even where nothing is drawn."""
    assert main(["resolve", "drill/march", "--theme", "neon"]) == 2
    assert main(["resolve", "drill/march", "--theme", "dark"]) == 0


def test_a_figure_that_does_not_fit_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page too small is one error that says what is needed, and nothing is printed or written."""
    assert (
        main(["resolve", "drill/march", "--figure", str(tmp_path / "a.svg"), "--size", "2x2"]) == 2
    )
    captured = capsys.readouterr()
    assert untold(captured.err, "--size: .. 2 x 2 in .. 2.0 x 6.0 in") == []
    assert captured.out == ""
    assert not list(tmp_path.iterdir())


def test_moving_pictures_take_them_too(tmp_path: Path) -> None:
    """A page that plays the steps speaks the language that is asked for."""
    assert main(["draw", "drill/march", "-o", str(tmp_path / "a.html"), *OPTIONS]) == 0
    assert '<html lang="de">' in (tmp_path / "a.html").read_text()


@pytest.mark.parametrize("command", DRAWING)
def test_every_figure_may_be_bare_of_outlines_and_of_other_dots(
    command: str, tmp_path: Path
) -> None:
    """Each command that draws takes --bare, --text and --dpi."""
    plain = tmp_path / "plain.svg"
    bare = tmp_path / "bare.svg"
    dots = tmp_path / "a.webp"
    for out, options in (
        (plain, []),
        (bare, ["--bare", "--text", "outlines"]),
        (dots, ["--dpi", "30"]),
    ):
        assert main([*DRAWING[command], str(out), *options]) == 0
    assert "<text" in plain.read_text()
    assert "<text" not in bare.read_text()
    assert 'id="footer-game"' not in bare.read_text()
    assert dots.read_bytes().startswith(b"RIFF")


@pytest.mark.parametrize("option", [["--text", "letters"], ["--dpi", "5"]])
@pytest.mark.parametrize("command", DRAWING)
def test_bad_words_of_files_write_nothing(
    command: str, option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One error that names the option, code 2, no file."""
    assert main([*DRAWING[command], str(tmp_path / "a.svg"), *option]) == 2
    assert option[0] in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--panel", "middle"], "--panel 'middle': .. 'before' .. 'after'"),
        (["--panel", "9"], "--panel '9': .. '1'"),
        (["--sheet", "a5"], "--sheet 'a5': .. 'a4' .. 'letter'"),
        (["--sheet", "a4"], "--sheet .. .pdf"),
    ],
)
def test_panels_and_sheets_that_there_are_not(
    option: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Code 2, with what there is, and no file."""
    for command in ("draw", "resolve"):
        assert main([*DRAWING[command], str(tmp_path / "a.svg"), *option]) == 2
        assert untold(capsys.readouterr().err, words) == []
        assert not list(tmp_path.iterdir())


def test_figures_are_for_readers_or_for_judges(tmp_path: Path) -> None:
    """Readers find no rules, judges find them behind the outcome."""
    words = {}
    for audience in ("reader", "judge"):
        figure = tmp_path / f"{audience}.svg"
        assert (
            main(["resolve", "t9a/failed-wheel", "--for", audience, "--figure", str(figure)]) == 0
        )
        lines = re.findall(
            r'<g id="([^"]*)">\s*<text[^>]*>([^<]*)</text>', figure.read_text("utf-8")
        )
        words[audience] = {name for name, text in lines if "t9a.range" in text}
    assert not words["reader"]
    assert any(name.startswith("outcome") for name in words["judge"])
