"""Scenes at the limits of what a file may hold: whether every answer comes in time, in little memory, without a bug."""
