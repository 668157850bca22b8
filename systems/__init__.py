"""Game systems: each package holds one game's rules over the engine in `tabletop`."""
