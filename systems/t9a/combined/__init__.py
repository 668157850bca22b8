"""Combined charges: several chargers of one target, their places and the order of their moves chosen together."""
