"""Sphinx configuration of the site (`make docs`). Neither the build nor the pages load anything from the network."""

import logging
import sys
from pathlib import Path

from tabletop.distribution import version as version_of

sys.path.insert(0, str(Path(__file__).parent))

# the theme's logging setup shows the messages of other packages
logging.getLogger("fontTools").setLevel(logging.WARNING)

project = "tabletop"
author = project_copyright = "the tabletop authors"
version = release = version_of()

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "plots.sphinx", "made"]
exclude_patterns = ["build"]
default_role = "literal"  # docstrings use one backtick for code
nitpicky = True
smartquotes = False  # would turn the two hyphens of an option into a dash

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 100
# Signatures name types of other packages and internal types of the engine, which have no page.
nitpick_ignore_regex = [("py:class", r".*"), ("py:obj", r"typing\..*")]

tabletop_formats = ["svg"]

html_theme = "furo"
html_title = f"tabletop {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
