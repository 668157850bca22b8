"""The table as an immutable value: what stands where, facings, hexes, lines of sight, dice; imports only geometry."""
