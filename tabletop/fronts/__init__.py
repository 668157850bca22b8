"""Rank and file: which fronts reach which facings, and where along them they stand best; may touch the table and geometry."""
