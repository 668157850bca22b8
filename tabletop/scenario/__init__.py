"""Scenario files and results: TOML for people, JSON for programs, one pydantic model for both."""

from tabletop.scenario.cases import case_of, scenario_of
from tabletop.scenario.document import Scenario, scenario_model
from tabletop.scenario.reading import case_from_text, read_case, read_scenario
from tabletop.scenario.results import odds_result, result
from tabletop.scenario.writing import to_json, to_toml

__all__ = [
    "Scenario",
    "case_from_text",
    "case_of",
    "odds_result",
    "read_case",
    "read_scenario",
    "result",
    "scenario_model",
    "scenario_of",
    "to_json",
    "to_toml",
]
