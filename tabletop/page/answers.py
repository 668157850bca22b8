"""From questions of the page to answers, as plain tables: what the command line says, and figures as data.

Nothing here knows how a question came or where its answer goes. What is wrong with one is raised as everywhere, and put into words by
`refusal`.
"""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tabletop import asking, registry
from tabletop.errors import Fault, NoVerdictError, ScenarioError, UsageError
from tabletop.page import live, places
from tabletop.page.options import Options
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.cases import unit_entry
from tabletop.scenario.complaints import validated
from tabletop.scenario.document import scenario_model
from tabletop.scenario.figures import is_figure, scenario_in
from tabletop.scenario.link import is_link, link_of, linked
from tabletop.scenario.reading import case_from_tables, read_tables
from tabletop.scenario.results import odds_result, result
from tabletop.scenario.sources import bundled_names, bundled_text, label_of
from tabletop.scenario.text import parsed, parsed_with_lines
from tabletop.scenario.writing import content, to_toml
from tabletop.table.state import State
from tabletop.words import nearest, shown

Tables = dict[str, Any]
ABOUT, WITH = "scenario", "options"
"""Keys of what is posted: what is asked about, and how."""
KEPT_OF_A_UNIT = ("side", "status", "profile", "accuracy")
"""Keys of a unit that say nothing of where it stands."""


@dataclass(frozen=True)
class Report:
    """A case with its resolution, and the judgement where it has a proposal."""

    case: Case
    resolution: Resolution
    judgement: Judgement | None


def refusal(error: BaseException) -> tuple[int, Tables]:
    """Return the status and the words of what is wrong: 400 what the caller can mend, 408 what has no verdict, 500 a bug."""
    if isinstance(error, ScenarioError):
        key = next((fault.key for fault in error.problems if fault.key), None)
        return 400, {"error": str(error), "key": key, "faults": places.fault_entries(error.problems)}
    if isinstance(error, UsageError):
        return 400, {"error": str(error), "key": None}
    if isinstance(error, NoVerdictError):
        return 408, {"error": str(error), "key": None}
    if isinstance(error, MemoryError):
        return 408, {"error": "there is not enough memory for this", "key": None}
    return 500, {"error": f"this is a bug in tabletop, please report it: {type(error).__name__}: {error}", "key": None}


def posted(data: bytes) -> tuple[Tables, Options]:
    """Return the scenario and the options of a question, checked for nothing but that they are tables.

    Raises
    ------
    ScenarioError
        If they are not, or hold what no file can.
    """
    try:
        body = parsed(data, is_json=True)
    except ScenarioError as error:
        told = (replace(fault, key=fault.key.removeprefix(f"{ABOUT}."), line=None) for fault in error.problems)
        raise ScenarioError(told) from None
    tables, options = (body.get(key, {}) for key in (ABOUT, WITH))
    for key, value in ((ABOUT, tables), (WITH, options)):
        if not isinstance(value, dict):
            raise ScenarioError(Fault(key, f"expected a table, given {shown(value)}"))
    if unknown := [key for key in body if key not in (ABOUT, WITH)]:
        raise ScenarioError(Fault(unknown[0], f"unknown key{nearest(unknown[0], (ABOUT, WITH))} (known here: {ABOUT}, {WITH})"))
    return tables, Options(options)


# --- about a scenario ---


def table(tables: Tables, options: Options) -> Tables:
    """Return the table as it stands: places, its figure, gaps about some units, and what makes it impossible.

    Unless `bodies` is true nothing is told of what stands where: whoever drags it knows.

    Raises
    ------
    ScenarioError
        If it is such that nothing can be shown.
    """
    near, overrides, has_bodies = _near(options), options.texts("set"), options.truth("bodies", default=True)
    options.close()
    faults: tuple[Fault, ...] = ()
    try:
        case = case_from_tables(tables, overrides=overrides)
    except ScenarioError as error:
        if error.case is None:
            raise
        case, faults = error.case, error.problems
    state = case.state
    return {
        **_standing(state, *near, has_bodies=has_bodies),
        "figure": live.table_figure(case, faults, has_bodies=has_bodies),
        "faults": places.fault_entries(faults, state),
    }


def _near(options: Options) -> tuple[tuple[str, ...], float]:
    """Return of which units gaps are told, and within how many inches."""
    return options.names("near", most=places.MOST_NEAR), options.number("within", places.WITHIN, least=0.0, most=100.0)


def _standing(state: State[Any], near: Sequence[str], within: float, *, has_bodies: bool) -> Tables:
    """Return the table as it stands, and the gaps about some units."""
    if unknown := [name for name in near if name not in state.units]:
        raise UsageError(f"near: no unit is called {shown(unknown[0])}{nearest(unknown[0], state.units)}")
    return {**(places.table_entries(state) if has_bodies else {}), "gaps": places.gaps(state, near, within)}


def resolve(tables: Tables, options: Options) -> Tables:
    """Return what `resolve --json` prints, and unless `figure` is false the figure, its words and all places."""
    ruling, has_figure, near = options.whole("ruling", None, least=0), options.truth("figure", default=True), _near(options)
    has_bodies = options.truth("bodies", default=True)
    answer = _answered(tables, options)
    told = result(answer.case, answer.resolution, answer.judgement)
    if not has_figure:
        return told
    resolution = answer.resolution if ruling is None else _alone(answer.resolution, ruling)
    figure = live.answer_figure(answer.case, resolution, has_bodies=has_bodies)
    moved = places.moved_places(resolution.before, resolution.after)
    return {
        **told,
        **_standing(resolution.before, *near, has_bodies=has_bodies),
        **_words(answer.case, resolution, None),
        "ends": moved,
        "figure": figure,
        "marks_of": live.marks_of(resolution, figure),
        "rolls": _rolls(answer.resolution),
    }


def judge(tables: Tables, options: Options) -> Tables:
    """Return what `judge --json` prints, and unless `figure` is false the figure of the proposal, its words and all places."""
    has_figure, near, has_bodies = options.truth("figure", default=True), _near(options), options.truth("bodies", default=True)
    answer = _answered(tables, options)
    case, resolution = answer.case, answer.resolution
    judgement = answer.judgement or asking.judge(case, resolution)
    told = result(case, resolution, judgement)
    if not has_figure:
        return told
    claimed, figure = case.claimed(resolution) or {}, live.answer_figure(case, resolution, judgement, has_bodies=has_bodies)
    return {
        **told,
        **_standing(resolution.before, *near, has_bodies=has_bodies),
        **_words(case, resolution, judgement),
        "ends": places.moved_places(resolution.before, resolution.after),
        "claimed": places.claimed_places(claimed, resolution.before),
        "figure": figure,
        "demanded": live.demanded_figure(resolution, judgement),
        "marks_of": live.marks_of(resolution, figure),
        "rolls": _rolls(resolution),
    }


def odds(tables: Tables, options: Options) -> Tables:
    """Return what `odds --json` prints."""
    overrides, seconds, detail = options.texts("set"), options.seconds(), options.truth("all", default=False)
    options.close()
    case = replace(case_from_tables(tables, overrides=overrides), detail=detail)
    return odds_result(asking.odds(case, max_seconds=seconds))


def write(tables: Tables, options: Options) -> Tables:
    """Return a scenario as the text of a file, and as a link: what is told by how units stand to each other stays so."""
    options.close()
    scenario, problems = validated(scenario_model(_system(tables)), tables)
    if scenario is None or problems:
        raise ScenarioError(problems)
    return {"toml": to_toml(scenario), "link": link_of(json.dumps(content(scenario), separators=(",", ":")))}


def plain(tables: Tables, options: Options) -> Tables:
    """Return a scenario in which a unit stands where it stands by coordinates, not by others."""
    name = options.text("unit") or ""
    options.close()
    try:
        case = case_from_tables(tables)
    except ScenarioError as error:
        if error.case is None:
            raise
        case = error.case
    if name not in case.state.units:
        raise UsageError(f"unit: no unit is called {shown(name)}{nearest(name, case.state.units)}")
    entry = tables["units"][name]
    kept = {key: entry[key] for key in KEPT_OF_A_UNIT if key in entry}
    told = {key: value for key, value in unit_entry(case.state.units[name], case).items() if key not in KEPT_OF_A_UNIT}
    return {"scenario": {**tables, "units": {**tables["units"], name: {**kept, **told}}}}


def _answered(tables: Tables, options: Options) -> Report:
    """Read, resolve, and judge where there is a proposal, as the commands do."""
    overrides, dice = options.texts("set"), options.faces("dice")
    seed, seconds = options.whole("seed", 0) or 0, options.seconds()
    second_opinion, fill = (options.truth(word, default=False) for word in ("second_opinion", "fill"))
    options.close()
    case = case_from_tables(tables, overrides=overrides)
    resolution = asking.resolve(case, dice=dice, seed=seed, max_seconds=seconds, second_opinion=second_opinion, fill=fill)
    judgement = None if case.proposal is None else asking.judge(case, resolution, max_seconds=seconds)
    return Report(case, resolution, judgement)


def _alone(resolution: Resolution, number: int) -> Resolution:
    """Return a resolution of which only one ruling is shown."""
    if number >= len(resolution.rulings):
        raise UsageError(f"ruling {number}: the scenario has {len(resolution.rulings)} charges, counted from 0")
    return replace(resolution, rulings=(resolution.rulings[number],), order=())


def _words(case: Case, resolution: Resolution, judgement: Judgement | None) -> Tables:
    """Return what a reader is told: a line for each charge, and the sentences of a figure's caption."""
    from plots.marks.captions import badges, caption, title

    told = badges(resolution, judgement)
    first = f"{told[0].words}: {told[0].about}" if told else title(case)
    entries = [{"outcome": badge.outcome, "words": badge.words, "about": badge.about} for badge in told]
    return {"headline": first, "badges": entries, "sentences": list(caption(case, resolution, judgement))}


def _rolls(resolution: Resolution) -> list[Tables]:
    """Return the faces that each charge rolled, and what a figure says of them."""
    rolled = {} if resolution.throws is None else resolution.throws.record.rolled
    told = []
    for number, ruling in enumerate(resolution.rulings):
        dice, faces = ruling.evidence.dice, rolled.get(number, ())
        counts = {} if dice is None else {"counted": list(dice.faces), "ignored": list(dice.ignored), "sides": dice.sides}
        words = {} if dice is None else {"words": dice.words}
        told.append({"faces": list(faces), "least": len(faces), **words, **counts})
    return told


# --- about files ---


def read(data: bytes) -> Tables:
    """Return the scenario of a text (TOML, JSON or a link), or of a file's bytes, a figure that carries one among them.

    What cannot stand so is told beside it; what is no scenario is refused.
    """
    text, label = _given(data)
    try:
        if is_figure(text):
            text = scenario_in(text)
        elif is_link(plain_text := text.decode("utf-8", "replace")):
            text = linked(plain_text)
        tables, lines = parsed_with_lines(text)
        try:
            case_from_tables(tables)
        except ScenarioError as error:
            if error.case is None:
                raise lines.told(error) from None
            return {"scenario": tables, "faults": places.fault_entries(lines.told(error).problems)}
    except ScenarioError as error:
        raise (error if error.file or not label else error.in_file(label)) from None
    return {"scenario": tables, "faults": []}


def _given(data: bytes) -> tuple[bytes, str]:
    """Return the bytes of a file that was posted, and what messages call it."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise UsageError('expected a JSON object with "text", or with "data" in base64') from None
    told = {key: body.get(key) for key in ("text", "data", "name")} if isinstance(body, dict) else {}
    text, coded, name = told.get("text"), told.get("data"), told.get("name") or ""
    if not isinstance(name, str) or (isinstance(text, str) == isinstance(coded, str)):
        raise UsageError('expected a JSON object with "text", or with "data" in base64, and perhaps a "name"')
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass"), name[:200]
    try:
        return base64.b64decode(coded or "", validate=True), name[:200]
    except (binascii.Error, ValueError):
        raise UsageError('"data" is no base64') from None


def _system(tables: Tables) -> Any:
    """Return the system of a scenario, or raise what reading it raises."""
    name = tables.get("system")
    if isinstance(name, str) and registry.knows(name):
        return registry.find(name)
    return case_from_tables(tables).system  # says what is wrong


# --- about what there is ---


def health() -> Tables:
    """Return the version and the systems."""
    from tabletop.distribution import version

    return {"version": version(), "systems": [{"name": name, "title": registry.find(name).title} for name in _systems()]}


def _systems() -> tuple[str, ...]:
    return registry.usable(lambda _: None)


def schema(system: str | None = None) -> Tables:
    """Return the JSON Schema of one system's files, or of all."""
    from tabletop.scenario.schema import json_schema, schema_of

    return json_schema([registry.find(name) for name in _systems()]) if system is None else schema_of(registry.find(system))


def scenarios() -> list[Tables]:
    """Return the names, systems and titles of the bundled scenarios."""
    return [{"name": name, "system": system, "title": _title(file)} for system in _systems() for name, file in registry.scenarios(system)]


def _title(file: Path) -> str:
    return str(parsed(file.read_bytes()).get("title", ""))


def scenario(name: str) -> Tables:
    """Return a bundled scenario.

    Raises
    ------
    LookupError
        If there is none of that name.
    """
    if name not in bundled_names():
        raise LookupError(f"there is no bundled scenario called {shown(name)}{nearest(name, bundled_names())}")
    return {"scenario": parsed(bundled_text(name).encode()), "name": name}


def opened(source: str) -> Tables:
    """Return the scenario of a file, a link or a bundled name, even if its table cannot stand so: the page shows why.

    Raises
    ------
    ScenarioError
        If nothing can be shown of it.
    """
    tables = read_tables(source)
    try:
        case_from_tables(tables)
    except ScenarioError as error:
        if error.case is None:
            raise error.in_file(label_of(source)) from None
    return {"scenario": tables, "name": label_of(source)}


def warmed(system: str) -> Tables:
    """Return the answer about a system's example: after it all that rulings and their figures need is loaded."""
    return resolve({"system": system, **registry.find(system).vocabulary.example}, Options({}))


def theme() -> Tables:
    """Return the looks of all roles, light and dark."""
    return live.theme_roles()


def readings(system: str) -> list[Tables]:
    """Return a system's named choices: key, what it may be, what it is if nothing is said, and what it means.

    Raises
    ------
    LookupError
        If there is no such system.
    """
    if not registry.knows(system):
        raise LookupError(f"no system is called {shown(system)}{nearest(system, registry.names())}")
    properties = registry.find(system).vocabulary.choices.model_json_schema().get("properties", {})
    return [
        {"key": key, "values": told.get("enum"), "default": told.get("default"), "description": told.get("description", "")}
        for key, told in properties.items()
    ]


QUESTIONS: dict[str, Callable[[Tables, Options], Tables]] = {
    "table": table,
    "resolve": resolve,
    "judge": judge,
    "odds": odds,
    "write": write,
    "plain": plain,
}
"""What may be asked about a scenario, by the last part of the address."""
