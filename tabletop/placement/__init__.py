"""Loose models: who stands where; may touch the table and geometry."""
