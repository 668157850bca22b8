"""Warhammer 40,000, 10th edition: charges of units of loose models (each model on its own base)."""

from systems.wh40k.system import SYSTEM

__all__ = ["SYSTEM"]
