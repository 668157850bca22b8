"""BattleTech, Total Warfare: charging attacks."""
