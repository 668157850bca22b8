"""Layout of figures: positions of panels, labels, ruler and key on a page, in inches; these modules may import
marks.
"""

from plots.layout import backend

backend.load()  # before any module of this package imports Matplotlib
