"""From questions of the page to answers: what the command line says, figures as data and as files, maps, and what there is.

Nothing here knows how a question came or where its answer goes: `JOBS` takes bytes and gives a reply. What is wrong with a question is
raised as everywhere, and put into words by `refusal`. Figures and surveys are imported when one is asked for.
"""

import base64
import binascii
import json
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from tabletop import api, registry
from tabletop.api import Report
from tabletop.catalogue import AUDIENCES, LANGUAGES
from tabletop.cli import speech
from tabletop.errors import OUT_OF_MEMORY, Fault, NoVerdictError, ScenarioError, UsageError, message_of
from tabletop.messages import names_in, nearest, quoted, say, shown
from tabletop.page import figure_data
from tabletop.page.protocol import EXPLORE, NDJSON, WARM, Job, Options, Reply, Tell, as_json, told
from tabletop.ruling.system import Case, System
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.cases import unit_entry
from tabletop.scenario.document import scenario_model
from tabletop.scenario.embedded import is_figure, is_link, link_of, linked, scenario_in
from tabletop.scenario.parsing import parsed, parsed_with_lines
from tabletop.scenario.reading import case_from_tables, read_case, read_tables
from tabletop.scenario.results import odds_result, result
from tabletop.scenario.sources import bundled_names, bundled_text, label_of
from tabletop.scenario.validation import validated
from tabletop.scenario.writing import content, to_toml
from tabletop.table.state import State

Tables = dict[str, Any]

ABOUT, WITH = "scenario", "options"
"""Keys of what is posted: what is asked about, and how."""

KEPT_OF_A_UNIT = ("side", "status", "profile", "accuracy")
"""Keys of a unit that say nothing of where it stands."""

MEDIA = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "webp": "image/webp",
    "gif": "image/gif",
    "html": "text/html; charset=utf-8",
}
"""What figures as files are, by their endings."""

MOVING = ("gif", "html")
"""Those of `MEDIA` that show the moves."""

LONGEST_NAME = 60
"""Letters of the name of a figure that is sent."""

SIZES = ((72.0, 48.0), (60.0, 44.0), (48.0, 48.0))
"""Inches of tables that are usual, width and depth; which of them is a game's its own example says, else it is the first."""

MAPS = ("threat", "safe", "start")
"""Questions of which the page shows a map."""

LEAST_STEP, MOST_CASES = 0.1, 250_000
"""Inches between two places of a map, and cases of one."""

EVERY = 0.1
"""Seconds between two words of how far it has come."""


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
            raise ScenarioError(Fault.of(key, "expected a table, given {value}", value=shown(value)))
    if unknown := [key for key in body if key not in (ABOUT, WITH)]:
        raise ScenarioError(
            Fault.of(
                unknown[0],
                "unknown key{hint} (known here: {about}, {more})",
                hint=nearest(unknown[0], (ABOUT, WITH)),
                about=ABOUT,
                more=WITH,
            )
        )
    return tables, Options(options)


def refusal(error: BaseException) -> tuple[int, Tables]:
    """Return the status and the words of what is wrong: 400 what the caller can mend, 408 what has no verdict, 500 a bug."""
    words = {"error": speech.told(message_of(error)), "key": None}
    if isinstance(error, ScenarioError):
        key = next((fault.key for fault in error.problems if fault.key), None)
        return 400, {**words, "key": key, "faults": figure_data.fault_entries(error.problems)}
    if isinstance(error, UsageError):
        return 400, words
    if isinstance(error, NoVerdictError):
        return 408, words
    if isinstance(error, MemoryError):
        return 408, {**words, "error": speech.told(OUT_OF_MEMORY)}
    bug = say("this is a bug in tabletop, please report it: {kind}: {error}", kind=type(error).__name__, error=str(error))
    return 500, {**words, "error": speech.told(bug)}


# About a scenario.


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
        "figure": figure_data.table_figure(case, faults, has_bodies=has_bodies),
        "faults": figure_data.fault_entries(faults, state),
    }


def _near(options: Options) -> tuple[tuple[str, ...], float]:
    """Return of which units gaps are told, and within how many inches."""
    return options.names("near", most=figure_data.MOST_NEAR), options.number("within", figure_data.WITHIN, least=0.0, most=100.0)


def _standing(state: State[Any], near: Sequence[str], within: float, *, has_bodies: bool) -> Tables:
    """Return the table as it stands, and the gaps about some units."""
    if unknown := [name for name in near if name not in state.units]:
        raise UsageError("near: no unit is called {unknown}{hint}", unknown=shown(unknown[0]), hint=nearest(unknown[0], state.units))
    return {**(figure_data.table_entries(state) if has_bodies else {}), "gaps": figure_data.gaps(state, near, within)}


def resolve(tables: Tables, options: Options) -> Tables:
    """Return what `resolve --json` prints, and unless `figure` is false the figure, its words and all places."""
    ruling, has_figure, near = options.whole("ruling", None, least=0), options.truth("figure", default=True), _near(options)
    has_bodies = options.truth("bodies", default=True)
    answer = _answered(tables, options)
    told = result(answer.case, *speech.spoken(answer.case, answer.resolution, answer.judgement))
    if not has_figure:
        return told
    resolution = answer.resolution if ruling is None else _alone(answer.resolution, ruling)
    figure = figure_data.answer_figure(answer.case, resolution, has_bodies=has_bodies)
    moved = figure_data.moved_places(resolution.before, resolution.after)
    return {
        **told,
        **_standing(resolution.before, *near, has_bodies=has_bodies),
        **_words(answer.case, resolution, None),
        "ends": moved,
        "figure": figure,
        **_findings(resolution, None, figure),
        "rolls": _rolls(answer.case, answer.resolution),
    }


def judge(tables: Tables, options: Options) -> Tables:
    """Return what `judge --json` prints, and unless `figure` is false the figure of the proposal, its words and all places."""
    has_figure, near, has_bodies = options.truth("figure", default=True), _near(options), options.truth("bodies", default=True)
    answer = _answered(tables, options)
    case, resolution = answer.case, answer.resolution
    judgement = answer.judgement or api.judge(case, resolution)
    told = result(case, *speech.spoken(case, resolution, judgement))
    if not has_figure:
        return told
    claimed, figure = case.claimed(resolution) or {}, figure_data.answer_figure(case, resolution, judgement, has_bodies=has_bodies)
    return {
        **told,
        **_standing(resolution.before, *near, has_bodies=has_bodies),
        **_words(case, resolution, judgement),
        "ends": figure_data.moved_places(resolution.before, resolution.after),
        "claimed": figure_data.claimed_places(claimed, resolution.before),
        "figure": figure,
        "demanded": figure_data.demanded_figure(resolution, judgement),
        **_findings(resolution, judgement, figure),
        "rolls": _rolls(case, resolution),
    }


def _answered(tables: Tables, options: Options) -> Report:
    """Read, resolve, and judge where there is a proposal, as the commands do."""
    overrides, dice = options.texts("set"), options.faces("dice")
    seed, seconds = options.whole("seed", 0) or 0, options.seconds()
    second_opinion, fill = (options.truth(word, default=False) for word in ("second_opinion", "fill"))
    options.close()
    case = case_from_tables(tables, overrides=overrides)
    resolution = api.resolve(case, dice=dice, seed=seed, max_seconds=seconds, second_opinion=second_opinion, fill=fill)
    judgement = None if case.proposal is None else api.judge(case, resolution, max_seconds=seconds)
    return Report(case, resolution, judgement)


def _alone(resolution: Resolution, number: int) -> Resolution:
    """Return a resolution of which only one ruling is shown."""
    if number >= len(resolution.rulings):
        raise UsageError("ruling {number}: the scenario has {count} charges, counted from 0", number=number, count=len(resolution.rulings))
    return replace(resolution, rulings=(resolution.rulings[number],), order=())


def _words(case: Case, resolution: Resolution, judgement: Judgement | None) -> Tables:
    """Return what a reader is told: a line for each charge, and the sentences of a figure's caption."""
    from plots.marks.captions import badges, caption, title
    from plots.marks.spoken import in_language

    language = speech.language_of(case)
    resolution, judgement = in_language(language, case, resolution, judgement, "reader")
    told = badges(resolution, judgement, language)
    first = f"{told[0].words}: {told[0].about}" if told else title(case, language)
    kept = ("outcome", "words", "about", "who", "why")
    entries = [{key: getattr(badge, key) for key in kept} for badge in told]
    return {"headline": first, "badges": entries, "sentences": list(caption(case, resolution, judgement, language=language))}


def _findings(resolution: Resolution, judgement: Judgement | None, figure: Tables) -> Tables:
    """Return by rule which marks of a figure show its finding, and what of the table is named in that."""
    judged = () if judgement is None else judgement.findings
    findings = [*judged, *(finding for ruling in resolution.rulings for finding in ruling.findings)]
    known = {*resolution.before.units, *(piece.name for piece in resolution.before.terrain)}
    names = {finding.rule: sorted(names_in(finding.text) & known) for finding in reversed(findings)}
    return {"marks_of": figure_data.marks_of(resolution, figure), "names_of": names}


def _rolls(case: Case, resolution: Resolution) -> list[Tables]:
    """Return the faces that each charge rolled, and what a figure says of them."""
    resolution, _ = speech.spoken(case, resolution, None)
    rolled = {} if resolution.throws is None else resolution.throws.rolled
    told = []
    for number, ruling in enumerate(resolution.rulings):
        dice, faces = ruling.evidence.dice, rolled.get(number, ())
        counts = {} if dice is None else {"counted": list(dice.faces), "ignored": list(dice.ignored), "sides": dice.sides}
        words = {} if dice is None else {"words": dice.words}
        told.append({"faces": list(faces), "least": len(faces), **words, **counts})
    return told


def odds(tables: Tables, options: Options) -> Tables:
    """Return what `odds --json` prints."""
    overrides, seconds, detail = options.texts("set"), options.seconds(), options.truth("all", default=False)
    options.close()
    case = replace(case_from_tables(tables, overrides=overrides), detail=detail)
    return odds_result(api.odds(case, max_seconds=seconds))


def write(tables: Tables, options: Options) -> Tables:
    """Return a scenario as the text of a file, and as a link: what is told by how units stand to each other stays so."""
    options.close()
    scenario, problems = validated(scenario_model(_system(tables)), tables)
    if scenario is None or problems:
        raise ScenarioError(problems)
    return {"toml": to_toml(scenario), "link": link_of(json.dumps(content(scenario), separators=(",", ":")))}


def _system(tables: Tables) -> Any:
    """Return the system of a scenario, or raise what reading it raises."""
    name = tables.get("system")
    if isinstance(name, str) and registry.knows(name):
        return registry.find(name)
    return case_from_tables(tables).system  # says what is wrong


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
        raise UsageError("unit: no unit is called {name}{hint}", name=shown(name), hint=nearest(name, case.state.units))
    entry = tables["units"][name]
    kept = {key: entry[key] for key in KEPT_OF_A_UNIT if key in entry}
    told = {key: value for key, value in unit_entry(case.state.units[name], case).items() if key not in KEPT_OF_A_UNIT}
    return {"scenario": {**tables, "units": {**tables["units"], name: {**kept, **told}}}}


# Figures as files: those that the command `draw` writes, byte for byte.


def drawn(tables: Tables, options: Options) -> Reply:
    """Return the figure of a scenario as a file of the format that is asked for.

    Raises
    ------
    UsageError
        If an option means nothing, or the figure does not fit.
    ScenarioError, NoVerdictError
        As resolving does.
    """
    import plots

    kind = options.text("format") or "svg"
    if kind not in MEDIA:
        raise UsageError(
            "options: format: expected {known}, given {kind}{hint}", known=quoted(MEDIA), kind=shown(kind), hint=nearest(kind, MEDIA)
        )
    view = _view(options)
    words = {key: options.text(key) for key in ("theme", "size", "scale", "panel", "text", "sheet", "audience")}
    language, is_bare, dpi = options.text("language"), options.truth("bare", default=False), options.whole("dpi", None)
    dice, seed, overrides, seconds = options.faces("dice"), options.whole("seed", 0) or 0, options.texts("set"), options.seconds()
    options.close()
    if language is not None:
        _refuse_file(language)
    setting = plots.setting(**words, language=language or speech.spoken_name(), bare=is_bare, dpi=dpi)
    case = case_from_tables(tables, overrides=overrides)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"figure.{kind}")
        if kind in MOVING and view != "charge":
            raise UsageError("moving pictures show every step: steps and board are for still ones")
        if view == "board":
            plots.draw(case, Resolution(case.state, (), case.state), path, view=view, setting=setting)
        else:
            resolution = api.resolve(case, dice=dice, seed=seed, max_seconds=seconds)
            judgement = None if case.proposal is None else api.judge(case, resolution, max_seconds=seconds)
            if kind in MOVING:
                plots.animate(case, resolution, path, judgement=judgement, setting=setting)
            else:
                plots.draw(case, resolution, path, view=view, judgement=judgement, setting=setting)
        data = path.read_bytes()
    return Reply(data, media=MEDIA[kind], headers={"Content-Disposition": f'attachment; filename="{_file_name(case.title)}.{kind}"'})


def _view(options: Options) -> Literal["charge", "steps", "board"]:
    steps, board = (options.truth(key, default=False) for key in ("steps", "board"))
    if steps and board:
        raise UsageError("options: steps and board exclude each other")
    return "steps" if steps else "board" if board else "charge"


def _refuse_file(language: str) -> None:
    """Refuse a language that is a file: the page reads none of this machine's that it was not started with."""
    from plots.marks.language import BUNDLED

    if LANGUAGES.get(language.lower(), language.lower()) not in BUNDLED:
        message = "options: language: expected {known}, given {language}{hint}"
        raise UsageError(message, known=quoted(BUNDLED), language=shown(language), hint=nearest(language, BUNDLED))


def _file_name(title: str) -> str:
    """Return a name that every system takes, of letters, digits and hyphens."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(words)[:LONGEST_NAME].strip("-") or "charge"


def small_picture(name: str) -> Reply:
    """Return the figure of a bundled scenario for a gallery: its last panel, nothing around it.

    Raises
    ------
    LookupError
        If there is none of that name.
    """
    import plots

    _refuse_unknown(name)
    case = read_case(name)
    resolution = api.resolve(case)
    panel = "after" if figure_data.moved_places(resolution.before, resolution.after) else "before"
    setting = plots.setting(size="single-column", bare=True, panel=panel, text="outlines", language=speech.spoken_name())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "figure.svg")
        plots.draw(case, resolution, path, setting=setting)
        return Reply(path.read_bytes(), media=MEDIA["svg"])


def words() -> Tables:
    """Return the choices of whoever has a figure drawn."""
    from plots.layout.setting import PAPERS, SIZES, TEXTS
    from plots.marks.language import BUNDLED
    from plots.marks.theme import THEMES

    lists: dict[str, Iterable[str]] = {
        "theme": THEMES,
        "size": SIZES,
        "language": BUNDLED,
        "format": MEDIA,
        "sheet": PAPERS,
        "text": TEXTS,
        "audience": AUDIENCES,
    }
    return {"draw": {key: list(values) for key, values in lists.items()}}


# Maps, told case by case.


def explored(tables: Tables, options: Options, tell: Tell) -> Reply:
    """Return the last line of an answer: the map, or what went wrong under way; `tell` hears the lines before it."""
    try:
        return _line({"map": _mapped(tables, options, tell)})
    except Exception as error:  # noqa: BLE001 - the status has gone out already: the line says what is wrong
        status, words = refusal(error)
        return _line({**words, "status": status})


def _line(value: Tables) -> Reply:
    return Reply(as_json(value).encode() + b"\n", media=NDJSON)


def _mapped(tables: Tables, options: Options, tell: Tell) -> Tables:
    from tabletop.exploring.explore import explore, sweep_of
    from tabletop.exploring.questions import Question

    name, unit = options.text("question") or "threat", options.text("unit")
    step, facings = options.number("step", 1.0, least=LEAST_STEP, most=100.0), options.whole("facings", 1, least=1, most=36) or 1
    seed, seconds = options.whole("seed", 0) or 0, options.number("max_seconds", 600.0, least=0.1, most=600.0)
    options.close()
    if name not in MAPS:
        raise UsageError("options: question: expected {known}, given {name}", known=quoted(MAPS), name=shown(name))
    question = Question(name, unit, step, facings)  # type: ignore[arg-type]
    cases = len(sweep_of(tables, question=question, seed=seed).grid)
    if cases > MOST_CASES:
        raise UsageError(
            "that is {cases:,} cases, the page resolves at most {most:,}; a greater step makes them fewer", cases=cases, most=MOST_CASES
        )
    count, told, started = 0, 0.0, time.monotonic()

    def done(more: int) -> None:
        nonlocal count, told
        count += more
        if time.monotonic() - told >= EVERY:
            told = time.monotonic()
            if told - started > seconds:
                message = "stopped at its limit of {seconds:g} s after {count:,} of {cases:,} cases; a greater step makes fewer"
                raise NoVerdictError(message, seconds=seconds, count=count, cases=cases)
            tell(json.dumps({"done": count, "of": cases}).encode() + b"\n")

    done(0)
    survey = explore(tables, question=question, seed=seed, workers=1, done=done)
    return _heat(survey, unit)


def _heat(survey: Any, unit: str | None) -> Tables:
    """Return the areas over the board, what their shades mean, and the words of the map's figure."""
    import plots
    from plots.render.maps import NUMBERLESS, found_words, picture_of, unit_of

    picture = picture_of(survey.case, survey, question=survey.question, setting=plots.setting(language=speech.spoken_name()))
    if picture is None:
        raise UsageError("there is no map of this: nothing is moved over the board")
    shaded = ("heat.", *NUMBERLESS)
    marks = [mark for mark in picture.panels[0].marks if mark.role.startswith(shaded) or mark.id.startswith("map.heat.")]
    return {
        "question": survey.question,
        "unit": unit_of(survey) or unit,
        "figure": figure_data.figure_of(marks, survey.case.state),
        "legend": [{"role": role, "words": words} for role, words in picture.meanings.items()],
        "answer": picture.title,
        "found": found_words(survey.case, survey, question=survey.question, language=speech.language_of(survey.case)),
        "words": " ".join(picture.caption),
    }


# About files, and about what there is.


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
            return {"scenario": tables, "faults": figure_data.fault_entries(lines.told(error).problems)}
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


def empty(system: str) -> Tables:
    """Return the scenario of a table of a system with nothing on it."""
    return {"scenario": {"system": system, "board": boards(registry.find(system))[0]}, "name": ""}


def boards(system: System) -> list[Tables]:
    """Return the boards that an empty table of a system may have, its own first: a sheet of hexes, or one of the usual sizes."""
    own = dict(system.vocabulary.example.get("board", {}))
    if "columns" in own:
        return [own]
    usual = [{"width": width, "depth": depth} for width, depth in SIZES]
    return sorted(usual, key=lambda board: board != own)


def health() -> Tables:
    """Return the version and the systems, with the boards of their empty tables."""
    from tabletop.distribution import version

    found = [registry.find(name) for name in _systems()]
    return {"version": version(), "systems": [{"name": one.name, "title": one.title, "boards": boards(one)} for one in found]}


def _systems() -> tuple[str, ...]:
    return registry.usable(lambda _: None)


def schema(system: str | None = None) -> Tables:
    """Return the JSON Schema of one system's files, or of all."""
    from tabletop.scenario.schema import json_schema, schema_of

    told = json_schema([registry.find(name) for name in _systems()]) if system is None else schema_of(registry.find(system))
    return dict(speech.explained(told))


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
    _refuse_unknown(name)
    return {"scenario": parsed(bundled_text(name).encode()), "name": name}


def _refuse_unknown(name: str) -> None:
    if name not in bundled_names():
        message = "there is no bundled scenario called {name}{hint}"
        raise LookupError(say(message, name=shown(name), hint=nearest(name, bundled_names())))


def warmed(system: str) -> Tables:
    """Return the answer about a system's example: after it all that rulings and their figures need is loaded."""
    return resolve({"system": system, **registry.find(system).vocabulary.example}, Options({}))


def readings(system: str) -> list[Tables]:
    """Return a system's named choices: key, what it may be, what it is if nothing is said, and what it means.

    Raises
    ------
    LookupError
        If there is no such system.
    """
    if not registry.knows(system):
        raise LookupError(say("no system is called {system}{hint}", system=shown(system), hint=nearest(system, registry.names())))
    properties = speech.explained(registry.find(system).vocabulary.choices.model_json_schema()).get("properties", {})
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


def _plain(answer: Callable[[bytes], Reply]) -> Job:
    """Return the job of a question that is answered at once."""
    return lambda data, _: answer(data)


def _about(answer: Callable[..., Tables]) -> Job:
    """Return the job of a question about a scenario."""
    return lambda data, _: Reply(figure_data.written(answer(*posted(data))).encode())


def theme() -> Tables:
    """Return the looks of all roles of marks, light and dark."""
    from plots.marks.entries import theme_roles

    return theme_roles()


JOBS: dict[str, Job] = {
    **{kind: _about(answer) for kind, answer in QUESTIONS.items()},
    "draw": _plain(lambda data: drawn(*posted(data))),
    "picture": _plain(lambda data: small_picture(data.decode())),
    "words": _plain(lambda _: told(words())),
    "health": _plain(lambda _: told(health())),
    "schema": _plain(lambda data: told(schema(data.decode() or None))),
    "theme": _plain(lambda _: told(theme())),
    "scenarios": _plain(lambda _: told(scenarios())),
    "scenario": _plain(lambda data: told(scenario(data.decode()))),
    "start": _plain(lambda data: told(json.loads(data))),
    "readings": _plain(lambda data: told(readings(data.decode()))),
    "read": _plain(lambda data: told(read(data))),
    EXPLORE: lambda data, tell: explored(*posted(data), tell),
    WARM: _plain(lambda data: told(warmed(data.decode()))),
}
"""What answers each kind of question."""
