"""Placement of loose models by search; imports only `tabletop.table`, `tabletop.geometry` and `tabletop.optimise`."""
