"""Conquest: The Last Argument of Kings, 1.5: the Charge Action."""

from systems.conquest.system import SYSTEM

__all__ = ["SYSTEM"]
