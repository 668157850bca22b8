"""Size limits of scenario files, checked before any further work."""

FILE_BYTES = 2**20
"""Bytes per file."""

FIGURE_BYTES = 64 * 2**20
"""Bytes per figure that contains a scenario."""

NESTING = 32
"""Levels of nested tables and arrays, including the file itself."""

MAX_MODELS = 500
"""Models per file."""

MODELS_IN_CHARGE = 100
"""Models per charger."""

TERRAIN_PIECES = 200
"""Pieces of terrain per file."""

VERTICES = 2_000
"""Vertices per polygon."""

CHARGES = 20
"""Charges per file."""

LENGTH = 10_000.0
"""Greatest coordinate or size, in inches."""

NAME_LENGTH = 60
"""Characters per name of a unit or piece of terrain."""

TITLE = 200
"""Characters per title."""

MAX_TEXT = 4_000
"""Characters per note or source."""

PROBLEMS = 50
"""Faults reported per file."""
