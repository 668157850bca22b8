"""The table as an immutable value: what stands where, facings, hexes, sight, dice; may touch geometry alone."""
