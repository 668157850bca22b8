"""From pages to Matplotlib and into files: colours, lines, the same bytes every time; may touch marks and layout."""

from plots.marks import library

library.load()  # before anything else of this room imports matplotlib
