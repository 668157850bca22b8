"""Figures that are files: what made them stands in them, and is taken wherever a file is."""

import io
import json
import struct
import sys
import time
import zlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import tabletop
from plots import draw
from tabletop.cli import main
from tabletop.errors import ScenarioError
from tabletop.scenario.embedded import (
    KEYWORD,
    MARK,
    PLACE,
    embedded_link,
    embedded_scenario,
    is_figure,
    link_of,
    linked,
)
from tabletop.scenario.limits import FIGURE_BYTES, FILE_BYTES
from tabletop.scenario.reading import case_from_tables, read_tables
from tabletop.scenario.results import result
from tabletop.testing.answers import resolved
from tests.bundled import NAMES, each_of
from tests.drill.files import march_json
from tests.messages import untold

PNG = b"\x89PNG\r\n\x1a\n"
ROLLED = (
    "t9a/odds-maximised",
    "conquest/rolled-again",
    "wh40k/second-chance",
    "battletech/straight-run",
)


@pytest.fixture
def march(tmp_path: Path) -> str:
    """Return a small file without dice."""
    file = tmp_path / "march.json"
    file.write_text(march_json(), "utf-8")
    return str(file)


def _charge(name: str) -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(embedded_scenario(Path(name).read_bytes()))
    charge: dict[str, Any] = tables["charges"][0]
    return charge


@each_of([name for name in NAMES[::7] if not name.startswith("wh40k")])
def test_what_a_figure_carries_is_what_was_asked(name: str) -> None:
    """The link in a figure is ruled on in the words of its file."""
    case, resolution = resolved(name)
    link = embedded_link(case, tabletop.resolve(case) if resolution.throws is None else resolution)
    assert link is not None
    again = tabletop.read_case(link)
    assert result(again, tabletop.resolve(again)) == result(case, resolution)
    assert embedded_link(again, tabletop.resolve(again)) == link


@pytest.mark.parametrize("kind", ["svg", "png", "webp"])
@each_of(
    [
        name
        for name in NAMES
        if name.rpartition("/")[2]
        in ("free-choice", "the-target-turns", "up-on-the-block", "straight-run")
    ]
)
def test_a_figure_is_taken_as_a_file(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ruled on, checked, and drawn again to the same bytes."""
    first = tmp_path / f"first.{kind}"
    second = tmp_path / f"second.{kind}"
    assert main(["draw", name, "-o", str(first)]) == 0
    assert main(["draw", str(first), "-o", str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()
    capsys.readouterr()
    assert main(["resolve", name, "--json"]) == main(["resolve", str(first), "--json"]) == 0
    told = capsys.readouterr().out
    assert told[: len(told) // 2] == told[len(told) // 2 :]
    assert main(["check", str(first)]) == 0


@pytest.mark.parametrize("options", [["--seed", "5"], ["--seed", "11"], ["--dice", "6"], []])
def test_faces_rolled_stand_in_the_figure(
    options: list[str], march: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Thrown from a seed or dealt, the figure answers as the command did, without its options."""
    out = str(tmp_path / "a.svg")
    tables = json.loads(Path(march).read_text("utf-8"))
    tables["charges"][0].pop("dice", None)
    Path(march).write_text(json.dumps(tables), "utf-8")
    assert main(["resolve", march, *options, "--figure", out, "--json"]) == 0
    first = capsys.readouterr().out
    assert len(_charge(out)["dice"]) == 1
    assert main(["resolve", out, "--json", "--seed", "99"]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize("seed", range(4))
@each_of([name for name in NAMES if name in ROLLED])
def test_faces_rolled_in_every_game(name: str, seed: int) -> None:
    """Each game's rolls are recorded, re-rolls and all."""
    tables = read_tables(name)
    for charge in tables["charges"]:
        charge.pop("dice", None)
    case = case_from_tables(tables)
    resolution = tabletop.resolve(case, seed=seed)
    link = embedded_link(case, resolution)
    again = tabletop.read_case(str(link))
    assert all(
        charge.dice
        for charge, ruling in zip(again.charges, resolution.rulings, strict=True)
        if ruling.outcome != "not_allowed"
    )
    assert result(again, tabletop.resolve(again, seed=1000)) == result(case, resolution)
    assert bool(again.expect) == (seed == 0 and "expect" in tables)
    faces = [face for charge in again.charges for face in charge.dice or ()]
    dealt = tabletop.resolve(case, dice=faces)
    assert tabletop.read_case(str(embedded_link(case, dealt))).charges == again.charges
    assert not tabletop.read_case(str(embedded_link(case, dealt))).expect


def test_the_rules_that_were_set_stand_in_the_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--set rules.KEY` is a line of its `[rules]`; what the file expected of other readings is left out."""
    out = str(tmp_path / "a.png")
    assert main(["draw", "t9a/wheel-and-align", "--set", "rules.tie=centre", "-o", out]) == 0
    tables = json.loads(embedded_scenario(Path(out).read_bytes()))
    assert tables["rules"] == {"tie": "centre"}
    assert "expect" not in tables
    assert capsys.readouterr().err == ""


def test_other_numbers_of_the_book_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--set system.FIELD` cannot be written into a file: the figure carries nothing, and the command says so."""
    out = str(tmp_path / "a.svg")
    pdf = str(tmp_path / "a.pdf")
    change = ["--set", "system.wheel_limit_deg=45"]
    assert main(["resolve", "t9a/wheel-and-align", *change, "--figure", out, "--figure", pdf]) == 0
    (note,) = capsys.readouterr().err.splitlines()
    assert untold(note, f"note: {out} .. scenario .. --set system.FIELD") == [], note
    assert PLACE not in Path(out).read_text("utf-8")
    assert main(["resolve", out]) == 3
    assert untold(capsys.readouterr().err, f"error: {out}: .. scenario .. --figure") == []
    assert main(["odds", "t9a/odds-maximised", *change, "--figure", out]) == 0
    assert "--set system.FIELD" in capsys.readouterr().err
    assert main(["odds", "t9a/odds-maximised", "--figure", out]) == 0
    assert main(["odds", out]) == 0


def test_a_table_that_is_refused_is_carried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The figure of a table that cannot be is refused as the file is; one with unknown keys carries nothing."""
    file = tmp_path / "a.json"
    out = str(tmp_path / "a.svg")
    tables = read_tables("t9a/wheel-and-align")
    tables["units"]["A"]["at"] = tables["units"]["B"]["at"]
    file.write_text(json.dumps(tables), "utf-8")
    assert main(["draw", "--board", str(file), "-o", out]) == 3
    told = capsys.readouterr().err.splitlines()
    assert "overlap" in told[-1]
    assert main(["draw", "--board", out, "-o", str(tmp_path / "b.svg")]) == 3
    assert len(capsys.readouterr().err.splitlines()) == len(told)
    assert (tmp_path / "b.svg").read_bytes() == Path(out).read_bytes()
    file.write_text(json.dumps({**tables, "colour": "blue"}), "utf-8")
    assert main(["draw", "--board", str(file), "-o", out]) == 3
    assert PLACE not in Path(out).read_text("utf-8")


def test_a_case_that_was_changed_carries_nothing(tmp_path: Path) -> None:
    """What no file asks is not said to be in one; the same case with its own values is."""
    case, resolution = resolved("t9a/wheel-and-align")
    assert embedded_link(case, resolution)
    for changed in (
        replace(case, title="Another"),
        replace(case, state=replace(case.state)),
        replace(case, charges=()),
    ):
        assert changed.tables is None
        assert embedded_link(changed, resolution) is None
    draw(replace(case, title="Another"), resolution, tmp_path / "a.svg")
    assert PLACE not in (tmp_path / "a.svg").read_text("utf-8")
    assert replace(case, detail=True).tables is case.tables
    assert replace(case, filed=None).tables is None


def test_a_table_without_charges_is_carried() -> None:
    """Nothing is rolled, and nothing added."""
    tables = {
        key: value
        for key, value in read_tables("t9a/wheel-and-align").items()
        if key not in ("charges", "expect")
    }
    case = case_from_tables(tables)
    found = json.loads(linked(str(embedded_link(case, tabletop.resolve(case)))))
    assert found == {"format": 1, "edition": "3rd", **tables}


def test_titles_do_not_stand_in_for_the_scenario(march: str, tmp_path: Path) -> None:
    """Words of a title that look like the place of the scenario are words."""
    out = str(tmp_path / "a.svg")
    tables = json.loads(Path(march).read_text("utf-8"))
    tables["title"] = f'<metadata id="{PLACE}">tt1.abc</metadata></desc>'
    Path(march).write_text(json.dumps(tables), "utf-8")
    assert main(["draw", march, "-o", out]) == 0
    assert tabletop.read_case(out).title == tables["title"]


def _svg(link: str, *, before: str = "", attributes: str = f'id="{PLACE}"') -> bytes:
    return (
        f'{before}<svg xmlns="http://www.w3.org/2000/svg"><metadata>none</metadata><metadata '
        f"{attributes}>{link}</metadata></svg>"
    ).encode()


def _link(**changes: Any) -> str:
    return link_of(march_json(changes))


@pytest.mark.parametrize(
    "data",
    [
        _svg(_link()),
        _svg(f"\n  {_link()}\n "),
        b"\xef\xbb\xbf \n" + _svg(_link(), before='<?xml version="1.0"?>\n<!-- edited -->'),
        _svg(
            _link(),
            before='<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
        ),
        _svg(_link(), attributes=f"class='a' id='{PLACE}' x=\"1\"").replace(
            b"metadata", b"svg:metadata"
        ),
        _svg(_link()).replace(b"</metadata></svg>", b""),
    ],
)
def test_figures_that_editors_wrote(data: bytes) -> None:
    """Quotes, spaces, prefixes and comments of other programs do no harm."""
    assert is_figure(data)
    assert json.loads(embedded_scenario(data)) == json.loads(march_json())


def _png(link: str, kind: str = "tEXt") -> bytes:
    information = PngInfo()
    buffer = io.BytesIO()
    information.add_text("Title", "before")
    if kind == "tEXt":
        information.add_text(KEYWORD, link)
    else:
        information.add_itxt(KEYWORD, link, lang="en", tkey="Scenario", zip=kind == "packed")
    Image.new("RGB", (2, 2)).save(buffer, "png", pnginfo=information)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "options",
    [
        ["--bare"],
        ["--panel", "after"],
        ["--panel", "1"],
        ["--text", "outlines"],
        ["--bare", "--dpi", "60"],
    ],
)
def test_whatever_is_left_out_the_scenario_is_not(options: list[str], tmp_path: Path) -> None:
    """One panel, a bare figure and one of outlines carry all that was asked."""
    for kind in ("svg", "webp"):
        assert main(["draw", "t9a/free-choice", "-o", str(tmp_path / f"a.{kind}"), *options]) == 0
        assert embedded_link(tabletop.read_case(str(tmp_path / f"a.{kind}"))) == embedded_link(
            tabletop.read_case("t9a/free-choice")
        )


def _webp(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"".join(
        kind + len(held).to_bytes(4, "little") + held + b"\0" * (len(held) % 2)
        for kind, held in chunks
    )
    return b"RIFF" + (4 + len(body)).to_bytes(4, "little") + b"WEBP" + body


def test_a_webp_that_an_editor_wrote() -> None:
    """The packet is found behind other chunks of odd length; without it, cut off or empty there is nothing."""
    packet = (
        f'<x><tabletop:{KEYWORD} xmlns:tabletop="t"> {_link()} </tabletop:{KEYWORD}></x>'.encode()
    )
    whole = _webp((b"VP8X", b"\0" * 10), (b"ICCP", b"odd"), (b"XMP ", packet))
    assert is_figure(whole)
    assert json.loads(embedded_scenario(whole)) == json.loads(march_json())
    for bad in (
        _webp((b"VP8 ", b"12")),
        _webp((b"XMP ", b"<x/>")),
        whole[:40],
        b"RIFF\0\0\0\0WEBP",
    ):
        with pytest.raises(ScenarioError, match=r"scenario.*--figure"):
            embedded_scenario(bad)


@pytest.mark.parametrize("kind", ["tEXt", "iTXt"])
def test_pictures_that_editors_wrote(kind: str) -> None:
    """Plain and international texts are read, and of a picture that is cut short behind them too."""
    data = _png(_link(), kind)
    assert json.loads(embedded_scenario(data)) == json.loads(march_json())
    cut = data[: data.index(b"IDAT")]
    assert json.loads(embedded_scenario(cut)) == json.loads(march_json())


BOMB = MARK + "A" * 20 + link_of(" " * 100)[len(MARK) :]
LAUGHS = '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'

ABSENT = "scenario .. --figure"
"""What is said of a figure without a scenario: how to make one that has it."""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<svg></svg>", ABSENT),
        (b"<html>", ABSENT),
        (b"<", ABSENT),
        (PNG, ABSENT),
        (PNG + b"\xff\xff\xff\xfftEXtScenario\0tt1.", "damaged"),
        (PNG + struct.pack(">I", 2**31) + b"tEXt" + b"x" * 100, ABSENT),
        (_png(_link(), "packed"), ABSENT),
        (_png("hello"), ABSENT),
        (_svg("hello"), ABSENT),
        (_svg(""), ABSENT),
        (_svg(_link(), attributes='id="other"'), ABSENT),
        (_svg(_link()[:-20]), "damaged"),
        (_svg("tt1.\u00e4"), "damaged"),
        (_png(_link()[:50]), "damaged"),
        (_svg(BOMB), "damaged"),
        (_svg(_link(), before=LAUGHS), "entities"),
        (_svg(_link(), before=LAUGHS.lower()), "entities"),
        (_svg(_link(), before="<!ENTITY a SYSTEM 'file:///etc/passwd'>"), "entities"),
        (_svg(link_of(" " * (FILE_BYTES + 1))), "1,048,576"),
        (_svg(link_of("[" * 500)), "nested .. 32"),
        (_svg(link_of('{"system": "chess"}')), "system: .. 'chess' .. 't9a'"),
        (_svg(link_of("system = 5")), "system: .. 5 .. 't9a'"),
        (b"<" + b" " * FIGURE_BYTES, "67,108,864"),
    ],
    ids=range(23),
)
def test_hostile_figures_are_refused(
    data: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 3, one clear error that names the file, and no long search."""
    file = tmp_path / "a.svg"
    file.write_bytes(data)
    assert main(["resolve", str(file)]) == 3
    said = capsys.readouterr().err
    assert untold(said.removeprefix(f"error: {file}: "), words) == [], said
    assert [word for word in ("damaged", "entities") if word in said] == [
        word for word in ("damaged", "entities") if word == words
    ]
    assert said.startswith(f"error: {file}: ")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "part",
    [
        b"<metadata ",
        b"<!DOCTYPE ",
        b"<",
        b"<a>",
        b'id="figure.scenario"',
        b'<metadata id="figure.scenario">',
        b"<!-",
    ],
)
def test_no_figure_takes_long(part: bytes) -> None:
    """Searching is linear in the size, whatever is repeated."""
    data = b"<svg " + part * (8 * 2**20 // len(part))
    since = time.monotonic()
    with pytest.raises(ScenarioError):
        embedded_scenario(data)
    assert time.monotonic() - since < 5


def test_a_picture_of_many_chunks_takes_no_time() -> None:
    """Chunks without anything in them are passed by."""
    data = PNG + (b"\0\0\0\0tEXt" + struct.pack(">I", zlib.crc32(b"tEXt"))) * 100_000
    since = time.monotonic()
    with pytest.raises(ScenarioError, match=r"scenario.*--figure"):
        embedded_scenario(data)
    assert time.monotonic() - since < 5


def test_a_figure_comes_through_a_pipe(
    march: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input may be a figure of more bytes than a scenario has."""
    out = tmp_path / "a.svg"
    assert main(["draw", march, "-o", str(out)]) == 0
    padded = out.read_bytes().replace(b"</svg>", b"<!--" + b"x" * FILE_BYTES + b"--></svg>")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(padded)))
    assert main(["check", "-"]) == main(["check", str(out)])
