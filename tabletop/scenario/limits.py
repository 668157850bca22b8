"""How large a scenario file may be; beyond these it is refused before any work is done on it."""

FILE_BYTES = 2**20
"""Bytes of one file."""

FIGURE_BYTES = 64 * 2**20
"""Bytes of a figure that carries a scenario."""

NESTING = 32
"""Tables and arrays inside each other, the file itself counted."""

MODELS = 500
"""Models in one file."""

MODELS_IN_CHARGE = 100
"""Models of one charger."""

TERRAIN_PIECES = 200
"""Pieces of terrain in one file."""

VERTICES = 2_000
"""Vertices of one polygon."""

CHARGES = 20
"""Charges in one file."""

LENGTH = 10_000.0
"""Inches: no coordinate or size is greater."""

NAME_LENGTH = 60
"""Characters of the name of a unit or a piece of terrain."""

TITLE = 200
"""Characters of a title."""

TEXT = 4_000
"""Characters of a note or a source."""

PROBLEMS = 50
"""Problems told of one file."""
