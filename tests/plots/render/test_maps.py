"""Maps of surveys: bands, areas, charts."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from plots import draw_map, setting
from plots.layout.page import lay_out
from plots.marks.heatmap import bands_of, heat_marks, numbers_in
from plots.marks.mark import Label, Rings
from plots.marks.styles import SHADES
from plots.marks.survey_words import unit_of
from plots.marks.theme import luminance
from plots.render.charts import LOST, SurveyFigure, chart, key_words
from plots.render.maps import NUMBERLESS, description, map_words, picture_of
from tabletop.errors import UsageError
from tabletop.exploring.survey import Survey
from tabletop.scenario import read_case


def survey(chances: Any, *, axes: dict[str, Any] | None = None, **more: Any) -> Survey:
    """Make results over places of B."""
    values = np.array(chances, dtype=float)
    keys = axes or {
        "units.B.x": np.arange(values.shape[0]) + 30.5,
        "units.B.y": np.arange(values.shape[1]) + 20.5,
    }
    return Survey(keys, {"chance": values, **more})


def test_few_values_have_a_band_each() -> None:
    """Where a column has few values each is told by itself, and nothing is drawn for 0 or for no number."""
    values = np.array([0.0, 1 / 6, 0.5, np.nan, 0.5])
    bands = bands_of(values, as_percent=True)
    assert [band.words for band in bands] == ["16.7%", "50%"]
    assert numbers_in(values, bands).tolist() == [-1, 0, 1, -1, 1]


def test_many_values_share_round_bands() -> None:
    """Many values fall into steps of round numbers, each into exactly one."""
    values = np.linspace(0.1, 12.9, 100)
    bands = bands_of(values, as_percent=False)
    assert [band.words for band in bands] == [f"{low} to {low + 2}" for low in range(0, 14, 2)]
    assert (numbers_in(values, bands) >= 0).all()


def test_shades_are_told_apart_in_grey() -> None:
    """Each shade is darker than the one before by an even step of lightness."""
    lightness = [116 * luminance(shade) ** (1 / 3) - 16 for shade in SHADES]
    assert all(7.0 < first - second < 13.0 for first, second in pairwise(lightness))


def test_areas_cover_their_cells_exactly() -> None:
    """Cells of one band become one mark whose rings and holes cover just them; its largest part is labelled."""
    numbers = np.array([[0, 0, 0], [0, -1, 0], [0, 0, 0]]).ravel()
    cells = [shapely.box(x, y, x + 1, y + 1) for x in range(3) for y in range(3)]
    marks = heat_marks(cells, numbers, bands_of(np.array([0.5]), as_percent=True))
    (area,) = [mark for mark in marks if isinstance(mark, Rings)]
    region = shapely.Polygon(area.rings[0], list(area.holes))
    assert shapely.equals(region, shapely.union_all(np.array(cells, dtype=object)[numbers == 0]))
    assert [mark.text for mark in marks if isinstance(mark, Label)] == ["50%"]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_a_map_is_drawn(tmp_path: Path, suffix: str) -> None:
    """A map over the board, with a second panel of arrows where facings were tried; the same bytes each time."""
    case = read_case("t9a/wheel-and-align")
    facings = np.array([[0.0, 90.0], [180.0, 270.0]])
    more: dict[str, Any] = {"units.B.facing_deg": facings}
    found = survey([[0.0, 0.5], [1.0, np.nan]], **more)
    for name in ("one", "two"):
        draw_map(case, found, tmp_path / f"{name}.{suffix}", question="threat")
    assert (tmp_path / f"one.{suffix}").read_bytes() == (tmp_path / f"two.{suffix}").read_bytes()
    if suffix == "svg":
        text = (tmp_path / "one.svg").read_text(encoding="utf-8")
        assert 'id="heat-1"' in text
        assert 'id="facings-arrows"' in text
        assert re.search(r"\b66\.7%\D+3\b", text)


@pytest.mark.parametrize(
    "axes",
    [
        {"units.A.facing_deg": np.arange(4)},
        {"rules.tie": np.array(["centre", "least-slide"]), "units.A.facing_deg": np.arange(2)},
    ],
    ids=["one key", "two keys"],
)
def test_other_keys_make_charts(tmp_path: Path, axes: dict[str, Any]) -> None:
    """One key gives a line, two give shades, with words for values that are words."""
    shape = tuple(len(values) for values in axes.values())
    found = survey(np.linspace(0.0, 1.0, int(np.prod(shape))).reshape(shape), axes=axes)
    draw_map(read_case("t9a/wheel-and-align"), found, tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").stat().st_size > 1000


def test_what_cannot_be_shown(tmp_path: Path) -> None:
    """Words, and more than two keys, are refused with what was given; nothing is written."""
    case = read_case("t9a/wheel-and-align")
    words = survey([[1.0]], outcome=np.array([["success"]]))
    with pytest.raises(UsageError, match=r"^--show outcome: "):
        draw_map(case, words, tmp_path / "map.svg", show="outcome")
    many = survey(np.zeros((1, 1, 1)), axes={key: np.zeros(1) for key in "abc"})
    with pytest.raises(UsageError, match=r"\b3\b.*\ba, b, c\b"):
        draw_map(case, many, tmp_path / "map.svg")
    assert not list(tmp_path.iterdir())


def test_nothing_above_zero(tmp_path: Path) -> None:
    """A map without any chance, or without any number, is drawn and says so."""
    case = read_case("t9a/wheel-and-align")
    for value in (0.0, np.nan):
        draw_map(case, survey([[value]]), tmp_path / "map.svg")
    told = description(survey([[np.nan]]), np.array([np.nan]), "chance", "T")
    assert re.fullmatch(r"\D*\bno\b\D*\bnumber\b\D*", told)


def test_unit_of_a_map() -> None:
    """Only places of one unit are a map."""
    assert unit_of(survey([[0.0]])) == "B"
    assert unit_of(survey([0.0], axes={"units.B.hex": np.array(["0101"])})) == "B"
    assert (
        unit_of(survey([[0.0]], axes={"units.B.x": np.zeros(1), "units.A.y": np.zeros(1)})) is None
    )


def random_survey(**more: Any) -> Survey:
    """Make results of three random places of A."""
    columns: dict[str, Any] = {
        "units.A.x": np.array([20.0, 24.0, 28.0]),
        "units.A.y": np.array([30.0, 34.0, 32.0]),
        "chance": np.array([0.0, 0.5, 1.0]),
        "outcome": np.array(["not_allowed", "failed", "success"], dtype=object),
        **more,
    }
    drawn = tuple(name for name in columns if name.startswith("units."))
    return Survey({"random": np.arange(3)}, columns, drawn=drawn)


def test_random_places_are_points(tmp_path: Path) -> None:
    """Outcomes have a symbol each, counted in the key; numbers have shades; several units a panel each."""
    case = read_case("t9a/wheel-and-align")
    path = tmp_path / "map.svg"
    draw_map(case, random_survey(), path)
    drawn = path.read_text(encoding="utf-8")
    assert all(f'id="spots-{name}"' in drawn for name in ("success", "failed", "not_allowed"))
    assert re.search(r"\b3 [^<.]*\bA\b", drawn)
    assert re.search(r"\bfailed 1\W+not allowed 1\W+success 1\b", drawn)
    assert "Not allowed: 1" in drawn
    draw_map(case, random_survey(), path, show="chance")
    assert 'id="spots-nothing"' in path.read_text(encoding="utf-8")
    both = random_survey(
        **{
            "units.B.x": np.full(3, 50.0),
            "units.B.y": np.full(3, 9.0),
            "outcome": np.array(["invalid", "no_verdict", "success"]),
        }
    )
    draw_map(case, both, path, setting=setting(language="german", theme="dark"))
    drawn = path.read_text(encoding="utf-8")
    assert "Orte von A" in drawn
    assert "Orte von B" in drawn
    assert "Unmögliche Stellung: 1" in drawn


def test_random_hexes_are_points(tmp_path: Path) -> None:
    """They stand in the middle of their hexes."""
    survey = Survey(
        {"random": np.arange(2)},
        {
            "units.A.hex": np.array(["0101", "0603"], dtype=object),
            "chance": np.array([0.0, 1.0]),
            "outcome": np.array(["failed", "success"]),
        },
        drawn=("units.A.hex",),
    )
    draw_map(read_case("battletech/a-wall-comes-down"), survey, tmp_path / "map.svg")
    assert 'id="spots-success"' in (tmp_path / "map.svg").read_text(encoding="utf-8")


def test_very_many_random_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first are drawn, and the caption says so."""
    monkeypatch.setattr("plots.render.maps.MOST_SPOTS", 2)
    draw_map(read_case("t9a/wheel-and-align"), random_survey(), tmp_path / "map.svg")
    assert re.search(r"\bfirst 2\b\D*\b3\b", (tmp_path / "map.svg").read_text(encoding="utf-8"))


@pytest.mark.parametrize("keys", [("rules.a",), ("rules.a", "rules.b")])
def test_random_numbers_are_clouds(keys: tuple[str, ...], tmp_path: Path) -> None:
    """One number against what is shown, or two with its shades."""
    columns = {key: np.array([1.0, 2.0, 3.0]) for key in keys}
    survey = Survey(
        {"random": np.arange(3)}, {"chance": np.array([0.0, 0.5, np.nan]), **columns}, drawn=keys
    )
    draw_map(read_case("t9a/wheel-and-align"), survey, tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 1000
    with pytest.raises(UsageError, match=r"^--scale "):
        draw_map(
            read_case("t9a/wheel-and-align"),
            survey,
            tmp_path / "map.png",
            setting=setting(scale="1:1"),
        )


def test_random_surveys_that_no_figure_shows(tmp_path: Path) -> None:
    """What else is varied has no place in it, nor have three numbers; words other than outcomes have no symbols."""
    case = read_case("t9a/wheel-and-align")
    path = tmp_path / "map.svg"
    columns = {key: np.zeros((3, 1)) for key in ("units.A.x", "units.A.y", "chance")}
    axes = {"random": np.arange(3), "rules.tie": np.array(["a"])}
    with pytest.raises(UsageError, match=r"\brules\.tie\b"):
        draw_map(case, Survey(axes, columns, drawn=("units.A.x", "units.A.y")), path, show="chance")
    numbers = {key: np.zeros(3) for key in ("a", "b", "c", "chance")}
    with pytest.raises(UsageError, match=r"\ba, b, c\b"):
        draw_map(case, Survey({"random": np.arange(3)}, numbers, drawn=("a", "b", "c")), path)
    with pytest.raises(UsageError, match=r"^--show rule: "):
        draw_map(case, random_survey(rule=np.array(["a", "b", "c"])), path, show="rule")
    assert not list(tmp_path.iterdir())


def test_no_room_is_not_nothing(tmp_path: Path) -> None:
    """Places where the unit cannot stand are hatched and keyed, those with a chance of 0 pale, and the title says what
    was found.
    """
    case = read_case("t9a/wheel-and-align")
    found = survey([[0.0, np.nan, 0.5], [0.0, np.nan, 0.25]])
    draw_map(case, found, tmp_path / "map.svg", question="threat")
    drawn = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert 'id="no_room"' in drawn
    assert 'id="key-no_room-text"' in drawn
    assert 'id="zero"' in drawn
    assert ">0<" in drawn
    words = re.sub(r"\s+", " ", re.search(r"<title[^>]*>([^<]*)<", drawn)[1])  # type: ignore[index]
    assert re.search(r"\bA\b[^.]*\bB\b\D*\b2\b\D*\b4\b\D*\(50%\)\D*\b50%$", words)
    draw_map(case, survey([[0.0, 0.5]]), tmp_path / "free.svg")
    assert "no_verdict" not in drawn
    assert "no_room" not in (tmp_path / "free.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("chances", "share"),
    [([[0.5, 1.0]], "100%"), ([[0.5] * 399 + [0.0]], "99.8%"), ([[0.5] * 3 + [0.0]], "75%")],
)
def test_a_share_of_places_is_written_out(chances: list[list[float]], share: str) -> None:
    """All places are 100 % of them."""
    title, _ = map_words(read_case("t9a/wheel-and-align"), survey(chances))
    assert f"({share})" in title


def test_no_verdict_is_not_no_room(tmp_path: Path) -> None:
    """Places of which nothing is known are hatched and keyed by themselves, and the title counts them."""
    outcome = np.array([["failed", "no_verdict", "success"], ["failed", "invalid", "success"]])
    found = survey([[0.0, np.nan, 0.5], [0.0, np.nan, 0.25]], outcome=outcome)
    draw_map(read_case("t9a/wheel-and-align"), found, tmp_path / "map.svg", question="threat")
    drawn = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert {"no_room", "no_verdict", "key-no_room-text", "key-no_verdict-text"} <= set(
        re.findall(r'id="([a-z_-]+)"', drawn)
    )
    words = re.sub(r"\s+", " ", re.search(r"<title[^>]*>([^<]*)<", drawn)[1])  # type: ignore[index]
    assert re.search(r"\(50%\)\D*\b50%\D*\bverdict\D*\b1\b\D*$", words)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("units.A.x", r"x\b.*\bA\b.*\binches"),
        ("units.'Royal Guard'.y", r"y\b.*\bRoyal Guard\b.*\binches"),
        ("units.A.at.1", r"y\b.*\bA\b.*\binches"),
        ("units.A.facing_deg", r"facing\b.*\bA\b.*\bdegrees"),
        ("units.A.files", r"files\b.*\bA"),
        ("rules.tie", r".*\brule tie"),
        ("system.wheel_limit_deg", r".*\bwheel limit\b.*\bdegrees"),
        ("edition", "edition"),
    ],
)
def test_axes_have_words_and_units(key: str, words: str) -> None:
    """A key of the file is told in words, with what it is counted in."""
    assert re.fullmatch(words, key_words(key))


def test_jitter_says_what_share_holds(tmp_path: Path) -> None:
    """The title tells of how many tables that can be the verdict is that of the first; each verdict has a bar, a
    judge's its rule.
    """
    found = survey(
        [1.0, 1.0, 1.0, 0.0, np.nan],
        axes={"jitter": np.arange(5)},
        outcome=np.array(["success", "success", "success", "failed", "invalid"], dtype=object),
        rule=np.array(
            ["", "", "", "t9a.range", "units.B.at: 'B' and 'C' overlap by 0.03 in"], dtype=object
        ),
    )
    draw_map(read_case("t9a/wheel-and-align"), found, tmp_path / "chart.svg", question="jitter")
    drawn = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert re.search(r"“success”\D*\b66\.7%\D+3\b", drawn)
    assert ">2/3 = 66.7%<" in drawn
    (told,) = re.findall(r">([^<]*t9a\.range[^<]*)<", drawn)
    assert re.search(r"\bt9a\.range 1\.\D*\b1\b\D*$", told)
    draw_map(
        read_case("t9a/wheel-and-align"),
        found,
        tmp_path / "judge.svg",
        question="jitter",
        setting=setting(audience="judge"),
    )
    assert ">Failed: t9a.range<" in (tmp_path / "judge.svg").read_text(encoding="utf-8")


def test_jitter_counts_an_outcome_by_whichever_rule(tmp_path: Path) -> None:
    """Tables that fail by another rule than the first fail as well: the title agrees with the bar."""
    rules = ["wh40k.possible.avoid-others", "wh40k.possible.engage-all", ""]
    found = survey(
        [0.0, 0.0, 1.0],
        axes={"jitter": np.arange(3)},
        outcome=np.array(["failed", "failed", "success"], dtype=object),
        rule=np.array(rules, dtype=object),
    )
    draw_map(
        read_case("wh40k/bystander-in-the-way"), found, tmp_path / "chart.svg", question="jitter"
    )
    drawn = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert re.search(r"“failed”\D*\b50%\D+2\b", drawn)
    assert ">1/2 = 50%<" in drawn


def test_maps_have_axes(tmp_path: Path) -> None:
    """The edges of a map tell inches of the table, its words what they are; a board of hexes has numbers of its own."""
    draw_map(read_case("t9a/wheel-and-align"), survey([[0.0, 0.5]]), tmp_path / "map.svg")
    drawn = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert re.search(r">[^<]*\binches\b[^<]*\bleft\b[^<]*<", drawn)
    group = re.search(r'<g id="axes-numbers".*?</g>', drawn, re.DOTALL)
    assert group is not None
    assert len(re.findall("<text", group[0])) >= 6
    hexes = survey([0.5], axes={"units.A.hex": np.array(["0508"])})
    draw_map(read_case("battletech/straight-run"), hexes, tmp_path / "hexes.svg")
    assert re.search(
        r">[^<]*\bcolumn\b[^<]*\brow\b[^<]*<", (tmp_path / "hexes.svg").read_text(encoding="utf-8")
    )


def test_numbers_of_a_chart_are_written_as_its_language_does(tmp_path: Path) -> None:
    """Ticks have the language's decimal sign, and chances are percentages."""
    found = survey([0.0, 0.004, 0.01], axes={"units.A.x": np.array([20.0, 20.5, 21.0])})
    draw_map(
        read_case("t9a/wheel-and-align"),
        found,
        tmp_path / "chart.svg",
        setting=setting(language="german"),
    )
    drawn = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert {">20,4<", ">0,4%<"} <= set(re.findall(r">[^<]*<", drawn))
    assert not re.search(r">\d+\.\d+%?<", drawn)


def test_counts_have_whole_numbers_at_their_axes(tmp_path: Path) -> None:
    """Between counts there is no number, along an axis of them and beside the shades of them, nor between files of a
    unit.
    """
    line = np.array([5.0, 6.0, 6.0, 7.0])
    shades = np.array([[5.0, 6.0], [6.0, 7.0]])
    files = {"units.A.files": np.array([4, 5]), "units.B.files": np.array([4, 5])}
    for counts, axes in ((line, {"units.A.files": np.array([4, 5, 6, 7])}), (shades, files)):
        draw_map(
            read_case("t9a/wheel-and-align"),
            survey(np.zeros(counts.shape), axes=axes, models=counts),
            tmp_path / "c.svg",
            show="models",
        )
        numbers = re.findall(r">(\d+(?:\.\d+)?)<", (tmp_path / "c.svg").read_text(encoding="utf-8"))
        assert {"5", "6", "7"} <= set(numbers)
        assert not [number for number in numbers if "." in number]


def test_an_axis_of_counts_begins_at_nothing() -> None:
    """Where all counts are alike an axis is no stretch of fractions about them; so is that of a key with one value."""
    found = survey(
        [1.0, 1.0], axes={"units.A.files": np.array([6, 6])}, models=np.array([6.0, 6.0])
    )
    (axes,) = chart(topic(found, "models")).axes
    assert axes.get_ylim() == pytest.approx((-0.48, 6.48))
    assert axes.get_xlim() == (5.0, 7.0)
    axes_of_both = {"units.A.files": np.array([4, 5]), "units.B.files": np.array([4, 5])}
    shades = chart(
        topic(survey(np.zeros((2, 2)), axes=axes_of_both, models=np.full((2, 2), 6.0)), "models")
    )
    assert shades.axes[1].get_ylim() == (0.0, 6.0)


def topic(found: Survey, show: str) -> SurveyFigure:
    """Return what a chart shows."""
    return SurveyFigure(
        read_case("t9a/wheel-and-align"), found, found.column(show), show, setting(), "T"
    )


@pytest.mark.parametrize("keys", [("units.A.files",), ("units.A.files", "units.B.files")])
def test_no_case_is_lost_from_a_chart(keys: tuple[str, ...], tmp_path: Path) -> None:
    """A refused charge has no models in contact: its case is crossed, counted below the chart, and told of in the
    title.
    """
    axes: dict[str, Any] = {"units.A.files": np.array([4, 5, 6]), "units.B.files": np.array([4])}
    shape = tuple(len(axes[key]) for key in keys)
    models = np.array([6.0, np.nan, np.nan]).reshape(shape)
    outcome = np.array(["success", "not_allowed", "invalid"], dtype=object).reshape(shape)
    found = survey(
        np.zeros(shape), axes={key: axes[key] for key in keys}, models=models, outcome=outcome
    )
    draw_map(read_case("t9a/wheel-and-align"), found, tmp_path / "c.svg", show="models")
    drawn = re.sub(r"\s+", " ", (tmp_path / "c.svg").read_text(encoding="utf-8"))
    assert re.search(r": 6\b\D*\b2\b", drawn)
    assert re.search(rf"{re.escape(LOST)}[^<]*: not allowed 1\b[^<]*\b1\.", drawn)
    crosses = [
        line for line in chart(topic(found, "models")).axes[0].lines if line.get_marker() == "x"
    ]
    assert [x for line in crosses for x in np.asarray(line.get_xdata()).tolist()] == [5, 6]


def test_random_numbers_without_a_result_are_crossed() -> None:
    """A cloud crosses what has no number, too."""
    columns = {"units.A.x": np.array([1.0, 2.0, 3.0]), "chance": np.array([0.0, 0.5, np.nan])}
    cloud = chart(
        topic(Survey({"random": np.arange(3)}, columns, drawn=("units.A.x",)), "chance")
    ).axes[0]
    assert [
        np.asarray(line.get_xdata()).tolist() for line in cloud.lines if line.get_marker() == "x"
    ] == [[3.0]]


def test_a_band_is_named_in_its_own_area() -> None:
    """A value stands on its own shade, or nowhere: a narrow band between two has none."""
    chances = np.full((9, 9), 0.5)
    chances[4] = 0.25
    picture = picture_of(read_case("t9a/wheel-and-align"), survey(chances))
    assert picture is not None
    page = lay_out(picture)
    (shown,) = page.shown
    bands = {
        mark.id: shapely.Polygon(mark.rings[0], list(mark.holes))
        for mark in picture.panels[0].marks
        if isinstance(mark, Rings)
    }
    placed = {
        one.label.id: shapely.Polygon([shown.frame.to_table(corner) for corner in one.box.corners])
        for one in shown.labels
    }
    named = [name for name in placed if name.startswith("map.heat")]
    assert named
    assert all(bands[name.removesuffix(".label")].covers(placed[name]) for name in named)


def test_a_legend_names_only_what_its_map_shows() -> None:
    """Shades are a scale and all named; places without room or verdict only where there are any."""
    case = read_case("t9a/wheel-and-align")
    named = []
    for values in ([[0.0, 0.5]], [[np.nan, 0.5]]):
        picture = picture_of(case, survey(values))
        assert picture is not None
        named.append({role for role in picture.meanings if role in NUMBERLESS})
    assert named == [set(), {"no_room"}]


@pytest.mark.parametrize(("farthest", "east"), [(68.6, 72.5), (68.4, 70.4), (71.0, 72.5)])
def test_a_map_shows_the_edge_rather_than_nearly_all(farthest: float, east: float) -> None:
    """Where no more would be left out than is shown around the places, the board is shown up to its edge."""
    places = {
        "units.A.x": np.array([20.0, 24.0, farthest]),
        "units.B.x": np.full(3, 50.0),
        "units.B.y": np.full(3, 9.0),
    }
    picture = picture_of(read_case("t9a/wheel-and-align"), random_survey(**places))
    assert picture is not None
    assert picture.panels[0].section.east == pytest.approx(east)
