"""What the commands print, write and return."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tabletop import registry
from tabletop.cli import main
from tests.drill.files import REMOVED, march_json
from tests.messages import lines_with, untold

PROPOSAL = {"units": {"A": {"at": [20, 16], "facing_deg": 90}}}
WRONG = {"units": {"A": {"at": [20, 15], "facing_deg": 90}}}
COMMANDS = ("resolve", "judge", "check", "draw", "odds", "scenarios", "rules", "schema")


@pytest.fixture
def march(tmp_path: Path) -> Any:
    """Return a function that writes the march, with changes, to a file and gives its name."""

    def write(changes: dict[str, Any] | None = None, name: str = "march.json") -> str:
        file = tmp_path / name
        file.write_text(march_json(changes), "utf-8")
        return str(file)

    return write


def test_resolve_prints_every_part_of_a_ruling(capsys: pytest.CaptureFixture[str]) -> None:
    """Title, outcome, steps, findings, metrics and certainty are in the text."""
    assert main(["resolve", "drill/march", "--all"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    wanted = [
        "A march that arrives",
        "Drill .. 2nd",
        None,
        "A .. B .. success",
        "A marches.",
        None,
        "1. .. forward .. A .. 6.000 in .. (20, 16) .. 90 .. [drill.march]",
        None,
        "ok .. drill.march: .. How far it marches. .. measured 6 .. limit 6 .. margin +0 .. marginal",
        None,
        "reach .. 6",
        "roll .. 3",
        "p .. 0.5",
        "p_fraction .. 1/2",
        None,
        "3 .. 1/2 .. 0.500",
        "1",
        "exact",
    ]
    for line, parts in zip(lines, wanted, strict=True):
        assert parts is None or untold(line, parts) == [], line


def test_resolve_tells_a_broken_rule_in_words(
    march: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failed charge names its rule, marks the finding, and still ends with 0."""
    assert main(["resolve", march({"charges/0/dice": [1]}), "--all"]) == 0
    out = capsys.readouterr().out
    assert lines_with(out, "A .. B .. failed .. (drill.march)")
    assert lines_with(
        out, "NO .. drill.march: .. How far it marches. .. measured 4 .. limit 6 .. margin -2"
    )


def test_resolve_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints the result, twice the same bytes."""
    outputs = []
    for _ in range(2):
        assert main(["resolve", "drill/march", "--json"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])["rulings"][0]["outcome"] == "success"


def test_dice_seed_and_overrides_change_the_answer(
    march: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--dice` replaces the file's faces, `--seed` throws those left out, `--set` replaces the book's numbers."""

    def roll(*options: str) -> Any:
        assert main(["resolve", march({"charges/0/dice": REMOVED}), "--json", *options]) == 0
        return json.loads(capsys.readouterr().out)["rulings"][0]["metrics"]

    assert roll("--dice", "5") == {"reach": 8.0, "roll": 5, "p": 0.5, "p_fraction": "1/2"}
    assert roll("--dice", "5", "--set", "system.bonus=3")["reach"] == 10.0
    assert roll() == roll("--seed", "0")
    assert len({roll("--seed", str(seed))["roll"] for seed in range(30)}) == 6


def test_resolve_judges_a_proposal_too(march: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A file with a proposal gets the verdict on it, in text and in JSON, without changing the exit code."""
    file = march({"proposal": WRONG})
    assert main(["resolve", file, "--all"]) == 0
    assert lines_with(capsys.readouterr().out, "Proposal .. (drill.halt)")
    assert main(["resolve", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["judged"]["rule"] == "drill.halt"


def test_judge_answers_with_its_exit_code(march: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A right proposal ends with 0, a wrong one with 1 and what would be right."""
    assert main(["judge", march({"proposal": PROPOSAL}), "--all"]) == 0
    assert lines_with(capsys.readouterr().out, "Proposal .. success")
    assert main(["judge", march({"proposal": WRONG}), "--all"]) == 1
    assert untold(capsys.readouterr().out.splitlines()[-1], "A .. (20, 16) .. 90") == []
    assert main(["judge", march({"proposal": WRONG}), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["judged"]["better"] == PROPOSAL["units"]


def test_judge_draws_all_figures_asked_for(march: Any, tmp_path: Path) -> None:
    """`--figure` may be given several times; the exit code is the judgement's."""
    figures = [tmp_path / "a.svg", tmp_path / "b.png"]
    asked = [
        "judge",
        march({"proposal": WRONG}),
        "--figure",
        str(figures[0]),
        "--figure",
        str(figures[1]),
        "--theme",
        "dark",
    ]
    assert main(asked) == 1
    assert all(figure.stat().st_size > 1000 for figure in figures)
    assert 'id="demanded-unit-A"' in figures[0].read_text(encoding="utf-8")


def test_judge_draws_nothing_without_a_proposal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file without a proposal is refused, and a figure's name that means nothing before that."""
    assert main(["judge", "drill/march", "--figure", str(tmp_path / "a.svg")]) == 3
    assert main(["judge", "drill/march", "--figure", str(tmp_path / "a.jpg")]) == 2
    assert list(tmp_path.iterdir()) == []
    assert lines_with(capsys.readouterr().err, "error: drill/march: proposal: .. missing")


def test_judge_needs_a_proposal(capsys: pytest.CaptureFixture[str]) -> None:
    """A file without a proposal cannot be judged."""
    assert main(["judge", "drill/march"]) == 3
    assert lines_with(capsys.readouterr().err, "error: drill/march: proposal: .. missing")


def test_check_goes_on_and_ends_with_the_highest_code(
    march: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every file is checked; differences go to standard output, errors to standard error."""
    differs = march({"expect/0/choices": 2}, "differs.json")
    broken = march({"titel": ""}, "broken.json")
    assert main(["check", "drill/march"]) == 0
    assert main(["check", "drill/march", differs]) == 1
    assert main(["check", broken, differs, "drill/march"]) == 3
    captured = capsys.readouterr()
    verdict, difference, other = captured.out.splitlines()[-3:]
    assert (verdict, other) == (f"DIFFERS  {differs}", "ok  drill/march")
    assert untold(difference, "expect[0].choices: .. 2 .. 1") == []
    assert untold(captured.err, f"error: {broken}: titel: .. 'title' .. 'title'") == []


def test_check_lists_differences_as_json(march: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one list over all files."""
    file = march({"expect/0/choices": 2, "expect/0/outcome": "failed"})
    assert main(["check", "drill/march", file, "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {"file": file, "key": "expect[0].outcome", "expected": "failed", "found": "success"},
        {"file": file, "key": "expect[0].choices", "expected": 2, "found": 1},
    ]


def test_check_needs_an_expectation_per_charge(
    march: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file whose expectations do not match its charges is a bad scenario."""
    assert main(["check", march({"expect": []})]) == 3
    assert untold(capsys.readouterr().err, "expect: .. [[expect]] .. 1 .. 0") == []


def test_check_compares_the_judgement(march: Any) -> None:
    """`judged` in the last expectation is compared with the verdict on the proposal."""
    changes = {
        "proposal": WRONG,
        "expect/0/judged": {"outcome": "not_allowed", "rule": "drill.halt"},
    }
    assert main(["check", march(changes)]) == 0
    assert main(["check", march({**changes, "proposal": PROPOSAL})]) == 1


@pytest.mark.parametrize("view", [[], ["--steps"], ["--board"]])
def test_draw_writes_a_figure(view: list[str], tmp_path: Path) -> None:
    """Each view becomes a file, and nothing else is left beside it."""
    out = tmp_path / "march.svg"
    assert main(["draw", "drill/march", "-o", str(out), *view]) == 0
    assert b"<svg" in out.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["march.svg"]


@pytest.mark.parametrize(
    ("file", "brief", "code"),
    [
        ("conquest/no-way-past", "resolve", 0),
        ("battletech/second-in-the-queue", "resolve", 0),
        ("t9a/judged-one-short", "judge", 1),
        ("wh40k/judged-on-the-barricade", "judge", 1),
    ],
)
def test_draw_prints_the_verdict_it_draws(
    file: str, brief: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The brief line of each ruling, or of the claim if there is one; of a set-up alone nothing is said."""
    assert main([brief, file, "--brief"]) == code
    line = capsys.readouterr().out
    assert main(["draw", file, "-o", str(tmp_path / "a.png")]) == 0
    assert capsys.readouterr().out == line
    assert main(["draw", file, "--board", "-o", str(tmp_path / "a.png")]) == 0
    assert capsys.readouterr().out == ""


def test_resolve_draws_all_figures_asked_for(tmp_path: Path) -> None:
    """`--figure` may be given several times."""
    figures = [tmp_path / "a.svg", tmp_path / "b.png"]
    assert (
        main(["resolve", "drill/march", "--figure", str(figures[0]), "--figure", str(figures[1])])
        == 0
    )
    assert all(figure.stat().st_size > 1000 for figure in figures)


def test_the_board_alone_needs_no_answer(march: Any, tmp_path: Path) -> None:
    """A case that is not modelled can still be drawn as a set-up."""
    file = march({"units/A/profile": {"mood": 4}})
    assert main(["draw", file, "-o", str(tmp_path / "a.svg")]) == 4
    assert main(["draw", file, "-o", str(tmp_path / "a.svg"), "--board"]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["settle"],
        ["resolve"],
        ["resolve", "drill/march", "--fast"],
        ["resolve", "drill/march", "--dice", "7"],
        ["resolve", "drill/march", "--dice", "4,"],
        ["resolve", "drill/march", "--dice", "four"],
        ["resolve", "drill/march", "--seed", "x"],
        ["resolve", "drill/march", "--max-seconds", "0"],
        ["resolve", "drill/march", "--max-seconds", "nan"],
        ["resolve", "drill/march", "--set", "halt=late"],
        ["resolve", "drill/march", "--set", "rules.halt=never"],
        ["resolve", "drill/march", "--figure", "march.jpg"],
        ["draw", "drill/march"],
        ["draw", "drill/march", "-o", "march"],
        ["draw", "drill/march", "-o", "march.svg", "--steps", "--board"],
        ["draw", "drill/march", "-o", "/nowhere/march.svg"],
        ["rules", "chess"],
    ],
)
def test_wrong_options_are_usage_errors(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be asked ends with 2 and a message, without a traceback."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert captured.err or not arguments


def test_bad_scenarios_write_nothing(
    march: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A refused file ends with 3, prints no result and writes no figure."""
    out = tmp_path / "march.svg"
    assert main(["resolve", march({"units/A/files": 99}), "--figure", str(out)]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert untold(captured.err, "units.A.models: .. 99 .. 12") == []
    assert not out.exists()


@pytest.mark.parametrize("dice", ["4,4", "1,2,3"])
def test_leftover_faces_are_an_error(dice: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A flat list of faces must come out even; the message names the file."""
    assert main(["resolve", "drill/march", "--dice", dice]) == 3
    assert (
        untold(
            capsys.readouterr().err, f"error: drill/march: --dice: .. 1 .. {len(dice.split(','))}"
        )
        == []
    )


def test_cases_not_modelled_have_their_own_code(
    march: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """No verdict is not a bad scenario, and no bug."""
    assert main(["resolve", march({"units/A/profile": {"mood": 4}})]) == 4
    assert capsys.readouterr().err == "error: moods above 3 are not modelled yet\n"


def test_bugs_are_owned_up_to(march: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Anything unforeseen ends with 5 and one line; `--debug` shows where."""
    file = march({"units/A/profile": {"mood": 6}})
    assert main(["resolve", file]) == 5
    assert untold(capsys.readouterr().err, "error: .. bug .. --debug .. ZeroDivisionError") == []
    assert main(["resolve", file, "--debug"]) == 5
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_has_its_own_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends with 130 and no traceback."""

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tests.drill.Drill.resolve", interrupted)
    assert main(["resolve", "drill/march"]) == 130
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, "error: .. interrupted") == []


def test_messages_hold_nothing_a_terminal_obeys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Control characters of a hostile file are escaped."""
    file = tmp_path / "march.json"
    file.write_text(march_json({"units/\x1b]0;owned\x07": {}, "\x9b31m": 1}), "utf-8")
    assert main(["resolve", str(file)]) == 3
    assert all(char.isprintable() or char == "\n" for char in capsys.readouterr().err)


def test_a_dash_is_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """FILE may be a dash, and messages say so."""
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(march_json({"titel": ""}).encode()))
    )
    assert main(["resolve", "-"]) == 3
    assert capsys.readouterr().err.startswith("error: standard input: titel: ")


def test_scenarios_are_listed_with_their_titles(capsys: pytest.CaptureFixture[str]) -> None:
    """The list has a line per bundled scenario, and is the same as JSON."""
    assert main(["scenarios", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert {"name": "drill/march", "title": "A march that arrives"} in entries
    assert main(["scenarios"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(entries) + 1


def test_rules_are_listed_with_their_tests(capsys: pytest.CaptureFixture[str]) -> None:
    """In a checkout each rule names the files that test it."""
    assert main(["rules", "drill", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in entries] == ["drill.march", "drill.halt"]
    assert "tests/cli/test_commands.py" in entries[0]["tested"]
    assert main(["rules", "drill"]) == 0
    out = capsys.readouterr().out
    assert lines_with(out, "drill.march .. tests/cli/test_commands.py")


def test_scenarios_are_found_by_words_of_name_title_or_note(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In capitals or not, and of several words all; the list is the same as JSON."""
    assert main(["scenarios", "RUIN", "wh40k/", "--json"]) == 0
    names = [entry["name"] for entry in json.loads(capsys.readouterr().out)]
    assert "wh40k/through-the-ruin" in names
    assert "wh40k/judged-in-the-middle-of-things" in names  # by its note alone
    assert len(names) < 10
    assert main(["scenarios", "RUIN", "wh40k/"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == names
    assert main(["scenarios", "t9a/through-the-ruin"]) == 1
    assert main(["scenarios", "ruin", "--show", "wh40k/through-the-ruin"]) == 2


def test_rules_are_found_by_words_of_name_or_demand(capsys: pytest.CaptureFixture[str]) -> None:
    """And the numbers of a book by those of name or source; a translated demand is read as it is printed."""
    assert main(["rules", "t9a", "Once", "--json"]) == 0
    assert {"t9a.declare.once", "t9a.move.wheel"} <= {
        entry["name"] for entry in json.loads(capsys.readouterr().out)
    }
    assert main(["rules", "t9a", "schwenkt", "--language", "german"]) == 0
    assert lines_with(capsys.readouterr().out, "t9a.move.wheel")
    assert main(["rules", "t9a", "wheel", "--fields", "--json"]) == 0
    assert [entry["field"] for entry in json.loads(capsys.readouterr().out)] == ["wheel_limit_deg"]


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["scenarios", "whel"], "'wheel'"),
        (["rules", "t9a", "whel"], "'wheel'"),
        (["rules", "t9a", "--fields", "wheel_limit_degg"], "'wheel_limit_deg'"),
    ],
)
def test_words_that_nothing_has_are_told_with_the_nearest(
    argv: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answer is no."""
    assert main(argv) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert untold(printed.err, f"error: .. '{argv[-1]}' .. {hint}") == []
    assert main([*argv, "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize("system", registry.BUILT_IN)
def test_every_rule_is_tested_somewhere(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No rule of any system is listed without a file that tests it, whether or not that writes the system's name before
    the rule's.
    """
    assert main(["rules", system, "--json"]) == 0
    assert not [
        entry["name"] for entry in json.loads(capsys.readouterr().out) if not entry["tested"]
    ]


@pytest.mark.parametrize("system", ["battletech", "conquest", "t9a", "wh40k"])
def test_every_choice_reads_a_rule(system: str) -> None:
    """Each key of `[rules]` is named by a rule that it reads one way or the other, and no rule names a key that is not
    there.
    """
    found = registry.find(system)
    assert {choice for rule in found.rules for choice in rule.choices} == set(
        found.vocabulary.choices.model_fields
    )


def test_an_installed_package_names_no_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Outside a checkout there are no tests to name."""
    monkeypatch.setattr("tabletop.cli.listing.CHECKOUT", tmp_path)
    assert main(["rules", "drill", "--json"]) == 0
    assert all("tested" not in entry for entry in json.loads(capsys.readouterr().out))


def test_the_books_numbers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--fields` lists what `--set system.FIELD` can replace."""
    assert main(["rules", "drill", "--fields", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0] == {
        "field": "bonus",
        "value": 1.0,
        "unit": "in",
        "source": "marching",
    }
    assert main(["rules", "drill", "--fields"]) == 0
    assert "bonus" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["drlil", "chess"])
def test_an_unknown_system_is_told_with_the_nearest(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message lists the systems there are."""
    assert main(["rules", name]) == 2
    parts = ["error:", f"'{name}'", "'t9a'", "'drill'", *(["'drill'"] if name == "drlil" else [])]
    assert untold(capsys.readouterr().err, " .. ".join(parts)) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The help of each command shows how it is used."""
    assert main([command, "--help"]) == 0
    # the usage and the example
    assert " ".join(capsys.readouterr().out.split()).count(f"tabletop {command} ") >= 2


def test_colours_are_left_out_in_pipes_and_where_unwelcome(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A terminal gets colours unless NO_COLOR is set; anything else gets none."""
    seen = []
    for terminal, variable in [(False, ""), (True, "1"), (True, "")]:
        monkeypatch.setattr("sys.stdout.isatty", lambda terminal=terminal: terminal, raising=False)
        monkeypatch.setenv("NO_COLOR", variable)
        assert main(["resolve", "drill/march"]) == 0
        seen.append("\x1b[" in capsys.readouterr().out)
    assert seen == [False, False, True]


def _program(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    return _python("-m", "tabletop", *arguments, **options)


def _python(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE, **options
    )


def test_the_program_runs_as_a_process() -> None:
    """`python -m tabletop` prints, and gives its exit code to the shell."""
    with _program("resolve", "/nowhere.toml") as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert errors.startswith(b"error: /nowhere.toml: ")


@pytest.mark.parametrize("asked", ["schema", "--help"])
def test_a_broken_pipe_is_quiet(asked: str) -> None:
    """A reader that goes away early is no error."""
    with _program(asked) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


WAITING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests with interrupts ignored
from tabletop.cli import main
import tabletop.scenario
print("ready", flush=True)
sys.exit(main(["resolve", "-"]))
"""


def test_a_process_can_be_interrupted() -> None:
    """A signal while the program waits for standard input ends it with 130."""
    with _python("-c", WAITING) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


def test_a_narrow_encoding_is_no_obstacle(tmp_path: Path) -> None:
    """Text that standard output cannot encode is escaped."""
    file = tmp_path / "t.toml"
    file.write_text('system = "t9a"\ntitle = "Ж"\n[board]\nwidth = 1\ndepth = 1\n', "utf-8")
    with _program(
        "resolve", str(file), "--all", env={**os.environ, "PYTHONIOENCODING": "ascii"}
    ) as process:
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out.splitlines()[0]) == (0, b"\\u0416")


@pytest.mark.parametrize(
    "code", ["import tabletop", "from tabletop.cli import main; main(['--help'])"]
)
def test_importing_is_light(code: str) -> None:
    """Neither the package nor the help loads any of the heavy libraries."""
    listing = (
        f"import sys; {code}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    )
    out = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    loaded = set(out.splitlines()[-1].split())
    assert not loaded & {
        "shapely",
        "numpy",
        "scipy",
        "matplotlib",
        "pydantic",
        "rich",
        "systems",
        "plots",
    }


def test_a_system_that_breaks_ends_one_file_only(
    march: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is a bug in one file is told, and the next is checked all the same."""
    moody = march({"units/A/profile": {"mood": 6}})
    assert main(["check", moody, "drill/march"]) == 5
    captured = capsys.readouterr()
    assert untold(captured.err, "error: .. bug .. --debug .. ZeroDivisionError") == []
    assert captured.out == "ok  drill/march\n"
    assert main(["check", moody, "--debug"]) == 5
    assert "Traceback" in capsys.readouterr().err
    assert main(["compare", moody, "drill/march", "--set", "rules.halt=late"]) == 5
    assert untold(capsys.readouterr().out, "0 .. 2") == []


def test_a_system_cannot_end_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An exit in the code of a package is a bug of it, never the end with 0 and without a word."""

    def leaving(*_: Any, **__: Any) -> None:
        raise SystemExit(0)

    monkeypatch.setattr(type(registry.find("drill")), "resolve", leaving)
    assert main(["resolve", "drill/march"]) == 5
    assert untold(capsys.readouterr().err, "error: .. bug .. --debug .. 'drill'") == []
