"""How the site is built (`make docs`). Nothing is loaded from elsewhere, neither while it is built nor by its pages."""

import logging
import sys
from pathlib import Path

from tabletop.distribution import version as version_of

sys.path.insert(0, str(Path(__file__).parent))

logging.getLogger("fontTools").setLevel(logging.WARNING)  # a style of the theme's lets everybody's messages through

project = "tabletop"
author = project_copyright = "the tabletop authors"
version = release = version_of()

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "plots.sphinx", "made"]
exclude_patterns = ["build"]
default_role = "literal"  # docstrings are read as text first: one backtick for code
nitpicky = True
smartquotes = False  # they make dashes of the two hyphens of an option

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = False
napoleon_use_ivar = True
python_use_unqualified_type_names = True
maximum_signature_line_length = 100
# Types of others, and those inside the engine that an answer is made of: they are named in signatures, and have no page.
nitpick_ignore_regex = [("py:class", r".*"), ("py:obj", r"typing\..*")]

tabletop_formats = ["svg"]

html_theme = "furo"
html_title = f"tabletop {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
