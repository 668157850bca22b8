"""From pages to Matplotlib and into files: colours, lines, the same bytes every time; may touch marks and layout."""

from plots.layout import backend

backend.load()  # before anything else of this room imports matplotlib
