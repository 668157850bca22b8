"""Where all of a figure stands on its page: panels, labels, ruler and key, in inches; may touch marks."""

from plots.marks import library

library.load()  # before anything else of this room imports matplotlib
