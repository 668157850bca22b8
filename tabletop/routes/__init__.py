"""Shortest legal ways of a base among obstacles, climbs and flights included; may touch bodies and units of measure, no table."""
