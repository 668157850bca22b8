"""Tables as hands measure them: the nearest one that can be, and what else it may be."""
