"""The site: its pages are read without a warning, and what is made of the program is whole."""

import json
import re
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Self

import pytest
from sphinx.cmd.build import build_main

from plots.sphinx import SurveyAnswer, TabletopDirective
from tabletop import api, registry
from tabletop.cli.app import app
from tabletop.cli.errors import ExitCode
from tabletop.scenario import results
from tabletop.scenario.reading import read_case

DOCS = Path(__file__).resolve().parents[2] / "docs"
GAMES = ("t9a", "conquest", "wh40k", "battletech")
LONG_PAGES = (
    *(
        "glossary.md",
        "keys.md",
        "reference/commands.md",
        "reference/kit.rst",
        "reference/plots.rst",
        "reference/python.rst",
    ),
    *(f"rules/{game}.md" for game in ("battletech", "t9a", "wh40k")),
)
"""Pages that take long to read, or lead to the rules."""
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::PendingDeprecationWarning"
)
"""What extensions of Sphinx still ask of it is theirs."""


def built(docs: Path, folder: Path, builder: str) -> tuple[int, str]:
    """Build the site; warnings are errors. Return the exit code and what was said."""
    words = (
        "-W",
        "--keep-going",
        "-q",
        "-j",
        "auto",
        "-b",
        builder,
        "-d",
        str(folder / "trees"),
        str(docs),
        str(folder / "site"),
    )
    with redirect_stderr(StringIO()) as said, redirect_stdout(StringIO()):
        return build_main(words), said.getvalue()


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget after each test what the site's settings make known."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN})


@pytest.fixture
def shortened(tmp_path: Path) -> Path:
    """Copy the site, of its long pages only their titles."""
    docs = tmp_path / "docs"
    shutil.copytree(DOCS, docs)
    for page in LONG_PAGES:
        lines = (docs / page).read_text("utf-8").splitlines()
        (docs / page).write_text(
            "\n".join(lines[: 1 if page.endswith(".md") else 2]) + "\n", "utf-8"
        )
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "examples", "tests"):
        (tmp_path / name).symlink_to(DOCS.parent / name)
    return docs


def test_pages_are_read_without_a_warning(
    shortened: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All cross-references lead somewhere, and all pages are in the contents; the figures are not drawn, and one game's
    rules are told.
    """
    from made import rules

    def undrawn(_self: TabletopDirective, _source: Path, _view: str) -> SurveyAnswer:
        return SurveyAnswer("A figure.", ("A figure.",), _empty)

    monkeypatch.setattr(TabletopDirective, "_shown", undrawn)
    monkeypatch.setattr(rules, "_spoken", _all_decide)
    monkeypatch.setattr(rules, "ProcessPoolExecutor", _Here)
    code, said = built(shortened, tmp_path, "dummy")
    assert code == 0, said


def _empty(path: Path) -> None:
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', "utf-8")


class _Here:
    """A pool of no processes."""

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    map = staticmethod(map)


def _all_decide(name: str) -> dict[str, object]:
    system = registry.find(name.partition("/")[0])
    return {
        "title": name,
        "findings": 1,
        "is_incomplete": False,
        "how": {rule.name: "refuses" for rule in system.rules},
    }


@pytest.mark.slow
def test_the_site_is_built_and_asks_nothing_of_the_network(tmp_path: Path) -> None:
    """With every figure drawn there is no warning, each rule has its place, and no page loads what is not in the
    site.
    """
    code, said = built(DOCS, tmp_path, "html")
    assert code == 0, said
    for page in (tmp_path / "site").rglob("*.html"):
        assert not re.findall(
            r"<(?:script|img|iframe)[^>]*\ssrc=\"(?:https?:)?//", page.read_text("utf-8")
        ), page
        assert not re.findall(r"<link[^>]*\shref=\"(?:https?:)?//", page.read_text("utf-8")), page
    for sheet in (tmp_path / "site").rglob("*.css"):
        assert not re.findall(r"url\([\"']?(?:https?:)?//|@import", sheet.read_text("utf-8")), sheet
    for game in GAMES:
        told = (tmp_path / "site" / "rules" / f"{game}.html").read_text("utf-8")
        assert [
            rule.name for rule in registry.find(game).rules if f">{rule.name}<" not in told
        ] == []
        assert told.count("<figure") > 10


def test_every_command_and_option_is_on_the_page() -> None:
    """The reference of commands is made of the command line: a section for each, with all its options."""
    from made.commands import commands
    from typer.main import get_command

    told = commands()
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"`tabletop {name}`" in told
        assert [
            option
            for one in command.params
            for option in one.opts
            if option.startswith("--") and option not in told
        ] == []


def test_exit_codes_and_keys_of_results_are_told() -> None:
    """The page on formats names every exit code, and every key that `--json` prints."""
    told = (DOCS / "reference" / "formats.md").read_text("utf-8")
    assert [code.name for code in ExitCode if f"| {code.value} |" not in told] == []
    case = read_case("t9a/judged-one-short")
    resolution = api.resolve(case)
    answer = results.result(case, resolution, api.judge(case, resolution))
    ruling = answer["rulings"][0]
    row = results.odds_result(api.odds(case))["odds"][0]
    keys = {*answer, *ruling, *ruling["findings"][-1], *answer["judged"], *row, *row["by_total"][0]}
    assert [key for key in keys if f"`{key}`" not in told] == [], json.dumps(sorted(keys))
