"""Handlers of the page's endpoints: rulings, figures as data and as files, maps, lists.

Handlers know nothing of transport: `answer` takes bytes, calls the function named like the endpoint and returns a
`Reply`. Errors are raised as usual; `error_reply` converts them. Figures and surveys are imported on first use.
"""

import base64
import binascii
import json
import re
import time
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar, get_type_hints

from tabletop import api, registry
from tabletop.api import Report
from tabletop.catalogue import AUDIENCES, languages
from tabletop.errors import (
    OUT_OF_MEMORY,
    Fault,
    NoVerdictError,
    ScenarioError,
    UsageError,
    message_of,
    naming,
)
from tabletop.language import speech
from tabletop.messages import names_in, nearest, quoted, say, shown
from tabletop.page import figure_data
from tabletop.page.options import (
    DrawOptions,
    JudgeOptions,
    MapOptions,
    NoOptions,
    OddsOptions,
    PlainOptions,
    Posted,
    ResolveOptions,
    TableOptions,
)
from tabletop.page.protocol import ENDPOINTS, EXPLORE, NDJSON, Reply, Tell, as_json, success
from tabletop.ruling.system import Case, System
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.cases import unit_entry
from tabletop.scenario.document import scenario_model
from tabletop.scenario.embedded import embedded_scenario, is_figure, is_link, link_to, linked
from tabletop.scenario.parsing import parsed, parsed_with_lines
from tabletop.scenario.reading import case_from_tables, read_case, read_tables
from tabletop.scenario.results import odds_result, result
from tabletop.scenario.sources import bundled_names, bundled_text, label_of
from tabletop.scenario.validation import validated
from tabletop.scenario.vocabulary import Entry
from tabletop.scenario.writing import to_toml
from tabletop.show import MOVING, Drawing, View
from tabletop.table.state import State

Tables = dict[str, Any]

Options = TypeVar("Options", bound=Entry)

KEPT_OF_A_UNIT = ("side", "status", "profile", "accuracy")
"""Keys of a unit that do not concern its place."""

FIGURE_MEDIA_TYPES = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "webp": "image/webp",
    "gif": "image/gif",
    "html": "text/html; charset=utf-8",
}
"""Media types of figures by suffix."""

LONGEST_NAME = 60
"""Characters of the file name of a figure."""

BOARD_SIZES = ((72.0, 48.0), (60.0, 44.0), (48.0, 48.0))
"""Usual sizes of tables in inches, width and depth; a game's own example comes first."""

MAX_MAP_CASES = 250_000
"""Greatest number of cases of a map."""

EVERY = 0.1
"""Seconds between two reports of progress."""


@cache
def options_of(kind: str) -> type[Entry] | None:
    """Return the pydantic model of an endpoint's options, by the endpoint's name; None if it takes no scenario."""
    model: type[Entry] | None = get_type_hints(globals()[kind]).get("options")
    return model


def answer(kind: str, data: bytes, tell: Tell) -> Reply:
    """Return the reply of the endpoint `kind` to the bytes of a request; `tell` is called with each partial answer."""
    asked, model = globals()[kind], options_of(kind)
    if model is not None:
        given = posted(data, model)
        found = asked(*given, tell) if kind == EXPLORE else asked(*given)
    elif ENDPOINTS[kind].method == "POST":
        found = asked(data)
    else:
        found = asked(data.decode()) if data else asked()
    return found if isinstance(found, Reply) else success(found)


def posted(data: bytes, model: type[Options]) -> tuple[Tables, Options]:
    """Return the scenario's tables and the options, validated by `model`, from the JSON of a request; tables are not
    validated.

    Raises
    ------
    ScenarioError
        If the scenario is not a table, or has values that no file can hold.
    UsageError
        If an option is invalid.
    """
    try:
        body = parsed(data, is_json=True)
    except ScenarioError as error:
        told = (
            replace(fault, key=fault.key.removeprefix("scenario."), line=None)
            for fault in error.problems
        )
        raise ScenarioError(told) from None
    asked, problems = validated(Posted, body)
    if asked is None or problems:
        raise ScenarioError(problems)
    given = {
        key: value
        for key, value in asked.options.items()
        if value is not None or key not in model.model_fields
    }
    options, problems = validated(model, given)
    if options is None or problems:
        raise UsageError("options: {problem}", problem=problems[0].sentence)
    return asked.scenario, options


def error_reply(error: BaseException) -> tuple[int, Tables]:
    """Return HTTP status and JSON content for an exception.

    The status is 400 for invalid input, 404 for an unknown name, 408 for no verdict or exhausted memory, and 500 for a
    bug.
    """
    words = {"error": speech.translated(message_of(error)), "key": None}
    if isinstance(error, ScenarioError):
        key = next((fault.key for fault in error.problems if fault.key), None)
        return 400, {**words, "key": key, "faults": figure_data.fault_entries(error.problems)}
    if isinstance(error, UsageError):
        return 400, words
    if type(error) is LookupError:
        return 404, {**words, "error": speech.translated(error.args[0])}
    if isinstance(error, NoVerdictError):
        return 408, words
    if isinstance(error, MemoryError):
        return 408, {**words, "error": speech.translated(OUT_OF_MEMORY)}
    bug = say(
        "this is a bug in tabletop, please report it: {kind}: {error}",
        kind=type(error).__name__,
        error=str(error),
    )
    return 500, {**words, "error": speech.translated(bug)}


# About a scenario.


def table(tables: Tables, options: TableOptions) -> Tables:
    """Return the JSON of an unresolved table: places, figure, gaps around some units, and faults.

    Unless `bodies` is true, the places and marks of units and terrain are omitted, for a client that drags them knows
    them.

    Raises
    ------
    ScenarioError
        If the scenario is too faulty to be shown.
    """
    faults: tuple[Fault, ...] = ()
    try:
        case = case_from_tables(tables, overrides=options.set)
    except ScenarioError as error:
        if error.case is None:
            raise
        case = error.case
        faults = error.problems
    state = case.state
    return {
        **_standing(state, options),
        "figure": figure_data.table_figure(case, faults, has_bodies=options.bodies),
        "faults": figure_data.fault_entries(faults, state),
    }


def _standing(state: State[Any], options: TableOptions) -> Tables:
    """Return the JSON of gaps around the units in `near` and, with `bodies`, of board, terrain and all places."""
    near = tuple(dict.fromkeys(options.near))[: figure_data.MOST_NEAR]
    if unknown := [name for name in near if name not in state.units]:
        raise UsageError(
            "near: no unit is called {unknown}{hint}",
            unknown=shown(unknown[0]),
            hint=nearest(unknown[0], state.units),
        )
    return {
        **(figure_data.table_entries(state) if options.bodies else {}),
        "gaps": figure_data.gaps(state, near, options.within),
    }


def resolve(tables: Tables, options: ResolveOptions) -> Tables:
    """Return the output of `tabletop resolve --json` and, unless `figure` is false, the figure, its texts and all
    places.
    """
    answer = _answered(tables, options)
    told = result(answer.case, *speech.spoken(answer.case, answer.resolution, answer.judgement))
    if not options.figure:
        return told
    resolution = (
        answer.resolution if options.ruling is None else _alone(answer.resolution, options.ruling)
    )
    figure = figure_data.answer_figure(answer.case, resolution, has_bodies=options.bodies)
    moved = figure_data.moved_places(resolution.before, resolution.after)
    return {
        **told,
        **_standing(resolution.before, options),
        **_words(answer.case, resolution, None),
        "ends": moved,
        "figure": figure,
        **_findings(resolution, None, figure),
        "rolls": _rolls(answer.case, answer.resolution),
        "contrasts": _contrasts(answer.case, resolution),
    }


def judge(tables: Tables, options: JudgeOptions) -> Tables:
    """Return the output of `tabletop judge --json` and, unless `figure` is false, the proposal's figure, its texts and
    all places.
    """
    answer = _answered(tables, options)
    case = answer.case
    resolution = answer.resolution
    judgement = answer.judgement or api.judge(case, resolution)
    told = result(case, *speech.spoken(case, resolution, judgement))
    if not options.figure:
        return told
    claimed = case.claimed(resolution) or {}
    figure = figure_data.answer_figure(case, resolution, judgement, has_bodies=options.bodies)
    return {
        **told,
        **_standing(resolution.before, options),
        **_words(case, resolution, judgement),
        "ends": figure_data.moved_places(resolution.before, resolution.after),
        "claimed": figure_data.claimed_places(claimed, resolution.before),
        "figure": figure,
        "demanded": figure_data.demanded_figure(resolution, judgement),
        **_findings(resolution, judgement, figure),
        "rolls": _rolls(case, resolution),
    }


def _answered(tables: Tables, options: JudgeOptions) -> Report:
    """Return the report on a scenario: the case, its resolution and, if there is a proposal, the judgement."""
    case = case_from_tables(tables, overrides=options.set)
    limit = options.max_seconds
    second_opinion = options.second_opinion
    contrast = options.contrast
    return api.answer(
        case,
        dice=options.dice,
        seed=options.seed,
        max_seconds=limit,
        second_opinion=second_opinion,
        contrast=contrast,
        fill=options.fill,
    )


def _alone(resolution: Resolution, number: int) -> Resolution:
    """Return a resolution reduced to the ruling on charge number `number`, from 0; raise UsageError if there is
    none.
    """
    if number >= len(resolution.rulings):
        raise UsageError(
            "ruling: expected the number of one of the scenario's {count} charges, counted from 0, given {number}",
            number=number,
            count=len(resolution.rulings),
        )
    return replace(resolution, rulings=(resolution.rulings[number],), order=())


@speech.in_its_terms
def _words(case: Case, resolution: Resolution, judgement: Judgement | None) -> Tables:
    """Return the JSON of texts for readers: headline, a badge for each charge, and the sentences of the caption."""
    from plots.marks.captions import badges, caption, title
    from tabletop.language.language import current_language
    from tabletop.language.spoken import in_language

    resolution, judgement = in_language(current_language(), case, resolution, judgement, "reader")
    told = badges(resolution, judgement)
    first = f"{told[0].words}: {told[0].about}" if told else title(case)
    kept = ("outcome", "words", "about", "who", "why")
    entries = [{key: getattr(badge, key) for key in kept} for badge in told]
    return {
        "headline": first,
        "badges": entries,
        "sentences": list(caption(case, resolution, judgement)),
    }


def _findings(resolution: Resolution, judgement: Judgement | None, figure: Tables) -> Tables:
    """Return two mappings by rule: ids of the marks that show its finding, and names of units and terrain that the
    finding mentions.
    """
    judged = () if judgement is None else judgement.findings
    findings = [*judged, *(finding for ruling in resolution.rulings for finding in ruling.findings)]
    known = {*resolution.before.units, *(piece.name for piece in resolution.before.terrain)}
    names = {finding.rule: sorted(names_in(finding.text) & known) for finding in reversed(findings)}
    return {"marks_of": figure_data.marks_of(resolution, figure), "names_of": names}


@speech.in_its_terms
def _contrasts(case: Case, resolution: Resolution) -> list[Tables]:
    """Return for each ruling its alternatives, each with heading and text, and the figure of the one that is drawn,
    None without one.
    """
    from plots.marks.panels import contrast_heading
    from tabletop.language.language import current_language
    from tabletop.language.spoken import in_language

    resolution, _ = in_language(current_language(), case, resolution, None, "reader")
    told = []
    for ruling in resolution.rulings:
        found = ruling.contrast or ()
        has_place = [bool(one.heading) and one.kind != "mechanism" for one in found]
        headings = [
            contrast_heading(one)
            if is_named
            else speech.translated(speech.CONTRAST_WORDS[one.kind])
            for one, is_named in zip(found, has_place, strict=True)
        ]
        lines = [
            {"heading": heading, "text": one.finding.text}
            for heading, one in zip(headings, found, strict=True)
        ]
        told.append({"lines": lines, "figure": figure_data.contrast_figure(resolution, ruling)})
    return told


def _rolls(case: Case, resolution: Resolution) -> list[Tables]:
    """Return the faces that each charge rolled, in file order, and how the figure describes and counts them."""
    resolution, _ = speech.spoken(case, resolution, None)
    rolled = {} if resolution.throws is None else resolution.throws.rolled
    told = []
    for number, ruling in enumerate(resolution.rulings):
        dice = ruling.evidence.dice
        faces = rolled.get(number, ())
        counts = (
            {}
            if dice is None
            else {"counted": list(dice.faces), "ignored": list(dice.ignored), "sides": dice.sides}
        )
        words = {} if dice is None else {"words": dice.words}
        told.append({"faces": list(faces), "least": len(faces), **words, **counts})
    return told


def odds(tables: Tables, options: OddsOptions) -> Tables:
    """Return the output of `tabletop odds --json`."""
    case = replace(case_from_tables(tables, overrides=options.set), detail=options.all)
    return odds_result(api.odds(case, max_seconds=options.max_seconds))


def write(tables: Tables, options: NoOptions) -> Tables:
    """Return a scenario as TOML text and as a link; units placed relative to others stay so."""
    del options
    # raises if there is no system
    system = registry.named(tables) or case_from_tables(tables).system
    scenario, problems = validated(scenario_model(system), tables)
    if scenario is None or problems:
        raise ScenarioError(problems)
    return {
        "toml": to_toml(scenario),
        "link": link_to(scenario),
    }


def plain(tables: Tables, options: PlainOptions) -> Tables:
    """Return the scenario with one unit's placement relative to others replaced by coordinates."""
    name = options.unit
    try:
        case = case_from_tables(tables)
    except ScenarioError as error:
        if error.case is None:
            raise
        case = error.case
    if name not in case.state.units:
        raise UsageError(
            "unit: no unit is called {name}{hint}",
            name=shown(name),
            hint=nearest(name, case.state.units),
        )
    entry = tables["units"][name]
    kept = {key: entry[key] for key in KEPT_OF_A_UNIT if key in entry}
    told = {
        key: value
        for key, value in unit_entry(case.state.units[name], case).items()
        if key not in KEPT_OF_A_UNIT
    }
    return {"scenario": {**tables, "units": {**tables["units"], name: {**kept, **told}}}}


# Figures as files: those that the command `draw` writes, byte for byte.


def draw(tables: Tables, options: DrawOptions) -> Reply:
    """Return the figure of a scenario as a file, byte for byte that of `tabletop draw`.

    Raises
    ------
    UsageError
        If an option is invalid, or the figure does not fit.
    ScenarioError, NoVerdictError
        As resolving does.
    """
    import plots

    kind = options.format
    view = _view(options)
    if options.language is not None:
        _refuse_file(options.language)
    setting = plots.setting(options, language=options.language or speech.spoken_name())
    case = case_from_tables(tables, overrides=options.set)
    if f".{kind}" in MOVING and view != "charge":
        raise UsageError("animations show every step: steps and board are only for still figures")
    if view == "board":
        report = api.unresolved(case)
    else:
        report = api.answer(
            case, dice=options.dice, seed=options.seed, max_seconds=options.max_seconds
        )
    data = Drawing(*report, view, setting).data(kind)
    return Reply(
        data,
        media=FIGURE_MEDIA_TYPES[kind],
        headers={"Content-Disposition": f'attachment; filename="{_file_name(case.title)}.{kind}"'},
    )


def _view(options: DrawOptions) -> View:
    if options.steps and options.board:
        raise UsageError("options: steps and board exclude each other")
    return "steps" if options.steps else "board" if options.board else "charge"


def _refuse_file(language: str) -> None:
    """Raise UsageError if a language is not bundled: the page must not read local language files."""
    from tabletop.language.language import BUNDLED

    if languages().get(language.lower(), language.lower()) not in BUNDLED:
        message = "options: language: expected {known}, given {language}{hint}"
        raise UsageError(
            message,
            known=quoted(BUNDLED),
            language=shown(language),
            hint=nearest(language, BUNDLED),
        )


def _file_name(title: str) -> str:
    """Return a title as a portable file name of lower-case letters, digits and hyphens; "charge" if nothing remains."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(words)[:LONGEST_NAME].strip("-") or "charge"


def picture(name: str) -> Reply:
    """Return the last panel of a bundled scenario's figure, without frame, as an SVG for the gallery.

    Raises
    ------
    LookupError
        If there is no such scenario.
    """
    import plots

    _refuse_unknown(name)
    case = read_case(name)
    resolution = api.resolve(case)
    panel = "after" if figure_data.moved_places(resolution.before, resolution.after) else "before"
    setting = plots.setting(
        size="single-column", bare=True, panel=panel, text="outlines", language=speech.spoken_name()
    )
    return Reply(
        Drawing(case, resolution, setting=setting).data("svg"), media=FIGURE_MEDIA_TYPES["svg"]
    )


def words() -> Tables:
    """Return the possible values of each option of figures."""
    from plots.layout.setting import PAPERS, SIZES, TEXTS
    from plots.marks.theme import THEMES
    from tabletop.language.language import BUNDLED

    lists: dict[str, Iterable[str]] = {
        "theme": THEMES,
        "size": SIZES,
        "language": BUNDLED,
        "format": FIGURE_MEDIA_TYPES,
        "sheet": PAPERS,
        "text": TEXTS,
        "audience": AUDIENCES,
    }
    return {"draw": {key: list(values) for key, values in lists.items()}}


# Maps, told case by case.


def explore(tables: Tables, options: MapOptions, tell: Tell) -> Reply:
    """Return the map that answers a question, as one last line of JSON; `tell` is called with lines of progress.

    Raises
    ------
    UsageError
        If there is no such map, or it has too many cases.
    NoVerdictError
        If the time limit is reached.
    """
    found = _mapped(tables, options, tell)
    return Reply(as_json({"map": found}) + b"\n", media=NDJSON)


def _mapped(tables: Tables, options: MapOptions, tell: Tell) -> Tables:
    from tabletop.exploring.explore import explore, sweep_of
    from tabletop.exploring.questions import Question

    seed = options.seed
    seconds = options.max_seconds
    question = Question(options.question, options.unit, options.step, options.facings)
    cases = len(sweep_of(tables, question=question, seed=seed).grid)
    if cases > MAX_MAP_CASES:
        raise UsageError(
            "this asks for {cases:,} cases, and the page resolves at most {most:,}: use a larger step",
            cases=cases,
            most=MAX_MAP_CASES,
        )
    count, told, started = 0, 0.0, time.monotonic()

    def done(more: int) -> None:
        """Count finished cases, report progress at most every `EVERY` seconds, and raise NoVerdictError at the time
        limit.
        """
        nonlocal count, told
        count += more
        if time.monotonic() - told >= EVERY:
            told = time.monotonic()
            if told - started > seconds:
                message = "stopped at the limit of {seconds:g} s after {count:,} of {cases:,} cases: use a larger step"
                raise NoVerdictError(message, seconds=seconds, count=count, cases=cases)
            tell(as_json({"done": count, "of": cases}) + b"\n")

    done(0)
    survey = explore(tables, question=question, seed=seed, workers=1, done=done)
    return _heat(survey, options.unit)


def _heat(survey: Any, unit: str | None) -> Tables:
    """Return the JSON of a map: its coloured areas with their legend and texts."""
    import plots
    from plots.marks.survey_words import found_words, unit_of
    from plots.render.maps import NUMBERLESS, picture_of
    from tabletop.language.language import speaking

    picture = picture_of(
        survey.case,
        survey,
        question=survey.question,
        setting=plots.setting(language=speech.spoken_name()),
    )
    if picture is None:
        raise UsageError(
            "this result has no map, because no unit was moved over the board; vary a unit's place, as in units.B=board"
        )
    with speaking(speech.language_of(survey.case)):
        found = found_words(survey.case, survey, question=survey.question)
    shaded = ("heat.", *NUMBERLESS)
    marks = [
        mark
        for mark in picture.panels[0].marks
        if mark.role.startswith(shaded) or mark.id.startswith("map.heat.")
    ]
    return {
        "question": survey.question,
        "unit": unit_of(survey) or unit,
        "figure": figure_data.figure_of(marks, survey.case.state),
        "legend": [{"role": role, "words": words} for role, words in picture.meanings.items()],
        "answer": picture.title,
        "found": found,
        "words": " ".join(picture.caption),
    }


# About files, and about what there is.


def read(data: bytes) -> Tables:
    """Return the scenario in a text (TOML, JSON or a link) or in the bytes of a file, which may be a figure, and its
    faults.

    A file without a usable scenario raises ScenarioError.
    """
    text, label = _given(data)
    with naming(label):
        if is_figure(text):
            text = embedded_scenario(text)
        elif is_link(plain_text := text.decode("utf-8", "replace")):
            text = linked(plain_text)
        tables, lines = parsed_with_lines(text)
        try:
            case_from_tables(tables)
        except ScenarioError as error:
            if error.case is None:
                raise lines.with_lines(error) from None
            return {
                "scenario": tables,
                "faults": figure_data.fault_entries(lines.with_lines(error).problems),
            }
    return {"scenario": tables, "faults": []}


def _given(data: bytes) -> tuple[bytes, str]:
    """Return the bytes of a posted file, and the name by which messages refer to it."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise UsageError('expected a JSON object with "text", or with "data" in base64') from None
    told = (
        {key: body.get(key) for key in ("text", "data", "name")} if isinstance(body, dict) else {}
    )
    text = told.get("text")
    coded = told.get("data")
    name = told.get("name") or ""
    if not isinstance(name, str) or (isinstance(text, str) == isinstance(coded, str)):
        raise UsageError(
            'expected a JSON object with "text", or with "data" in base64, and perhaps a "name"'
        )
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass"), name[:200]
    try:
        return base64.b64decode(coded or "", validate=True), name[:200]
    except (binascii.Error, ValueError):
        raise UsageError('"data" is not valid base64') from None


def opened(source: str) -> Tables:
    """Return the scenario of a file, link or bundled name with its label, even if its table has faults, which the page
    then shows.

    Raises
    ------
    ScenarioError
        If the scenario is too faulty to be shown.
    """
    tables = read_tables(source)
    try:
        case_from_tables(tables)
    except ScenarioError as error:
        if error.case is None:
            raise error.in_file(label_of(source)) from None
    return {"scenario": tables, "name": label_of(source)}


def empty(system: str) -> Tables:
    """Return a scenario of a system with an empty table of its usual size."""
    return {"scenario": {"system": system, "board": boards(registry.find(system))[0]}, "name": ""}


def boards(system: System) -> list[Tables]:
    """Return the entries of possible boards for an empty table, in inches or hexes, the system's own first."""
    own = dict(system.vocabulary.example.get("board", {}))
    if "columns" in own:
        return [own]
    usual = [{"width": width, "depth": depth} for width, depth in BOARD_SIZES]
    return sorted(usual, key=lambda board: board != own)


def health() -> Tables:
    """Return the program's version, and name, title and boards of each system."""
    from tabletop.distribution import version

    found = [registry.find(name) for name in _systems()]
    return {
        "version": version(),
        "systems": [{"name": one.name, "title": one.title, "boards": boards(one)} for one in found],
    }


def _systems() -> tuple[str, ...]:
    return registry.usable_names(lambda _: None)


def schema() -> Tables:
    """Return the JSON Schema of scenario files of all systems, with descriptions in the current language."""
    from tabletop.scenario.schema import json_schema

    return dict(speech.explained(json_schema([registry.find(name) for name in _systems()])))


def scenarios() -> list[Tables]:
    """Return names, systems and titles of the bundled scenarios."""
    found = (
        (name, system, parsed(file.read_bytes()))
        for system in _systems()
        for name, file in registry.scenarios(system)
    )
    return [
        {"name": name, "system": system, "title": str(tables.get("title", ""))}
        for name, system, tables in found
    ]


def scenario(name: str) -> Tables:
    """Return the tables of a bundled scenario by name.

    Raises
    ------
    LookupError
        If there is no such scenario.
    """
    _refuse_unknown(name)
    return {"scenario": parsed(bundled_text(name).encode()), "name": name}


def _refuse_unknown(name: str) -> None:
    if name not in bundled_names():
        message = "there is no bundled scenario called {name}{hint}"
        raise LookupError(say(message, name=shown(name), hint=nearest(name, bundled_names())))


def warm(system: str) -> Tables:
    """Return the resolution of a system's example; its purpose is to import everything that rulings and figures
    need.
    """
    return resolve({"system": system, **registry.find(system).vocabulary.example}, ResolveOptions())


def start(tables: str) -> Any:
    """Return the initial scenario parsed from its JSON text."""
    return json.loads(tables)


def openapi() -> Tables:
    """Return the OpenAPI description of the page's endpoints."""
    from tabletop.page.openapi import described

    models = {kind: options_of(kind) for kind in ENDPOINTS}
    return described({kind: model for kind, model in models.items() if model is not None})


def readings(system: str) -> list[Tables]:
    """Return the choices of a system's rules: key, possible values, default and meaning of each.

    Raises
    ------
    LookupError
        If the system is unknown.
    """
    if not registry.is_known(system):
        raise LookupError(
            say(
                "no system is called {system}{hint}",
                system=shown(system),
                hint=nearest(system, registry.names()),
            )
        )
    properties = speech.explained(registry.find(system).vocabulary.choices.model_json_schema()).get(
        "properties", {}
    )
    return [
        {
            "key": key,
            "values": told.get("enum"),
            "default": told.get("default"),
            "description": told.get("description", ""),
        }
        for key, told in properties.items()
    ]


def theme() -> Tables:
    """Return the drawing styles of all roles of marks, light and dark."""
    from plots.marks.entries import theme_roles

    return theme_roles()
