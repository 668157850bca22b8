"""Options of the whole test run, and which tests share a process."""

import zlib

import pytest
from hypothesis import HealthCheck, settings

# A machine that stands still for a moment finds no fault; the examples are the same in every run, and none is remembered.
settings.register_profile("gate", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gate")

MEASURED = (
    *(
        "tests/cli/",
        "tests/exploring/",
        "tests/plots/",
        "tests/scenario/",
        "tests/test_golden.py",
        "tests/test_other_dice.py",
        "tests/page/test_live.py",
        "tests/page/test_routes.py",
        "tests/test_faulty_systems.py",
        "tests/test_python.py",
        "tests/test_readme.py",
        "tests/test_warband.py",
        "tests/tabletop/settling/test_judging.py",
    ),
    *(f"tests/systems/battletech/test_{asked}.py" for asked in ("judge", "path", "vocabulary", "weapon")),
    *(f"tests/systems/conquest/test_{asked}.py" for asked in ("align", "judge", "vocabulary")),
    *(f"tests/systems/t9a/test_{asked}.py" for asked in ("examples", "failed", "judge", "unaligned", "vocabulary")),
    *(f"tests/systems/wh40k/test_{asked}.py" for asked in ("judging", "turnings", "vocabulary", "ways")),
)
"""Beginnings of the paths of tests whose coverage is measured: what users ask for as a whole; the tests of parts reach little else."""
MEASURED_NAMES = ("_judged", "test_move_pivot", "test_other_places")
"""Parts of the names of others, which reach branches of judges."""
UNMEASURED = {"test_cluster", "test_running", "test_threats", "test_ids", "test_pinned"}
"""Files among those measured that take long, and ask for right answers more than for lines."""
UNMEASURED_NAMES = ("test_a_megabyte_of_malice", "test_contracts_are_kept", "test_a_scenario_written_and_read_again")
"""Beginnings of the names of others, which reach no line that the rest do not; measuring would also distort the times of one."""

LONG = {
    *("test_animation", "test_documents", "test_film", "test_gallery", "test_gallery_labels", "test_player", "test_random_labels"),
    *("test_choosing", "test_drawing", "test_editing", "test_endurance", "test_journeys", "test_panels_of_the_page"),
    *("test_photo", "test_saving", "test_trouble"),
    *("test_files", "test_metamorphic", "test_setting", "test_sphinx", "test_underway"),
}
"""Files of tests that draw hundreds of figures, build documents, do on the page what stands around its table, or ask of other tables what
the invariances ask."""

THINNED = (
    "test_callouts",
    "test_composition",
    "test_key",
    "test_language",
    "test_live",
    "test_magnified",
    "test_slides",
    "test_true_lengths",
)
"""Files of tests that ask the same of every bundled scenario, one after the other: of three quarters of them, others of each file, only
among the long tests."""
THINNED_CONTRACTS = ("a_success_spoiled_by_a_hundredth_is_refused", "nonsense_is_refused")
"""Contracts that ask the judge many times: of three quarters of the scenarios only among the long tests."""

LONG_NAMES = (
    "test_scenario_holds_against_brute_force",
    "test_combined_scenarios_hold_against_brute_force",
    "test_solver_against_brute_force[3]",
    "test_combined_charges_against_brute_force[30]",
    "test_contact_for_which_a_chain_changes_hands",
    "test_possible_coherency_of_large_units[7-failed]",
    *(f"test_contract[{asked}-wh40k/one-contact-of-two]" for asked in ("turned_and_moved", "mirrored", "renamed")),
    "test_contract[reordered_with_a_stranger_far_away-wh40k/one-contact-of-two]",
    "test_scipy_finds_what_the_systems_prove[t9a/front-and-flank-at-a-corner]",
    "test_the_example_does_all_that_games_do",
    "test_vehicles_in_a_row_turn_together_where_it_pays[3-5.905512]",
)
"""Beginnings of the names of others that take long, where shorter ones ask the same of other tables."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites the kept rulings."""
    parser.addoption("--update-golden", action="store_true", help="Write the printed rulings of the bundled scenarios anew.")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the tests of one file in one process, which then makes what they share once only; choose what is long, and what is measured."""
    if item.get_closest_marker("xdist_group") is None:
        item.add_marker(pytest.mark.xdist_group(item.location[0]))
    if item.path.stem in LONG or item.name.startswith(LONG_NAMES) or _is_thinned(item):
        item.add_marker(pytest.mark.long)
    if _is_measured(item):
        item.add_marker(pytest.mark.measured)


def _is_thinned(item: pytest.Item) -> bool:
    """Tell whether a test asks what a quarter of the scenarios is asked in every run of a scenario that is not among them."""
    given = getattr(getattr(item, "callspec", None), "params", {})
    stem, name = item.path.stem, given.get("name")
    if stem in THINNED and isinstance(name, str):
        return zlib.crc32(name.encode()) % 4 != THINNED.index(stem) % 4
    contract = str(given.get("contract", ""))
    return contract.startswith(THINNED_CONTRACTS) and zlib.crc32(contract.encode()) % 4 != 0


def _is_measured(item: pytest.Item) -> bool:
    if item.nodeid.startswith("tests/page/browser/"):  # what they ask of runs in processes of its own
        return False
    is_asked = item.nodeid.startswith(MEASURED) or any(part in item.name for part in MEASURED_NAMES)
    return is_asked and item.path.stem not in UNMEASURED and not item.name.startswith(UNMEASURED_NAMES)
