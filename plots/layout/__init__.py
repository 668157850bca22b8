"""Where all of a figure stands on its page: panels, labels, ruler and key, in inches; may touch marks."""

from plots.layout import backend

backend.load()  # before anything else of this room imports matplotlib
