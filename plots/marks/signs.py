"""Letters that texts of figures are written with; to know them no font is loaded."""

UNBREAKING = "\N{NO-BREAK SPACE}"
HEIGHT_SIGN = "\N{UPWARDS ARROW}"
