"""BattleTech, Total Warfare: charging attacks."""

from systems.battletech.system import SYSTEM

__all__ = ["SYSTEM"]
