"""Options of the whole test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites the kept rulings."""
    parser.addoption("--update-golden", action="store_true", help="Write the printed rulings of the bundled scenarios anew.")
