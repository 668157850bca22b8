"""Options of the whole test run, and which tests share a process."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites the kept rulings."""
    parser.addoption("--update-golden", action="store_true", help="Write the printed rulings of the bundled scenarios anew.")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the tests of one file in one process, which then makes what they share once only."""
    if item.get_closest_marker("xdist_group") is None:
        item.add_marker(pytest.mark.xdist_group(item.location[0]))
