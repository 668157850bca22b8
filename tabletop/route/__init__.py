"""The shortest legal way of a footprint among obstacles, climbs included."""

from tabletop.route.ground import Barrier, Ground, Platform, Solid
from tabletop.route.trace import Way
from tabletop.route.ways import Place

__all__ = ["Barrier", "Ground", "Place", "Platform", "Solid", "Way"]
