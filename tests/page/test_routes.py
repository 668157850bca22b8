"""Each address of the page: what it answers, and what it says where it cannot."""

import base64
import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tabletop.cli import main
from tabletop.scenario.sources import bundled_text
from tests.bundled import NAMES

pytestmark = pytest.mark.xdist_group("page")
A = "t9a/wheel-and-align"
SLOW = "wh40k/one-contact-of-two"
ONE_OF_EACH = (
    A,
    "conquest/a-friend-that-is-held",
    "wh40k/onto-the-crate",
    "battletech/a-dropship-does-not-budge",
    "t9a/judged-one-short",
)


def scenario(server: httpx.Client, name: str = A) -> dict[str, Any]:
    """Return a bundled scenario as the page has it."""
    told: dict[str, Any] = server.get(f"/api/scenarios/{name}").json()["scenario"]
    return told


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    """Return the JSON that a command prints."""
    main([*argv, "--json"])
    return json.loads(capsys.readouterr().out)


def test_what_there_is(server: httpx.Client) -> None:
    """The page learns systems, scenarios, looks, choices and readings, and what lies on the table first."""
    assert [system["name"] for system in server.get("/api/health").json()["systems"]] == [
        "t9a",
        "conquest",
        "wh40k",
        "battletech",
    ]
    assert [entry["name"] for entry in server.get("/api/scenarios").json()] == list(NAMES)
    assert server.get("/api/start").json() == server.get(f"/api/scenarios/{A}").json()
    assert {"svg", "gif"} <= set(server.get("/api/words").json()["draw"]["format"])
    readings = server.get("/api/readings/conquest").json()
    assert {
        "key": "reach",
        "values": ["limit", "roll-decides"],
        "default": "limit",
    }.items() <= next(one for one in readings if one["key"] == "reach").items()
    theme = server.get("/api/theme").json()
    assert theme["light"].keys() == theme["dark"].keys()
    assert theme["light"]["surface.grass"]["fill"] != theme["dark"]["surface.grass"]["fill"]


def test_schema_is_that_of_the_command(
    server: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    """Forms are made of the schema that editors have."""
    main(["schema"])
    assert server.get("/api/schema").json() == json.loads(capsys.readouterr().out)


def test_keys_and_choices_are_explained_in_the_language_of_the_browser(
    server: httpx.Client,
) -> None:
    """What is shown beside a field is told so, and all else is the same; who asks for no language has English."""
    addresses = ("schema", "readings/t9a")
    plain, told = (
        [server.get(f"/api/{one}", headers=asked).json() for one in addresses]
        for asked in ({}, {"Accept-Language": "de-AT"})
    )
    sides = [
        schema["$defs"]["T9aUnit"]["properties"]["side"]["description"]
        for schema, _ in (plain, told)
    ]
    corners = [choices[1]["description"] for _, choices in (plain, told)]
    for words, known in ((sides, ("unit", "Einheit")), (corners, ("facing", "Seite"))):
        assert [[one in text for one in known] for text in words] == [[True, False], [False, True]]
    assert without_meanings(told) == without_meanings(plain)


def without_meanings(node: Any) -> Any:
    """Leave out of an answer what its keys mean."""
    if isinstance(node, list):
        return [without_meanings(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {key: without_meanings(one) for key, one in node.items() if key != "description"}


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_answers_are_those_of_the_command(
    server: httpx.Client, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """What the page is told of a scenario is what `resolve --json` prints, with the figure beside it."""
    asked = {"scenario": scenario(server, name)}
    bare, full = (
        server.post("/api/resolve", json={**asked, "options": {"figure": has_figure}}).json()
        for has_figure in (False, True)
    )
    assert bare == printed(capsys, "resolve", name)
    assert bare.items() <= full.items()
    assert full["figure"]["marks"]
    assert full["headline"]


def test_alternatives_have_headings_and_a_figure(server: httpx.Client) -> None:
    """Beside each ruling stand its alternatives in words, and what is drawn of them; without them nothing."""
    asked = {"scenario": scenario(server, "t9a/flank-corner-of-the-eye")}
    told = server.post("/api/resolve", json=asked).json()
    (beside,) = told["contrasts"]
    (ruling,) = told["rulings"]
    assert [line["text"] for line in beside["lines"]] == [one["text"] for one in ruling["contrast"]]
    assert [line["heading"] for line in beside["lines"]] == [
        "not taken",
        "Not enough: next best position",
    ]
    assert any(mark.get("of") == ["ghost", ruling["charger"]] for mark in beside["figure"]["marks"])
    without = server.post("/api/resolve", json={**asked, "options": {"contrast": False}}).json()
    assert without["contrasts"] == [{"lines": [], "figure": None}]
    assert without["figure"] == told["figure"]


@pytest.mark.parametrize("name", ["t9a/wheel-and-align", "wh40k/ten-against-ten"])
def test_a_table_without_a_charge_has_its_figure(server: httpx.Client, name: str) -> None:
    """Where nobody charges there is nothing to rule, and the table is shown, with the gaps that are asked for."""
    tables = {
        key: value
        for key, value in scenario(server, name).items()
        if key not in ("charges", "expect")
    }
    options = {"near": ["A"], "within": 20}
    ruled, table = (
        server.post(f"/api/{kind}", json={"scenario": tables, "options": options}).json()
        for kind in ("resolve", "table")
    )
    assert ruled["rulings"] == ruled["badges"] == []
    assert ruled["gaps"] == table["gaps"] != []
    assert [mark["id"] for mark in ruled["figure"]["marks"]] == [
        mark["id"] for mark in table["figure"]["marks"]
    ]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((kind, name) for kind in ("table", "resolve") for name in ONE_OF_EACH),
        ("judge", "t9a/judged-one-short"),
    ],
)
def test_who_drags_is_told_all_but_what_stands_where(
    server: httpx.Client, kind: str, name: str
) -> None:
    """Without its bodies an answer has the same words, gaps, ghosts and evidence as with them, and nothing of the
    set-up.
    """
    tables = scenario(server, name)
    near = tables["charges"][0]["charger"]
    full, brief = (
        server.post(
            f"/api/{kind}",
            json={"scenario": tables, "options": {"near": [near], "bodies": has_bodies}},
        ).json()
        for has_bodies in (True, False)
    )
    assert full.keys() - brief.keys() == {"board", "terrain", "places"}
    marks = brief["figure"].pop("marks")
    assert not any(mark.get("of", ["ghost"])[0] != "ghost" for mark in marks)
    assert full["figure"].pop("marks")[-len(marks) or None :] == marks or not marks
    assert full["figure"].pop("roles").keys() >= brief["figure"].pop("roles").keys()
    assert {key: full[key] for key in brief} == brief


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_answers_are_those_of_the_command(
    server: httpx.Client, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """The same of every bundled scenario, over odds too."""
    asked = {"scenario": scenario(server, name), "options": {"figure": False}}
    assert server.post("/api/resolve", json=asked).json() == printed(capsys, "resolve", name)
    chances = server.post("/api/odds", json={"scenario": asked["scenario"]})
    assert main(["odds", name, "--json"]) == {200: 0, 408: 4}[chances.status_code]
    told = capsys.readouterr().out
    assert not told or chances.json() == json.loads(told)


def test_odds_and_judge_are_those_of_the_commands(
    server: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    """Chances and judgements are those that are printed."""
    assert server.post("/api/odds", json={"scenario": scenario(server)}).json() == printed(
        capsys, "odds", A
    )
    name = "t9a/judged-one-short"
    judged = server.post("/api/judge", json={"scenario": scenario(server, name)}).json()
    assert printed(capsys, "judge", name).items() <= judged.items()
    assert judged["demanded"]["marks"]
    assert any(mark["role"] == "fault" for mark in judged["figure"]["marks"])
    assert judged["claimed"].keys() == judged["judged"]["better"].keys()
    missing = server.post("/api/judge", json={"scenario": scenario(server)})
    assert (missing.status_code, missing.json()["key"]) == (400, "proposal")


@pytest.mark.parametrize("name", ONE_OF_EACH[:4])
def test_a_table_without_charges_breaks_no_question(server: httpx.Client, name: str) -> None:
    """Where nobody charges every question has an answer, or a sentence."""
    table = {
        key: value
        for key, value in scenario(server, name).items()
        if key not in ("charges", "expect")
    }
    for kind in ("resolve", "table", "odds", "judge", "draw", "write"):
        answer = server.post(f"/api/{kind}", json={"scenario": table})
        assert answer.status_code in (200, 400), (kind, answer.text[:200])


def test_table_tells_gaps_and_faults(server: httpx.Client) -> None:
    """Of a table that cannot be, all is told and shown, and what lies over what."""
    table = scenario(server)
    first, second = list(table["units"])[:2]
    told = server.post(
        "/api/table", json={"scenario": table, "options": {"near": [first], "within": 30}}
    ).json()
    assert told["faults"] == []
    assert all(first in gap["between"] and gap["gap"] >= 0 for gap in told["gaps"])
    table["units"][first]["at"] = table["units"][second]["at"]
    told = server.post("/api/table", json={"scenario": table}).json()
    assert [first, second] in [fault["between"] for fault in told["faults"]]
    assert told["faults"][0]["overlap"]
    assert any(mark["role"] == "overlap" for mark in told["figure"]["marks"])
    assert told["places"][first]["at"] == table["units"][first]["at"]


def test_files_come_and_go(server: httpx.Client) -> None:
    """A scenario is read of text, link, figure and bytes, and written so that it is read again."""
    text = bundled_text(A)
    read = server.post("/api/read", json={"text": text}).json()
    assert read == {"scenario": scenario(server), "faults": []}
    written = server.post("/api/write", json={"scenario": read["scenario"]}).json()
    figure = server.post(
        "/api/draw", json={"scenario": read["scenario"], "options": {"format": "png"}}
    )
    assert figure.headers["content-disposition"].endswith('.png"')
    for body in (
        {"text": written["toml"]},
        {"text": written["link"]},
        {"data": base64.b64encode(figure.content).decode(), "name": "figure.png"},
    ):
        again = server.post("/api/read", json=body).json()["scenario"]
        assert server.post("/api/write", json={"scenario": again}).json()["link"] == written["link"]


def test_unit_beside_another_is_placed_plainly(server: httpx.Client) -> None:
    """A unit that stands by another stands where it stood, by coordinates."""
    table = scenario(server)
    other, unit = list(table["units"])[:2]
    for key in ("at", "facing_deg"):
        del table["units"][unit][key]
    table["units"][unit]["beside"] = {"unit": other, "side": "left", "gap": 2.0}
    told = server.post("/api/plain", json={"scenario": table, "options": {"unit": unit}}).json()[
        "scenario"
    ]
    before, after = (
        server.post("/api/table", json={"scenario": one}).json()["places"] for one in (table, told)
    )
    assert "at" in told["units"][unit]
    assert "beside" not in told["units"][unit]
    assert after[unit]["at"] == pytest.approx(before[unit]["at"], abs=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {"format": "svg"},
        {"format": "pdf", "steps": True, "theme": "dark"},
        {"format": "svg", "board": True},
    ],
)
def test_figures_are_those_of_the_command(
    server: httpx.Client, tmp_path: Any, options: dict[str, Any]
) -> None:
    """A figure that is saved is the file that `draw` writes, byte for byte."""
    out = tmp_path / f"figure.{options['format']}"
    words = [f"--{key}" for key, value in options.items() if value is True]
    assert main(["draw", A, "-o", str(out), *words, "--theme", options.get("theme", "screen")]) == 0
    assert (
        server.post("/api/draw", json={"scenario": scenario(server), "options": options}).content
        == out.read_bytes()
    )


def test_picture_for_the_gallery(server: httpx.Client) -> None:
    """Every bundled scenario has a small figure."""
    picture = server.get(f"/api/scenarios/{A}.svg")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
    assert server.get("/api/scenarios/t9a/none.svg").status_code == 404


def test_map_comes_line_by_line(server: httpx.Client) -> None:
    """A map tells how far it has come, and ends with its areas; what cannot be asked is the only line."""
    asked = {"scenario": scenario(server), "options": {"question": "threat", "step": 4.0}}
    with server.stream("POST", "/api/explore", json=asked) as answer:
        *progress, last = [json.loads(line) for line in answer.iter_lines()]
    assert progress[0] == {"done": 0, "of": progress[0]["of"]}
    assert {mark["role"].partition(".")[0] for mark in last["map"]["figure"]["marks"]} <= {
        "heat",
        "no_room",
        "text",
    }
    assert last["map"]["legend"]
    assert last["map"]["answer"] == f"{asked['scenario']['title']}: {last['map']['found']}"
    wrong = server.post(
        "/api/explore", json={"scenario": scenario(server), "options": {"question": "nonsense"}}
    )
    assert "question" in json.loads(wrong.text)["error"]


def test_description_names_every_address(server: httpx.Client) -> None:
    """The description lists what is answered, and nothing else."""
    paths = server.get("/api/openapi.json").json()["paths"]
    for path, methods in paths.items():
        address = path.format(system="t9a", name="wheel-and-align")
        answer = server.get(address) if "get" in methods else server.post(address, json={})
        assert answer.status_code == (200 if "get" in methods else 400) or path == "/api/explore", (
            path
        )


def test_description_tells_what_options_mean(server: httpx.Client) -> None:
    """Each question about a scenario has its own options, with what they mean and may be."""
    told = server.get("/api/openapi.json").json()
    for kind, key in (
        ("table", "near"),
        ("resolve", "ruling"),
        ("judge", "fill"),
        ("odds", "all"),
        ("plain", "unit"),
        ("explore", "step"),
    ):
        body = told["paths"][f"/api/{kind}"]["post"]["requestBody"]["content"]["application/json"][
            "schema"
        ]
        model = told["components"]["schemas"][
            body["properties"]["options"]["$ref"].rpartition("/")[2]
        ]
        assert model["additionalProperties"] is False
        assert model["properties"][key]["description"], (kind, key)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/nothing", None, 404),
        ("GET", "/api/scenarios/t9a/nothing", None, 404),
        ("GET", "/api/readings/chess", None, 404),
        ("GET", "/static/../app.py", None, 404),
        ("GET", "/static/fonts/LICENSE.txt", None, 404),
        ("GET", "/api/resolve", None, 405),
        ("DELETE", "/api/table", None, 405),
        ("POST", "/api/table", b"", 400),
        ("POST", "/api/table", b"[]", 400),
        ("POST", "/api/table", b"\xff\xfe", 400),
        ("POST", "/api/table", b'{"scenario": []}', 400),
        ("POST", "/api/table", b"[" * 100_000, 400),
        ("POST", "/api/table", b'{"scenario": {"system": "chess"}}', 400),
        ("POST", "/api/read", b'{"text": 5}', 400),
        ("POST", "/api/read", b'{"data": "!"}', 400),
        ("POST", "/api/read", b'{"text": "tt1.cut"}', 400),
        ("POST", "/api/read", b'{"text": "/etc/passwd"}', 400),
        ("POST", "/api/table", b" " * (2**20 + 1), 413),
    ],
)
def test_what_cannot_be_is_refused(
    server: httpx.Client, method: str, path: str, body: bytes | None, status: int
) -> None:
    """Whatever is wrong has its status and a sentence."""
    answer = server.request(method, path, content=body)
    assert answer.status_code == status
    assert len(answer.json()["error"]) > 10


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("resolve", {"dice": [7]}, r"^dice: .*\b6\b.*\[7\]"),
        ("resolve", {"dice": "4,x"}, r"^dice: .*\b6\b.*\[4, 'x'\]"),
        ("resolve", {"dices": [1]}, "dices: .*did you mean 'dice'"),
        ("resolve", {"seed": 1.5}, r"seed: .*\b1\.5\b"),
        ("resolve", {"ruling": 9}, r"^ruling: .*\b1 .*\b9\b"),
        ("resolve", {"max_seconds": -1}, "max_seconds"),
        ("resolve", {"set": ["system.nothing=1"]}, "nothing"),
        ("table", {"near": ["Nobody"]}, "Nobody"),
        ("table", {"within": True}, "within"),
        ("draw", {"format": "exe"}, "format"),
        ("draw", {"language": "/etc/passwd"}, "language"),
        ("draw", {"steps": True, "board": True}, "steps .*board"),
        ("draw", {"theme": "pink"}, "theme"),
        ("plain", {"unit": "Nobody"}, "Nobody"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    server: httpx.Client, kind: str, options: dict[str, Any], words: str
) -> None:
    """An option that is none is refused with its name, never passed over."""
    answer = server.post(f"/api/{kind}", json={"scenario": scenario(server), "options": options})
    assert answer.status_code == 400
    assert re.search(words, answer.json()["error"])


def test_newer_question_takes_the_place_of_an_older(server: httpx.Client) -> None:
    """Of questions of one page and name only the newest is answered; another page is not touched by that."""
    table = scenario(server, SLOW)
    quick = scenario(server)

    def ask(number: int) -> int:
        headers = {"X-Page": "one" if number < 2 else "two", "X-Question": "resolve"}
        body = {"scenario": {**(table if number == 0 else quick), "title": f"question {number}"}}
        return server.post("/api/resolve", json=body, headers=headers).status_code

    with ThreadPoolExecutor(3) as pool:
        older = pool.submit(ask, 0)
        other = pool.submit(ask, 2)
        while not older.running():
            pass
        assert pool.submit(ask, 1).result() in (200, 409)
        assert other.result() == 200
        assert sorted([older.result()]) in ([409], [200])
