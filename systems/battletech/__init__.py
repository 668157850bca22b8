"""BattleTech, Total Warfare: charging attacks of 'Mechs and vehicles on a board of hexes."""

from systems.battletech.system import SYSTEM

__all__ = ["SYSTEM"]
