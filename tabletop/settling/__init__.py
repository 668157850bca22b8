"""Measured tables: the nearest possible table, and the alternatives within the accuracy."""
