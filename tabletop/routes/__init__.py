"""Shortest legal paths of a base among obstacles, including climbs and flights; imports only geometry."""
