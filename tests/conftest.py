"""Options of the whole test run, which tests share a process, which are slow, and how to run a failing one alone."""

import shlex
from collections import defaultdict
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.bundled import FOUR, scenario_of

# A machine that stands still for a moment finds no fault; the examples are the same in every run, and none is
# remembered.
settings.register_profile(
    "gate",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("gate")

SLOW_FROM = 0.15
"""Seconds from which on `make test` leaves a test out."""
LONG_FROM = 2.0
"""Seconds from which on `make rest` leaves it out as well: then only `make test-all` runs it."""
RECORD = Path(__file__).with_name("slow.txt")
"""The slow tests with their seconds, as `make durations` recorded them."""
ALWAYS = (
    "tests/test_golden.py",
    "tests/test_contracts.py",
    "tests/systems/battletech/test_thresholds.py",
    "tests/systems/conquest/test_thresholds.py",
    "tests/systems/t9a/test_thresholds.py",
    "tests/systems/wh40k/test_thresholds.py",
    "tests/page/browser/test_table.py::test_a_regiment_dragged_away_is_ruled_while_it_moves",
)
"""Beginnings of the names of tests that `make test` runs however long they take: rulings, thresholds, contracts, a flow
in the browser."""

seconds: defaultdict[str, float] = defaultdict(float)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that rewrite what is kept."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="Write the printed rulings of the bundled scenarios anew.",
    )
    parser.addoption(
        "--record-slow",
        action="store_true",
        help=f"Write the tests that take {SLOW_FROM:g} s or longer into {RECORD.name}.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read which tests are slow."""
    lines = RECORD.read_text("utf-8").splitlines() if RECORD.is_file() else []
    config.stash[SLOW] = {
        name: float(taken) for taken, name in (line.split(" ", 1) for line in lines)
    }


SLOW = pytest.StashKey[dict[str, float]]()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the tests of one file in one process, which then makes what they share once only."""
    if item.get_closest_marker("xdist_group") is None:
        item.add_marker(pytest.mark.xdist_group(item.location[0]))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests as slow and long, those of one function together."""
    measured = config.stash[SLOW]
    families = defaultdict(list)
    for item in items:
        if measured.get(item.nodeid, 0.0) >= LONG_FROM:
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.long)
        elif item.get_closest_marker("slow") is None and not item.nodeid.startswith(ALWAYS):
            families[item.nodeid.partition("[")[0]].append(item)
    for family in families.values():
        mark_slow(family, measured)


def mark_slow(family: list[pytest.Item], measured: Mapping[str, float]) -> None:
    """Mark cases of one test as slow: those measured as such, those in a browser, and those of further scenarios.

    Of the first two, all between the first and the last are long.
    """
    names = dict.fromkeys(name for item in family if (name := scenario_of(item)) is not None)
    asked = set(FOUR).intersection(names) or set([*names][:1])
    further = names.keys() - asked if len(names) > len(FOUR) else set()
    slow = []
    for item in family:
        if item.nodeid in measured or "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
            slow.append(item)
        elif scenario_of(item) in further:
            item.add_marker(pytest.mark.slow)
    for item in slow[1:-1]:
        item.add_marker(pytest.mark.long)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say of a failing test how to run it alone."""
    report = yield
    if report.failed:
        alone = f".venv/bin/python -m pytest -m '' {shlex.quote(plain_id(item.nodeid))}"
        report.sections.append(("To run it alone", alone))
    return report


def plain_id(nodeid: str) -> str:
    """Return the id of a test without the group that pytest-xdist writes behind it."""
    return nodeid.rpartition("@")[0] or nodeid


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up how long each test takes, with what it sets up."""
    seconds[plain_id(report.nodeid)] += report.duration


def pytest_sessionfinish(session: pytest.Session, exitstatus: Any) -> None:
    """Write down which tests are slow, if asked to and if all ran to their end."""
    is_worker = hasattr(session.config, "workerinput")
    if (
        session.config.getoption("--record-slow")
        and not is_worker
        and exitstatus == pytest.ExitCode.OK
    ):
        slow = {
            name: taken
            for name, taken in seconds.items()
            if taken >= (LONG_FROM if name.startswith(ALWAYS) else SLOW_FROM)
        }
        RECORD.write_text("".join(f"{slow[name]:.1f} {name}\n" for name in sorted(slow)), "utf-8")
