"""Options of the whole test run, and which tests share a process."""

import pytest

UNMEASURED = {
    *("test_oracle", "test_invariance", "test_scenarios", "test_thresholds", "test_fuzzing", "test_determinism"),
    *("test_contracts", "test_placing", "test_budget", "test_cluster", "test_running", "test_threats", "test_ids", "test_pinned"),
    *("test_known_failures", "test_many_places", "test_odds", "test_reach", "test_tilts"),
}
"""Files of long tests, which ask for right answers and reach few lines that short ones do not; measuring them costs minutes."""
UNMEASURED_NAMES = ("test_a_megabyte_of_malice", "test_one_contact_of_two")
"""Beginnings of the names of others."""

LONG = {
    *("test_animation", "test_documents", "test_film", "test_gallery", "test_gallery_labels", "test_player", "test_random_labels"),
    *("test_files", "test_metamorphic", "test_setting", "test_sphinx", "test_underway"),
}
"""Files of tests that draw hundreds of figures, build documents, or ask of other tables what `test_invariance` asks."""
LONG_NAMES = (
    "test_scenario_holds_against_brute_force",
    "test_combined_scenarios_hold_against_brute_force",
    "test_solver_against_brute_force[3]",
    "test_combined_charges_against_brute_force[30]",
    "test_contact_for_which_a_chain_changes_hands",
    "test_possible_coherency_of_large_units[7-failed]",
    *(f"test_{asked}[wh40k/one-contact-of-two]" for asked in ("turned_and_moved", "mirrored", "renamed")),
)
"""Beginnings of the names of others that take long, where shorter ones ask the same of other tables."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites the kept rulings."""
    parser.addoption("--update-golden", action="store_true", help="Write the printed rulings of the bundled scenarios anew.")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the tests of one file in one process, which then makes what they share once only; choose what is long, and what is measured."""
    if item.get_closest_marker("xdist_group") is None:
        item.add_marker(pytest.mark.xdist_group(item.location[0]))
    if item.path.stem in LONG or item.name.startswith(LONG_NAMES):
        item.add_marker(pytest.mark.long)
    if item.path.stem in UNMEASURED or item.name.startswith(UNMEASURED_NAMES) or "brute_force" in item.name:
        item.add_marker(pytest.mark.no_cover)
